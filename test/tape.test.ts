import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readTape } from '../reporters/index.js';
import type { ReportContext } from '../reporters/reporter.js';
import { tape as reporter } from '../reporters/tape.js';
import { runCommandLine } from '../src/cli/command-line.js';
import { findDefect } from '../src/cli/schema-check.js';
import { dialects, type ProfileId } from '../src/dialect/index.js';
import { runHere } from '../src/endpoint/index.js';
import { type Expectation, secretsOfExpectations } from '../src/expect/index.js';
import { variants } from '../src/reference/index.js';
import type { Report } from '../src/report/index.js';
import { createRedactor } from '../src/wire/index.js';
import { type JudgedSettings, judge } from './judged.js';

// A run is kept, and laws and expectations are judged once more without the agent.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-tape-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const context: ReportContext = { verbose: false, colour: false, live: false, strict: false, sentence: () => undefined };

function tapeOf(report: Report): string {
  const text = reporter.begin(context).on({ type: 'run.ended', report });
  return typeof text === 'string' ? text : [...text].join('');
}

const greets: Expectation = { name: 'greets', prompt: 'greet me', contains: 'done', within: 5 };

async function again(text: string, expected: readonly Expectation[]): Promise<Report> {
  const document = JSON.parse(text) as Parameters<typeof readTape>[0];
  expect(findDefect('tape', document)).toBeUndefined();
  const tape = readTape(document);
  const binding = dialects.find(({ id }) => id === tape.profile)?.binding.id ?? 'auto';
  return runHere({ url: tape.url, profile: tape.profile, binding, tape, expect: expected });
}

const kept = async (expected: readonly Expectation[], more: JudgedSettings = {}): Promise<[Report, string]> => {
  const report = await judge({ profile: 'a2a-1.0', ...more, expect: expected });
  return [report, tapeOf(report)];
};

const everywhere: readonly ProfileId[] = ['a2a-0.3', 'a2a-1.0', 'a2a-0.3-rest', 'a2a-1.0-grpc'];

