import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { stringMember } from '../../../src/model/index.js';
import type { Patch } from '../../../src/reference/patching.js';
import { sleep } from '../../../src/wire/index.js';
import { type Attempt, hidingFailures, onX402, PaymentRefusal } from '../agent/index.js';

/** A made-up transaction hash, where nothing was settled: the nonce. */
const madeUp = ({ payment }: Attempt): string => payment.payload.authorization.nonce;

const isTrouble = (reason: string): boolean => reason.startsWith('unexpected_');

const requesting = (edit: (body: Record<string, unknown>) => Record<string, unknown>): Patch =>
  onX402((inner) => ({ request: (attempt) => edit({ ...inner.request(attempt) }) }));

/** Hides settlements that failed. */
const withoutFailures: Patch = hidingFailures(() => true);

export const faults: readonly Fault[] = [
  fault('x402-work-before-settlement', {
    about: 'The work is given out while the payment is settled.',
    breaks: ['x402.settle-failure'],
    patch: onX402((inner, _, { x402 }) => ({
      async settle(attempt) {
        x402.publish(attempt.account, { type: 'artifact', name: 'answer', parts: x402.work(attempt.account) });
        return inner.settle(attempt);
      },
    })),
  }),
  fault('x402-work-told-with-failure', {
    about: 'When a payment cannot be settled, the text of the failure has the work in it.',
    breaks: ['x402.settle-failure'],
    patch: onX402((inner, _, { x402 }) => ({
      words(account, state) {
        const said = inner.words(account, state);
        if (account.status !== 'payment-failed') return said;
        return [said, ...x402.work(account).map((part) => (part.kind === 'text' ? part.text : ''))].join(' ');
      },
    })),
  }),
  fault('x402-settlement-not-awaited', {
    about: 'A verified payment counts as paid, even if its settlement fails.',
    breaks: ['x402.settle-failure'],
    patch: onX402((inner) => ({
      async settle(attempt) {
        void inner.settle(attempt);
        return madeUp(attempt);
      },
    })),
  }),
  fault('x402-settlement-failure-forgotten', {
    about: 'A settlement that failed is not among the receipts.',
    breaks: ['x402.settle-failure-receipt'],
    patch: withoutFailures,
  }),
  fault('x402-settlement-failure-never-told', {
    about: 'A settlement that failed is not among the receipts, nor when the task is paid after that.',
    breaks: ['x402.settle-failure-receipt'],
    on: 'x402-failure-open',
    patch: withoutFailures,
  }),
  fault('x402-down-is-fine', {
    about: 'When the facilitator gives no answer, the agent takes the payment for right and does not wait.',
    breaks: ['x402.facilitator-failure'],
    patch: onX402((inner) => ({
      async verify(attempt) {
        const refusal = await inner.verify(attempt);
        return refusal !== undefined && isTrouble(refusal.reason) ? undefined : refusal;
      },
      async settle(attempt) {
        const settled = await inner.settle(attempt);
        return typeof settled !== 'string' && isTrouble(settled.reason) ? madeUp(attempt) : settled;
      },
    })),
  }),
  fault('x402-half-an-answer-read', {
    about: 'The agent reads only the beginning of an answer that is not JSON.',
    breaks: ['x402.facilitator-failure'],
    patch: onX402((inner) => ({
      async ask(path, body) {
        try {
          return await inner.ask(path, body);
        } catch (cause) {
          // Only the parser's error has the text, so a made-up success stands for the beginning that was read.
          if (!(cause instanceof SyntaxError)) throw cause;
          const json = path === '/verify' ? { isValid: true } : { success: true, transaction: `0x${'cd'.repeat(32)}` };
          return { status: 200, json };
        }
      },
    })),
  }),
  fault('x402-stuck-without-facilitator', {
    about: 'A payment that the facilitator does not answer never changes its state.',
    breaks: ['x402.facilitator-failure'],
    patch: onX402((inner) => ({
      onRefused(account, refusal, attempt) {
        if (!isTrouble(refusal.reason)) inner.onRefused(account, refusal, attempt);
      },
    })),
  }),
  fault('x402-settles-for-ever', {
    about: 'Settling is tried again and again until it succeeds.',
    breaks: ['x402.facilitator-failure'],
    patch: onX402((inner, { clock }) => ({
      async settle(attempt) {
        for (;;) {
          const settled = await inner.settle(attempt);
          if (typeof settled === 'string' || !isTrouble(settled.reason)) return settled;
          await sleep(clock, 5000);
        }
      },
    })),
  }),
  fault('x402-gives-up-for-good', {
    about: 'After one call that the facilitator did not answer, it is never asked again.',
    breaks: ['x402.facilitator-failure'],
    patch: onX402((inner) => {
      let isLost = false;
      return {
        async verify(attempt) {
          if (isLost) return new PaymentRefusal('unexpected_verify_error');
          const refusal = await inner.verify(attempt);
          isLost = refusal !== undefined && isTrouble(refusal.reason);
          return refusal;
        },
      };
    }),
  }),
  fault('x402-pending-is-paid', {
    about: 'A settlement that is pending counts as paid, and is not asked for again.',
    breaks: ['x402.settlement-pending'],
    patch: onX402((inner) => ({
      async ask(path, body) {
        const { status, json } = await inner.ask(path, body);
        const isPending = stringMember(json, 'errorReason') === 'settlement_pending';
        const transaction = stringMember(json, 'transaction');
        return { status, json: isPending ? { success: true, transaction } : json };
      },
    })),
  }),
  fault('x402-facilitator-body-of-its-own', {
    about: 'The agent sends the facilitator the payment under another name.',
    breaks: ['x402.facilitator-request'],
    patch: requesting(({ paymentPayload, ...rest }) => ({ ...rest, payment: paymentPayload })),
  }),
  fault('x402-facilitator-without-version', {
    about: 'The agent does not send the version of the payment to the facilitator.',
    breaks: ['x402.facilitator-request'],
    patch: requesting(({ x402Version: _, ...rest }) => rest),
  }),
  fault('x402-facilitator-requirements-edited', {
    about: 'The agent sends the facilitator another recipient than that of the offer.',
    breaks: ['x402.facilitator-request'],
    patch: requesting(({ paymentRequirements, ...rest }) => ({
      ...rest,
      paymentRequirements: { ...(paymentRequirements as object), payTo: '0x000000000000000000000000000000000000dEaD' },
    })),
  }),
  fault('x402-settles-unverified', {
    about: 'The agent settles payments without being verified first.',
    breaks: ['x402.verified-before-settled'],
    patch: onX402(() => ({ verify: async () => undefined })),
  }),
];
