import { existsSync, readFileSync } from 'node:fs';

/** Name and version of this kit, from its package.json: two folders up from the sources, three from dist. */
export function readIdentity(): { readonly name: string; readonly version: string } {
  for (const place of ['../../package.json', '../../../package.json']) {
    const file = new URL(place, import.meta.url);
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string };
    return { name, version };
  }
  return { name: 'a2a-tck', version: 'unknown' };
}
