import { expect, test } from 'vitest';
import { contrast, type Meeting, type Scene } from './meeting.js';
import { raceFaults } from './races.js';

const ask = 'tck-input-required';
const push = 'tasks/pushNotificationConfig';

async function begun({ send, wait }: Meeting, text: string, ms = 50): Promise<string> {
  const { result } = await send(text);
  await wait(ms);
  return result.id;
}
/** A task, calls that are made at once, a look at what came of it. */
const atOnce =
  (text: string, calls: (meeting: Meeting, id: string) => readonly Promise<unknown>[], ms = 50): Scene =>
  async (meeting) => {
    const id = await begun(meeting, text, ms);
    await Promise.all(calls(meeting, id));
    await meeting.wait(100);
    await meeting.get(id);
  };

const scenes: Readonly<Record<string, Scene>> = {
  'fuzz-lost-update': atOnce(ask, ({ send }, taskId) => [send('red', { taskId }), send('blue', { taskId })]),
  'fuzz-resurrected-task': atOnce(ask, ({ send, cancel }, taskId) => [send('red', { taskId }), cancel(taskId)]),
  'fuzz-cancel-overwrites-end': atOnce('hello', ({ cancel }, id) => [cancel(id)], 1),
  'fuzz-stale-read': async (meeting) => {
    const id = await begun(meeting, ask);
    await meeting.get(id);
    await meeting.cancel(id);
    await meeting.get(id);
  },
  'fuzz-read-during-cancel-hangs': atOnce(ask, ({ cancel, get }, id) => [cancel(id), get(id)]),
  'fuzz-answers-swapped': atOnce(ask, ({ get }, id) => [get(id), get(id), get(id)]),
  'fuzz-configs-lost-in-race': atOnce(ask, ({ call }, taskId) => {
    const set = (id: string) =>
      call(`${push}/set`, { taskId, pushNotificationConfig: { id, url: 'http://127.0.0.1:9/' } });
    return [Promise.all([set('a'), set('b')]).then(() => call(`${push}/list`, { id: taskId }))];
  }),
};

test('a scene for each', () => expect(Object.keys(scenes)).toEqual(raceFaults.map(({ id }) => id)));

test.each(raceFaults)('$id shows', async (fault) => {
  const { clean, faulty } = await contrast(fault, scenes[fault.id] as Scene);
  expect(faulty).not.toEqual(clean);
});
