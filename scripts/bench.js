// Figures of the built kit as processes. `node scripts/bench.js --help` prints the rest.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bareLoop, sendable } from './bench-bare.js';
import { benchSignatures } from './bench-signatures.js';
import { benchSlow } from './bench-slow.js';
import { benchThroughput } from './bench-throughput.js';
import { median } from './fuzzing/figures.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const usual = ['startup', 'demo', 'apart', 'bindings', 'check', 'late', 'fleet'];
const slow = ['prove', 'signatures', 'fuzz'];
const names = [...usual, ...slow];
const help = `Usage: npm run bench -- [options]

Measures the kit that "npm run build" made. Each row has the minimum and the median of several runs. Compare ratios of
one command, not figures of different machines or hours: --against measures another build in turns with this one.

Options:
  --only <rows>     only these rows, with commas between them
  --all             the slow rows, too
  --runs <n>        runs of each row; rows whose runs are long make fewer (default: 5)
  --against <dist>  the dist folder of the other build
  --fleet <n>       agents of the row fleet (default: 8)
  --help            this text

Rows: ${usual.join(', ')}
Slow rows: ${slow.join(', ')}. They take minutes each; --against and --runs do not concern signatures and fuzz

Exit codes: 0 each row was measured, 1 a row failed, 2 wrong options`;

/** Ends with a sentence, before anything is measured. */
function refuse(sentence) {
  console.error(`bench: ${sentence}`);
  process.exit(2);
}

function optionsGiven() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string' },
        all: { type: 'boolean', default: false },
        runs: { type: 'string', default: '5' },
        against: { type: 'string' },
        fleet: { type: 'string', default: '8' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return refuse(error.message);
  }
}

function countOf(option) {
  const value = given[option];
  return /^[1-9]\d{0,5}$/.test(value) ? Number(value) : refuse(`--${option} is a number from 1, not "${value}"`);
}

const given = optionsGiven();
if (given.help) {
  console.log(help);
  process.exit();
}
if (given.all && given.only !== undefined) refuse('--only and --all exclude each other');
const chosen = given.only?.split(',') ?? (given.all ? names : usual);
const unknown = chosen.filter((item) => !names.includes(item));
if (unknown.length > 0) refuse(`unknown row "${unknown.join('", "')}"; rows: ${names.join(', ')}`);
const runs = countOf('runs');
const agents = countOf('fleet');
/** This build, and the one that it is compared with. */
const builds = [join(root, 'dist'), ...(given.against === undefined ? [] : [resolve(given.against)])];
for (const build of builds)
  if (!existsSync(join(build, 'bundle/cli.js'))) refuse(`the build is missing in ${build}: run "npm run build" there`);
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/**
 * Returns at the end what a process has used, all of its threads together. Where the system says so, the peak is that
 * of the program itself: `maxRSS` counts what the process was before it became this program, too.
 */
const meter = `data:text/javascript,${encodeURIComponent(`
import { existsSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const status = '/proc/self/status';
const own = () => (existsSync(status) ? /VmHWM:\\s*(\\d+)/.exec(readFileSync(status, 'utf8'))?.[1] : undefined);
if (isMainThread) process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stderr.write('\\nused=' + (userCPUTime + systemCPUTime) / 1000 + ' peak=' + (own() ?? maxRSS) / 1024 + '\\n');
});`)}`;
const argsOf = (build, args) => ['--import', meter, join(build, 'bundle/cli.js'), ...args];
const env = { ...process.env, CI: 'true' };
const usedBy = (stderr) => {
  const [, cpuMs, peakMiB] = /used=(\S+) peak=(\S+)/.exec(stderr) ?? [];
  return { cpuMs: Number(cpuMs), peakMiB: Number(peakMiB) };
};

/** What a process said at its end, without what the meter adds. */
const wordsOf = (stderr) =>
  stderr
    .replace(/\nused=.*\n/, '')
    .trim()
    .slice(-500) || 'it says nothing';

async function measured(build, args) {
  const started = performance.now();
  const child = spawn(process.execPath, argsOf(build, args), { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err] = ['', ''].map(() => []);
  child.stdout.on('data', (data) => out.push(data));
  child.stderr.on('data', (data) => err.push(data));
  const [code] = await once(child, 'close');
  const wallMs = performance.now() - started;
  // 0: passed, 1: failed, 4: unproven. What ends in another way measures nothing.
  if (![0, 1, 4].includes(code))
    throw new Error(`"a2a-tck ${args.join(' ')}" ended with ${code}: ${wordsOf(Buffer.concat(err).toString())}`);
  return { wallMs, ...usedBy(Buffer.concat(err).toString()), stdout: Buffer.concat(out).toString() };
}

/** The reference agent in a process of its own. `stop` resolves with what it has used. */
async function served(build, ...args) {
  const child = spawn(process.execPath, argsOf(build, ['serve', ...args]), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  // A row that fails leaves its agent running.
  process.once('exit', () => child.kill());
  let err = '';
  child.stderr.on('data', (data) => {
    err += data;
  });
  const [url] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), once(child, 'close')]);
  if (typeof url !== 'string') throw new Error(`"a2a-tck serve" ended with ${url}: ${wordsOf(err)}`);
  async function stop() {
    child.kill('SIGTERM');
    await once(child, 'close');
    return usedBy(err);
  }
  return { url, stop };
}

const shown = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2));
const row = (name, value) => console.log(`${name.padEnd(52)} ${value}`);

/** Prints the minimum and the median of each build, and how this one compares. */
function tell(name, figures) {
  const each = figures.map((all) => ({ least: Math.min(...all), middle: median(all) }));
  const [ours, theirs] = each;
  const before =
    theirs === undefined
      ? ''
      : `   before ${shown(theirs.least)} ${shown(theirs.middle)}   ratio ${(ours.least / theirs.least).toFixed(2)} ${(ours.middle / theirs.middle).toFixed(2)}`;
  row(name, `${shown(ours.least).padStart(8)} ${shown(ours.middle).padStart(8)}${before}`);
}

