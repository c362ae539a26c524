import { expect, test } from 'vitest';
import { contrast, type Meeting, type Scene } from './meeting.js';
import { streamFaults } from './streams.js';

const resubscribe = 'tasks/resubscribe';

async function begun({ send, wait }: Meeting, text: string): Promise<string> {
  const { result } = await send(text);
  await wait(50);
  return result.id;
}
/** A task, calls that are made at once, a look at what came of it. */
const atOnce =
  (text: string, calls: (meeting: Meeting, id: string) => readonly Promise<unknown>[]): Scene =>
  async (meeting) => {
    const id = await begun(meeting, text);
    await Promise.all(calls(meeting, id));
    await meeting.wait(100);
    await meeting.get(id);
  };

const scenes: Readonly<Record<string, Scene>> = {
  'fuzz-events-to-wrong-subscriber': async ({ listen, message }) => {
    const stream = (text: string) => listen('message/stream', { message: message(text) });
    await Promise.all([stream('one'), stream('two')]);
  },
  'fuzz-streams-disagree': atOnce('tck-long-running', ({ listen }, id) => [
    listen(resubscribe, { id }),
    listen(resubscribe, { id }),
  ]),
  'fuzz-event-after-end': atOnce('tck-long-running', ({ listen }, id) => [listen(resubscribe, { id })]),
  'fuzz-subscribe-to-ended-crashes': atOnce('hello', ({ listen }, id) => [listen(resubscribe, { id })]),
  'fuzz-cancel-while-streaming-crashes': atOnce('tck-long-running', ({ listen, cancel, wait }, id) => [
    listen(resubscribe, { id }),
    wait(10).then(() => cancel(id)),
  ]),
};

test('a scene for each', () => expect(Object.keys(scenes)).toEqual(streamFaults.map(({ id }) => id)));

test.each(streamFaults)('$id shows', async (fault) => {
  const { clean, faulty } = await contrast(fault, scenes[fault.id] as Scene);
  expect(faulty).not.toEqual(clean);
});
