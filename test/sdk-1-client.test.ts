import { type Message, Role, type SendMessageRequest, type StreamResponse, type Task, TaskState } from 'a2a-sdk-1';
import { type Client, ClientFactory } from 'a2a-sdk-1/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Peer } from './peers/express-server.js';
import { startStreamingReference } from './peers/streaming-reference.js';
import { startWebhook, type Webhook } from './peers/webhook.js';

// `a2a-tck serve --profile a2a-1.0`, over each binding, driven by a client that is not ours: @a2a-js/sdk 1.x.

const message = (text: string): Message => ({
  messageId: crypto.randomUUID(),
  contextId: '',
  taskId: '',
  role: Role.ROLE_USER,
  parts: [{ content: { $case: 'text', value: text }, mediaType: 'text/plain', filename: '', metadata: undefined }],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});
const request = (
  text: string,
  configuration: Partial<NonNullable<SendMessageRequest['configuration']>> = {},
): SendMessageRequest => ({
  tenant: '',
  message: message(text),
  configuration: {
    acceptedOutputModes: ['text/plain'],
    taskPushNotificationConfig: undefined,
    returnImmediately: false,
    ...configuration,
  },
  metadata: undefined,
});

async function all<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  const seen: T[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}
const stateOf = ({ payload }: StreamResponse): TaskState | undefined =>
  payload?.$case === 'task' || payload?.$case === 'statusUpdate' ? payload.value.status?.state : undefined;

describe.each(['a2a-1.0', 'a2a-1.0-rest'])('of %s', (profile) => {
  let agent: Peer;
  let webhook: Webhook;
  let client: Client;

  beforeAll(async () => {
    agent = await startStreamingReference(profile);
    webhook = await startWebhook();
    client = await new ClientFactory().createFromUrl(agent.url);
  });
  afterAll(async () => {
    await agent.close();
    await webhook.close();
  });

  test('it reads the card, sends a message and gets the task again', async () => {
    const task = (await client.sendMessage(request('Hello there'))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(JSON.stringify(task.artifacts)).toContain('Hello there');
    const read = await client.getTask({ tenant: '', id: task.id });
    expect(read.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test('it lists tasks', async () => {
    const task = (await client.sendMessage(request('Hello'))) as Task;
    const { contextId } = task;
    const page = await client.listTasks({
      tenant: '',
      contextId,
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: '',
      statusTimestampAfter: undefined,
    });
    expect(page.tasks.map(({ id }) => id)).toEqual([task.id]);
  });

  test('it cancels a task at work, and learns that a finished one cannot be canceled', async () => {
    const task = (await client.sendMessage(request('tck-cancel', { returnImmediately: true }))) as Task;
    const canceled = await client.cancelTask({ tenant: '', id: task.id, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    const done = (await client.sendMessage(request('Hello'))) as Task;
    await expect(client.cancelTask({ tenant: '', id: done.id, metadata: undefined })).rejects.toThrow(/cancel/i);
  });

  test('it streams a message, from the task to its end', async () => {
    const events = await all(client.sendMessageStream(request('Hello there')));
    expect(events[0]?.payload?.$case).toBe('task');
    expect(events.map(({ payload }) => payload?.$case)).toContain('artifactUpdate');
    expect(events.map(stateOf).at(-1)).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test('it drops a stream, and subscribes to the task again', async () => {
    const stream = client.sendMessageStream(request('tck-long-running'));
    const first = (await stream.next()).value as StreamResponse;
    await stream.return(undefined);
    const id = first.payload?.$case === 'task' ? first.payload.value.id : '';
    const events = await all(client.resubscribeTask({ tenant: '', id }));
    expect(events[0]?.payload).toMatchObject({ $case: 'task', value: { id } });
    expect(events.map(stateOf).at(-1)).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test('it learns that it cannot subscribe to a finished task', async () => {
    const task = (await client.sendMessage(request('Hello'))) as Task;
    await expect(all(client.resubscribeTask({ tenant: '', id: task.id }))).rejects.toThrow();
  });

  const config = (taskId: string, id: string) => ({
    tenant: '',
    id,
    taskId,
    url: webhook.url,
    token: '',
    authentication: { scheme: 'Bearer', credentials: 'a-secret' },
  });
  const about = (taskId: string, { body }: { readonly body: unknown }): boolean =>
    JSON.stringify(body).includes(taskId);

  test('it is notified of a task that it set a webhook for', async () => {
    const task = (await client.sendMessage(request('tck-long-running', { returnImmediately: true }))) as Task;
    await client.createTaskPushNotificationConfig(config(task.id, 'mine'));
    const ask = { tenant: '', taskId: task.id, pageSize: 0, pageToken: '' };
    expect((await client.listTaskPushNotificationConfig(ask)).configs).toMatchObject([
      { id: 'mine', url: webhook.url },
    ]);
    const notice = await webhook.until(
      (notice) => about(task.id, notice) && JSON.stringify(notice.body).includes('TASK_STATE_COMPLETED'),
    );
    expect(notice.headers.authorization).toBe('Bearer a-secret');
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: 'mine' });
    expect((await client.listTaskPushNotificationConfig(ask)).configs).toEqual([]);
  });

  test('it is notified of a message that it sent with a webhook', async () => {
    const task = (await client.sendMessage(request('Hello', { taskPushNotificationConfig: config('', '') }))) as Task;
    const notice = await webhook.until((notice) => about(task.id, notice));
    expect(Object.keys(notice.body as object)).toHaveLength(1);
  });
});
