import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { sendAndWait, takenCounter } from './taken-lists.js';

test('a call returns when the other thread has read the message', async () => {
  const counter = takenCounter();
  const seen = new Int32Array(new SharedArrayBuffer(4));
  const listener = new Worker(
    `const { parentPort, workerData: { heard, seen } } = require('node:worker_threads');
     parentPort.on('message', (value) => {
       seen[0] = value;
       Atomics.add(new Int32Array(heard), 0, 1);
       Atomics.notify(new Int32Array(heard), 0);
     });
     parentPort.postMessage('ready');`,
    { eval: true, workerData: { heard: counter, seen } },
  );
  await once(listener, 'message');
  const tell = sendAndWait(counter, (value: number) => listener.postMessage(value));
  for (const value of [7, 8, 9]) {
    tell(value);
    expect(seen[0]).toBe(value);
  }
  await listener.terminate();
});
