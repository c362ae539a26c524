import {
  type CollectedStream,
  ifMet,
  inconclusive,
  isSettled,
  isTerminal,
  type Judgement,
  lastState,
  type Scene,
} from '../../src/kit/index.js';
import { type Ending, isOver, known, stateOf } from './endings.js';
import { several } from './open-tasks.js';
import { isPaused, plain } from './streams.js';

// Streams that the server ended before the end of their task. No rules: index.ts does not collect this file.

/** The server ended the stream before it showed a terminal state. */
export function stoppedEarly({ events, end }: CollectedStream): boolean {
  return end === 'ended' && !isTerminal(lastState(events) ?? 'unknown');
}

const silenceAtEnd = ({ seen, exchange }: CollectedStream): number => exchange.durationMs - (seen.at(-1)?.atMs ?? 0);

/** The longest time between two events, ms. */
const longestSilence = ({ seen }: CollectedStream): number =>
  seen.reduce((most, { atMs }, at) => Math.max(most, atMs - (seen[at - 1]?.atMs ?? atMs)), 0);

/** Streams of this agent that went on for a while: one that ended at work was not kept. */
async function longStreams(scene: Scene): Promise<readonly CollectedStream[]> {
  const plainStream = await ifMet(scene.use(plain));
  const seen = await ifMet(scene.use(several));
  return [plainStream?.watched, seen?.first, seen?.second].flatMap((watched) =>
    watched === undefined || endedAtWork(watched) ? [] : watched,
  );
}

/**
 * No sentence says how long a server keeps an idle stream (AMB10-45): the agent may have ended this one for its silence
 * or its duration. That is ruled out where the same agent kept another stream through a silence more than twice as
 * long, and for longer. `wasOver`: the task had ended by then, so the duration does not count.
 */
async function wasKept(stopped: CollectedStream, wasOver: boolean, scene: Scene): Promise<boolean> {
  const outlasts = (other: CollectedStream): boolean =>
    longestSilence(other) > 2 * silenceAtEnd(stopped) &&
    (wasOver || other.exchange.durationMs > stopped.exchange.durationMs);
  return (await longStreams(scene)).some(outlasts);
}

/** A stream that ends within this time of its last event was not idle, ms. */
const soonMs = 100;
/** A stream that has not lasted longer than this did not last too long for any server, ms. */
const shortMs = 1000;

/** Its last status is "the final event in the stream for this interaction" (0.3 §7.2.2): the stream brought the end. */
const isCalledFinal = ({ events }: CollectedStream): boolean => {
  const last = events.findLast(({ type }) => type === 'status');
  return last?.type === 'status' && last.final === true;
};

/**
 * The server ended the stream while the task was at work, right after an event and right after it began: neither silence
 * nor duration explains that (AMB10-45).
 */
export const endedAtWork = (watched: CollectedStream): boolean =>
  watched.end === 'ended' &&
  watched.seen.length > 0 &&
  !isCalledFinal(watched) &&
  !isSettled(lastState(watched.events) ?? 'unknown') &&
  silenceAtEnd(watched) < soonMs &&
  watched.exchange.durationMs < shortMs;

/**
 * Unproven where the stream of a plain message ends so as well: stream/state-matches-get reports it once, for all
 * streams. `told`: how this stream ended.
 */
export async function asAllDo(text: string, scene: Scene): Promise<Judgement> {
  const usual = (await ifMet(scene.use(plain)))?.watched;
  return usual !== undefined && endedAtWork(usual)
    ? inconclusive(
        `${text}; the stream of a plain message ends after ${lastState(usual.events) ?? 'no state'} as well: see stream/state-matches-get`,
      )
    : undefined;
}

/** Unproven where the stream brought its end: stream/final-state judges in which states an agent may end it. */
export const asCalled = (text: string, watched: CollectedStream): Judgement =>
  isCalledFinal(watched) ? inconclusive(`${text}; the stream calls its last status final`) : undefined;

/** Judges a stream that stopped early. `then`: the later state of its task. */
export async function judgeStopped(
  stopped: CollectedStream,
  then: string,
  scene: Scene,
  wasOver = false,
): Promise<Judgement> {
  const text = `the stream ended after ${lastState(stopped.events) ?? 'no state'}, and the task ${then}`;
  const called = asCalled(text, stopped);
  if (called !== undefined) return called;
  if (await wasKept(stopped, wasOver, scene)) return text;
  return (await asAllDo(text, scene)) ?? inconclusive(`${text}; the agent may end streams on which no event comes`);
}

/** Judges whether a stream showed how its task ended. */
export async function tellsTheEnd(ending: Ending, scene: Scene): Promise<Judgement> {
  const { watched, atOnce, after } = ending;
  const { events, end } = watched;
  const shown = lastState(events);
  if (shown !== undefined && isTerminal(shown)) return undefined;
  if (isPaused(watched)) return inconclusive('the stream stopped where the task waited for authorization');
  if (end === 'lost') return inconclusive('the connection broke');
  const said = watched.seen.length > 0 || (watched.exchange.response?.body.length ?? 0) > 0;
  if (said && events.length === 0) return inconclusive('the kit cannot read what the stream brought');
  const now = stateOf(after) ?? stateOf(atOnce);
  if (end === 'ended' && isOver(atOnce)) return judgeStopped(watched, `was ${now} by then`, scene, true);
  if (end === 'ended' && isOver(after)) return judgeStopped(watched, `was ${now} later`, scene);
  if (isOver(known(ending))) return `the task is ${now}, and the stream stayed without an event about it`;
  return inconclusive(`raise --timeout: the task did not end in time (${shown ?? 'no state'})`);
}
