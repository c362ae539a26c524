import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startWith } from './appended.js';
import type { ChildEnded } from './child.js';
import { startAgent } from './examples/agent.js';

// What keeps the kit busy forever, wherever it is, ends a run with what is known, and no run beside it.

const root = mkdtempSync(join(tmpdir(), 'a2a-tck-watchdog-'));
afterAll(() => rmSync(root, { recursive: true }));

type Added = readonly [path: string, code: string];

/** The kit waits for ten seconds of work; its own numbers show that, and this test does not wait for it. */
const impatient: Added = [
  '/dist/src/isolation/watch.js',
  'Object.assign(usualPatience, { everyMs: 200, cpuMs: 3000, endMs: 1000 });',
];
const loop = '{ for (;;) Math.random(); }';
const suites = (id: string, what: string): Added => [
  '/dist/suites/kit.js',
  `kitRules.find((one) => one.id === '${id}')${what};`,
];

let agent: Awaited<ReturnType<typeof startAgent>>;
beforeAll(async () => {
  agent = await startAgent();
});
afterAll(() => agent.stop());

interface Told {
  readonly run: { readonly cut?: string; readonly requests: number };
  readonly gate: { readonly exitCode: number; readonly verdict: string };
  readonly checks: readonly { readonly id: string; readonly verdict: string }[];
}

const run = (added: readonly Added[], ...args: readonly string[]): Promise<ChildEnded> =>
  startWith([impatient, ...added], ['--url', agent.url, '--seed', '1', ...args]).ended;
const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

describe.each<[where: string, busyWith: string, added: Added]>([
  ['check', 'rpc/null-id', suites('rpc/null-id', `.when.act = () => ${loop}`)],
  ['law', 'data/task-id', suites('data/task-id', `.judge = () => ${loop}`)],
  ['oracle', 'of the fuzzer', ['/dist/src/fuzz/oracles/judge-case.js', `judgeCase = () => ${loop};`]],
])('an endless %s', (where, busyWith, added) => {
  test('ends the run, and the report says what is known', { timeout: 180_000 }, async () => {
    const file = join(root, `${where}.json`);
    const { code, out, err } = await run([added], '--report', `json=${file}`);
    expect({ code, err }).toEqual({ code: 70, err: '' });
    expect(out).toContain('KIT ERROR  the kit did not answer for ');
    expect(out).toContain(busyWith);
    const report = read<Told>(file);
    expect(report.gate).toMatchObject({ exitCode: 70, verdict: 'error' });
    expect(report.run.cut).toContain(busyWith);
    expect(report.run.requests).toBeGreaterThan(3);
    // What was not judged is not left out, nor counted as good.
    expect(report.checks.length).toBeGreaterThan(300);
    expect(report.checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(0);
    expect(report.checks.find(({ id }) => id === busyWith)?.verdict ?? 'inconclusive').toBe('inconclusive');
  });
});

test('what is endless before an agent is found is said in one line', { timeout: 180_000 }, async () => {
  const { code, err } = await run([['/dist/src/run/detection/detect.js', `detect = () => ${loop};`]]);
  expect(code).toBe(70);
  expect(err).toMatch(/^a2a-tck: the kit did not answer for .* before it knew what the agent speaks\n {2}\S.*\n$/);
});

test('what needs more memory than there is ends the run alone', { timeout: 180_000 }, async () => {
  const hoard = '{ const all = []; for (;;) all.push(new Array(100000).fill(all.length)); }';
  const small: Added = ['/dist/src/isolation/watch.js', 'usualPatience.heapMiB = 64;'];
  const { code, out } = await run([small, suites('rpc/null-id', `.when.act = () => ${hoard}`)]);
  expect(code).toBe(70);
  expect(out).toMatch(/KIT ERROR {2}the kit needed more than 64 MiB/);
});

test('an endless reporter is given up, and the other reports are whole', { timeout: 180_000 }, async () => {
  const added: Added = [
    '/dist/reporters/html.js',
    `htmlReporter.begin = () => ({ on: ({ type }) => { if (type === 'run.ended') ${loop} return 'begun'; } });`,
  ];
  const files = ['html', 'json', 'ndjson', 'junit'].map((format) => [format, join(root, `given-up.${format}`)]);
  const reports = files.flatMap(([format, file]) => ['--report', `${format}=${file}`]);
  const { code, out, err } = await run([added], '--check', 'card/*', ...reports);
  expect(code).toBe(70);
  expect(err).toMatch(/^a2a-tck: the report html was given up: the kit was busy with it for \d+ s\n/);
  // The console was written by the first thread, and not again by the second.
  expect(out.split('speaks a2a-').length).toBe(2);
  expect(out).toContain('PASSED');
  expect(read<Told>(join(root, 'given-up.json')).gate.exitCode).toBe(0);
  const lines = readFileSync(join(root, 'given-up.ndjson'), 'utf8').trimEnd().split('\n');
  const types = lines.map((line) => (JSON.parse(line) as { readonly type: string }).type);
  expect(types.filter((type) => type === 'run.started' || type === 'run.ended')).toEqual(['run.started', 'run.ended']);
  expect(readFileSync(join(root, 'given-up.junit'), 'utf8')).toMatch(/<\/testsuites>\s*$/);
  expect(readdirSync(root).filter((name) => name.startsWith('given-up.'))).toEqual([
    'given-up.json',
    'given-up.junit',
    'given-up.ndjson',
  ]);
});

test('one that is endless stops no other agent of a fleet', { timeout: 180_000 }, async () => {
  const other = await startAgent();
  const file = join(root, 'targets.yaml');
  const targets = [
    { name: 'bad', url: other.url, check: ['card/*', 'rpc/null-id'] },
    { name: 'good', url: agent.url, check: ['card/*'] },
    { name: 'good too', url: agent.url, check: ['card/*'] },
  ];
  writeFileSync(file, stringify({ targets }));
  const out = join(root, 'fleet');
  const added = [impatient, suites('rpc/null-id', `.when.act = () => ${loop}`)];
  const { code } = await startWith(added, ['fleet', file, '--out', out]).ended;
  await other.stop();
  expect(code).toBe(70);
  const { targets: reports } = read<{ readonly targets: readonly { readonly exitCode: number }[] }>(
    join(out, 'index.json'),
  );
  expect(reports.map(({ exitCode }) => exitCode)).toEqual([70, 0, 0]);
});

test('a run ends when its time is over, with what it knows', { timeout: 180_000 }, async () => {
  const slow: Added = suites('rpc/null-id', '.when.act = () => new Promise(() => undefined)');
  const file = join(root, 'time.json');
  const { code, out } = await run([slow], '--max-time', '12', '--report', `json=${file}`);
  expect(code).toBe(70);
  expect(out).toContain('its time is over: --max-time 12 s, and the run did not end within 1 s');
  expect(read<Told>(file).checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(0);
});
