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

function scenarioIds(root) {
  const packs = readdirSync(join(root, 'packs'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const folders = ['src/clients/scenarios', ...packs.map(({ name }) => `packs/${name}/clients`)]
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder));
  const calls = /\b(?:scenario|[a-z]+Scenario)\(\s*'([a-z0-9-]+)'/g;
  const texts = folders.flatMap((folder) =>
    readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8')),
  );
  return [...new Set(texts.flatMap((text) => Array.from(text.matchAll(calls), ([, id]) => id)))].sort();
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
    union('ScenarioId', 'A scenario that is played with a client.', scenarioIds(root)),
  ].join('\n');
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  writeFileSync(file, text);
  return true;
}
