import { expect, test } from 'vitest';
import type { Reading } from '../../kit/index.js';
import { createLawMemo } from './law-memo.js';

const encoder = new TextEncoder();

interface Changes {
  readonly id?: unknown;
  readonly shown?: unknown;
  readonly code?: number;
  readonly status?: number;
  readonly valid?: boolean;
  readonly headers?: readonly (readonly [string, string])[];
}

function refusal({ id = 'f0000001', shown = id, code = -32600, status = 200, valid = false, headers = [] }: Changes) {
  const body = encoder.encode(JSON.stringify({ jsonrpc: '2.0', id: shown, error: { code, message: 'no' } }));
  return {
    operation: 'get',
    valid,
    sentId: true,
    rpcId: id,
    outcome: { kind: 'refusal' },
    exchange: {
      request: { method: 'POST', url: 'http://agent.test/', headers: [['accept', 'application/json']] },
      response: { status, headers: [['content-type', 'application/json'], ...headers], body, chunks: [] },
    },
  } as unknown as Reading;
}

const { keyOf } = createLawMemo();

test('refusals that differ in the id of their request, or in their date, are one', () => {
  const key = keyOf(refusal({}));
  expect(key).toBeDefined();
  expect(keyOf(refusal({ id: 'f0000002' }))).toBe(key);
  expect(keyOf(refusal({ headers: [['Date', 'Thu, 01 Jan 2026 00:00:00 GMT']] }))).toBe(key);
});

test('those that differ in anything that a law can see are not', () => {
  const key = keyOf(refusal({}));
  const others = [{ shown: 'f0000009' }, { shown: null }, { code: -32603 }, { status: 400 }, { headers: [['x', 'y']] }];
  for (const other of others) expect(keyOf(refusal(other as Changes))).not.toBe(key);
});

test('answers to valid requests, and to ids of other types, are judged each time', () => {
  expect(keyOf(refusal({ valid: true }))).toBeUndefined();
  expect(keyOf(refusal({ id: 7 }))).toBeUndefined();
});

test('it knows what was clean, and nothing else', () => {
  const memo = createLawMemo();
  expect(memo.isClean('a')).toBe(false);
  memo.noteClean('a');
  memo.noteClean(undefined);
  expect(memo.isClean('a')).toBe(true);
  expect(memo.isClean(undefined)).toBe(false);
});
