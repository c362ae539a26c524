import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { badgeState } from '../reporters/badge/state.js';
import { consoleReporter } from '../reporters/console.js';
import { ctrf } from '../reporters/ctrf.js';
import { htmlReporter } from '../reporters/html.js';
import { json } from '../reporters/json.js';
import { junit } from '../reporters/junit.js';
import type { ReportContext } from '../reporters/reporter.js';
import { tap } from '../reporters/tap.js';
import { readConfig } from '../src/cli/config.js';
import { findDefect, findDefects } from '../src/cli/schema-check.js';
import type { ProfileId } from '../src/dialect/index.js';
import type { Answer } from '../src/expect/answer.js';
import {
  createExpectPhase,
  defectsOf,
  type Expectation,
  type ExpectedAnswer,
  secretsOfExpectations,
} from '../src/expect/index.js';
import { judgeOf } from '../src/expect/judge.js';
import { type Patch, variants } from '../src/reference/index.js';
import { type ExpectationResult, proofOfReport, type Report } from '../src/report/index.js';
import { type Carrier, type Clock, createRedactor, sleep, type WireResponse } from '../src/wire/index.js';
import { type JudgedSettings, judge } from './judged.js';

// What a user expects beside the protocol, of the reference agent and of agents that answer wrongly, now and then, late,
// or not at all. One cheap check is judged beside it.

const prompt = 'PROMPT: greet me';

const asked = (list: readonly Expectation[], more: JudgedSettings = {}): Promise<Report> =>
  judge({ profile: 'a2a-1.0', checks: ['card/published'], ...more, expect: list });

async function rowOf(item: Partial<Expectation>, more: JudgedSettings = {}): Promise<ExpectationResult> {
  const { expectations = [] } = await asked([{ name: 'it', prompt, ...item }], more);
  const [row] = expectations;
  if (row === undefined) throw new Error('no row');
  return row;
}

type Meet = (pass: () => Promise<WireResponse>, count: number, clock: Clock) => Promise<WireResponse>;

/** Something between the kit and the agent at the messages of the expectation, which name PROMPT. */
const atSend =
  (meet: Meet) =>
  (carrier: Carrier, clock: Clock): Carrier => {
    let count = 0;
    return (request, signal) => {
      const isAsked = new TextDecoder().decode(request.body).includes('PROMPT');
      return isAsked ? meet(() => carrier(request, signal), ++count, clock) : carrier(request, signal);
    };
  };

/** Another word in the place of PROMPT, which the agent repeats. */
const saying =
  (word: (count: number) => string): Meet =>
  async (pass, count) => {
    const answer = await pass();
    async function* body() {
      const pieces: Uint8Array[] = [];
      for await (const piece of answer.body) pieces.push(piece);
      yield new TextEncoder().encode(Buffer.concat(pieces).toString('utf8').replaceAll('PROMPT', word(count)));
    }
    const headers = answer.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
    return { ...answer, headers, body: body() };
  };

const everywhere: readonly ProfileId[] = ['a2a-0.3', 'a2a-1.0', 'a2a-0.3-rest', 'a2a-1.0-grpc'];

it.each(everywhere)('holds for a right answer, and not for a wrong one, over %s', async (profile) => {
  const right = await rowOf(
    { state: 'completed', contains: ['done', 'greet'], matches: '^Done', within: 5 },
    { profile },
  );
  expect(right).toMatchObject({ verdict: 'pass', reason: '', held: 1, answered: 1 });
  const wrong = await rowOf({ state: 'failed', contains: 'bonjour', matches: '^Bon', lacks: 'DONE' }, { profile });
  expect(wrong.verdict).toBe('fail');
  expect(wrong.reason).toBe(
    'the state is completed; the text does not contain "bonjour"; the text does not match ^Bon; it contains "DONE"',
  );
  expect(wrong.actual).toContain('Done.');
  expect(wrong.exchanges).not.toEqual([]);
});

it('judges artifacts by their media type, and data by a schema', async () => {
  const data = { type: 'object' };
  const of = (word: string, item: Partial<Expectation>) => rowOf({ prompt: `${word} x`, ...item });
  expect(await of('tck-artifact-data', { data, artifact: 'application/json' })).toMatchObject({ verdict: 'pass' });
  expect(await of('tck-artifact-data', { data: { type: 'string' } })).toMatchObject({
    reason: expect.stringContaining('data does not fit the schema: it must be string'),
  });
  expect(await of('tck-artifact-text', { data })).toMatchObject({ verdict: 'fail', reason: 'the answer has no data' });
  expect(await of('tck-artifact-text', { artifact: 'text/*' })).toMatchObject({ verdict: 'pass' });
  expect(await of('tck-artifact-text', { artifact: 'image/*' })).toMatchObject({ reason: 'no artifact is image/*' });
});

