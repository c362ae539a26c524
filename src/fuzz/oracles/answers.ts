import type { RequirementKey } from '../../ledger/index.js';
import { isTerminal, type SendReply } from '../../model/index.js';
import type { Sent, Trace } from '../execute/trace.js';
import { isUnknownId, unknownPrefix } from '../generate/scripting.js';
import { tellsCallersApart } from './controls.js';
import { stateOf } from './life-cycle.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
import { saidIn } from './symptom.js';
import {
  type Account,
  type Asked,
  accountOf,
  askedBy,
  isAccepted,
  isBefore,
  isOpenAfter,
  mayTakeEffect,
  rowsOf,
  streamedTask,
  taskAsked,
} from './task-observations.js';

// Whether an answer is about what was asked for, and whether the request may be accepted at all.

/** Sentences about requests that name a task, by operation; a version may lack some of them. */
const unknownKeys: Readonly<Partial<Record<Asked['operation'], RequirementKey>>> = {
  get: 'get.unknown-refused',
  cancel: 'cancel.unknown-refused',
  subscribe: 'sub.unknown-refused',
  send: 'send.unknown-task-refused',
  pushSet: 'push.unknown-task-refused',
};
const sameKeys: Readonly<Partial<Record<Asked['operation'], RequirementKey>>> = {
  get: 'get.same-task',
  cancel: 'cancel.returns-task',
  send: 'send.continues-task',
};
const endedKeys: Readonly<Partial<Record<Asked['operation'], RequirementKey>>> = {
  send: 'send.terminal-refused',
  stream: 'stream.terminal-refused',
  subscribe: 'sub.terminal-refused',
};
const foreignKeys: Readonly<Partial<Record<Asked['operation'], RequirementKey>>> = {
  get: 'get.foreign-refused',
  cancel: 'cancel.foreign-refused',
  send: 'send.foreign-refused',
};

const symptom = (
  bucket: string,
  title: string,
  detail: string,
  keys: readonly RequirementKey[],
  sent: Sent,
): Symptom => ({
  oracle: 'life-cycle',
  bucket: `life-cycle/${bucket}`,
  title,
  detail,
  keys,
  sent,
});

/** The task that an answer is about. */
function taskAnswered({ reading, step }: Sent): string | undefined {
  if (reading.stream !== undefined) return undefined;
  const { outcome } = reading;
  if (outcome.kind !== 'result') return undefined;
  const value = outcome.value as { readonly id?: string };
  if (step.operation === 'get' || step.operation === 'cancel') return value.id || undefined;
  if (step.operation !== 'send') return undefined;
  const reply = outcome.value as SendReply;
  return (reply.type === 'task' ? reply.task.id : reply.message.taskId) || undefined;
}

/**
 * Whether an earlier message that was not refused, or that caused an internal error, may have begun the task that it
 * named: that is judged separately.
 */
const mayHaveBegun = (id: string, { sent: all }: Trace, { endedAt }: Sent): boolean =>
  all.some(
    (request) =>
      (request.step.operation === 'send' || request.step.operation === 'stream') &&
      request.sentAt < endedAt &&
      mayTakeEffect(request) &&
      saidIn(request).includes(id),
  );

function judgeNamed(
  trace: Trace,
  sent: Sent,
  asked: Asked,
  account: Account,
  oracleContext: OracleContext,
): Symptom | undefined {
  const { operation } = asked;
  const id = taskAsked(asked);
  if (id === undefined || !isAccepted(sent)) return undefined;
  if (isUnknownId(id)) {
    const key = unknownKeys[operation];
    const keys = key === undefined ? [] : rowsOf(oracleContext.ledger, key);
    if (keys.length === 0 || (operation !== 'send' && mayHaveBegun(id, trace, sent))) return undefined;
    return symptom(
      `unknown-task ${operation}`,
      'The agent answers for an unknown task',
      `${operation} of the task ${id}, which does not exist, was accepted`,
      keys,
      sent,
    );
  }
  const endedKey = endedKeys[operation];
  if (endedKey !== undefined && oracleContext.ledger.row(endedKey) !== undefined) {
    const ending = account.byTask.get(id)?.find((sighting) => {
      const state = stateOf(sighting);
      return state !== undefined && isTerminal(state) && isBefore(sighting.sent, sent);
    });
    if (ending !== undefined) {
      return symptom(
        `ended-task ${operation}`,
        `A task that has ended accepts a ${operation}`,
        `the task ${id} was ${stateOf(ending)} (${ending.operation}), and a ${operation} to it was accepted`,
        [endedKey],
        sent,
      );
    }
  }
  const answered = taskAnswered(sent);
  if (answered === undefined || answered === id) return undefined;
  const key = sameKeys[operation];
  if (asked.operation === 'send') {
    if (key === undefined || oracleContext.ledger.row(key) === undefined) return undefined;
    // Versions differ about tasks that have ended, and about tasks named together with another context.
    if (asked.params.message.contextId || !isOpenAfter(id, sent, account)) return undefined;
  }
  return symptom(
    `other-task ${operation}`,
    'The answer is about another task than the one that was asked for',
    `${operation} named the task ${id}, the answer is about ${answered}`,
    key === undefined ? [] : rowsOf(oracleContext.ledger, key),
    sent,
  );
}

