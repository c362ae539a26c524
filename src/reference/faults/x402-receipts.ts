import type { JsonObject } from '../../model/index.js';
import { metadataKeys } from '../../x402/index.js';
import { RpcFailure } from '../failure.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { onX402 } from '../x402/patches.js';
import { endless } from './x402-replay.js';

const withoutReceipts = ({ [metadataKeys.receipts]: _, ...rest }: JsonObject): JsonObject => rest;

/** Changes the receipts that are kept after a payment was settled. */
const keeping = (keep: (receipts: readonly JsonObject[]) => readonly JsonObject[]): Patch =>
  onX402((inner) => ({
    onSettled(attempt, transaction) {
      inner.onSettled(attempt, transaction);
      attempt.account.receipts = keep(attempt.account.receipts);
    },
  }));

/** Shows receipts only of tasks that were paid since the last restart. */
const forgettingReceipts: Patch = (inner) => {
  const own = new Set<string>();
  return {
    x402: {
      ...inner.x402,
      onSettled(attempt, transaction) {
        own.add(attempt.account.taskId);
        inner.x402.onSettled(attempt, transaction);
      },
    },
    view(task, length) {
      const seen = inner.view(task, length);
      const { message } = seen.status;
      if (own.has(task.id) || message?.metadata === undefined) return seen;
      return {
        ...seen,
        status: { ...seen.status, message: { ...message, metadata: withoutReceipts(message.metadata) } },
      };
    },
  };
};

/** Receipts that do not give the whole history of payments, and tasks that are canceled wrongly. */
export const x402ReceiptFaults: readonly Fault[] = [
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
  fault('x402-receipt-left-out', {
    about: 'A client that has paid gets the work and no receipt.',
    breaks: ['x402.receipt-single'],
    patch: onX402((inner) => ({
      receiptsFor: (account) => inner.receiptsFor(account).filter((one) => one['success'] !== true),
    })),
  }),
  fault('x402-receipts-overwritten', {
    about: 'The newest receipt alone is shown.',
    breaks: ['x402.receipts-appended'],
    on: 'x402-asks-again',
    patch: onX402((inner) => ({ receiptsFor: (account) => inner.receiptsFor(account).slice(-1) })),
  }),
  fault('x402-failures-forgotten', {
    about: 'Receipts of failures are dropped once a payment was taken.',
    breaks: ['x402.receipts-appended'],
    on: 'x402-failure-open',
    patch: keeping((receipts) => receipts.filter((one) => one['success'] === true)),
  }),
  fault('x402-receipt-of-last-step', {
    about: 'A task that is charged in steps shows the receipt of the last one.',
    breaks: ['x402.receipts-of-steps'],
    on: 'x402-two-steps',
    patch: keeping((receipts) => receipts.slice(-1)),
  }),
  fault('x402-receipts-lost-in-cancel', {
    about: 'A canceled task shows no receipts.',
    breaks: ['x402.receipts-after-cancel'],
    on: 'x402-two-steps',
    patch: onX402((inner) => ({
      metadata: (account, state) => (state === 'canceled' ? undefined : inner.metadata(account, state)),
    })),
  }),
  fault('x402-receipts-lost-in-restart', {
    about: 'After a restart tasks show no receipts.',
    breaks: ['x402.receipts-after-restart'],
    patch: forgettingReceipts,
  }),
  fault('x402-unpaid-not-cancelable', {
    about: 'A task that waits to be paid cannot be canceled.',
    breaks: ['x402.canceled-unpaid'],
    patch: (inner, _, { x402 }) => ({
      refusal(command, task) {
        const isWaiting = x402.account(task)?.status === 'payment-required' && task.status.state === 'input-required';
        if (command.op === 'cancel' && isWaiting) return new RpcFailure('TaskNotCancelable', 'it must be paid');
        return inner.refusal(command, task);
      },
    }),
  }),
  fault('x402-canceled-tasks-paid', {
    about: 'A canceled task is paid and goes on.',
    breaks: ['x402.canceled-unpaid'],
    patch: endless(({ status }) => status.state === 'canceled'),
  }),
  fault('x402-canceled-while-settling', {
    about: 'A task is canceled while its payment is settled, and the receipt is lost.',
    breaks: ['x402.canceled-settling'],
    patch: (inner, _, { x402 }) => ({
      refusal(command, task) {
        if (command.op === 'cancel' && x402.account(task)?.underWay === 'settling') return undefined;
        return inner.refusal(command, task);
      },
    }),
  }),
];
