import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import type { JsonObject } from '../../../src/model/index.js';
import type { Patch } from '../../../src/reference/patching.js';
import { onX402 } from '../agent/index.js';
import { withoutReceipts } from './shared.js';

/** Changes the receipts that are kept after a payment was settled. */
const keeping = (keep: (receipts: readonly JsonObject[]) => readonly JsonObject[]): Patch =>
  onX402((inner) => ({
    onSettled(attempt, transaction) {
      inner.onSettled(attempt, transaction);
      attempt.account.receipts = keep(attempt.account.receipts);
    },
  }));

export const faults: readonly Fault[] = [
  fault('x402-receipts-left-out-at-the-end', {
    about: 'The message of the completed task has no receipts any more.',
    breaks: ['x402.receipts-kept'],
    on: 'x402-slow-work',
    patch: onX402((inner) => ({
      metadata(account, state) {
        const said = inner.metadata(account, state);
        return state === 'completed' && said !== undefined ? withoutReceipts(said) : said;
      },
    })),
  }),
  fault('x402-receipts-overwritten', {
    about: 'The agent shows the newest receipt alone.',
    breaks: ['x402.receipts-appended'],
    on: 'x402-asks-again',
    patch: onX402((inner) => ({ receiptsFor: (account) => inner.receiptsFor(account).slice(-1) })),
  }),
  fault('x402-failures-forgotten', {
    about: 'The agent drops receipts of failures once a payment was taken.',
    breaks: ['x402.receipts-appended'],
    on: 'x402-failure-open',
    patch: keeping((receipts) => receipts.filter((receipt) => receipt['success'] === true)),
  }),
  fault('x402-receipt-of-last-step', {
    about: 'A task that is charged in steps shows the receipt of the last one.',
    breaks: ['x402.receipts-of-steps'],
    on: 'x402-two-steps',
    patch: keeping((receipts) => receipts.slice(-1)),
  }),
];