/** A second caller that was let into a task of the first. */
function judgeForeign(sent: Sent, account: Account, oracleContext: OracleContext): Symptom | undefined {
  if (sent.step.caller !== 'second' || !isAccepted(sent)) return undefined;
  const asked = askedBy(sent, oracleContext.dialect);
  const key = asked && foreignKeys[asked.operation];
  const id = taskAsked(asked);
  if (key === undefined || id === undefined || oracleContext.ledger.row(key) === undefined || !account.byTask.has(id))
    return undefined;
  return symptom(
    `foreign-task ${sent.step.operation}`,
    'A caller gets access to the task of another caller',
    `${sent.step.operation} of the task ${id} by a second caller was accepted`,
    [key],
    sent,
  );
}

/** New tasks have new ids, and are in the context that was named for them. */
function judgeNew(trace: Trace, account: Account, oracleContext: OracleContext): readonly Symptom[] {
  const found: Symptom[] = [];
  /** The message that each task was begun with. */
  const seen = new Map<string, string>();
  const isGiven = (contextId: string) => account.sightings.some((sighting) => sighting.contextId === contextId);
  for (const sent of trace.sent) {
    const asked = account.asked(sent);
    if (asked?.operation !== 'send' && asked?.operation !== 'stream') continue;
    const { message } = asked.params;
    if (message.taskId || !isAccepted(sent)) continue;
    const first = account.sightings.find((sighting) => sighting.sent === sent);
    const id = first?.id ?? streamedTask(sent);
    if (id === undefined) continue;
    const earlier = seen.get(id);
    const distinct = rowsOf(oracleContext.ledger, 'send.distinct-ids');
    // An agent that has already received the same message may answer with its task again (1.0 §3.3.1).
    const isRepeated = message.messageId !== '' && earlier === message.messageId;
    if (earlier !== undefined && !isRepeated && distinct.length > 0) {
      const detail = `two messages without a taskId both became the task ${id}`;
      found.push(symptom('same-id', 'Two new tasks have one id', detail, distinct, sent));
    }
    seen.set(id, message.messageId);
    const { contextId } = message;
    const kept = rowsOf(oracleContext.ledger, 'send.context-id-kept');
    if (!contextId || first?.contextId === undefined || first.contextId === contextId || kept.length === 0) continue;
    // Contexts that the client invented may be refused or replaced (AMB03-26).
    if (!isGiven(contextId)) continue;
    const detail = `the message named the context ${contextId}, its task is in ${first.contextId}`;
    found.push(symptom('context-not-kept', 'A new task is in another context than its message', detail, kept, sent));
  }
  return found;
}

/** A message whose contextId is that of another conversation than its task's (1.0 §3.4.1; 0.3 leaves it open). */
function judgeMixed(sent: Sent, asked: Asked, account: Account, oracleContext: OracleContext): Symptom | undefined {
  if (asked.operation !== 'send' || !isAccepted(sent)) return undefined;
  const { taskId, contextId } = asked.params.message;
  const keys = rowsOf(oracleContext.ledger, 'send.context-mismatch-refused');
  if (!taskId || !contextId || keys.length === 0) return undefined;
  const own = account.byTask
    .get(taskId)
    ?.find((sighting) => sighting.contextId !== undefined && isBefore(sighting.sent, sent));
  if (own === undefined || own.contextId === contextId) return undefined;
  const detail = `the task ${taskId} is in ${own.contextId}, the message named ${contextId}, and was accepted`;
  return symptom('mixed-context', 'A message with the context of another conversation is accepted', detail, keys, sent);
}

export const answers: Oracle = (trace, oracleContext) => {
  // A single request that names no unknown task shows nothing here.
  if (trace.sent.length < 2 && !namesUnknown(trace)) return [];
  const account = accountOf(trace, oracleContext.dialect);
  const found = [...judgeNew(trace, account, oracleContext)];
  const foreign: Symptom[] = [];
  for (const sent of trace.sent) {
    const intruder = judgeForeign(sent, account, oracleContext);
    if (intruder !== undefined) foreign.push(intruder);
    const asked = account.asked(sent);
    if (asked === undefined) continue;
    const named = judgeNamed(trace, sent, asked, account, oracleContext);
    const mixed = judgeMixed(sent, asked, account, oracleContext);
    for (const symptom of [named, mixed]) if (symptom !== undefined) found.push(symptom);
  }
  if (foreign.length === 0) return found;
  // Where the agent does not distinguish callers, no task belongs to one of them.
  return tellsCallersApart(trace, oracleContext).then((apart) => (apart ? [...found, ...foreign] : found));
};

/** Scripts of this kind are short. */
const shortBytes = 4096;

const namesUnknown = ({ sent: [first] }: Trace): boolean =>
  first !== undefined && first.body.length < shortBytes && saidIn(first).includes(unknownPrefix);
