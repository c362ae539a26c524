import {
  allPairs,
  brief,
  type CollectedStream,
  check,
  collectStream,
  describe,
  difference,
  eachPair,
  early,
  inconclusive,
  isEnd,
  isSettled,
  isTerminal,
  type Judgement,
  type LiveStream,
  openStream,
  type Pair,
  PreconditionUnmet,
  promptFor,
  type Scene,
  type Side,
  type StreamEvent,
  settle,
  taskIdIn,
  told,
  worst,
} from '../../src/kit/index.js';
import { assemble, pieces } from '../stream/artifacts.js';
import { asJudged, interfaces, unseenOver } from './sides.js';

// A2A 1.0 §3.5.2, §5.1: streams of one task over two bindings.

const over = (scene: Scene, { client }: Side): Scene => ({ ...scene, client });

/** The id of a task that works for a while. Throws `PreconditionUnmet` for an agent that is done at once. */
async function longTask(scene: Scene, { client, title }: Side): Promise<string> {
  const message = promptFor(scene, 'long-running');
  const outcome = await client.call('send', { message, configuration: early(scene) });
  const task = outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : undefined;
  if (task !== undefined && !isSettled(task.status.state)) return task.id;
  const seen = task === undefined ? describe(outcome) : `the task is ${task.status.state} at once`;
  throw new PreconditionUnmet(`set behaviours.long-running: no long task came over ${title}: ${seen}`);
}

type Subscribed = LiveStream | Judgement;

async function subscribed(scene: Scene, side: Side, id: string): Promise<Subscribed> {
  const opened = await openStream(over(scene, side), 'subscribe', { id });
  return opened.kind === 'stream' ? opened : unseenOver(side, opened);
}

const isStream = (subscribed: Subscribed): subscribed is LiveStream =>
  typeof subscribed === 'object' && 'kind' in subscribed;

/** The events after the snapshot with which a subscription begins. */
const updatesOf = ({ events }: CollectedStream): readonly StreamEvent[] =>
  events[0]?.type === 'task' ? events.slice(1) : events;

const bothEnd = (pair: Pair, [own, there]: readonly [CollectedStream, CollectedStream]): Judgement => {
  for (const [side, stream, other] of [
    [pair.own, own, there],
    [pair.peer, there, own],
  ] as const) {
    if (stream.events.some(isEnd)) continue;
    return other.events.some(isEnd)
      ? `the stream over ${side.title} never shows the end of the task`
      : inconclusive(
          `raise --timeout, or set behaviours.long-running to shorter work: the task did not end in time over ${side.title}`,
        );
  }
  return undefined;
};

/**
 * A status that one stream brings and the other never shows: a client that joined later begins with the task as it was
 * by then.
 */
function hidden({ own, peer }: Pair, streams: readonly CollectedStream[]): string | undefined {
  const [ownEvents, other] = streams.map(updatesOf) as [readonly StreamEvent[], readonly StreamEvent[]];
  const extra = Math.abs(ownEvents.length - other.length);
  const [longer, shorter, side, late] =
    ownEvents.length > other.length ? [ownEvents, streams[1], own, peer] : [other, streams[0], peer, own];
  const last = longer.slice(0, extra).findLast((event) => event.type === 'status');
  const first = shorter?.events[0];
  if (last?.type !== 'status' || first?.type !== 'task') return undefined;
  const { state } = last.status;
  return difference(last.status, first.task.status) === undefined
    ? undefined
    : `a status ${state} comes over ${side.title}, and never over ${late.title}`;
}

async function watched(scene: Scene, pair: Pair): Promise<Judgement> {
  const id = await longTask(scene, pair.own);
  const [own, there] = await Promise.all([subscribed(scene, pair.own, id), subscribed(scene, pair.peer, id)]);
  if (!isStream(own)) return own;
  if (!isStream(there)) return there;
  const read = await scene.aside(
    Promise.all([collectStream(over(scene, pair.own), own), collectStream(over(scene, pair.peer), there)]),
  );
  const ends = bothEnd(pair, read);
  if (ends !== undefined) return ends;
  const [ownEvents, other] = read.map(updatesOf) as [readonly StreamEvent[], readonly StreamEvent[]];
  // One of them joined later, so the other may have seen more before.
  const count = Math.min(ownEvents.length, other.length);
  const [left, right] = [ownEvents, other].map((events) => events.slice(events.length - count).map(withoutFlag));
  const deviation = difference(left, right) ?? hidden(pair, read);
  return typeof deviation === 'string'
    ? deviation
    : deviation && `the events differ at ${told(deviation, [pair.own.title, pair.peer.title])}`;
}

/** Only some versions and bindings have it. */
const withoutFlag = (event: StreamEvent): unknown => {
  if (event.type !== 'status') return event;
  const { final: _, ...rest } = event;
  return rest;
};

