// What `npm test` and `npm run test:quick` do. Steps that need one core run beside each other, and each tells its time.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const lines = (text) => text.split('\n').filter((line) => line !== '');

/** The files that differ from a commit, and the new ones; of a clean checkout those of the last commit. */
function changedFiles(given) {
  const fresh = lines(git('ls-files', '--others', '--exclude-standard'));
  const since = (base) => [...lines(git('diff', '--name-only', base)), ...fresh];
  const found = since(given ?? 'HEAD');
  return found.length > 0 || given !== undefined ? [found, given ?? 'HEAD'] : [since('HEAD~1'), 'HEAD~1'];
}

/** The tests of the folders in which something changed. */
const testsOf = (files) => [
  ...new Set(
    files.flatMap((file) => {
      if (file.endsWith('.test.ts')) return [file];
      return /^(src|suites|reporters|fixtures|schemas)\//.test(file) ? [`${dirname(file)}/`] : [];
    }),
  ),
];

/** The checks that a changed file of `suites/` names, and those that the changed faults should make fail. */
async function checksOf(files, base) {
  const texts = files
    .filter((file) => file.startsWith('suites/') && existsSync(join(root, file)))
    .map((file) => readFileSync(join(root, file), 'utf8'));
  const changes = git('diff', '-U5', base, '--', 'fixtures/faults', 'fixtures/clients/faults');
  const quoted = (text) => [...text.matchAll(/'([a-z0-9]+(?:[-/][a-z0-9]+)+)'/g)].map(([, id]) => id);
  const ids = new Set(texts.flatMap(quoted));
  const faultIds = new Set(quoted(changes));
  const { rules } = await import(join(root, 'dist/suites/index.js'));
  const { clientRules } = await import(join(root, 'dist/suites/clients/index.js'));
  const { faults: ofAgents } = await import(join(root, 'dist/fixtures/faults/index.js'));
  const { clientFaults: ofClients } = await import(join(root, 'dist/fixtures/clients/index.js'));
  const { mayProve } = await import(join(root, 'dist/src/proof/index.js'));
  const touched = (some, all) => {
    const changed = all.filter(({ id }) => faultIds.has(id));
    return some.filter((rule) => ids.has(rule.id) || changed.some((one) => mayProve(one, rule))).map(({ id }) => id);
  };
  return { ofAgents: touched(rules, ofAgents), ofClients: touched(clientRules, ofClients) };
}

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
