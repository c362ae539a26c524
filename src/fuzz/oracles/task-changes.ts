import { isDeepStrictEqual } from 'node:util';
import { type Artifact, brief, isTerminal, type Task } from '../../model/index.js';
import type { Trace } from '../execute/trace.js';
import type { OracleContext, Symptom } from './oracle.js';
import {
  type Account,
  accountOf,
  mayTakeEffect,
  mostCompared,
  rowsOf,
  type Sighting,
  seenBefore,
  talksTo,
} from './task-observations.js';
import { artifactsOf, statusOf } from './task-views.js';

// What must not change in a task: its context at any time, all of it once the task has ended (0.3 §6.1, 1.0 §3.3.1).

/** Some dialects have a name in place of an id. */
const nameOf = ({ artifactId, name = '' }: Artifact): string => artifactId || name;

/** The first artifact of `before` that `after` has no longer. */
function lost(before: Task, after: Task): string | undefined {
  const left = new Set((after.artifacts ?? []).map(nameOf));
  return (before.artifacts ?? []).map(nameOf).find((name) => name !== '' && !left.has(name));
}

/** What differs between two readings of a task that has ended. */
function difference(first: Task, again: Task): string | undefined {
  if (!isDeepStrictEqual(statusOf(first), statusOf(again))) {
    return `its status was ${brief(first.status)} and is ${brief(again.status)}`;
  }
  const [before, after] = [artifactsOf(first), artifactsOf(again)];
  return isDeepStrictEqual(before, after) ? undefined : `its artifacts were ${brief(before)} and are ${brief(after)}`;
}

/**
 * The sentence that a change of context breaks; undefined: a message moved the task there, which is open (0.3 §6.4,
 * AMB03-26), or may have. 1.0 §3.4.3: a message that names a task and another context than the task's is refused.
 */
function contextKey(first: Sighting, later: Sighting, account: Account, trace: Trace, { ledger }: OracleContext) {
  let isMixed = false;
  for (const request of talksTo(later.id, account, trace)) {
    if (request.sentAt > later.sent.endedAt || !mayTakeEffect(request)) continue;
    const asked = account.asked(request);
    if (asked?.operation !== 'send' && asked?.operation !== 'stream') return undefined;
    const { contextId } = asked.params.message;
    isMixed ||= contextId !== undefined && contextId !== '' && contextId !== first.contextId;
  }
  const refused = 'send.context-mismatch-refused';
  if (isMixed) return ledger.row(refused) && refused;
  const continues = later.operation === 'send' || later.operation === 'stream';
  return continues ? 'send.continuation-keeps-context' : 'get.stable';
}

type Judge = (
  sightings: readonly Sighting[],
  oracleContext: OracleContext,
  account: Account,
  trace: Trace,
) => Symptom | undefined;

const contextChange: Judge = (sightings, oracleContext, account, trace) => {
  let first: Sighting | undefined;
  for (const sighting of sightings) {
    if (sighting.contextId === undefined) continue;
    first ??= sighting;
    if (first.contextId === sighting.contextId) continue;
    // Within one stream a law reports it.
    if (first.sent === sighting.sent) continue;
    const key = contextKey(first, sighting, account, trace, oracleContext);
    if (key === undefined) continue;
    const continues = sighting.operation === 'send' || sighting.operation === 'stream';
    return {
      oracle: 'life-cycle',
      bucket: `life-cycle/other-context ${continues ? 'answer' : 'reading'}`,
      title: 'A task has moved to another context',
      detail: `the task ${sighting.id} was in ${first.contextId} (${first.operation}) and is in ${sighting.contextId} (${sighting.operation})`,
      keys: rowsOf(oracleContext.ledger, key),
      sent: sighting.sent,
    };
  }
  return undefined;
};

/** Whether the task is shown whole: pages and answers to cancel may leave parts out. */
const isWhole = ({ task, operation }: Sighting): boolean =>
  task !== undefined && (operation === 'get' || operation === 'send');

const vanished: Judge = (sightings, { ledger }) => {
  for (const later of sightings) {
    if (later.operation !== 'get' || later.task === undefined) continue;
    for (const earlier of sightings) {
      if (!isWhole(earlier) || earlier.task === undefined || !seenBefore(earlier, later)) continue;
      const name = lost(earlier.task, later.task);
      if (name === undefined) continue;
      const ended = isTerminal(earlier.task.status.state);
      return {
        oracle: 'life-cycle',
        bucket: `life-cycle/artifact-lost ${ended ? 'ended' : 'open'}`,
        title: ended ? 'A task that has ended loses an artifact' : 'A task loses an artifact while it goes on',
        detail: `the artifact ${name} of the task ${later.id} came with ${earlier.operation} and is gone`,
        // The sentence covers reported results; it says nothing about work in progress.
        keys: ended ? rowsOf(ledger, 'get.artifacts-kept') : [],
        sent: later.sent,
      };
    }
  }
  return undefined;
};

const rewritten: Judge = (sightings, { ledger }) => {
  let first: Task | undefined;
  let from: Sighting | undefined;
  for (const sighting of sightings) {
    const { task, operation } = sighting;
    if (operation !== 'get' || task === undefined || !isTerminal(task.status.state)) continue;
    if (first === undefined || from === undefined) {
      first = task;
      from = sighting;
      continue;
    }
    if (first.status.state !== task.status.state || lost(first, task) !== undefined || !seenBefore(from, sighting))
      continue;
    const other = difference(first, task);
    if (other === undefined) continue;
    return {
      oracle: 'life-cycle',
      bucket: `life-cycle/rewritten ${other.slice(4, other.indexOf(' ', 4))}`,
      title: 'A task that has ended has changed',
      detail: `the task ${task.id}: ${other}`,
      keys: rowsOf(ledger, 'get.stable'),
      sent: sighting.sent,
    };
  }
  return undefined;
};

/** Forbidden changes of the tasks of a trace. */
export function changesIn(trace: Trace, oracleContext: OracleContext): readonly Symptom[] {
  const account = accountOf(trace, oracleContext.dialect);
  const found: Symptom[] = [];
  for (const sightings of account.byTask.values()) {
    if (sightings.length < 2) continue;
    for (const judge of [contextChange, vanished, rewritten]) {
      const symptom = judge(sightings.slice(0, mostCompared), oracleContext, account, trace);
      if (symptom !== undefined) found.push(symptom);
    }
  }
  return found;
}
