import type { RequirementKey } from '../../ledger/index.js';
import { member, type Operation } from '../../model/index.js';
import type { Sent, Trace } from '../execute/trace.js';
import type { OracleContext } from './oracle.js';
import { demanded, remembered } from './symptom.js';
import { sightsIn } from './task-views.js';

// A2A 1.0 §13.1: messages of one task, or of one caller, are not shown in another task or to another caller.

/** Where a message went: the task and the context that answered it. */
interface Owner {
  readonly task: string;
  readonly context: string | undefined;
  readonly caller: string | undefined;
}

const owners = remembered(() => new Map<string, readonly Owner[]>());
const mostMessages = 4096;
/** A message that went to more places than this belongs to none of them. */
const mostOwners = 4;

/** Also of a request that cannot be parsed again. */
const messageIdOf = ({ request, step }: Sent): unknown =>
  member(member(request === undefined ? step.params : member(request, 'params'), 'message'), 'messageId');

/** Agents write odd ids, or ids that are not text, in their own ways: `[object Object]` may come from any message. */
const isPlain = (id: unknown): id is string => typeof id === 'string' && /^[!-~]{6,128}$/.test(id);

/**
 * The id of a message, where all readers see the same one: members that stand twice, or are written otherwise, are read
 * in several ways.
 */
function plainIdOf(sent: Sent): string | undefined {
  const id = messageIdOf(sent);
  return isPlain(id) && (sent.step.tricks ?? []).length === 0 ? id : undefined;
}

/** Whether the message was refused for certain: after an internal error it may have been stored. */
const isRefused = ({ outcome }: Sent['reading']): boolean =>
  outcome.kind === 'refusal' && outcome.inForm && outcome.error !== 'InternalError';

/** A message that the agent may show under any id. */
const hasOddId = (sent: Sent): boolean =>
  (sent.step.operation === 'send' || sent.step.operation === 'stream') &&
  plainIdOf(sent) === undefined &&
  !isRefused(sent.reading);

function remember(trace: Trace, oracleContext: OracleContext): void {
  const known = owners(oracleContext);
  for (const { sent, task } of sightsIn(trace)) {
    const messageId = sent.step.operation === 'send' ? plainIdOf(sent) : undefined;
    if (messageId === undefined) continue;
    const before = known.get(messageId) ?? [];
    const owner = { task: task.id, context: task.contextId, caller: sent.step.caller };
    known.delete(messageId);
    known.set(messageId, [...before, owner].slice(0, mostOwners + 1));
    if (known.size > mostMessages) known.delete(known.keys().next().value ?? '');
  }
}

const foreignKeys: Readonly<Partial<Record<Operation, RequirementKey>>> = {
  get: 'get.foreign-refused',
  send: 'send.foreign-refused',
  cancel: 'cancel.foreign-refused',
};

export interface Foreign {
  readonly sent: Sent;
  readonly what: string;
  readonly keys: readonly RequirementKey[];
}

/**
 * Messages in the history of a task that went to another task in another context, and messages that another caller
 * sent.
 */
export function foreignIn(trace: Trace, oracleContext: OracleContext): readonly Foreign[] {
  remember(trace, oracleContext);
  if (trace.sent.some(hasOddId)) return [];
  const known = owners(oracleContext);
  // Where these messages went is unknown: the agent may have taken them without an answer.
  const seen = new Set(sightsIn(trace).map(({ sent }) => sent));
  const lost = new Set(trace.sent.filter((sent) => !seen.has(sent)).map(messageIdOf));
  const hasSecurity = Object.keys(oracleContext.target.card.securitySchemes).length > 0;
  return sightsIn(trace).flatMap(({ sent, task }): readonly Foreign[] => {
    const { caller, operation } = sent.step;
    for (const { messageId, role } of task.history ?? []) {
      const all = role === 'user' && !lost.has(messageId) ? (known.get(messageId) ?? []) : [];
      if (all.length === 0 || all.length > mostOwners) continue;
      if (
        all.every(
          (owner) => owner.task !== task.id && (owner.context === undefined || owner.context !== task.contextId),
        )
      ) {
        return [{ sent, what: 'messages of another task', keys: [] }];
      }
      // Without any security scheme no data belongs to a caller.
      if (hasSecurity && caller !== undefined && all.every((owner) => owner.caller === undefined)) {
        return [{ sent, what: 'data of another caller', keys: demanded(oracleContext, foreignKeys[operation]) }];
      }
    }
    return [];
  });
}
