import type { Message, Task } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dialectById } from '../src/dialect/index.js';
import { createAgent, type Served, serveAgent } from '../src/reference/index.js';
import { realClock } from '../src/wire/index.js';

// The reference agent, driven by a client that is not ours: @a2a-js/sdk 0.3.x.

let served: Served;

beforeAll(async () => {
  const dialect = dialectById('a2a-0.3');
  if (dialect === undefined) throw new Error('no dialect a2a-0.3');
  served = await serveAgent((baseUrl) => createAgent({ dialect, clock: realClock, baseUrl }).handle);
});
afterAll(() => served.close());

const message = (text: string): Message => ({
  kind: 'message',
  messageId: crypto.randomUUID(),
  role: 'user',
  parts: [{ kind: 'text', text }],
});

const connect = () => new ClientFactory().createFromUrl(served.url);

test('it reads the card and sends a message', async () => {
  const client = await connect();
  const task = (await client.sendMessage({ message: message('Hello there') })) as Task;
  expect(task.kind).toBe('task');
  expect(task.status.state).toBe('completed');
  expect(JSON.stringify(task.artifacts)).toContain('Hello there');
});

test('it gets the task again', async () => {
  const client = await connect();
  const task = (await client.sendMessage({ message: message('Hello again') })) as Task;
  const read = await client.getTask({ id: task.id });
  expect(read.id).toBe(task.id);
  expect(read.status.state).toBe('completed');
});

test('it cancels a task at work', async () => {
  const client = await connect();
  const task = (await client.sendMessage({
    message: message('tck-cancel work for a long time'),
    configuration: { blocking: false, acceptedOutputModes: ['text/plain'] },
  })) as Task;
  const canceled = await client.cancelTask({ id: task.id });
  expect(canceled.status.state).toBe('canceled');
});

test('it is told that a finished task cannot be canceled, and that an unknown one is not there', async () => {
  const client = await connect();
  const task = (await client.sendMessage({ message: message('Hello') })) as Task;
  await expect(client.cancelTask({ id: task.id })).rejects.toThrow(/cancel/i);
  await expect(client.getTask({ id: crypto.randomUUID() })).rejects.toThrow(/not found/i);
});