it('says the next turn to the task that asks', async () => {
  const item = { prompt: 'tck-input-required x', next: ['green'] };
  expect(await rowOf({ ...item, state: 'completed', contains: 'green' })).toMatchObject({ verdict: 'pass' });
  expect(await rowOf({ ...item, next: [], state: 'input-required' })).toMatchObject({ verdict: 'pass' });
});

it('times the first event of a stream', async () => {
  const item = { prompt: 'PROMPT tck-stream-chunked x', state: 'completed', first: 2 } as const;
  const streaming = variants.find(({ id }) => id === 'streaming')?.patch;
  const patches = streaming === undefined ? [] : [streaming];
  const late = atSend(async (pass, _, clock) => {
    await sleep(clock, 2500);
    return pass();
  });
  expect(await rowOf(item, { patches })).toMatchObject({ verdict: 'pass' });
  expect(await rowOf(item, { patches, between: late })).toMatchObject({
    verdict: 'fail',
    reason: expect.stringMatching(/^the first event came after 2\.5\d* s$/),
  });
  expect(await rowOf(item)).toMatchObject({ verdict: 'fail', reason: expect.stringContaining('it is refused: error') });
});

const threeOfFive = saying((count) => (count % 2 === 1 ? 'hello' : 'go away'));

it('counts how often it holds', async () => {
  const between = atSend(threeOfFive);
  const item = { contains: 'hello', runs: 5 };
  expect(await rowOf({ ...item, least: 3 }, { between })).toMatchObject({ verdict: 'pass', held: 3, answered: 5 });
  const flaky = await rowOf({ ...item, least: 4 }, { between });
  expect(flaky).toMatchObject({ verdict: 'fail', held: 3, answered: 5 });
  expect(flaky.reason).toBe('held 3 of 5 times: the text does not contain "hello"');
});

it('needs as many answers as it asks, unless too few are left to save it', async () => {
  const silentAt = (...counts: readonly number[]) =>
    atSend((pass, count, clock) =>
      counts.includes(count) ? new Promise(() => undefined) : threeOfFive(pass, count, clock),
    );
  const item = { contains: 'hello', runs: 5 };
  const missing = await rowOf({ ...item, least: 2 }, { between: silentAt(2) });
  expect(missing).toMatchObject({ verdict: 'inconclusive', held: 3, answered: 4 });
  expect(await rowOf({ ...item, least: 5 }, { between: silentAt(4) })).toMatchObject({ verdict: 'fail', answered: 4 });
});

it('tells a slow answer, and a silent agent', async () => {
  const slow = atSend(async (pass, _, clock) => {
    await sleep(clock, 7000);
    return pass();
  });
  expect(await rowOf({ within: 5 }, { between: slow })).toMatchObject({
    verdict: 'fail',
    reason: expect.stringMatching(/^the answer took 7(\.\d+)? s$/),
  });
  expect(await rowOf({ within: 8 }, { between: slow })).toMatchObject({ verdict: 'pass' });
  const silent = atSend(() => new Promise(() => undefined));
  expect(await rowOf({ within: 20 }, { between: silent })).toMatchObject({
    verdict: 'fail',
    reason: 'no answer in 30 s',
  });
  const open = await asked([{ name: 'it', prompt, contains: 'x' }], { between: silent });
  expect(open.expectations).toMatchObject([{ verdict: 'inconclusive', reason: 'no answer in 10 s', answered: 0 }]);
  expect(open.gate).toMatchObject({ exitCode: 4, reasons: ['1 expectation of yours was not decided'] });
});

it('takes no pause of its own for time of the agent: what ends in time passes, however seldom it is read', async () => {
  const working: Patch = () => ({
    script: ({ parts }) => ({
      reply: 'task',
      steps: [
        { afterMs: 5, act: { type: 'status', state: 'working' } },
        { afterMs: 4500, act: { type: 'artifact', name: 'answer', parts } },
        { afterMs: 5, act: { type: 'status', state: 'completed' } },
      ],
    }),
  });
  // It answers before its work has ended, so the kit reads the task.
  const early =
    (carrier: Carrier): Carrier =>
    (request, signal) => {
      const text = new TextDecoder().decode(request.body);
      if (!text.includes('PROMPT')) return carrier(request, signal);
      const { params, ...call } = JSON.parse(text);
      const configuration = { ...params.configuration, returnImmediately: true };
      const body = new TextEncoder().encode(JSON.stringify({ ...call, params: { ...params, configuration } }));
      return carrier({ ...request, body }, signal);
    };
  const more = { patches: [working], between: early };
  expect(await rowOf({ within: 4.8 }, more)).toMatchObject({ verdict: 'pass' });
  expect(await rowOf({ within: 4.4 }, more)).toMatchObject({
    verdict: 'fail',
    reason: 'the task is working after 4.4 s',
  });
});