/** Measures each build in turns; `measure` returns figures by their names. */
async function turns(prefix, count, measure) {
  const found = new Map();
  for (let turn = 0; turn < count; turn++)
    for (const [at, build] of builds.entries())
      for (const [name, value] of Object.entries(await measure(build))) {
        if (!found.has(name))
          found.set(
            name,
            builds.map(() => []),
          );
        found.get(name)[at].push(value);
      }
  for (const [name, figures] of found) tell(`${prefix}${name}`, figures);
}

/** What the kit and an agent in another process use. */
async function apart(build, args, serving = []) {
  const agent = await served(build, ...serving);
  const file = join(folder, 'run.json');
  const kit = await measured(build, ['--url', agent.url, ...args, '--report', `json=${file}`, '--seed', '1']);
  const { cpuMs } = await agent.stop();
  const report = JSON.parse(readFileSync(file, 'utf8'));
  return { kit, agentCpuMs: cpuMs, report };
}

const rows = {
  async startup() {
    const bare = () => {
      const started = performance.now();
      spawnSync(process.execPath, ['-e', '0']);
      return performance.now() - started;
    };
    const node = Array.from({ length: runs }, bare);
    row('start-up of node alone, ms', `${shown(Math.min(...node)).padStart(8)} ${shown(median(node)).padStart(8)}`);
    const commands = [['--help'], ['--version'], ['explain', 'task/cancel-terminal-refused'], ['list', 'checks']];
    for (const args of commands)
      await turns(`start-up of ${args.join(' ').slice(0, 20)}`, runs, async (build) => {
        const { wallMs, cpuMs } = await measured(build, args);
        return { ', ms': wallMs, ', ms of processor': cpuMs };
      });
  },
  async demo() {
    await turns('demo, kit and agent in one process: ', runs, async (build) => {
      const { wallMs, cpuMs, peakMiB, stdout } = await measured(build, ['demo', '--json', '--seed', '1']);
      const { run, checks } = JSON.parse(stdout);
      const figures = { ms: wallMs, 'ms of processor': cpuMs, 'peak memory, MiB': peakMiB };
      return { ...figures, requests: run.requests, checks: checks.length };
    });
  },
  async apart() {
    await turns('reference agent apart: ', runs, async (build) => {
      const { kit, agentCpuMs, report } = await apart(build, []);
      const agent = await served(build);
      const loop = await bareLoop(sendable(report), agent.url);
      await agent.stop();
      return {
        ms: kit.wallMs,
        'kit, ms of processor': kit.cpuMs,
        'agent, ms of processor': agentCpuMs,
        requests: report.run.requests,
        'bare loop, requests': loop.requests,
        'bare loop, ms': loop.wallMs,
        'bare loop, ms of processor': loop.cpuMs,
      };
    });
  },
  async bindings() {
    await turns('--binding all: ', Math.min(runs, 3), async (build) => {
      const { kit, agentCpuMs, report } = await apart(build, ['--binding', 'all'], ['--binding', 'all']);
      const figures = { ms: kit.wallMs, 'kit, ms of processor': kit.cpuMs, 'agent, ms of processor': agentCpuMs };
      return { ...figures, requests: report.run.requests };
    });
  },
  async check() {
    await turns('--check task/cancel-terminal-refused: ', Math.min(runs, 3), async (build) => {
      const { kit, report } = await apart(build, ['--check', 'task/cancel-terminal-refused']);
      return { ms: kit.wallMs, 'ms of processor': kit.cpuMs, requests: report.run.requests };
    });
  },
  async late() {
    // In virtual time, where every run is the same.
    for (const lateMs of [300, 3000])
      await turns(`agent that answers after ${lateMs} ms: `, 1, async (build) => {
        const { usual: wall, chain } = await benchSlow(build, lateMs);
        return { 'run, s': wall, 'longest chain, s': chain };
      });
  },
  async fleet() {
    await turns('fleet: ', 1, async (build) => {
      const agent = await served(build);
      const judged = async (count) => {
        const file = join(folder, 'fleet.yaml');
        const entries = Array.from({ length: count }, (_, at) => `  - name: agent-${at}\n    url: ${agent.url}\n`);
        writeFileSync(file, `targets:\n${entries.join('')}`);
        return measured(build, ['fleet', file, '--out', join(folder, `out-${count}-${Date.now()}`)]);
      };
      const few = await judged(4);
      const many = await judged(agents);
      await agent.stop();
      return {
        'ms of processor an agent': many.cpuMs / agents,
        'ms an agent': many.wallMs / agents,
        'peak memory of 4, MiB': few.peakMiB,
        [`peak memory of ${agents}, MiB`]: many.peakMiB,
      };
    });
  },
  async prove() {
    for (const profile of ['a2a-0.3', 'terminal-bench'])
      await turns(`prove ${profile}: `, 1, async (build) => {
        const { stdout, wallMs, cpuMs, peakMiB } = await measured(build, ['prove', '--json', '--profile', profile]);
        const { cells } = JSON.parse(stdout);
        return { cells, ms: wallMs, 'ms of processor': cpuMs, 'peak memory, MiB': peakMiB };
      });
  },
  signatures: () => benchSignatures(join(root, 'dist'), { row, median }),
  fuzz: () => benchThroughput(),
};

row('', ' minimum   median');
for (const name of chosen)
  try {
    await rows[name]();
  } catch (error) {
    console.error(`bench: the row ${name} failed: ${error.message}`);
    process.exitCode = 1;
  }
process.exit();
