import { isTerminal, type TaskState } from '../../model/index.js';
import type { Sent, Trace } from '../execute/trace.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
import { changesIn } from './task-changes.js';
import { accountOf, mostCompared, rowsOf, type Sighting, seenBefore, talksTo } from './task-observations.js';

// A2A 0.3 §6.1, §6.3; 1.0 §3.1.1, §4.1.3: how a task may move, over all that a trace showed of it.

export const stateOf = ({ status }: Sighting): TaskState | undefined =>
  status === undefined || status.state === 'unknown' ? undefined : status.state;

export const shown = (sighting: Sighting): string =>
  `${sighting.operation}${sighting.event === undefined ? '' : `, event ${sighting.event + 1}`}: ${stateOf(sighting) ?? 'no state'}`;

const staleTitle = 'A task is read in an older state than was reported before';
/** The same report: the same state, time and message. */
const sameStatus = (first: Sighting, second: Sighting): boolean =>
  stateOf(first) === stateOf(second) &&
  first.status?.timestamp !== undefined &&
  first.status.timestamp === second.status?.timestamp &&
  first.status.message?.messageId === second.status?.message?.messageId;

/** A task has one final state: two different ones contradict each other, whatever their order. */
function twoEnds(sightings: readonly Sighting[], { ledger }: OracleContext): Symptom | undefined {
  let first: Sighting | undefined;
  for (const sighting of sightings) {
    const state = stateOf(sighting);
    if (state === undefined || !isTerminal(state)) continue;
    first ??= sighting;
    if (stateOf(first) === state) continue;
    // Within one stream a law reports it.
    if (first.sent === sighting.sent && ledger.row('stream.terminal-final') !== undefined) continue;
    return {
      oracle: 'life-cycle',
      bucket: `life-cycle/two-ends${state === 'canceled' || stateOf(first) === 'canceled' ? ' canceled' : ''}`,
      title: 'A task has ended in two ways',
      detail: `the task ${sighting.id} was ${stateOf(first)} (${first.operation}) and ${state} (${sighting.operation})`,
      keys: rowsOf(
        ledger,
        'life.terminal-final',
        ...(stateOf(first) === 'canceled' ? (['cancel.stays-canceled'] as const) : []),
        ...(state === 'canceled' ? (['cancel.terminal-refused'] as const) : []),
      ),
      sent: sighting.sent,
    };
  }
  return undefined;
}

/** An illegal move, from one sighting to a later one. */
function illegalMove(
  sightings: readonly Sighting[],
  { ledger }: OracleContext,
  talks: readonly Sent[],
): Symptom | undefined {
  for (const later of sightings) {
    const to = stateOf(later);
    // A sighting that may show the past says nothing about the present.
    if (!later.isNow || to === undefined || isTerminal(to)) continue;
    for (const earlier of sightings) {
      const from = stateOf(earlier);
      if (from === undefined || !seenBefore(earlier, later)) continue;
      const revived = isTerminal(from);
      if (!revived && (to !== 'submitted' || from === 'submitted')) continue;
      // A further message may set its task to submitted.
      const isTold = talks.some((talk) => talk.sentAt < later.sent.endedAt && talk.endedAt > earlier.sent.sentAt);
      if (!revived && isTold) continue;
      // To show an old copy is another defect than to move the task.
      const isOld =
        later.operation === 'get' &&
        sightings.some((sighting) => sameStatus(sighting, later) && seenBefore(sighting, earlier));
      return {
        oracle: 'life-cycle',
        bucket: `life-cycle/${isOld ? 'stale' : revived ? 'revived' : 'submitted-again'}`,
        title: isOld
          ? staleTitle
          : revived
            ? 'A task that had ended is open again'
            : 'A task that was at work is submitted again',
        detail: `the task ${later.id} was ${from} (${earlier.operation}) and then ${to} (${later.operation})`,
        keys: rowsOf(
          ledger,
          ...(revived ? (['life.terminal-final'] as const) : []),
          ...(later.operation === 'get' ? (['get.state-not-older'] as const) : []),
          ...(from === 'canceled' ? (['cancel.stays-canceled'] as const) : []),
        ),
        sent: later.sent,
      };
    }
  }
  return undefined;
}

/**
 * A reading shows an older state after a newer one had been shown: it comes from a copy that is not kept up to date.
 */
function staleRead(sightings: readonly Sighting[], { ledger }: OracleContext): Symptom | undefined {
  const timeOf = ({ status }: Sighting): number => Date.parse(status?.timestamp ?? '');
  for (const late of sightings) {
    if (late.operation !== 'get' || stateOf(late) === undefined || Number.isNaN(timeOf(late))) continue;
    for (const newer of sightings) {
      if (!(timeOf(newer) > timeOf(late)) || stateOf(newer) === undefined || !seenBefore(newer, late)) continue;
      // Clocks of two machines may differ: only a status that had been seen before the newer one is surely older.
      const old = sightings.find((sighting) => sameStatus(sighting, late) && seenBefore(sighting, newer));
      if (old === undefined) continue;
      return {
        oracle: 'life-cycle',
        bucket: 'life-cycle/stale',
        title: staleTitle,
        detail: `the task ${late.id} was ${shown(old)}, then ${shown(newer)}, and is read as ${stateOf(late)} of ${late.status?.timestamp}`,
        keys: rowsOf(ledger, 'get.state-not-older'),
        sent: late.sent,
      };
    }
  }
  return undefined;
}

/** Illegal moves of the tasks of a trace. */
export function movesIn(trace: Trace, oracleContext: OracleContext): readonly Symptom[] {
  const account = accountOf(trace, oracleContext.dialect);
  const { byTask } = account;
  const found: Symptom[] = [];
  for (const [id, all] of byTask) {
    if (all.length < 2) continue;
    const sightings = all.slice(0, mostCompared);
    const ends = twoEnds(sightings, oracleContext);
    if (ends !== undefined) found.push(ends);
    const move =
      illegalMove(sightings, oracleContext, talksTo(id, account, trace)) ?? staleRead(sightings, oracleContext);
    if (move !== undefined) found.push(move);
  }
  return found;
}

/** Judges how tasks move, and what must not change in them. */
export const lifeCycle: Oracle = (trace, oracleContext) =>
  trace.sent.length < 2 ? [] : [...movesIn(trace, oracleContext), ...changesIn(trace, oracleContext)];
