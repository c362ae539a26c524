import type { Message, Task } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dialectById } from '../src/dialect/index.js';
import { createAgent, type Served, serveAgent, variants } from '../src/reference/index.js';
import { realClock } from '../src/wire/index.js';

// The reference agent, driven by a client that is not ours: @a2a-js/sdk 0.3.x. Over HTTP+JSON it reads ProtoJSON only.

const message = (text: string): Message => ({
  kind: 'message',
  messageId: crypto.randomUUID(),
  role: 'user',
  parts: [{ kind: 'text', text }],
});

describe.each([
  ['a2a-0.3', 'none'],
  ['a2a-0.3-rest', 'rest-in-proto'],
] as const)('of %s, %s', (profile, variant) => {
  let served: Served;

  beforeAll(async () => {
    const dialect = dialectById(profile);
    if (dialect === undefined) throw new Error(`no dialect ${profile}`);
    const patches = variants.filter(({ id }) => id === variant).map(({ patch }) => patch);
    served = await serveAgent((baseUrl) => createAgent({ dialect, clock: realClock, baseUrl, patches }).handle);
  });
  afterAll(() => served.close());

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

  test('it learns that a finished task cannot be canceled, and that an unknown one is not there', async () => {
    const client = await connect();
    const task = (await client.sendMessage({ message: message('Hello') })) as Task;
    await expect(client.cancelTask({ id: task.id })).rejects.toThrow(/cancel/i);
    await expect(client.getTask({ id: crypto.randomUUID() })).rejects.toThrow(/not found/i);
  });
});