// In our words (1.0, 3.5.2 Streaming Event Delivery): Streams of one task over two bindings bring the same events in
//   the same order.
export const streams = check('equivalence/streams', 'equivalence.streams')
  .given('interfaces', interfaces)
  .first()
  .when('the client subscribes to one task over each interface', async (scene) =>
    allPairs(scene.interfaces, (pair) => watched(scene, pair)),
  )
  .expects('send both the same events in the same order', asJudged)
  .advice('Make each event once, and hand it to the open streams of all bindings in one order.');

/** Whether a subscription that is the only one comes to the end of its task. */
async function endsAlone(scene: Scene, maker: Side, side: Side): Promise<boolean> {
  const stream = await subscribed(scene, side, await longTask(scene, maker));
  return isStream(stream) && (await collectStream(over(scene, side), stream)).events.some(isEnd);
}

/** Drops one stream after its first event, and reads the other. */
async function dropped(scene: Scene, pair: Pair, leaving: Side, staying: Side): Promise<Judgement> {
  const id = await longTask(scene, pair.own);
  const [gone, kept] = [await subscribed(scene, leaving, id), await subscribed(scene, staying, id)];
  if (!isStream(gone)) return gone;
  if (!isStream(kept)) return kept;
  const reading = collectStream(over(scene, staying), kept);
  gone.close();
  await gone.ended;
  const { events, end } = await reading;
  if (events.some(isEnd)) return undefined;
  const after = await staying.client.call('get', { id });
  const about = `after the stream over ${leaving.title} was dropped, the one over ${staying.title}`;
  if (end === 'ended' || end === 'lost') {
    return (await endsAlone(scene, pair.own, staying))
      ? `${about} ended without the end of the task`
      : inconclusive(`a stream over ${staying.title} ends before its task, also where no other stream is dropped`);
  }
  const isDone = after.kind === 'result' && isTerminal(after.value.status.state);
  return isDone
    ? `${about} never showed the end of the task`
    : inconclusive('raise --timeout, or set behaviours.long-running to shorter work: the task did not end in time');
}

// In our words (1.0, 3.5.2 Streaming Event Delivery): Closing the stream of one binding does not end that of another.
export const streamDropped = check('equivalence/stream-dropped', 'equivalence.stream-dropped')
  .given('interfaces', interfaces)
  .first()
  .when('the client drops one of two subscriptions over different interfaces', async (scene) =>
    allPairs(scene.interfaces, async (pair) =>
      worst(
        await scene.aside(
          Promise.all([dropped(scene, pair, pair.peer, pair.own), dropped(scene, pair, pair.own, pair.peer)]),
        ),
      ),
    ),
  )
  .expects('continue the other to the end of the task', asJudged)
  .advice('A client that goes must end its own stream only, and never the work.');

/** Streams over one side, and reads over the other. */
async function assembled(scene: Scene, from: Side, to: Side): Promise<Judgement> {
  const opened = await openStream(over(scene, from), 'stream', { message: promptFor(scene, 'streamed-chunks') });
  if (opened.kind !== 'stream') return unseenOver(from, opened);
  const { events } = await collectStream(over(scene, from), opened);
  const id = events.map(taskIdIn).find((taskId) => taskId !== undefined);
  if (id === undefined) return inconclusive(`the stream over ${from.title} names no task`);
  const read = await to.client.call('get', { id });
  if (read.kind !== 'result') return unseenOver(to, read);
  // What comes after the stream was closed is not missing in it.
  if (!events.some(isEnd))
    return inconclusive(`raise --timeout: the stream over ${from.title} did not show the end of its task`);
  const { artifacts = [] } = await settle(over(scene, to), read.value);
  const made = assemble(events);
  if (made.size === 0 && artifacts.length === 0)
    return inconclusive('set behaviours.streamed-chunks: the stream brought no artifact');
  for (const artifactId of new Set([...made.keys(), ...artifacts.map((artifact) => artifact.artifactId)])) {
    const shown = artifacts.find((artifact) => artifact.artifactId === artifactId);
    const [streamed, other] = [pieces(made.get(artifactId) ?? []), pieces(shown?.parts ?? [])];
    if (difference(streamed, other) !== undefined) {
      return `the artifact ${artifactId} is ${brief(streamed, 80)} in the stream over ${from.title}, and ${brief(other, 80)} in the task over ${to.title}`;
    }
  }
  return undefined;
}

// In our words (1.0, 5.1 Functional Equivalence Requirements): Artifacts streamed over one binding are those that
//   GetTask shows over another.
export const streamedArtifacts = check('equivalence/streamed-artifacts', 'equivalence.streamed-artifacts')
  .given('interfaces', interfaces)
  .when('the client streams over one interface and reads over another', async (scene) =>
    eachPair(scene.interfaces, async ({ own, peer }) =>
      worst([await assembled(scene, own, peer), await assembled(scene, peer, own)]),
    ),
  )
  .expects('show the artifacts that were streamed', asJudged)
  .advice('Hand append and lastChunk on in every binding, and keep the artifact as it was streamed.');
