import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { type Patch, together } from '../../../src/reference/patching.js';
import { type Attempt, believing, onX402 } from '../agent/index.js';
import { domainOf, recoverAuthorization } from '../payments/index.js';
import { endless, forgetful, paidTwice, withoutReceipts } from './shared.js';

/** Shows receipts only of tasks that were paid since the last restart. */
const forgettingReceipts: Patch = (inner, world, whole) => {
  const own = new Set<string>();
  const noting = onX402((before) => ({
    onSettled(attempt, transaction) {
      own.add(attempt.account.taskId);
      before.onSettled(attempt, transaction);
    },
  }));
  return {
    ...noting(inner, world, whole),
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

const remembering = (mark: (attempt: Attempt, usual: string) => string, more: Patch = () => ({})): Patch =>
  together(
    onX402((inner) => ({ mark: (attempt) => mark(attempt, inner.mark(attempt)) })),
    paidTwice,
    more,
  );

/** Whether the payer made the signature; a high s is allowed. */
function isSigned({ option, payment: { payload } }: Attempt): boolean {
  const domain = domainOf(option);
  const { authorization, signature } = payload;
  const signer = domain && recoverAuthorization(domain, authorization, signature, { lenient: true });
  return signer?.toLowerCase() === authorization.from.toLowerCase();
}

export const faults: readonly Fault[] = [
  fault('x402-receipts-lost-in-restart', {
    about: 'After a restart tasks show no receipts.',
    breaks: ['x402.receipts-after-restart'],
    patch: forgettingReceipts,
  }),
  fault('x402-nonces-forgotten', {
    about: 'No nonce is remembered, here or by the token.',
    breaks: ['x402.replay-other-task', 'x402.nonce-reused', 'x402.race-other-tasks'],
    patch: forgetful,
  }),
  fault('x402-paid-tasks-paid-again', {
    about: 'A task that was paid takes the same payment again.',
    breaks: ['x402.replay-same-task'],
    patch: together(
      forgetful,
      endless(({ status }) => status.state === 'completed'),
    ),
  }),
  fault('x402-memory-per-task', {
    about: 'Nonces are remembered for each task.',
    breaks: ['x402.replay-other-task', 'x402.race-other-tasks'],
    patch: remembering(({ account }, usual) => `${account.taskId} ${usual}`),
  }),
  fault('x402-memory-by-signature', {
    about: 'Payments are remembered by their signatures, of which each has a twin.',
    breaks: ['x402.nonce-reused', 'x402.replay-respelled'],
    patch: remembering(
      ({ payment }) => payment.payload.signature.toLowerCase(),
      believing((reason, attempt) => /signature/.test(reason) && isSigned(attempt)),
    ),
  }),
  fault('x402-memory-by-text', {
    about: 'Payments are remembered by their texts.',
    breaks: ['x402.replay-respelled'],
    patch: remembering(({ payment }) => JSON.stringify(payment.payload)),
  }),
  fault('x402-nonce-letters-count', {
    about: 'A nonce in other letters is another nonce.',
    breaks: ['x402.replay-respelled'],
    patch: remembering(({ payment }) => payment.payload.authorization.nonce),
  }),
  fault('x402-refused-payments-believed-later', {
    about: 'The agent accepts a payment that was refused when it comes again, since it is known.',
    breaks: ['x402.replay-refused'],
    patch: onX402((inner) => {
      const known = new Set<string>();
      const again = new WeakSet<Attempt>();
      return {
        async verify(attempt) {
          const mark = inner.mark(attempt);
          const refusal = await inner.verify(attempt);
          if (refusal !== undefined && known.has(mark)) again.add(attempt);
          known.add(mark);
          return again.has(attempt) ? undefined : refusal;
        },
        settle: async (attempt) =>
          again.has(attempt) ? attempt.payment.payload.authorization.nonce : inner.settle(attempt),
      };
    }),
  }),
  fault('x402-memory-of-one-life', {
    about: 'After a restart no payment is known, and the token is not asked.',
    breaks: ['x402.replay-after-restart'],
    patch: paidTwice,
  }),
];
