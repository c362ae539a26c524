import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import type { TaskState } from '../../../src/model/index.js';
import type { Patch } from '../../../src/reference/patching.js';
import { onX402 } from '../agent/index.js';
import { metadataKeys, readStatus, type Status } from '../payments/index.js';

/** Shows another state of a task whose payment has this status. */
const showing =
  (status: Status, from: TaskState, state: TaskState): Patch =>
  (inner) => ({
    view(task, length) {
      const seen = inner.view(task, length);
      const isIt = seen.status.state === from && readStatus(seen.status.message?.metadata) === status;
      return isIt ? { ...seen, status: { ...seen.status, state } } : seen;
    },
  });

export const faults: readonly Fault[] = [
  fault('x402-completed-then-failed', {
    about: 'The agent reports a completed payment as failed when the work is done.',
    breaks: ['x402.status-order'],
    on: 'x402-slow-work',
    patch: onX402((inner) => ({
      metadata(account, state) {
        const said = inner.metadata(account, state);
        if (said?.[metadataKeys.status] !== 'payment-completed' || state !== 'completed') return said;
        return { ...said, [metadataKeys.status]: 'payment-failed', [metadataKeys.error]: 'SETTLEMENT_FAILED' };
      },
    })),
  }),
  fault('x402-completed-waiting', {
    about: 'The task of a completed payment waits for input.',
    breaks: ['x402.completed-state'],
    patch: showing('payment-completed', 'completed', 'input-required'),
  }),
  fault('x402-paid-and-stuck', {
    about: 'A task that was paid never ends.',
    breaks: ['x402.completed-state'],
    patch: onX402((_, __, { x402 }) => ({
      deliver: (account, parts) => x402.publish(account, { type: 'artifact', name: 'answer', parts }),
    })),
  }),
  fault('x402-submitted-unauthorized', {
    about: 'While its payment is looked at, a task waits for authorization.',
    breaks: ['x402.interim-state'],
    patch: showing('payment-submitted', 'working', 'auth-required'),
  }),
  fault('x402-content-in-failures', {
    about: 'The text of a failed payment holds the paid work.',
    breaks: ['x402.no-leak'],
    patch: onX402((inner, _, { x402 }) => ({
      words(account, state) {
        const words = inner.words(account, state);
        if (account.status !== 'payment-failed') return words;
        return `${words} ${x402.work(account).map((part) => (part.kind === 'text' ? part.text : ''))}`;
      },
    })),
  }),
  fault('x402-work-at-submission', {
    about: 'The work is given when a payment comes, before it is looked at.',
    breaks: ['x402.no-leak'],
    patch: onX402((inner, _, { x402 }) => ({
      pay(account, message) {
        x402.publish(account, { type: 'artifact', name: 'answer', parts: x402.work(account) });
        inner.pay(account, message);
      },
    })),
  }),
];
