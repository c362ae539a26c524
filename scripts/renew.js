// Writes all anew that follows from the checks and their faults: the proof of each profile that has one of them, the page
// of checks, the frozen set of a version that is not yet out, what checks cost, and the figures of README and guide.
//   npm run renew -- [<ids or patterns of checks, with commas or spaces>]
// Without checks: those of the files that differ from the last commit.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedFiles, checksOf, git } from './changed.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = (path) => import(join(root, 'dist', path));

/** Runs a program of this repository. Throws where it fails. */
function run(...args) {
  process.stdout.write(`node ${args.join(' ')}\n`);
  execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
}

run('scripts/build.js');
const { dialects } = await dist('src/dialect/index.js');
const { loadLedger } = await dist('src/ledger/index.js');
const { isIn } = await dist('src/proof/index.js');
const { planAll } = await dist('src/run/index.js');
const { clientProfiles } = await dist('src/clients/profile.js');
const { rules } = await dist('suites/index.js');
const { clientRules } = await dist('suites/clients/index.js');

const named = process.argv.slice(2).flatMap((text) => text.split(',').filter((id) => id !== ''));
const found = named.length > 0 ? undefined : await checksOf(...changedFiles());
const wanted = found === undefined ? named : [...found.ofAgents, ...found.ofClients];
const isNamed = isIn(wanted);
if (![...rules, ...clientRules].some((rule) => isNamed({ rule }))) {
  process.stderr.write(`no check is called ${wanted.join(', ') || 'by a change: name some'}\n`);
  process.exit(2);
}

const touches = (all, ledger) => planAll(all, ledger).some(isNamed);
const payments = touches(rules, loadLedger('x402'));
const calling = new Map(clientProfiles().map(({ id, ledger }) => [id, touches(clientRules, ledger)]));
const { clientProfileOf } = await dist('src/clients/profile.js');
const chosen = [
  ...dialects.filter(({ ledger }) => touches(rules, loadLedger(ledger))).map(({ id }) => [id]),
  ...dialects.filter(({ pays }) => pays && payments).map(({ id }) => [id, '--x402']),
  ...dialects.filter((dialect) => calling.get(clientProfileOf(dialect))).map(({ id }) => [id, '--clients']),
];
// The proof of a profile proves its later generations, too.
const isWith = ([id, way]) => chosen.some(([first, other]) => other === way && id.startsWith(`${first}-v`));
let isPerfect = true;
for (const [id, ...way] of chosen.filter((item) => !isWith(item))) {
  try {
    run('dist/bundle/cli.js', 'prove', '--profile', id, ...way, '--only', wanted.join(','), '--write', 'proof');
  } catch {
    isPerfect = false;
  }
}

run('scripts/checks-doc.js');
run('scripts/costs.js');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
if (git('tag', '--list', `v${version}`).trim() === '') {
  const [set] = readdirSync(join(root, 'schemas/sets')).filter((name) => name.startsWith(`${version}-2`));
  const day = set?.slice(version.length + 1).replace(/\.yaml$/, '');
  run('scripts/freeze-set.js', ...(day === undefined ? [] : [day]));
}
run('scripts/readme-sample.js');
await widenGuide();
if (!isPerfect) process.stderr.write('something is not proven: see above\n');
process.exitCode = isPerfect ? 0 : 1;

/** The guide says how many requests and tasks a run costs: its span has room for every profile. */
async function widenGuide() {
  const file = join(root, 'docs/first-run.md');
  const text = readFileSync(file, 'utf8');
  const sentence =
    /(A\s+run\s+sends\s+some\s+)(\d+)(\s+to\s+)(\d+)(\s+requests\s+and\s+starts\s+some\s+)(\d+)(\s+to\s+)(\d+)/;
  const span = sentence.exec(text);
  if (span === null) throw new Error('docs/first-run.md does not say what a run costs');
  const now = [2, 4, 6, 8].map((at) => Number(span[at]));
  for (const [id, ...way] of chosen) {
    if (way.length > 0 || id.startsWith('xpr')) continue;
    const report = execFileSync(
      process.execPath,
      ['dist/bundle/cli.js', 'demo', '--profile', id, '--fuzz-runs', '0', '--json'],
      { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    const { requests, tasks } = JSON.parse(report).run;
    for (const [at, count] of [requests, tasks].entries()) {
      if (count < now[at * 2]) now[at * 2] = Math.floor(count / 10) * 10;
      if (count > now[at * 2 + 1]) now[at * 2 + 1] = Math.ceil(count / 10) * 10;
    }
  }
  const [a, b, c, d] = now;
  writeFileSync(
    file,
    text.replace(sentence, (_, start, _a, to, _b, middle, _c, toTasks) =>
      [start, a, to, b, middle, c, toTasks, d].join(''),
    ),
  );
}
