import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../wire/index.js';
import { answeredOneByOne } from './one-by-one.js';

const call = (id: string, startedAt: number, durationMs: number, isLate = false): Exchange => ({
  id,
  purpose: 'test',
  request: { method: 'POST', url: 'http://agent.test/', headers: [] },
  ...(isLate
    ? { failure: { kind: 'timeout', detail: 'no answer' } }
    : { response: { status: 200, headers: [], body: new Uint8Array(), chunks: [] } }),
  call: { operation: 'get', valid: true },
  startedAt,
  durationMs,
});

describe('an agent with one worker', () => {
  const quick = call('x0', 0, 5);
  const line = [1, 2, 3, 4, 5].map((at) => call(`x${at}`, 100 * at, 5000 - 100 * at + at));

  it('is known by calls that wait, and none that is answered before an earlier one', () => {
    const waited = answeredOneByOne([quick, call('x9', 50, 4950), ...line, call('x8', 600, 10_000, true)]);
    expect([...(waited?.keys() ?? [])]).toEqual(['x1', 'x2', 'x3', 'x4', 'x5', 'x8']);
    expect(waited?.get('x1')?.behind.id).toBe('x9');
  });
  it('is not one that answers a later call first', () => {
    expect(answeredOneByOne([quick, call('x9', 50, 4950), ...line, call('x8', 1000, 10)])).toBeUndefined();
  });
  it('is not seen where calls are sent one after the other', () => {
    const turns = Array.from({ length: 9 }, (_, at) => call(`x${at}`, 4000 * at, 3000));
    expect(answeredOneByOne([quick, ...turns])).toBeUndefined();
  });
  it('is not one whose answers all take the same long time', () => {
    const slow = Array.from({ length: 9 }, (_, at) => call(`x${at}`, 300 * at, 3000));
    expect(answeredOneByOne(slow)).toBeUndefined();
  });
});
