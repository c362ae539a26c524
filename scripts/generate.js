// Writes src/ledger/generated.ts: the unions of requirement keys and scenario ids, so that a typo does not compile. And
// the names of the formats, which are needed without their code: reporters/formats.ts, and the help of --report.
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

/** The ids of the reporters, in the order of the list in reporters/index.ts. */
function formatIds(root) {
  const folder = join(root, 'reporters');
  const texts = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const declared = /\bconst (\w+): Reporter = \{\s*id: '([a-z0-9-]+)'/g;
  const ids = new Map(texts.flatMap((text) => Array.from(text.matchAll(declared), ([, name, id]) => [name, id])));
  const [, list] = /\breporters: readonly Reporter\[\] = \[([^\]]*)\]/.exec(
    readFileSync(join(folder, 'index.ts'), 'utf8'),
  );
  return list.match(/\w+/g).map((name) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`reporters/index.ts lists ${name}, and no file in reporters/ declares it`);
    return id;
  });
}

const union = (name, about, members) =>
  `/** ${about} */\nexport type ${name} =\n${(members.length > 0 ? members : ['none'])
    .map((member) => `  | '${member}'`)
    .join('\n')};\n`;

/** Writes the file if its text is another one. */
function write(file, lines) {
  const text = lines.join('\n');
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

export function generate(root) {
  write(join(root, 'src/ledger/generated.ts'), [
    '// Made by scripts/generate.js from the requirement rows and the scenarios. Do not edit.\n',
    union(
      'RequirementKey',
      'A key of a row in schemas/requirements; the same sentence has the same key in every version.',
      requirementKeys(root),
    ),
    union('ScenarioId', 'A scenario that is played with a client.', scenarioIds(root)),
  ]);
  const formats = formatIds(root);
  const rows = join(root, 'src/options/rows.ts');
  const help = `'${formats.slice(0, -1).join(', ')} or ${formats.at(-1)}'`;
  write(rows, [readFileSync(rows, 'utf8').replace(/'console, json, .*'/, help)]);
  write(join(root, 'reporters/formats.ts'), [
    '// Made by scripts/generate.js from the list in reporters/index.ts. Do not edit.\n',
    '/** The names of all formats, in the order in which they are listed. */',
    'export const reportFormats = [',
    ...formats.map((id) => `  '${id}',`),
    '] as const;',
    'export type ReportFormat = (typeof reportFormats)[number];\n',
  ]);
}
