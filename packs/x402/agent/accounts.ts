import type { JsonObject, Message, Task } from '../../../src/model/index.js';
import { isObject, member } from '../../../src/model/index.js';
import type { World } from '../../../src/reference/patching.js';
import { isStatus, metadataKeys, readStatus } from '../payments/index.js';
import type { X402Whole } from './patches.js';
import type { Account, X402Seams } from './seams.js';

export type AccountSeams = Pick<X402Seams, 'account'>;

/**
 * The account of each task that costs something; after a restart of the agent it is read from the messages of the task.
 */
export function accounts({ clock, store }: World, whole: X402Whole): AccountSeams {
  const kept = new Map<string, Account>();
  /** So many accounts are kept before those of tasks that are gone are looked for. */
  let room = leastRoom;
  /** `latest`: it may not be stored yet. */
  function forgetGone(latest: string): void {
    if (kept.size <= room) return;
    for (const id of kept.keys()) if (id !== latest && store.get(id) === undefined) kept.delete(id);
    room = Math.max(leastRoom, 2 * kept.size);
  }

  function opened({ id, history, status }: Task): Account | undefined {
    const message = history?.find(({ role }) => role === 'user');
    const skill = message && whole.x402.skill(message);
    if (message === undefined || skill === undefined) return undefined;
    const metadata = metadataOf([...(history ?? []), ...(status.message === undefined ? [] : [status.message])]);
    const newest = (key: string): unknown => metadata.findLast((members) => member(members, key) !== undefined)?.[key];
    const [offer, receipts, shown] = [
      newest(metadataKeys.required),
      newest(metadataKeys.receipts),
      readStatus(metadata.at(-1)),
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
      forgetGone(task.id);
      return known;
    },
  };
}

const leastRoom = 16;

/** The agent's own metadata about payments; what clients claim there does not count. */
const metadataOf = (messages: readonly Message[]): readonly JsonObject[] =>
  messages.flatMap(({ role, metadata }) =>
    role === 'agent' && readStatus(metadata) !== undefined ? [metadata ?? {}] : [],
  );
