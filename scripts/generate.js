// Writes src/ledger/generated.ts: the unions of requirement keys and scenario ids, so that a typo does not compile.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

function requirementKeys(root) {
  const folder = join(root, 'schemas/requirements');
  const keys = new Set();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
    for (const row of parse(readFileSync(join(folder, file), 'utf8')).requirements ?? []) {
      if (row.key !== undefined) keys.add(row.key);
    }
  }
  return [...keys].sort();
}

/** Ids in the calls of a function in the files of some folders. */
function idsIn(root, name, folders) {
  const ids = new Set();
  for (const folder of folders.map((one) => join(root, one)).filter(existsSync)) {
    for (const file of readdirSync(folder).filter((one) => one.endsWith('.ts') && !one.endsWith('.test.ts'))) {
      const calls = new RegExp(`\\b${name}\\(\\s*'([a-z0-9-]+)'`, 'g');
      for (const [, id] of readFileSync(join(folder, file), 'utf8').matchAll(calls)) ids.add(id);
    }
  }
  return [...ids].sort();
}

const union = (name, about, members) =>
  `/** ${about} */\nexport type ${name} =\n${(members.length > 0 ? members : ['none'])
    .map((member) => `  | '${member}'`)
    .join('\n')};\n`;

/** @returns {boolean} whether the file changed */
export function generate(root) {
  const file = join(root, 'src/ledger/generated.ts');
  const text = [
    '// Made by scripts/generate.js from the requirement rows and the scenarios. Do not edit.\n',
    union(
      'RequirementKey',
      'A key of a row in schemas/requirements; the same sentence has the same key in every version.',
      requirementKeys(root),
    ),
    union(
      'ScenarioId',
      'A scenario that is played with a client.',
      idsIn(root, '(?:scenario|[a-z]+Scenario)', ['src/clients/scenarios']),
    ),
  ].join('\n');
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  writeFileSync(file, text);
  return true;
}