it('stops an expression that would never end', async () => {
  const between = atSend(saying(() => `${'a'.repeat(60)}!`));
  const row = await rowOf({ matches: 'said: (a+)+$' }, { between });
  expect(row).toMatchObject({ verdict: 'inconclusive', reason: 'not decided: it took longer than 500 ms' });
});

it('takes a function, which gets the answer, and whose error is the problem', async () => {
  const got: ExpectedAnswer[] = [];
  const data = await rowOf({ prompt: 'tck-artifact-data x', holds: (answer) => void got.push(answer) });
  expect(data).toMatchObject({ verdict: 'pass', expected: ['its function holds'] });
  expect(got).toMatchObject([
    { state: 'completed', artifacts: [{ parts: [{ kind: 'data' }] }], data: [expect.anything()], events: [] },
  ]);
  expect(got[0]?.seconds).toBeGreaterThan(0);
  const patches = variants.flatMap(({ id, patch }) => (id === 'streaming' ? [patch] : []));
  const streamed = (holds: Expectation['holds']) =>
    rowOf({ prompt: 'tck-stream-chunked x', first: 2, ...(holds && { holds }) }, { patches });
  expect(await streamed(({ events }) => expect(events.length).toBeGreaterThan(2))).toMatchObject({ verdict: 'pass' });
  const wrong = async ({ text }: ExpectedAnswer) => {
    await Promise.resolve();
    throw new Error(`\u001b[31mnot French\u001b[39m: ${text.slice(0, 5)}`);
  };
  expect(await rowOf({ contains: 'bonjour', holds: wrong })).toMatchObject({
    verdict: 'fail',
    reason: 'the text does not contain "bonjour"; not French: Done.',
  });
  const thrown = (value: unknown) =>
    rowOf({
      holds: () => {
        throw value;
      },
    });
  expect((await thrown('bare')).reason).toBe('bare');
  expect((await thrown(new TypeError())).reason).toBe('TypeError');
  expect((await thrown(undefined)).reason).toBe('undefined');
  expect((await thrown(new Error('x'.repeat(5000)))).reason).toMatch(/^x{900,}…$/);
});

it.each<[string, NonNullable<Expectation['holds']>]>([
  ['a promise that is never kept', () => new Promise(() => undefined)],
  [
    'a loop without an end',
    () => {
      for (;;);
    },
  ],
])('waits no longer than its limit for a function: %s', async (_, holds) => {
  const answer: Answer = {
    state: 'completed',
    text: '',
    said: [],
    parts: [],
    artifacts: [],
    events: [],
    ms: 1,
    firstMs: undefined,
    isAtWork: false,
  };
  expect(await judgeOf({ name: 'it', prompt, holds }, 100)(answer)).toEqual({
    broken: [],
    undecided: ['not decided: the function took longer than 0.1 s'],
  });
});

it('counts for the gate, and for no share of what was proven', async () => {
  const list: readonly Expectation[] = [{ name: 'greets', prompt, contains: 'bonjour' }];
  const without = await judge({ profile: 'a2a-1.0', checks: ['card/published'] });
  const failed = await asked(list);
  expect(failed.gate).toMatchObject({ exitCode: 1, reasons: ['1 expectation of yours does not hold'] });
  expect(proofOfReport(failed)).toEqual(proofOfReport(without));
  expect(failed.summary).toEqual(without.summary);
  const badge = ({ run: { selection: _, ...run }, ...report }: Report) => badgeState({ ...report, run }).color;
  expect([badge(failed), badge(without)]).toEqual(['brightgreen', 'brightgreen']);
  expect(failed.checks.map(({ id }) => id)).toEqual(without.checks.map(({ id }) => id));
});

it.each(['sk-live-4711-abcdef', 'bluebird', 'opal'])(
  'shows the secret %s nowhere, not even where the agent gives it away',
  async (secret) => {
    const list: readonly Expectation[] = [
      { name: 'keeps its key', prompt, never: [secret, 'you are a helpful assistant'] },
      { name: 'asks for it', prompt: `PROMPT: is it ${secret}?`, contains: `${secret}s` },
    ];
    const redactor = createRedactor(secretsOfExpectations(list), () => []);
    const report = await asked(list, { between: atSend(saying(() => secret)), redactor });
    expect(report.expectations).toMatchObject([
      { verdict: 'fail', reason: 'it contains secret 1 of 2' },
      { verdict: 'fail', reason: 'the text does not contain "[secret-1]s"' },
    ]);
    expect(JSON.stringify(report)).not.toContain(secret);
    const context: ReportContext = {
      verbose: true,
      colour: false,
      live: false,
      strict: false,
      sentence: () => undefined,
    };
    const shown = [consoleReporter, htmlReporter, json, junit, ctrf, tap].map((reporter) => {
      const text = reporter.begin(context).on({ type: 'run.ended', report });
      return typeof text === 'string' ? text : [...text].join('');
    });
    for (const text of shown) {
      expect(text).toContain('keeps its key');
      expect(text).not.toContain(secret);
    }
    expect(shown[0]).toContain('Your expectations\n  fail          keeps its key');
    expect(shown[1]).toContain('Your expectations');
    expect(findDefect('report', JSON.parse(shown[2] ?? ''))).toBeUndefined();
    expect(shown[3]).toContain('<testsuite name="expectations"');
    const { results } = JSON.parse(shown[4] ?? '') as { readonly results: { readonly tests: readonly object[] } };
    expect(results.tests).toContainEqual(
      expect.objectContaining({
        testId: 'expect/keeps its key',
        status: 'failed',
        message: expect.stringMatching(/./),
      }),
    );
    expect(shown[5]).toMatch(/^not ok \d+ - expect keeps its key$/m);
  },
);

