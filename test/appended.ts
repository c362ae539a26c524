import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Child, startChild } from './child.js';

/** The command as modules: the bundle has no file for each of them. */
const main = join(import.meta.dirname, '../dist/src/cli/main.js');

/**
 * The command with code added to compiled modules, in all of its threads: faults of the kit itself, which no agent shows.
 * `added`: end of a path, such as `/dist/suites/index.js`, and what stands behind its last line.
 */
export function startWith(added: readonly (readonly [path: string, code: string])[], args: readonly string[]): Child {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-appended-'));
  const hooks = join(folder, 'hooks.mjs');
  const begin = join(folder, 'begin.mjs');
  writeFileSync(
    hooks,
    `const added = ${JSON.stringify(added)};
export async function load(url, context, next) {
  const loaded = await next(url, context);
  const codes = added.filter(([path]) => url.endsWith(path)).map(([, code]) => code);
  return codes.length === 0 ? loaded : { ...loaded, source: [loaded.source, ...codes].join('\\n') };
}`,
  );
  writeFileSync(
    begin,
    `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(hooks).href)});`,
  );
  return startChild(args, { NODE_OPTIONS: `--import ${pathToFileURL(begin).href}` }, undefined, main);
}
