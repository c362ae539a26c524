import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// What docs/targets.md records of published agents and clients.

const sections = readFileSync(join(import.meta.dirname, '../docs/targets.md'), 'utf8').split(/^##+ /m);

/**
 * Ids of the checks that the section with this title records as failed, sorted. Throws where the section is missing.
 */
export function recordedOf(title: string): readonly string[] {
  const section = sections.find((text) => text.startsWith(`${title}\n`));
  if (section === undefined) throw new Error(`docs/targets.md has no section ${title}`);
  return [...section.matchAll(/^\| `([a-z0-9-]+\/[a-z0-9-]+)`/gm)].flatMap(([, id]) => id ?? []).sort();
}
