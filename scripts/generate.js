// Writes src/ledger/generated.ts: the unions of requirement keys and fault ids, so that a typo does not compile.
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

function faultIds(root) {
  const folder = join(root, 'src/reference/faults');
  const ids = new Set();
  if (!existsSync(folder)) return [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
    for (const [, id] of readFileSync(join(folder, file), 'utf8').matchAll(/\bfault\(\s*'([a-z0-9-]+)'/g)) ids.add(id);
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
    '// Made by scripts/generate.js from the requirement rows and the fault files. Do not edit.\n',
    union(
      'RequirementKey',
      'A key of a row in schemas/requirements; the same sentence has the same key in every version.',
      requirementKeys(root),
    ),
    union('FaultId', 'A seeded fault of the reference agent.', faultIds(root)),
  ].join('\n');
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  writeFileSync(file, text);
  return true;
}
