import { expect, test } from 'vitest';
import { plainParts, staged } from '../../../test/fuzzing.js';
import type { Case, Step, Value } from '../case/case.js';
import { createCaseRunner } from '../execute/case-runner.js';
import type { Trace } from '../execute/trace.js';
import { createNovelty, traitsOf } from './novelty.js';

const { stage } = await staged();
const runner = createCaseRunner(stage, { runs: 1 }, plainParts(stage.client.dialect));
let number = 0;
const run = async (...steps: readonly Step[]): Promise<Trace> => {
  const next: Case = { dialect: 'a2a-0.3', steps };
  return (await runner.examine(next, ++number)).trace;
};
const send = (text: string, more: { readonly [member: string]: Value } = {}): Step => ({
  step: 'call',
  operation: 'send',
  as: 'a',
  params: {
    message: { kind: 'message', messageId: `m-${text}`, role: 'user', parts: [{ kind: 'text', text }] },
    configuration: { blocking: true },
    ...more,
  },
});
const get = (id: string): Step => ({ step: 'call', operation: 'get', params: { id } });

/** What the last of some traces brought that none before it had. */
async function newIn(...traces: readonly Trace[]): Promise<number> {
  const novelty = createNovelty();
  return traces.map((trace) => novelty.note(traitsOf(trace)).fresh.length).at(-1) ?? 0;
}

test('the same answer is new once, whatever the ids, times and texts are that we sent', async () => {
  expect(await newIn(await run(send('apples')))).toBeGreaterThan(5);
  expect(await newIn(await run(send('apples')), await run(send('pears and plums')))).toBe(0);
  expect(await newIn(await run(get('no-such-task-1')), await run(get('no-such-task-22')))).toBe(0);
});

test('another error, another state and another member are new', async () => {
  const done = await run(send('apples'));
  expect(await newIn(done, await run(get('nothing')))).toBeGreaterThan(0);
  expect(await newIn(done, await run(send('tck-input-required')))).toBeGreaterThan(0);
  expect(await newIn(done, await run(send('tck-artifact-data')))).toBeGreaterThan(0);
});

test('each move of a task is a novelty of its own', async () => {
  const cancel: Step = { step: 'call', operation: 'cancel', params: { id: { $ref: 'a.task' } } };
  const alone = [await run(send('tck-input-required')), await run(cancel)];
  expect(await newIn(...alone, await run(send('tck-input-required'), cancel))).toBeGreaterThan(0);
});

test('a path that says something else each time is free text, and no longer new', async () => {
  const base = await run(get('x'));
  const said = (message: string): Trace => {
    const [first] = base.sent;
    if (first === undefined) throw new Error('nothing was sent');
    const value = { jsonrpc: '2.0', id: 'x', error: { code: -32001, message } };
    const replies = [{ value, said: undefined, problem: undefined, text: '' }];
    return { ...base, sent: [{ ...first, reading: { ...first.reading, replies, outcome: first.reading.outcome } }] };
  };
  const novelty = createNovelty();
  const fresh = Array.from({ length: 200 }, (_, at) => {
    const word = at.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)));
    return novelty.note(traitsOf(said(`says zz${word}zz`))).fresh.length;
  });
  expect(fresh.slice(0, 20).every((count) => count > 0)).toBe(true);
  expect(fresh.slice(100).every((count) => count === 0)).toBe(true);
});

test('an answer that takes far longer than usual is new', async () => {
  const base = await run(get('x'));
  const slow = (ms: number): Trace => ({
    ...base,
    sent: base.sent.map((request) => ({ ...request, exchange: { ...request.exchange, durationMs: ms } })),
  });
  expect(await newIn(slow(3), slow(4), slow(100))).toBe(0);
  expect(await newIn(slow(3), slow(4), slow(4000))).toBe(1);
  const novelty = createNovelty();
  novelty.note(traitsOf(slow(3)));
  expect(novelty.note(traitsOf(slow(100))).slowAt).toBeUndefined();
  const noted = novelty.note(traitsOf(slow(4000)));
  expect(noted.slowAt).toBe(0);
  // It does not make the fuzzer do the same again and again.
  expect(noted.fresh.map(({ granted }) => granted)).toEqual([false]);
});

test('a step that was not answered in time is a slow one, whatever is usual', async () => {
  const base = await run(get('x'), get('y'));
  const [first, second] = base.sent;
  if (first === undefined || second === undefined) throw new Error('nothing was sent');
  const { response: _, ...bare } = second.exchange;
  const silent = { ...second, exchange: { ...bare, failure: { kind: 'timeout' as const, detail: '' } } };
  expect(createNovelty().note(traitsOf({ ...base, sent: [first, silent] })).slowAt).toBe(1);
  expect(createNovelty().note(traitsOf(base)).slowAt).toBeUndefined();
});

test('a large step costs as much as a slow one', async () => {
  const base = await run(get('x'), get('y'));
  const of = (length: number): Trace => ({
    ...base,
    sent: base.sent.map((request, at) => (at === 1 ? { ...request, body: new Uint8Array(length) } : request)),
  });
  expect(createNovelty().note(traitsOf(of(1000))).slowAt).toBeUndefined();
  expect(createNovelty().note(traitsOf(of(100_000))).slowAt).toBe(1);
});
