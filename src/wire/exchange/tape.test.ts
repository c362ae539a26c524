import { expect, test } from 'vitest';
import { createTape, type Exchange, header, weighHeaders } from '../index.js';

const mebibyte = 1024 * 1024;

function exchangeOf(id: string, body: Uint8Array, requestBody?: Uint8Array): Exchange {
  const half = body.length >> 1;
  return {
    id,
    purpose: 'test',
    request: { method: 'POST', url: 'http://agent.test/', headers: [], ...(requestBody ? { body: requestBody } : {}) },
    response: {
      status: 200,
      headers: [],
      body,
      chunks: [
        { atMs: 1, bytes: body.subarray(0, half) },
        { atMs: 2, bytes: body.subarray(half) },
      ],
    },
    startedAt: 0,
    durationMs: 2,
  };
}

test('keeps exchanges in order of adding, finds them, and tells its listener', () => {
  const ids: string[] = [];
  const tape = createTape(({ id }) => ids.push(id));
  expect([tape.nextId(), tape.nextId()]).toEqual(['x1', 'x2']);
  const second = exchangeOf('x2', new Uint8Array(4));
  const first = exchangeOf('x1', new Uint8Array(4));
  tape.add(second);
  tape.add(first);
  expect(tape.exchanges).toEqual([second, first]);
  expect(tape.find('x1')).toBe(first);
  expect(tape.find('x3')).toBeUndefined();
  expect(ids).toEqual(['x2', 'x1']);
});

test('cuts the oldest bodies when it is full, marks them, and frees their memory', () => {
  const tape = createTape();
  for (let index = 1; index <= 20; index++) tape.add(exchangeOf(`x${index}`, new Uint8Array(8 * mebibyte).fill(index)));
  const [oldest] = tape.exchanges;
  expect(oldest?.response).toMatchObject({ cut: true });
  expect(oldest?.response?.body).toEqual(new Uint8Array(64 * 1024).fill(1));
  expect(oldest?.response?.body.buffer.byteLength).toBe(64 * 1024);
  expect(
    oldest?.response?.chunks.map(({ atMs, bytes }) => [
      atMs,
      bytes.length,
      bytes.buffer === oldest.response?.body.buffer,
    ]),
  ).toEqual([[1, 64 * 1024, true]]);
  const newest = tape.find('x20');
  expect(newest?.response?.body).toHaveLength(8 * mebibyte);
  expect(newest?.response).not.toHaveProperty('cut');
  expect(total(tape.exchanges)).toBeLessThanOrEqual(64 * mebibyte);
});

test('stays bounded however many bodies there are, also those of requests', () => {
  const tape = createTape();
  const body = new Uint8Array(60 * 1024);
  for (let index = 1; index <= 5000; index++) tape.add(exchangeOf(`x${index}`, body, body));
  expect(total(tape.exchanges)).toBeLessThanOrEqual(64 * mebibyte);
  expect(tape.find('x1')?.request.cut).toBe(true);
  expect(tape.find('x5000')?.response?.body).toHaveLength(body.length);
});

test('weighs headers and URLs like bodies, and keeps the first header of each name', () => {
  const tape = createTape();
  const cookies = Array.from({ length: 1200 }, (_, at) => ['set-cookie', `c${at}=${'v'.repeat(24)}`] as const);
  const headers = [['x-long', 'y'.repeat(20_000)], ...cookies, ['content-type', 'application/json']] as const;
  for (let index = 1; index <= 1000; index++) {
    const { request, response, ...rest } = exchangeOf(`x${index}`, new Uint8Array(4));
    if (response === undefined) throw new Error('no response');
    tape.add({
      ...rest,
      request: { ...request, url: `http://agent.test/${'u'.repeat(100_000)}` },
      response: { ...response, headers },
    });
  }
  const heads = tape.exchanges.map(
    ({ request, response }) => request.url.length + weighHeaders(response?.headers ?? []),
  );
  expect(heads.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(12 * mebibyte);
  const [, , , , , old] = tape.exchanges;
  expect(old?.response?.headersCut).toBe(true);
  expect(old?.request.url).toMatch(/^http:\/\/agent\.test\/u+…$/);
  expect(header(old?.response?.headers ?? [], 'content-type')).toBe('application/json');
  expect(header(old?.response?.headers ?? [], 'x-long')).toMatch(/^y+…$/);
  expect(tape.find('x1000')?.response?.headers.length).toBeGreaterThan(100);
});

const total = (exchanges: readonly Exchange[]): number =>
  exchanges.reduce((sum, { request, response }) => sum + (request.body?.length ?? 0) + (response?.body.length ?? 0), 0);
