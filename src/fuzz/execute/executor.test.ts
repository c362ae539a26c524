import { expect, test } from 'vitest';
import { plainParts, type StagedOptions, staged } from '../../../test/fuzzing.js';
import { type Carrier, CarrierFailure } from '../../wire/index.js';
import type { CallStep, Case, Step } from '../case/case.js';
import { fuzzParts } from '../schedule/parts.js';
import { createCaseRunner } from './case-runner.js';

const send = (text: string, more: Partial<CallStep> = {}): CallStep => ({
  step: 'call',
  operation: 'send',
  params: {
    message: { kind: 'message', messageId: `m ${text}`, role: 'user', parts: [{ kind: 'text', text }] },
    configuration: { blocking: false },
  },
  as: 'a',
  ...more,
});
const get: CallStep = { step: 'call', operation: 'get', params: { id: { $ref: 'a.task' } } };

async function perform(steps: readonly Step[], options: StagedOptions = {}) {
  const { stage, bodies } = await staged(options);
  const runner = createCaseRunner(stage, { runs: 1 }, plainParts(stage.client.dialect));
  const next: Case = { dialect: stage.client.dialect.id, steps };
  return { ...(await runner.examine(next, 1)).trace, bodies };
}

test('references become what earlier steps began', async () => {
  const { sent, begun, cut } = await perform([send('hello'), { step: 'wait', for: 'a' }, get]);
  expect(cut).toBeUndefined();
  const task = begun.get('a')?.task;
  expect(task).toMatch(/^[0-9a-f-]{36}$/);
  expect(begun.get('a')?.context).toBeDefined();
  const last = sent.at(-1);
  expect(last?.request).toMatchObject({ params: { id: task } });
  expect(last?.reading.outcome).toMatchObject({ kind: 'result', value: { status: { state: 'completed' } } });
  expect(sent.every(({ unresolved }) => unresolved.length === 0)).toBe(true);
  // Not one before the other.
  expect(sent.map(({ sentAt }) => sentAt)).toEqual(sent.map(({ sentAt }) => sentAt).toSorted((a, b) => a - b));
  expect(sent.every(({ sentAt, endedAt }) => endedAt > sentAt)).toBe(true);
});

test('a case whose answers would fill the memory ends early', async () => {
  const extra = `"metadata":{"many":[${'{},'.repeat(20_000)}{}]},`;
  const through =
    (agent: Carrier): Carrier =>
    async (request, signal) => {
      const { body, ...answer } = await agent(request, signal);
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString().replace('"result":{', `"result":{${extra}`);
      async function* crowded() {
        yield Buffer.from(text);
      }
      return { ...answer, body: crowded() };
    };
  const { sent, cut } = await perform([send('hello'), ...Array.from({ length: 12 }, () => get)], { through });
  expect(cut).toBe('the answers to the case are too large in total');
  // Each weighs some 4 MB when it is read, though it has 60 KB.
  expect(sent).toHaveLength(7);
});

test('the trace says that no step began the task', async () => {
  const { sent } = await perform([get]);
  expect(sent[0]?.unresolved).toEqual(['a.task']);
});

test('a wait step reads until the task has settled, and its ids are all different', async () => {
  const { sent } = await perform([send('tck-stream-003'), { step: 'wait', for: 'a' }]);
  const reads = sent.filter(({ step }) => step.operation === 'get');
  expect(reads.length).toBeGreaterThan(1);
  expect(reads.at(-1)?.reading.outcome).toMatchObject({ value: { status: { state: 'completed' } } });
  const ids = sent.map(({ exchange }) => String(exchange.call?.rpcId));
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(ids.map(({ length }) => length)).size).toBe(1);
});

test('steps together are under way at once', async () => {
  const { sent } = await perform([send('tck-input-required'), { step: 'together', calls: [get, get, get] }]);
  const together = sent.filter(({ place }) => place[0] === 1);
  expect(together.map(({ place }) => place[1])).toEqual([0, 1, 2]);
  const lastSent = Math.max(...together.map(({ sentAt }) => sentAt));
  const firstEnded = Math.min(...together.map(({ endedAt }) => endedAt));
  expect(lastSent).toBeLessThan(firstEnded);
});

test('a stream is read to its end, or dropped after so many events', async () => {
  const message = send('tck-stream-003').params ?? null;
  const stream: CallStep = { step: 'call', operation: 'stream', params: message, as: 'b' };
  const whole = await perform([stream], { variant: 'streaming' });
  expect(whole.sent[0]?.exchange.failure).toBeUndefined();
  const all = whole.sent[0]?.reading.stream?.events.length ?? 0;
  expect(all).toBeGreaterThan(2);
  expect(whole.begun.get('b')?.task).toBeDefined();
  const part = await perform([{ ...stream, events: 2 }], { variant: 'streaming' });
  expect(part.sent[0]?.exchange.failure?.kind).toBe('aborted');
  expect(part.sent[0]?.reading.stream?.events.length).toBeLessThan(all);
  const brief = await perform([{ ...stream, listenMs: 1 }], { variant: 'streaming' });
  expect(brief.sent[0]?.exchange.failure?.kind).toBe('aborted');
});

test('an agent that is gone cuts the trace', async () => {
  let left = 4;
  const through: StagedOptions['through'] = (agent) => (request, signal) => {
    if (Buffer.from(request.body ?? []).includes('m gone') || left === 0) {
      left = 0;
      throw new CarrierFailure('refused', 'nobody there');
    }
    return agent(request, signal);
  };
  const { sent, cut } = await perform([send('hello'), send('gone'), get, get], {
    through: through ?? ((carrier) => carrier),
  });
  expect(sent.length).toBe(2);
  expect(cut).toContain('does not accept connections');
});

test('the kit asks an agent that is silent for a limited time', async () => {
  const through: StagedOptions['through'] = (agent) => (request, signal) =>
    Buffer.from(request.body ?? []).includes('message/send') ? new Promise(() => undefined) : agent(request, signal);
  const { sent, cut } = await perform([send('1'), send('2'), send('3'), get], {
    through: through ?? ((carrier) => carrier),
  });
  expect(sent.map(({ exchange }) => exchange.failure?.kind)).toEqual(['timeout', 'timeout']);
  expect(cut).toContain('not answered');
});

test.each([
  ['a body', { trick: 'body', text: '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{}}' }],
  ['escapes', { trick: 'body', text: String.raw`{"method":"\u006dessage\/send"}` }],
  ['another case', { trick: 'body', text: '{"method":"Message/Send"}' }],
])('a stored case that only reads brings no other method by %s', async (_, trick) => {
  const steps = [{ ...get, params: { id: 'x' }, tricks: [trick] }];
  for (const readOnly of [true, false]) {
    const { stage } = await staged({ stage: { readOnly } });
    const runner = createCaseRunner(stage, { runs: 1 }, fuzzParts(stage, { kit: 'test' }));
    const { sent, isWithheld } = (await runner.examine({ dialect: stage.client.dialect.id, steps }, 1)).trace;
    expect([sent.length, isWithheld]).toEqual(readOnly ? [0, true] : [1, false]);
  }
});
