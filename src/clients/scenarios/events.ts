import type { StreamEvent } from '../../model/index.js';
import { able, onReply, onResult, type Patch, RpcFailure, together } from '../../reference/index.js';
import { CarrierFailure, type Clock } from '../../wire/index.js';
import { scenario } from '../scenario.js';
import { artifactOf, becomes, made, makes, now, playing, refusing, whole } from './plots.js';
import { streamedScenario } from './streamed.js';

// Streams that break off, and streams whose events are unusual.

/** What has been sent before a connection is lost must have arrived. */
const flightMs = 50;

const after = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));

/** The events of the first stream after which it breaks off: the task, that it is at work, and the beginning of its artifact. */
const seenEvents = 3;

/**
 * The first stream breaks off: the connection is lost, at once or when the task has ended, or the stream ends as if all
 * was said. The task goes on.
 */
const breakingOff =
  (how: 'lost' | 'lost-late' | 'ended'): Patch =>
  (inner, world, seams) => {
    let isBroken = false;
    async function* beginning(events: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      let seen = 0;
      for await (const event of events) {
        if (++seen <= seenEvents) yield event;
        if (seen === seenEvents && how !== 'lost-late') break;
      }
      if (how === 'ended') return;
      await after(world.clock, flightMs);
      throw new CarrierFailure('reset', 'the agent closed the connection in the middle of the stream');
    }
    const patch = onReply('any', (reply) => {
      const { body } = reply;
      if (isBroken || typeof body === 'string' || body instanceof Uint8Array) return reply;
      isBroken = true;
      return { ...reply, body: beginning(body) };
    });
    return patch(inner, world, seams);
  };

/** The task makes an artifact, works on for a moment, makes another one, and ends. */
export const broken = (how: Parameters<typeof breakingOff>[0], word: string, restMs: number, endMs = 5): Patch =>
  together(
    able({ streaming: true }),
    playing(
      becomes('working'),
      makes(`${word} begins`),
      makes(`${word} was made`, restMs),
      becomes('completed', { afterMs: endMs }),
    ),
    breakingOff(how),
  );

const hello = { do: 'stream', text: 'Hello' } as const;

/** For how long a stream stays open when all has been said, ms. */
const openMs = 2500;

/** A working status comes as something that no version knows. */
const unknownPayload = onResult('stream', (wire, outcome) => {
  const event = outcome.result as StreamEvent;
  return event.type === 'status' && event.status.state === 'working' ? { futureUpdate: { note: 'Hello' } } : wire;
});

export const eventsScenarios = [
  scenario('stream-lost', {
    about: 'the connection of a stream is lost after three events',
    errand: hello,
    patch: ({ word, note }) => {
      note('begins', `${word} begins`);
      return broken('lost', word, 400);
    },
    mayFail: true,
    expected: ({ word }) => ({ state: 'completed', text: `${word} was made` }),
  }),
  scenario('stream-lost-meanwhile', {
    about: 'the connection of a stream is lost, and the task makes an artifact before the client is back',
    errand: hello,
    patch: ({ word, note }) => {
      note('begins', `${word} begins`);
      return broken('lost', word, 20, 1500);
    },
    mayFail: true,
    expected: ({ word }) => ({ state: 'completed', text: `${word} was made` }),
  }),
  scenario('stream-lost-at-end', {
    about: 'the connection of a stream is lost, and the task has ended meanwhile',
    errand: hello,
    patch: ({ word }) => broken('lost-late', word, 5),
    mayFail: true,
    expected: ({ word }) => ({ state: 'completed', text: `${word} was made` }),
  }),
  scenario('stream-ends-early', {
    about: 'the stream ends while its task is still at work',
    errand: hello,
    patch: ({ word }) => broken('ended', word, 400),
    mayFail: true,
    expected: ({ word }) => ({ state: 'completed', text: `${word} was made` }),
  }),
  streamedScenario('stream-stays-open', 'the stream stays open for a while after the end of the task', {
    patch:
      (stage) =>
      (inner, { clock }) => ({
        closes: () => false,
        async stream(command, call) {
          const events = await inner.stream(command, call);
          async function* open(): AsyncGenerator<StreamEvent> {
            yield* events;
            await after(clock, openMs);
            if (!call.request.signal.aborted) stage.note('read-on', `${openMs / 1000} s`);
          }
          return open();
        },
      }),
  }),
  streamedScenario('stream-appended', 'an artifact comes in three chunks', {
    updates: (task, { word }) => [
      whole(task, 'working'),
      made(task, artifactOf('only', `${word} begins, `)),
      made(task, artifactOf('only', 'goes on, '), { append: true }),
      made(task, artifactOf('only', 'and ends'), { append: true, lastChunk: true }),
      now(task, 'completed'),
    ],
    text: (word) => `${word} begins, goes on, and ends`,
  }),
  streamedScenario('stream-interleaved', 'the chunks of two artifacts come by turns', {
    updates: (task, { word }) => [
      whole(task, 'working'),
      made(task, artifactOf('first', `${word} begins, `)),
      made(task, artifactOf('second', 'Elsewhere, ')),
      made(task, artifactOf('first', 'and it ends. '), { append: true, lastChunk: true }),
      made(task, artifactOf('second', 'nothing.'), { append: true, lastChunk: true }),
      now(task, 'completed'),
    ],
    text: (word) => `${word} begins, and it ends. Elsewhere, nothing.`,
  }),
  streamedScenario('stream-replaced', 'an artifact comes twice, the second time in place of the first', {
    updates: (task, { word }) => [
      whole(task, 'working'),
      made(task, artifactOf('only', `${word} is a draft`)),
      made(task, artifactOf('only', `${word} is final`)),
      now(task, 'completed'),
    ],
    text: (word) => `${word} is final`,
  }),
  streamedScenario('stream-unknown-payload', 'the stream has an event of a kind that the version does not know', {
    patch: () => unknownPayload,
  }),
  scenario('stream-refused', {
    about: 'a call for a stream is answered with an error',
    errand: hello,
    patch: () => refusing('ContentTypeNotSupported'),
    expected: { error: 'ContentTypeNotSupported' },
  }),
  scenario('stream-refused-in-event', {
    about: 'a stream has nothing but an error',
    errand: hello,
    // No other binding has a form for it.
    binding: 'jsonrpc',
    patch: () =>
      together(refusing('ContentTypeNotSupported'), (inner) => ({
        async stream(command, call) {
          if (command.op !== 'stream') return inner.stream(command, call);
          // biome-ignore lint/correctness/useYield: it fails before the first event.
          async function* nothing(): AsyncGenerator<StreamEvent> {
            throw new RpcFailure('ContentTypeNotSupported');
          }
          return nothing();
        },
      })),
    expected: { error: 'ContentTypeNotSupported' },
  }),
  scenario('stream-refused-by-status', {
    about: 'a call for a stream is answered with HTTP 500 and a page',
    errand: hello,
    notOver: ['grpc'],
    patch: () =>
      together(
        refusing('InternalError'),
        onReply('any', (reply, { method }) =>
          method === 'POST'
            ? { status: 500, headers: [['content-type', 'text/plain']], body: 'Something went wrong\n' }
            : reply,
        ),
      ),
  }),
];
