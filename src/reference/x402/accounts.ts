import type { JsonObject, Message, Task } from '../../model/index.js';
import { isObject, member } from '../../model/index.js';
import { isStatus, metadataKeys, readStatus } from '../../x402/index.js';
import type { Seams, World } from '../seams.js';
import type { Account, X402Seams } from './seams.js';

export type AccountSeams = Pick<X402Seams, 'account'>;

/**
 * The account of each task that costs something; after a restart of the agent it is read from the messages of the task.
 */
export function accounts({ clock }: World, whole: Seams): AccountSeams {
  const kept = new Map<string, Account>();

  function opened({ id, history, status }: Task): Account | undefined {
    const message = history?.find(({ role }) => role === 'user');
    const skill = message && whole.x402.skill(message);
    if (message === undefined || skill === undefined) return undefined;
    const told = metadataOf([...(history ?? []), ...(status.message === undefined ? [] : [status.message])]);
    const newest = (key: string): unknown => told.findLast((one) => member(one, key) !== undefined)?.[key];
    const [offer, receipts, shown] = [
      newest(metadataKeys.required),
      newest(metadataKeys.receipts),
      readStatus(told.at(-1)),
    ];
    const paid = Array.isArray(receipts) ? receipts.filter(isObject) : [];
    return {
      taskId: id,
      skill,
      message,
      offer: isObject(offer) ? offer : whole.x402.offer(skill, 0),
      askedAt: Date.parse(status.timestamp ?? '') || clock.now(),
      status: isStatus(shown) ? shown : 'payment-required',
      error: undefined,
      receipts: paid,
      step: paid.filter((receipt) => receipt['success'] === true).length,
      underWay: 'no',
    };
  }

  return {
    account(task) {
      const known = kept.get(task.id) ?? opened(task);
      if (known !== undefined) kept.set(task.id, known);
      return known;
    },
  };
}

/** The agent's own metadata about payments; what clients claim there does not count. */
const metadataOf = (messages: readonly Message[]): readonly JsonObject[] =>
  messages.flatMap(({ role, metadata }) =>
    role === 'agent' && readStatus(metadata) !== undefined ? [metadata ?? {}] : [],
  );
