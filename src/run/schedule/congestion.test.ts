import { expect, test } from 'vitest';
import type { Exchange } from '../../wire/index.js';
import { isHard } from './congestion.js';

const exchange = (over: Partial<Exchange>): Exchange => ({
  id: 'x1',
  purpose: 'test',
  request: { method: 'POST', url: 'http://agent.test/', headers: [] },
  startedAt: 0,
  durationMs: 1,
  ...over,
});
const answered = (status: number) => ({ response: { status, headers: [], body: new Uint8Array(), chunks: [] } });

test.each([
  ['HTTP 200', answered(200), false],
  ['HTTP 500', answered(500), false],
  ['HTTP 429', answered(429), true],
  ['HTTP 503', answered(503), true],
  ['no answer in time', { failure: { kind: 'timeout', detail: '' } } as const, true],
  ['a lost connection', { failure: { kind: 'reset', detail: '' } } as const, true],
  ['a stream that the kit closed', { failure: { kind: 'aborted', detail: '' } } as const, false],
])('%s of the agent', (_, over, hard) => {
  expect(isHard(exchange(over))).toBe(hard);
});

test('the 503 of the webhook of the kit does not say that the agent has too much to do', () => {
  expect(isHard(exchange({ ...answered(503), toWebhook: true }))).toBe(false);
});
