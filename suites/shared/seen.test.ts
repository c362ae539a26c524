import { expect, test } from 'vitest';
import { type ClientCall, type ClientRun, Inconclusive } from '../../src/kit/index.js';
import type { Message } from '../../src/model/index.js';
import { givesUp, sentAgain } from './seen.js';

const call = (id: string, messageId: string | undefined, text = 'Hello'): ClientCall => ({
  exchange: {
    id,
    purpose: 'call of the client to the agent',
    request: { method: 'POST', url: 'http://127.0.0.1:1/', headers: [] },
    startedAt: 0,
    durationMs: 1,
  },
  at: 'agent',
  is: 'call',
  operation: 'send',
  params: undefined,
  message: { messageId, role: 'user', parts: [{ kind: 'text', text }] } as Message,
  body: undefined,
  problems: [],
});

const run = (calls: readonly ClientCall[], more: Partial<ClientRun> = {}): ClientRun => ({
  scenario: 'send',
  about: 'the agent answers',
  errand: { do: 'send' },
  expected: {},
  calls,
  deliveries: [],
  ending: { kind: 'exit', status: 0 },
  told: undefined,
  words: '',
  facts: {},
  ...more,
});

test.each([
  ['nothing', [], 'not-concerned'],
  ['one message', [call('x1', 'm-1')], 'holds'],
  ['the same message again', [call('x1', 'm-1'), call('x2', 'm-1')], 'holds'],
  ['another text', [call('x1', 'm-1'), call('x2', 'm-2', 'Bye')], 'holds'],
  [
    'another id',
    [call('x1', 'm-1'), call('x2', 'm-2')],
    'x2 (send): the message of x1 came once more, with the messageId "m-2", first with "m-1"',
  ],
  [
    'no id the second time',
    [call('x1', 'm-1'), call('x2', undefined)],
    'x2 (send): the message of x1 came once more, without a messageId, first with "m-1"',
  ],
  [
    'no id at all',
    [call('x1', ''), call('x2', '')],
    'x2 (send): the message of x1 came once more, without a messageId, first without one',
  ],
])('a client that sends %s', (_, calls, said) => {
  expect(sentAgain(run(calls))).toBe(said);
});

test('a client that comes by itself may play a scenario again, so what it repeats shows nothing unless one play is seen', () => {
  const calls = [call('x1', 'm-1'), call('x2', 'm-2')];
  const card: ClientCall = { ...call('x0', undefined), is: 'card', message: undefined };
  const served = run([card, ...calls, card], { isServed: true, ending: { kind: 'served' } });
  const words = (count: number): string => `${count} calls`;
  expect(sentAgain(served)).toBeInstanceOf(Inconclusive);
  expect(givesUp(served, calls, 1, words)).toBeInstanceOf(Inconclusive);
  expect(givesUp(run(calls), calls, 1, words)).toBe('2 calls');
  // A play begins with the card and ends with what the client says: where both came once, the calls are of one play.
  const once = { ...served, calls: [card, ...calls], reports: 1 };
  expect(sentAgain(once)).toMatch(/^x2 \(send\): the message of x1 came once more/);
  expect(sentAgain({ ...once, reports: 0 })).toBeInstanceOf(Inconclusive);
  expect(sentAgain({ ...once, reports: 2 })).toBeInstanceOf(Inconclusive);
  expect(sentAgain({ ...once, calls })).toBeInstanceOf(Inconclusive);
  expect(sentAgain(run([call('x1', 'm-1')], { isServed: true }))).toBe('holds');
});
