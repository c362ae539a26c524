// Builds dist/: generated unions, compiled sources, the data that they read (schemas), and from these the bundle that is
// published.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minifySync } from 'rolldown/utils';
import { parse } from 'yaml';
import { bundle } from './bundle.js';
import { generate } from './generate.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
generate(root);
rmSync(join(root, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.json')], {
  stdio: 'inherit',
});
// What comes from the tables of options and of formats: two schemas, a page, and parts of another one and of action.yml.
const { madeFiles } = await import(join(root, 'dist/src/options/made.js'));
for (const [path, text] of madeFiles((path) => readFileSync(join(root, path), 'utf8'))) {
  const file = join(root, path);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
for (const data of ['schemas', 'fixtures']) {
  cpSync(join(root, data), join(root, 'dist', data), {
    recursive: true,
    // Faulty cards are for tests, which read them from the source folder.
    filter: (from) => !from.endsWith('.ts') && !/fixtures[/\\](a2a[/\\]cards|detection)([/\\]|$)/.test(from),
  });
}
// With what a proof compares.
cpSync(join(root, 'proof'), join(root, 'dist/proof'), {
  recursive: true,
  filter: (from) => !from.endsWith('fuzz.txt'),
});
// Reading YAML takes longer than all the rest of a short command.
const schemas = join(root, 'dist/schemas');
for (const name of [
  'ambiguities.yaml',
  ...['requirements', 'sets'].flatMap((folder) =>
    readdirSync(join(schemas, folder)).map((text) => `${folder}/${text}`),
  ),
]) {
  const data = parse(readFileSync(join(schemas, name), 'utf8'));
  writeFileSync(join(schemas, name.replace(/\.yaml$/, '.json')), JSON.stringify(data));
}
// The schemas for editors and other validators.
const { dialects } = await import(join(root, 'dist/src/dialect/index.js'));
const { loadLedger } = await import(join(root, 'dist/src/ledger/index.js'));
const { plainSchemas } = await import(join(root, 'dist/src/ledger/plain-schemas.js'));
const folders = new Map([...dialects].reverse().map(({ schemas, version }) => [schemas, version]));
for (const [folder, ledger] of [...folders, ['x402', 'x402'], ['xpr', 'xpr'], ['json-rpc', 'a2a-1.0']]) {
  for (const { path, schema } of plainSchemas(folder, loadLedger(ledger))) {
    const file = join(root, 'dist/schemas/plain', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
  }
}
// The validators as code: see src/ledger/schema-code.ts.
const { codeOf } = await import(join(root, 'dist/src/ledger/schema-code.js'));
const { compiledFile } = await import(join(root, 'dist/src/ledger/schema-files.js'));
for (const folder of [...folders.keys(), 'x402']) {
  const file = compiledFile(folder);
  mkdirSync(new URL('./', file), { recursive: true });
  // Made by a program from schemas that lie beside it: no person reads it, and short names are a third of the bytes.
  writeFileSync(
    file,
    minifySync('code.cjs', codeOf(folder), { module: false, compress: false, mangle: { toplevel: true } }).code,
  );
}
// The package holds no more of the proof than which faults each check was seen to catch.
const { killsIn } = await import(join(root, 'dist/src/proof/index.js'));
writeFileSync(join(root, 'dist/proof/kills.json'), JSON.stringify(killsIn(join(root, 'dist/proof'))));
const bin = join(root, 'dist/src/cli/main.js');
if (existsSync(bin)) chmodSync(bin, 0o755);
await bundle(root);
