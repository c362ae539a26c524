import type { Task } from '../../model/index.js';
import { sleep } from '../../wire/index.js';
import { domainOf, recoverAuthorization } from '../../x402/index.js';
import { type Fault, fault } from '../fault.js';
import { type Patch, together } from '../seams.js';
import { believing, onX402 } from '../x402/patches.js';
import type { Attempt } from '../x402/seams.js';

/** Ignores that the token has used the nonce before. */
const paidTwice = believing((reason) => /nonce/.test(reason));

const remembering = (mark: (attempt: Attempt, usual: string) => string, more: Patch = () => ({})): Patch =>
  together(
    onX402((inner) => ({ mark: (attempt) => mark(attempt, inner.mark(attempt)) })),
    paidTwice,
    more,
  );

const forgetful: Patch = together(
  onX402(() => ({ claim: () => true })),
  paidTwice,
);

/** Accepts a payment while another one for the same task is under way. */
const manyAtOnce: Patch = onX402((_, __, { x402 }) => ({
  meanwhile(account, message) {
    x402.pay(account, message);
    return undefined;
  },
}));

/** Accepts payments for tasks that have ended, and reopens them. */
export const endless =
  (isOne: (task: Task) => boolean): Patch =>
  (inner, _, { x402 }) => {
    const reopened = new Set<string>();
    const lives = (task: Task): Task =>
      reopened.has(task.id) && isOne(task) ? { ...task, status: { ...task.status, state: 'working' } } : task;
    return {
      refusal(command, task) {
        const found = inner.refusal(command, task);
        const account = x402.account(task);
        const isSend = command.op === 'send' || command.op === 'stream';
        if (!isSend || account === undefined || found === undefined || !isOne(task)) return found;
        if (x402.intent(command.params.message) !== 'pay') return found;
        reopened.add(task.id);
        x402.publish(account, { type: 'status', state: 'working' });
        x402.pay(account, command.params.message);
        return undefined;
      },
      transition: (task, event) => inner.transition(lives(task), event),
    };
  };

/** Whether the payer made the signature; a high s is allowed. */
function isSigned({ option, payment: { payload } }: Attempt): boolean {
  const domain = domainOf(option);
  const { authorization, signature } = payload;
  const signer = domain && recoverAuthorization(domain, authorization, signature, { lenient: true });
  return signer?.toLowerCase() === authorization.from.toLowerCase();
}

/** Payments that are accepted twice. */
export const x402ReplayFaults: readonly Fault[] = [
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
    about: 'A payment that was refused is taken when it comes again, since it is known.',
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
  fault('x402-claims-await', {
    about: 'Nonces are looked up, then something is awaited, and then they are taken down.',
    breaks: ['x402.race-same-task', 'x402.race-other-tasks'],
    patch: together(
      onX402((inner, { clock }) => {
        const used = new Set<string>();
        return {
          async claim(attempt) {
            const mark = inner.mark(attempt);
            if (used.has(mark)) return false;
            await sleep(clock, 1);
            used.add(mark);
            return true;
          },
        };
      }),
      paidTwice,
      manyAtOnce,
    ),
  }),
  fault('x402-nonces-forgotten-at-once', {
    about: 'Nothing keeps copies of a payment apart that come at once.',
    breaks: ['x402.race-same-task'],
    patch: together(forgetful, manyAtOnce),
  }),
  fault('x402-second-payment-unlisted', {
    about: 'Of two payments of a task at once both are settled, and one is listed.',
    breaks: ['x402.race-two-payments'],
    patch: together(
      manyAtOnce,
      onX402((inner) => ({
        onSettled(attempt, transaction) {
          const isSecond = attempt.account.receipts.some((one) => one['success'] === true);
          if (!isSecond) inner.onSettled(attempt, transaction);
        },
      })),
    ),
  }),
  fault('x402-offers-do-not-expire', {
    about: 'An offer is taken however old it is.',
    breaks: ['x402.offer-expired'],
    on: 'x402-short-offers',
    patch: onX402(() => ({ timely: () => undefined })),
  }),
];