it.each(everywhere)('gives the same verdicts without the agent, over %s', { timeout: 120_000 }, async (profile) => {
  const streams = { ...greets, name: 'streams', prompt: 'tck-stream-chunked x', first: 5 };
  const turns = { name: 'asks', prompt: 'tck-input-required x', next: ['green'], contains: 'green', runs: 2 };
  const streaming = variants.flatMap(({ id, patch }) => (id === 'streaming' ? [patch] : []));
  const list = [greets, streams, turns, { ...greets, name: 'fails', lacks: 'Done' }];
  const [first, text] = await kept(list, { profile, patches: streaming, checks: ['card/*', 'task/*', 'message/*'] });
  const second = await again(text, list);
  const shown = ({ expectations = [] }: Report) =>
    expectations.map(({ name, verdict, reason, actual, held }) => ({ name, verdict, reason, actual, held }));
  expect(shown(second)).toEqual(shown(first));
  expect(shown(second).map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass', 'fail']);
  const before = new Map(first.checks.map(({ id, verdict, reason }) => [id, `${verdict} ${reason}`]));
  const same = second.checks.filter(({ id }) => before.has(id));
  expect(same.length).toBeGreaterThan(20);
  expect(same.map(({ id, verdict, reason }) => [id, `${verdict} ${reason}`])).toEqual(
    same.map(({ id }) => [id, before.get(id)]),
  );
  expect(second.target.network?.join()).toContain('the agent was not asked: its answers are those of a tape');
});

it('judges what was not expected then, and says what it does not hold', async () => {
  const [, text] = await kept([greets], { checks: ['card/published'] });
  const list: readonly Expectation[] = [
    { ...greets, name: 'greets in French', contains: 'bonjour' },
    { name: 'other', prompt: 'something else', contains: 'x' },
    { ...greets, name: 'twice', runs: 2 },
    { name: 'on', prompt: 'greet me', next: ['and now?'], contains: 'x' },
  ];
  const rows = await Promise.all(list.map(async (expectation) => (await again(text, [expectation])).expectations?.[0]));
  expect(rows.map((row) => [row?.verdict, row?.reason])).toEqual([
    ['fail', 'the text does not contain "bonjour"'],
    ['inconclusive', 'the tape holds no answer to this prompt'],
    ['inconclusive', 'held 1 of 2 times, 1 answered: the tape holds no more than 1 answer to this prompt'],
    ['inconclusive', 'the tape holds no answer to this prompt'],
  ]);
});

it('holds no secret, and so does not say that the agent kept one', async () => {
  const secret = 'bluebird';
  const list: readonly Expectation[] = [{ name: 'keeps it', prompt: `is it ${secret}?`, never: secret }];
  const redactor = createRedactor(secretsOfExpectations(list));
  const [first, text] = await kept(list, { checks: ['card/published'], redactor });
  expect(first.expectations).toMatchObject([{ verdict: 'fail' }]);
  expect(text).not.toContain(secret);
  expect((await again(text, list)).expectations).toMatchObject([
    { verdict: 'inconclusive', reason: 'the tape holds no whole answer: a secret in it is hidden' },
  ]);
});

async function said(...words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const ended = { code: -1, out: '', err: '' };
  const terminal = {
    env: {},
    isTTY: false,
    columns: undefined,
    quit: () => undefined,
    out: (text: string) => {
      ended.out += text;
    },
    err: (text: string) => {
      ended.err += text;
    },
    onInterrupt: () => () => undefined,
  };
  ended.code = await runCommandLine(words, terminal);
  return ended;
}

function fileWith(text: string, name = 'run.tape'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

it('is played by the command, and broken ones are one sentence', { timeout: 60_000 }, async () => {
  const [, text] = await kept([greets], { checks: ['card/published'] });
  const config = fileWith('expect: [{ name: greets, prompt: greet me, contains: done }]\n', 'a2a-tck.config.yaml');
  const replay = (file: string, ...more: readonly string[]) =>
    said('--replay-tape', file, '--config', config, '--min-proof', '0', ...more);
  const whole = await replay(fileWith(text));
  expect([whole.code, whole.err]).toEqual([0, '']);
  expect(whole.out).toContain('Your expectations');
  expect(whole.out).toContain('\n  0 requests, 0 tasks, ');
  expect(whole.out).not.toContain('at the pace so far');
  const changed = (change: (tape: { exchanges: Record<string, unknown>[] } & Record<string, unknown>) => void) => {
    const tape = JSON.parse(text) as { exchanges: Record<string, unknown>[] };
    change(tape);
    return fileWith(JSON.stringify(tape));
  };
  const large = fileWith('');
  truncateSync(large, 200 * 1024 * 1024);
  const broken: readonly (readonly [() => string, RegExp])[] = [
    [() => changed((tape) => Object.assign(tape, { schema: 'a2a-tck-tape/2' })), /"schema" must be "a2a-tck-tape\/1"/],
    [() => fileWith(text.slice(0, text.length / 2)), /cannot be read: /],
    [() => changed((tape) => tape.exchanges.splice(0)), /holds no exchange/],
    [
      () => changed(({ exchanges: [exchange] }) => Object.assign(exchange ?? {}, { chunks: [[1, -5]] })),
      /exchanges\.0\.chunks/,
    ],
    [
      () => changed(({ exchanges: [exchange] }) => Object.assign(exchange ?? {}, { request: 5 })),
      /exchanges\.0\.request/,
    ],
    [() => changed((tape) => Object.assign(tape, { profile: 'a2a-9' })), /unknown profile a2a-9/],
    [() => fileWith(readFileSync('package.json', 'utf8')), /is not a tape of this kit/],
    [() => join(folder, 'nowhere'), /nowhere cannot be read: /],
  ];
  expect((await replay(large)).err).toMatch(/^a2a-tck: \S+ cannot be read: it is longer than 64 MiB\n.*\n?$/);
  for (const [make, expected] of broken) {
    const { code, out, err } = await replay(make());
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(expected)]);
    expect(err.trim().split('\n').length, err).toBeLessThanOrEqual(2);
  }
  const wrongTimes = changed(({ exchanges }) => {
    for (const exchange of exchanges)
      Object.assign(exchange, { startedAt: '9999-99-99T', chunks: [[1e300, 1e15]], durationMs: 1e300 });
  });
  const timeless = await replay(wrongTimes);
  expect([timeless.code, timeless.err]).toEqual([3, expect.stringContaining('is not an A2A agent')]);
  const shard = await replay(fileWith(text), '--shard', '1/2');
  expect([shard.code, shard.err]).toEqual([2, expect.stringContaining('asks no agent, and --shard needs one')]);
  const stored = await said('report', 'x.json', '--report', 'tape=y');
  expect(stored.err).toContain('only a run of checks makes a tape');
});
