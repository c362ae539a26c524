import { isDeepStrictEqual } from 'node:util';
import { type Artifact, brief, isString, isTerminal, member, type Task } from '../../model/index.js';
import { bodyText } from '../../wire/index.js';
import type { Court, Symptom } from '../oracle.js';
import type { Sent, Trace } from '../trace.js';
import { mayStore } from './law-view.js';
import { accountOf, rowsOf, type Sighting, seenBefore } from './sights.js';

// What of a task stays as it is: its context always, all of it once it has ended (0.3 §6.1, 1.0 §3.3.1).

/** Some dialects have a name in place of an id. */
const nameOf = ({ artifactId, name = '' }: Artifact): string => artifactId || name;

/** The first artifact of `before` that `after` has no longer. */
function lost(before: Task, after: Task): string | undefined {
  const left = new Set((after.artifacts ?? []).map(nameOf));
  return (before.artifacts ?? []).map(nameOf).find((name) => name !== '' && !left.has(name));
}

/** Links may be signed anew for each reader. */
const withoutLinks = ({ artifacts = [] }: Task) =>
  artifacts.map((artifact) => ({
    ...artifact,
    parts: artifact.parts.map((part) => (part.kind === 'file' ? { ...part, uri: part.uri !== undefined } : part)),
  }));

/** What differs between two readings of a task that has ended. */
function difference(first: Task, again: Task): string | undefined {
  if (!isDeepStrictEqual(first.status, again.status)) {
    return `its status was ${brief(first.status)} and is ${brief(again.status)}`;
  }
  const [before, after] = [withoutLinks(first), withoutLinks(again)];
  return isDeepStrictEqual(before, after) ? undefined : `its artifacts were ${brief(before)} and are ${brief(after)}`;
}

/** Names the task, and another context than that of the task. */
function isMixed({ step: { operation }, request, body }: Sent, task: string, context: string): boolean {
  if (operation !== 'send' && operation !== 'stream') return false;
  const text = bodyText(body);
  const named = [...text.matchAll(/"contextId"\s*:\s*"([^"]*)"/g)].map(([, name]) => name);
  const own = member(member(member(request, 'params'), 'message'), 'contextId');
  return text.includes(task) && [own, ...named].some((name) => isString(name) && name !== '' && name !== context);
}

/**
 * The sentence for a task that shows another context; undefined: the client had named another one, and what comes of that
 * is open (0.3 §6.4, AMB03-26; 1.0 §3.4.3 has it refused).
 */
function contextKey(first: Sighting, later: Sighting, { sent: all }: Trace, { ledger }: Court) {
  const { sent, id, operation } = later;
  const isAsked = all.some(
    (one) => one.sentAt <= sent.endedAt && mayStore(one) && isMixed(one, id, first.contextId ?? ''),
  );
  const refused = 'send.context-mismatch-refused';
  if (isAsked) return ledger.row(refused) && refused;
  return operation === 'send' || operation === 'stream' ? 'send.continuation-keeps-context' : 'get.stable';
}

function contextChange(sightings: readonly Sighting[], court: Court, trace: Trace): Symptom | undefined {
  let first: Sighting | undefined;
  for (const sighting of sightings) {
    if (sighting.contextId === undefined) continue;
    first ??= sighting;
    if (first.contextId === sighting.contextId) continue;
    // Within one stream a law says the same.
    if (first.sent === sighting.sent) continue;
    const key = contextKey(first, sighting, trace, court);
    if (key === undefined) return undefined;
    const continues = sighting.operation === 'send' || sighting.operation === 'stream';
    return {
      oracle: 'life-cycle',
      bucket: `life-cycle/other-context ${continues ? 'answer' : 'reading'}`,
      title: 'A task has moved to another context',
      detail: `the task ${sighting.id} was in ${first.contextId} (${first.operation}) and is in ${sighting.contextId} (${sighting.operation})`,
      keys: rowsOf(court.ledger, key),
      sent: sighting.sent,
    };
  }
  return undefined;
}

/** Whole tasks: pages and cancellations may leave parts of them out. */
const isWhole = ({ task, operation }: Sighting): boolean =>
  task !== undefined && (operation === 'get' || operation === 'send');

function vanished(sightings: readonly Sighting[], { ledger }: Court): Symptom | undefined {
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
        // The sentence is about what was reported; of work in progress nothing is said.
        keys: ended ? rowsOf(ledger, 'get.artifacts-kept') : [],
        sent: later.sent,
      };
    }
  }
  return undefined;
}

function rewritten(sightings: readonly Sighting[], { ledger }: Court): Symptom | undefined {
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
      title: 'A task that has ended reads otherwise than before',
      detail: `the task ${task.id}: ${other}`,
      keys: rowsOf(ledger, 'get.stable'),
      sent: sighting.sent,
    };
  }
  return undefined;
}

/** What changed of the tasks of a trace that must not. */
export function changesIn(trace: Trace, court: Court): readonly Symptom[] {
  const { byTask } = accountOf(trace, court.dialect);
  const found: Symptom[] = [];
  for (const sightings of byTask.values()) {
    if (sightings.length < 2) continue;
    for (const judge of [contextChange, vanished, rewritten]) {
      const symptom = judge(sightings.slice(0, 200), court, trace);
      if (symptom !== undefined) found.push(symptom);
    }
  }
  return found;
}
