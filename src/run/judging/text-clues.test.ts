import { expect, test } from 'vitest';
import { dialectById, type TextClues } from '../../dialect/index.js';
import type { Exchange } from '../../wire/index.js';
import { textClues } from './text-clues.js';

const info = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'TASK_NOT_FOUND',
  domain: 'a2a-protocol.org',
};
const answered = (error: object): Exchange => ({
  id: 'x1',
  purpose: 'test',
  request: { method: 'POST', url: 'http://agent.test/', headers: [] },
  response: {
    status: 200,
    headers: [['content-type', 'application/json']],
    body: new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, error })),
    chunks: [],
  },
  startedAt: 0,
  durationMs: 0,
  call: { operation: 'get', rpcId: 1, valid: true },
});
const notified = (type: string): Exchange => ({
  id: 'x2',
  purpose: 'webhook',
  request: { method: 'POST', url: 'http://kit.test/', headers: [['Content-Type', `${type}; charset=utf-8`]] },
  startedAt: 0,
  durationMs: 0,
  toWebhook: true,
});

test('errors of A2A are counted by their details, those of JSON-RPC are not', async () => {
  const clues = await textClues([
    answered({ code: -32001, message: 'No.', data: [info] }),
    answered({ code: -32001, message: 'No.' }),
    answered({ code: -32602, message: 'No.' }),
    answered({ code: -32601, message: 'No.', data: { method: 'x' } }),
    notified('application/a2a+json'),
  ]);
  expect(clues).toMatchObject({ errorsWithInfo: 1, errorsWithoutInfo: 1, objectsAsData: 1 });
  expect([...clues.notificationTypes]).toEqual(['application/a2a+json']);
});

const clues = (over: Partial<TextClues>): TextClues => ({
  errorsWithInfo: 0,
  errorsWithoutInfo: 0,
  objectsAsData: 0,
  notificationTypes: new Set(),
  ...over,
});

test.for<[Partial<TextClues>, string | undefined, RegExp]>([
  [{ notificationTypes: new Set(['application/a2a+json']) }, '1.0.1', /follows 1\.0\.1/],
  [{ notificationTypes: new Set(['application/json']) }, '1.0.0', /follows 1\.0\.0/],
  [{ errorsWithoutInfo: 1 }, '1.0.1', /follows 1\.0\.1/],
  [{ errorsWithInfo: 3 }, undefined, /both/],
  [{ errorsWithInfo: 3, objectsAsData: 1 }, '1.0.0', /follows 1\.0\.0/],
  [{ objectsAsData: 1 }, undefined, /both/],
  [{}, undefined, /both/],
])('%j is %s, and says %s', ([seen, text, said]) => {
  const followed = dialectById('a2a-1.0')?.textOf?.(clues(seen));
  expect(followed?.text).toBe(text);
  expect(followed?.says).toMatch(said);
});

test('a version with one text says nothing', () => {
  expect(dialectById('a2a-0.3')?.textOf).toBeUndefined();
});
