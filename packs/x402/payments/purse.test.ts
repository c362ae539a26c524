import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { TckError } from '../../../src/model/index.js';
import { createPurse, isPurse, leftIn, takeFrom } from './purse.js';

const most = 2n ** 256n - 1n;

test('gives no more than was put in', () => {
  const purse = createPurse('250');
  expect([100n, 100n, 100n, 50n, 1n, 0n].map((amount) => takeFrom(purse, amount))).toEqual([
    true,
    true,
    false,
    true,
    false,
    true,
  ]);
  expect(leftIn(purse)).toBe(0n);
  expect(takeFrom(purse, -1n)).toBe(false);
});

test.each([0n, 1n, 2n ** 64n, 2n ** 64n - 1n, 2n ** 192n + 5n, most])('%d atomic units', (total) => {
  const purse = createPurse(total);
  expect(leftIn(purse)).toBe(total);
  expect(takeFrom(purse, total + 1n)).toBe(false);
  expect(takeFrom(purse, total)).toBe(true);
  expect(leftIn(purse)).toBe(0n);
});

test.each(['', '-1', '1e3', '0x10', ' 1', '1.0', String(most + 1n), '9'.repeat(5000)])('%j is not a total', (total) => {
  expect(() => createPurse(total)).toThrow(TckError);
});

test('is known by what it holds', () => {
  const purse = createPurse('1');
  expect([purse, structuredClone(purse)].map(isPurse)).toEqual([true, true]);
  const others = [undefined, null, 7, {}, { memory: new ArrayBuffer(40) }, { memory: new SharedArrayBuffer(8) }];
  expect(others.map(isPurse)).toEqual(others.map(() => false));
});

/** A thread that holds the lock of a purse until a message ends it. */
const holder = `
const { parentPort, workerData } = require('node:worker_threads');
const lock = new Int32Array(workerData.memory, 0, 1);
Atomics.store(lock, 0, 1);
parentPort.postMessage('held');
Atomics.wait(new Int32Array(workerData.gate), 0, 0);
Atomics.store(lock, 0, 0);
Atomics.notify(lock, 0, 1);
`;

test('a thread that died while it took something out keeps the others from taking more', async () => {
  const purse = createPurse('10');
  const thread = new Worker(holder, {
    eval: true,
    workerData: { memory: purse.memory, gate: new SharedArrayBuffer(4) },
  });
  await once(thread, 'message');
  await thread.terminate();
  expect([takeFrom(purse, 1n), leftIn(purse)]).toEqual([false, 0n]);
});

test('who comes while another thread takes something out waits for it', async () => {
  const purse = createPurse('10');
  const gate = new SharedArrayBuffer(4);
  const thread = new Worker(holder, { eval: true, workerData: { memory: purse.memory, gate } });
  await once(thread, 'message');
  Atomics.store(new Int32Array(gate), 0, 1);
  Atomics.notify(new Int32Array(gate), 0);
  expect(takeFrom(purse, 4n)).toBe(true);
  await once(thread, 'exit');
  expect(leftIn(purse)).toBe(6n);
});
