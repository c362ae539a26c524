import { expect, test } from 'vitest';
import type { Reading, Target } from '../../src/kit/index.js';
import { idEchoed } from './transport.js';

const target = {} as Target;

test.each([
  ['text', 'a', 'a', 'holds'],
  ['zero', 0, null, 'the request had the id 0, event 1 has null'],
  // JSON-RPC 2.0 §4: no sentence says how a list comes back.
  ['a list', [], [], 'not-concerned'],
])('an id that is %s', (_, rpcId, id, judgement) => {
  const stream = { operation: 'stream' };
  const reading = { stream, rpcId, valid: true, replies: [{ value: { jsonrpc: '2.0', id } }] } as unknown as Reading;
  expect(idEchoed.judge(reading, target, [reading])).toBe(judgement);
});
