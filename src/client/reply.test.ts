import { expect, test } from 'vitest';
import type { Exchange } from '../wire/index.js';
import { isLarge, repliesOf, weightOf } from './reply.js';

const answered = (text: string): Exchange => ({
  id: 'x1',
  purpose: 'test',
  request: { method: 'POST', url: 'http://agent.test/', headers: [] },
  response: {
    status: 200,
    headers: [['content-type', 'application/json']],
    body: new TextEncoder().encode(text),
    chunks: [],
  },
  startedAt: 0,
  durationMs: 1,
});

test('an answer weighs what its values take in memory, not what its text does', () => {
  const words = answered(JSON.stringify({ text: 'x'.repeat(30_000) }));
  const objects = answered(JSON.stringify({ parts: Array.from({ length: 10_000 }, () => ({})) }));
  const members = answered(
    JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`x${at}`, at]))),
  );
  expect(isLarge(words)).toBe(false);
  expect(isLarge(objects)).toBe(true);
  expect(isLarge(members)).toBe(true);
  expect(weightOf(objects)).toBeGreaterThan(20 * weightOf(words));
});

test('small answers are parsed once, and of large ones only the last few are kept', () => {
  const small = answered('{"a":1}');
  expect(repliesOf(small)).toBe(repliesOf(small));
  const large = Array.from({ length: 12 }, () => answered(`[${'{},'.repeat(20_000)}{}]`));
  const first = large.map(repliesOf);
  expect(repliesOf(large[11] as Exchange)).toBe(first[11]);
  expect(repliesOf(large[0] as Exchange)).not.toBe(first[0]);
  expect(repliesOf(large[0] as Exchange)).toEqual(first[0]);
});

test('of a body with more events than a stream may have, the first are read', () => {
  const { response, ...rest } = answered('data: {}\n\n'.repeat(200_000));
  const streamed = { ...rest, response: { ...response, headers: [['content-type', 'text/event-stream']] } } as Exchange;
  expect(repliesOf(streamed)).toHaveLength(10_000);
  expect(
    repliesOf({
      ...streamed,
      response: { ...streamed.response, body: Buffer.from(':\n'.repeat(2_000_000)) },
    } as Exchange),
  ).toEqual([]);
});
