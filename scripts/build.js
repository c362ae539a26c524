// Builds dist/: generated unions, compiled sources, and the data the sources read (schemas, fixtures).
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { generate } from './generate.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
generate(root);
rmSync(join(root, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.json')], {
  stdio: 'inherit',
});
for (const data of ['schemas', 'fixtures']) {
  cpSync(join(root, data), join(root, 'dist', data), {
    recursive: true,
    // Faulty cards are for tests, which read them from the source folder.
    filter: (from) => !from.endsWith('.ts') && !/fixtures[/\\](a2a[/\\]cards|detection)([/\\]|$)/.test(from),
  });
}
// Reading YAML takes longer than all the rest of a short command.
const ledgers = join(root, 'dist/schemas/requirements');
for (const name of readdirSync(ledgers)) {
  const rows = parse(readFileSync(join(ledgers, name), 'utf8'));
  writeFileSync(join(ledgers, name.replace(/\.yaml$/, '.json')), JSON.stringify(rows));
}
const bin = join(root, 'dist/src/cli/main.js');
if (existsSync(bin)) chmodSync(bin, 0o755);
