import { expect, test } from 'vitest';
import { contrast, type Meeting, type Scene } from './meeting.js';
import { stateFaults } from './states.js';

const ask = 'tck-input-required';
const push = 'tasks/pushNotificationConfig';
const webhook = (id: string, port: number): object => ({ id, url: `http://127.0.0.1:${port}/` });

async function waiting({ send, wait }: Meeting, text = ask): Promise<string> {
  const { result } = await send(text);
  await wait(50);
  return result.task?.id ?? result.id;
}
/** A task, something that is done to it, a look at it. */
const course =
  (text: string, then: (meeting: Meeting, id: string) => Promise<unknown>, look: object = {}): Scene =>
  async (meeting) => {
    const id = await waiting(meeting, text);
    await then(meeting, id);
    await meeting.get(id, look);
  };

const scenes: Readonly<Record<string, Scene>> = {
  'fuzz-bad-message-fails-newest-task': course(ask, ({ send }) => send('', { parts: undefined })),
  'fuzz-bad-message-fails-its-task': course(ask, ({ send }, taskId) => send('', { parts: undefined, taskId })),
  'fuzz-refused-message-enters-history': course('hello', ({ send }, taskId) => send('more', { taskId })),
  'fuzz-refused-message-moves-task': course(ask, ({ send }, taskId) => send('red', { taskId, contextId: 'other' })),
  'fuzz-refused-message-empties-artifacts': course('hello', ({ send }, taskId) => send('more', { taskId })),
  'fuzz-bad-cancel-cancels': course(ask, ({ cancel }, id) => cancel(id, { metadata: 7 })),
  'fuzz-refused-message-leaves-ghost': async ({ send, call }) => {
    await send('', { parts: undefined });
    await call('ListTasks', {});
  },
  'fuzz-unknown-read-leaves-ghost': async ({ get, call }) => {
    await get('unknown');
    await call('ListTasks', {});
  },
  'fuzz-refused-config-kept': course(ask, async ({ call }, taskId) => {
    await call(`${push}/set`, { taskId, pushNotificationConfig: {} });
    await call(`${push}/list`, { id: taskId });
  }),
  'fuzz-configs-shared-by-id': async (meeting) => {
    const taskId = await waiting(meeting);
    await meeting.call(`${push}/set`, { taskId, pushNotificationConfig: webhook('c', 1) });
    const other = await waiting(meeting);
    await meeting.call(`${push}/set`, { taskId: other, pushNotificationConfig: webhook('c', 2) });
    await meeting.call(`${push}/get`, { id: taskId });
  },
  'fuzz-second-delete-crashes': course(ask, async ({ call }, id) => {
    await call(`${push}/delete`, { id, pushNotificationConfigId: 'c' });
    await call(`${push}/delete`, { id, pushNotificationConfigId: 'c' });
  }),
  'fuzz-waiting-task-with-webhook-crashes': course(
    ask,
    ({ call }, taskId) => call(`${push}/set`, { taskId, pushNotificationConfig: webhook('c', 1) }),
    { historyLength: 1 },
  ),
  'fuzz-canceled-question-unreadable': course(ask, ({ cancel }, id) => cancel(id), { historyLength: 1 }),
  'fuzz-every-seventh-call-fails': async ({ send }) => {
    for (let count = 0; count < 7; count++) await send('hello');
  },
  'fuzz-data-part-crashes-one-in-two': async ({ send }) => {
    for (let count = 0; count < 2; count++) await send('', { parts: [{ kind: 'data', data: {} }] });
  },
};

test('a scene for each', () => expect(Object.keys(scenes)).toEqual(stateFaults.map(({ id }) => id)));

test.each(stateFaults)('$id shows', async (fault) => {
  const { clean, faulty } = await contrast(fault, scenes[fault.id] as Scene);
  expect(faulty).not.toEqual(clean);
});
