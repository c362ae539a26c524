// What `npm test` and `npm run test:quick` do. Steps that need one core run beside each other, and each prints its
// time.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedFiles, checksOf } from './changed.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const took = [];

/** Runs a program; its output comes at the end where `isAside`. Resolves with whether it succeeded. */
function step(name, [program, ...args], isAside = false) {
  const started = performance.now();
  const child = spawn(process.execPath, [join(root, program), ...args], {
    cwd: root,
    stdio: isAside ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => said.push(data));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      took.push(`${name} ${((performance.now() - started) / 1000).toFixed(0)} s`);
      if (code !== 0) {
        process.stdout.write(Buffer.concat(said));
        process.stdout.write(`${name}: exit code ${code}\n`);
      }
      resolve(code === 0);
    });
  });
}

/** Ends the process where a step failed. */
async function all(...steps) {
  if ((await Promise.all(steps)).every(Boolean)) return;
  process.exit(1);
}

const build = ['scripts/build.js'];
const vitest = ['node_modules/vitest/vitest.mjs', 'run'];
const biome = ['node_modules/@biomejs/biome/bin/biome', 'ci'];
const types = ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.test.json'];
const kit = 'dist/bundle/cli.js';

async function whole() {
  await all(step('build', build), step('lint', [...biome, '.'], true));
  const projects = ['unit', 'commands'].flatMap((name) => ['--project', name]);
  await all(step('types', types, true), step('unit tests', [...vitest, ...projects]));
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  await all(step('proofs', scripts['prove:check'].split(' ').slice(1)));
}

/** The tests of the folders in which something changed. */
const testsOf = (files) => [
  ...new Set(
    files.flatMap((file) => {
      if (file.endsWith('.test.ts')) return [file];
      return /^(src|suites|packs|reporters|fixtures|schemas)\//.test(file) ? [`${dirname(file)}/`] : [];
    }),
  ),
];

async function quick(given) {
  const [files, base] = changedFiles(given);
  const texts = files.filter((file) => /\.(ts|js|json)$/.test(file) && existsSync(join(root, file)));
  const lint = texts.length === 0 ? [] : [step('lint', [...biome, '--no-errors-on-unmatched', ...texts], true)];
  await all(step('build', build), ...lint);
  const tests = testsOf(files);
  const { ofAgents, ofClients } = await checksOf(files, base);
  const paid = ofAgents.filter((id) => id.startsWith('x402/'));
  const free = ofAgents.filter((id) => !id.startsWith('x402/'));
  const proof = (ids, ...more) =>
    ids.length === 0 ? true : step(`proof of ${ids.length} checks`, [kit, 'prove', '--only', ids.join(','), ...more]);
  const unit = ['--passWithNoTests', '--project', 'unit', '--project', 'commands', ...tests];
  await all(tests.length === 0 ? true : step('unit tests', [...vitest, ...unit]), step('types', types, true));
  await all(proof(free, '--profile', 'a2a-1.0'));
  await all(proof(paid, '--profile', 'a2a-1.0', '--x402'));
  await all(proof(ofClients, '--profile', 'a2a-1.0', '--clients'));
}

const [mode, base] = process.argv.slice(2);
await (mode === 'quick' ? quick(base) : whole());
process.stdout.write(`${took.join(', ')}\n`);
