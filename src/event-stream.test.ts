import { expect, test } from 'vitest';
import { eventStream } from './event-stream.js';
import type { Report, RunEvent } from './report/index.js';

const event = (ms: number): RunEvent => ({ type: 'run.waiting', ms, for: 'kept' });
const report = {} as Report;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function collect(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test('all events in order, those in one go and those after a while', async () => {
  const events = eventStream(async (tell) => {
    tell(event(1));
    tell(event(2));
    await turn();
    tell(event(3));
    return report;
  });
  expect(await collect(events)).toEqual([event(1), event(2), event(3)]);
});

test('an error comes behind the events that came before it', async () => {
  const seen: RunEvent[] = [];
  const reading = async () => {
    const events = eventStream(async (tell) => {
      tell(event(1));
      throw new Error('gone');
    });
    for await (const event of events) seen.push(event);
  };
  await expect(reading()).rejects.toThrow('gone');
  expect(seen).toEqual([event(1)]);
});

test('nothing begins before the first event is asked for', async () => {
  let begun = 0;
  const events = eventStream(async () => {
    begun++;
    return report;
  });
  await turn();
  expect(begun).toBe(0);
  await collect(events);
  expect(begun).toBe(1);
});

test('leaving the loop ends the run, and waits for its end', async () => {
  let isOver = false;
  const events = eventStream(async (tell, signal) => {
    tell(event(1));
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await turn();
    isOver = true;
    throw new Error('cut');
  });
  for await (const _ of events) break;
  expect(isOver).toBe(true);
});

test('a signal of the caller ends it as well, with what is known', async () => {
  const caller = new AbortController();
  const events = eventStream(async (tell, signal) => {
    tell(event(1));
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    tell(event(2));
    return report;
  }, caller.signal);
  const seen: RunEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    caller.abort();
  }
  expect(seen).toEqual([event(1), event(2)]);
});
