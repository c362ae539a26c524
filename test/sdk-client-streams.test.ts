import type { Message, Task } from '@a2a-js/sdk';
import { type Client, ClientFactory } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Peer } from './peers/express-server.js';
import { startStreamingReference } from './peers/streaming-reference.js';
import { startWebhook, type Webhook } from './peers/webhook.js';

// Streams and notifications of `a2a-tck serve`, read by a client that is not ours: @a2a-js/sdk 0.3.x.

let agent: Peer;
let webhook: Webhook;
let client: Client;

beforeAll(async () => {
  agent = await startStreamingReference('a2a-0.3');
  webhook = await startWebhook();
  client = await new ClientFactory().createFromUrl(agent.url);
});
afterAll(async () => {
  await agent.close();
  await webhook.close();
});

const message = (text: string): Message => ({
  kind: 'message',
  messageId: crypto.randomUUID(),
  role: 'user',
  parts: [{ kind: 'text', text }],
});

async function all<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  const seen: T[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}
type Event = Awaited<ReturnType<ReturnType<Client['sendMessageStream']>['next']>>['value'] & object;
const stateOf = (event: Event | undefined) =>
  event?.kind === 'task' || event?.kind === 'status-update' ? event.status.state : event?.kind;

test('it streams a message, from the task to its end', async () => {
  const events = await all(client.sendMessageStream({ message: message('Hello there') }));
  expect(events[0]?.kind).toBe('task');
  expect(events.map(stateOf)).toContain('artifact-update');
  expect(events.at(-1)).toMatchObject({ kind: 'status-update', final: true, status: { state: 'completed' } });
});

test('it reads an artifact that comes in chunks', async () => {
  const events = await all(client.sendMessageStream({ message: message('tck-stream-chunked please') }));
  const chunks = events.filter((event) => event.kind === 'artifact-update');
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.at(-1)).toMatchObject({ append: true, lastChunk: true });
});

test('it drops a stream, and subscribes to the task again', async () => {
  const stream = client.sendMessageStream({ message: message('tck-long-running') });
  const first = (await stream.next()).value as Task;
  await stream.return(undefined);
  const events = await all(client.resubscribeTask({ id: first.id }));
  expect(events[0]).toMatchObject({ kind: 'task', id: first.id });
  expect(stateOf(events.at(-1))).toBe('completed');
});

test('it is notified of a task that it set a webhook for', async () => {
  const task = (await client.sendMessage({
    message: message('tck-long-running'),
    configuration: { blocking: false },
  })) as Task;
  const config = { id: 'mine', url: webhook.url, token: 'a-token' };
  await client.setTaskPushNotificationConfig({ taskId: task.id, pushNotificationConfig: config });
  expect(await client.listTaskPushNotificationConfig({ id: task.id })).toMatchObject([
    { taskId: task.id, pushNotificationConfig: config },
  ]);
  const notice = await webhook.until(({ body }) => {
    const notified = body as Task;
    return notified.id === task.id && notified.status.state === 'completed';
  });
  expect(notice.headers['x-a2a-notification-token']).toBe('a-token');
  await client.deleteTaskPushNotificationConfig({ id: task.id, pushNotificationConfigId: 'mine' });
  expect(await client.listTaskPushNotificationConfig({ id: task.id })).toEqual([]);
});

test('it is notified of a message that it sent with a webhook', async () => {
  const authentication = { schemes: ['Bearer'], credentials: 'a-secret' };
  const task = (await client.sendMessage({
    message: message('Hello'),
    configuration: { pushNotificationConfig: { url: webhook.url, authentication } },
  })) as Task;
  const notice = await webhook.until(({ body }) => (body as Task).id === task.id);
  expect(notice.headers.authorization).toBe('Bearer a-secret');
});