it('takes no word of the protocol, and nothing that the user said, for the answer', async () => {
  const lacks = ['agent', 'completed', 'text', 'status', 'artifact'];
  expect(await rowOf({ lacks, prompt: 'tck-complete-task hi' })).toMatchObject({ verdict: 'pass' });
  expect(await rowOf({ lacks: 'zebra', prompt: 'tck-input-required zebra' })).toMatchObject({ verdict: 'pass' });
});

it('is inconclusive, and no gate passes, where the agent is gone', async () => {
  const gone: JudgedSettings['between'] = atSend(() =>
    Promise.reject(Object.assign(new Error('gone'), { kind: 'reset' })),
  );
  const list: readonly Expectation[] = [{ name: 'it', prompt, contains: 'Done' }];
  const down = await asked(list, { between: gone });
  expect(down.expectations).toMatchObject([{ verdict: 'inconclusive', answered: 0 }]);
  expect(down.gate.exitCode).toBe(4);
});

it('does not judge an answer that is larger than the kit reads', async () => {
  const deep = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`;
  const between = atSend(saying(() => `","metadata":{"deep":${deep}},"x":"`));
  const row = await rowOf({ lacks: 'nonsense', contains: 'Done' }, { between });
  expect(row).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('too-large') });
});

it('refuses expectations that cannot hold', () => {
  const defects = defectsOf([
    { name: 'a', prompt, matches: '(' },
    { name: 'a', prompt, data: { not: {} } },
    { name: 'c', prompt },
    { name: 'd', prompt, data: { type: 'string', enum: [1, 2] } },
    { name: 'e', prompt, data: { type: 'strin' } },
    { name: 'f', prompt, contains: 'x', runs: 2, least: 3 },
    { name: 'g', prompt, data: { type: 'object', required: ['x'], properties: { x: false } } },
    { name: 'it says Bluebirds', prompt, never: 'bluebird' },
    { name: 'h', prompt, data: { type: 'object', required: ['x'] }, runs: 3, least: 2 },
  ]);
  expect(defects.map(({ path }) => path.join('.'))).toEqual([
    '0.matches',
    '1.name',
    '1.data',
    '2.name',
    '3.data',
    '4.data',
    '5.least',
    '6.data',
    '7.name',
  ]);
  expect(() => createExpectPhase([{ name: 'a', prompt, matches: '(' }])).toThrow(/expectation 1: Invalid regular/);
});

it('tells the line of a configuration where an expectation cannot hold', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-expect-'));
  const file = join(folder, 'a2a-tck.config.yaml');
  const wrong = (text: string) => {
    writeFileSync(file, text);
    return readConfig(file).then(
      () => 'read',
      (error: Error) => error.message.replaceAll(`${file}:`, ''),
    );
  };
  expect(await wrong('expect:\n  - name: a\n    prompt: b\n    matches: "("\n')).toMatch(
    /^4:5: expectation 1: Invalid regular expression/,
  );
  expect(await wrong('expect:\n  - name: a\n    prompt: b\n    data: { not: {} }\n')).toBe(
    '4:5: expectation 1: the schema refuses every value',
  );
  expect(await wrong('expect:\n  - name: a\n    prompt: b\n    contain: x\n')).toContain('4:5: unknown key');
  rmSync(folder, { recursive: true });
});

it('runs the two examples of its page: the first gate fails, the second passes', async () => {
  const page = readFileSync(new URL('../docs/expectations.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/```yaml\n(expect:\n.*?)```/gs)].map(([, text = '']) => parse(text) as unknown);
  const gates: number[] = [];
  for (const example of examples) {
    expect(findDefects('config', example)).toEqual([]);
    const { expect: list } = example as { expect: readonly Expectation[] };
    gates.push((await asked(list)).gate.exitCode);
  }
  expect(gates).toEqual([1, 0]);
});
