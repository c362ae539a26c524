import { isObject, type JsonObject, type TaskState } from '../../../src/model/index.js';
import type { Patch } from '../../../src/reference/patching.js';
import { onX402 } from './patches.js';
import type { Account } from './seams.js';

// Short ways to write a patch of an agent that charges.

type Edit = (value: JsonObject) => JsonObject;

/** Changes the offer, with which payments are compared. PaymentRequired. */
export const onOffer = (edit: Edit): Patch =>
  onX402((inner) => ({ offer: (skill, step) => edit(inner.offer(skill, step)) }));

/** Each option of an offer. PaymentRequirements. */
export const onOption = (edit: Edit): Patch =>
  onOffer((offer) => ({ ...offer, accepts: optionsOf(offer).map((option) => edit(option)) }));

export const optionsOf = ({ accepts }: JsonObject): readonly JsonObject[] =>
  Array.isArray(accepts) ? accepts.filter(isObject) : [];

/** Metadata of status messages, where they speak of payments. */
export const onPayment = (edit: (metadata: JsonObject, account: Account, state: TaskState) => JsonObject): Patch =>
  onX402((inner) => ({
    metadata(account, state) {
      const metadata = inner.metadata(account, state);
      return metadata && edit(metadata, account, state);
    },
  }));

/** Each receipt, before the agent shows it. SettlementResponse. */
export const onReceipt = (edit: Edit): Patch =>
  onX402((inner) => ({ receipt: (account, outcome, attempt) => edit(inner.receipt(account, outcome, attempt)) }));

/** Receipts of settlements that failed are left out, while this is true. */
export const hidingFailures = (hides: (account: Account) => boolean): Patch =>
  onX402((inner) => {
    const failed = new Set<string>();
    return {
      async settle(attempt) {
        const settled = await inner.settle(attempt);
        if (typeof settled !== 'string') failed.add(attempt.account.taskId);
        return settled;
      },
      receiptsFor: (account) =>
        inner
          .receiptsFor(account)
          .filter(({ success }) => success === true || !failed.has(account.taskId) || !hides(account)),
    };
  });
