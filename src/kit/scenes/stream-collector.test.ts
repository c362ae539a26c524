import { expect, test } from 'vitest';
import type { LiveStream, StreamItem } from '../../client/index.js';
import type { StreamEvent, TaskState } from '../../model/index.js';
import { type Clock, type Exchange, sleep, virtualClock } from '../../wire/index.js';
import type { Scene } from './scene.js';
import { collectStream, outcomeOf, untilTask } from './stream-collector.js';

// How a stream ends for those who watch it, on a clock that jumps.

const status = (state: TaskState, final?: boolean): StreamEvent => ({
  type: 'status',
  taskId: 't',
  status: { state },
  ...(final === undefined ? {} : { final }),
});

type Then = 'end' | 'stay' | 'reset' | 'too-large';

/** Brings an event every second, and then ends, is lost, or stays open. */
function streamOf(clock: Clock, events: readonly StreamEvent[], then: Then): LiveStream {
  const seen: StreamItem[] = [];
  const over = new AbortController();
  let failure: Exchange['failure'];
  let finish: (exchange: Exchange) => void = () => undefined;
  const ended = new Promise<Exchange>((resolve) => {
    finish = resolve;
  });
  const stop = (kind?: 'aborted' | 'reset' | 'too-large') => {
    if (over.signal.aborted) return undefined;
    failure = kind && { kind, detail: '' };
    over.abort();
    finish({ ...(failure === undefined ? {} : { failure }), durationMs: 0 } as Exchange);
    return undefined;
  };
  const next = async (): Promise<StreamItem | undefined> => {
    await sleep(clock, 1000, over.signal);
    if (over.signal.aborted) return undefined;
    const event = events[seen.length];
    if (event === undefined) {
      if (then !== 'stay') return stop(then === 'end' ? undefined : then);
      await sleep(clock, 1_000_000, over.signal);
      return undefined;
    }
    const item = { value: { result: {} }, wire: {}, isError: false, event, atMs: 0 };
    seen.push(item);
    return item;
  };
  return {
    kind: 'stream',
    seen,
    next,
    async collect(enough = () => false) {
      while (!enough(seen)) if ((await next()) === undefined) break;
      return seen;
    },
    close: () => stop('aborted'),
    ended,
  };
}

test.for<[string, readonly StreamEvent[], Then, number]>([
  ['ended', [status('working'), status('completed')], 'end', 3],
  ['ended', [status('working')], 'end', 2],
  ['left-open', [status('working'), status('completed')], 'stay', 7],
  ['left-open', [status('input-required', true)], 'stay', 6],
  ['waiting', [status('input-required')], 'stay', 6],
  ['ended', [status('input-required'), status('working'), status('completed')], 'end', 4],
  ['unfinished', [status('working')], 'stay', 10],
  ['lost', [status('working')], 'reset', 2],
  ['lost', [status('working'), status('completed')], 'too-large', 3],
])('%s: %j, then %s', async ([end, events, then, seconds]) => {
  const clock = virtualClock(0);
  const watched = await collectStream({ clock, patienceMs: 10_000 } as Scene, streamOf(clock, events, then));
  expect(watched.end).toBe(end);
  expect(watched.events).toHaveLength(events.length);
  expect(clock.now()).toBe(seconds * 1000);
});

test('the earlier state of a task that waited does not end the stream of an answer', async () => {
  const clock = virtualClock(0);
  const scene = { clock, patienceMs: 10_000 } as Scene;
  const asItWas = await collectStream(scene, streamOf(clock, [status('input-required')], 'stay'), { wasWaiting: true });
  expect(asItWas.end).toBe('unfinished');
  const again = [status('input-required'), status('input-required')];
  expect((await collectStream(scene, streamOf(clock, again, 'stay'), { wasWaiting: true })).end).toBe('waiting');
});

test('a stream that is too long before its first event says nothing of what was asked', async () => {
  const stream = streamOf(virtualClock(0), [], 'too-large');
  await stream.collect();
  expect(await outcomeOf(stream)).toMatchObject({ kind: 'invalid-response', fault: 'too-large' });
});

test('a stream that is lost before its first event was not carried out', async () => {
  const stream = streamOf(virtualClock(0), [], 'reset');
  await stream.collect();
  expect(await outcomeOf(stream)).toMatchObject({ kind: 'invalid-response', fault: 'no-answer' });
});

test('of a stream that does not tell its task each event is looked at a few times at most', async () => {
  let looked = 0;
  const item: StreamItem = {
    value: {},
    wire: undefined,
    isError: false,
    atMs: 0,
    get event() {
      looked++;
      return undefined;
    },
  };
  const seen: StreamItem[] = [];
  const stream = {
    seen,
    async collect(enough: (seen: readonly StreamItem[]) => boolean) {
      while (!enough(seen) && seen.length < 1000) seen.push(item);
      return seen;
    },
  } as unknown as LiveStream;
  expect(await untilTask(stream)).toBeUndefined();
  expect(looked).toBeLessThan(4000);
});
