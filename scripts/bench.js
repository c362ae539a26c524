// Whole-process figures of the built kit: run `npm run build` first. Medians of several runs; compare ratios, not runs
// on different machines.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchSignatures } from './bench-signatures.js';
import { benchSlow } from './bench-slow.js';
import { benchThroughput } from './bench-throughput.js';
import { median } from './fuzzing/figures.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const main = join(root, 'dist/src/cli/main.js');
const meter =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("\\npeak="+process.resourceUsage().maxRSS+"\\n"))';

function once(args) {
  const started = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', meter, main, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, CI: 'true' },
  });
  return {
    ms: performance.now() - started,
    peakMiB: Number(/peak=(\d+)/.exec(stderr)?.[1] ?? Number.NaN) / 1024,
    stdout,
    status,
  };
}

function bare() {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - started;
}

const times = (count, work) => Array.from({ length: count }, work);
const row = (name, value) => console.log(`${name.padEnd(46)} ${value}`);

const node = median(times(7, bare));
const help = median(times(7, () => once(['--help']).ms));
row('start-up of --help, ms', `${help.toFixed(0)} (bare node ${node.toFixed(0)}, ratio ${(help / node).toFixed(2)})`);

const demos = times(5, () => once(['demo', '--json', '--seed', '1']));
const demo = JSON.parse(demos[0].stdout);
row('demo: whole process, ms', median(demos.map((one) => one.ms)).toFixed(0));
row('demo: the run itself, ms', demo.run.durationMs);
row('demo: requests sent', demo.run.requests);
row('demo: checks judged', demo.checks.length);
row('demo: peak memory, MiB', median(demos.map((one) => one.peakMiB)).toFixed(0));

for (const profile of ['a2a-0.3', 'terminal-bench']) {
  const proof = once(['prove', '--json', '--profile', profile]);
  const { cells, durationMs } = JSON.parse(proof.stdout);
  row(`prove ${profile}: cells`, cells);
  row(`prove ${profile}: cells per second`, Math.round((1000 * cells) / durationMs));
  row(`prove ${profile}: whole process, ms`, proof.ms.toFixed(0));
  row(`prove ${profile}: peak memory, MiB`, proof.peakMiB.toFixed(0));
}

await benchSlow(join(root, 'dist'), { row });
await benchSignatures(join(root, 'dist'), { row, median });
await benchThroughput();
