import { alice, bearerOf, bob, declaring, RpcFailure, type Variant, variant } from '../../../src/reference/patching.js';
import { onSeller, onX402 } from './patches.js';

/** Agents that charge: who calls, what is sold, and how they refuse. */
export const x402CallingVariants: readonly Variant[] = [
  variant('x402-callers', {
    about: 'Calls need a bearer token, and no caller sees the tasks of others.',
    charges: true,
    headers: [bearerOf(alice)],
    secondHeaders: [bearerOf(bob)],
    patch: declaring({ security: [{ main: [] }], securitySchemes: { main: { type: 'http', scheme: 'bearer' } } }),
  }),
  variant('x402-works-differ', {
    about: 'The skill says what the agent sells.',
    charges: true,
    patch: onX402((inner) => ({
      work: (account) => [{ kind: 'text', text: `Made by ${account.skill.id}.` }, ...inner.work(account)],
    })),
  }),
  variant('x402-rejection-cancels', {
    about: 'A rejected offer cancels the task, and nothing more is said of payments (AMBP-14).',
    charges: true,
    patch: onX402((inner) => ({
      stateAfter: (event) => (event === 'rejection' ? 'canceled' : inner.stateAfter(event)),
    })),
  }),
  variant('x402-refuses-by-error', {
    about: 'It waits until a payment is decided, and answers one that is refused with an error (v0.1 §8 wants a task).',
    charges: true,
    patch: onSeller((inner, { store }, { x402 }) => ({
      async execute(command, call) {
        if (command.op !== 'send' || x402.intent(command.params.message) !== 'pay') return inner.execute(command, call);
        const configuration = { ...command.params.configuration, blocking: true };
        const outcome = await inner.execute({ ...command, params: { ...command.params, configuration } }, call);
        const task = store.get(command.params.message.taskId ?? '');
        const account = task && x402.account(task);
        if (account?.status !== 'payment-failed') return outcome;
        throw new RpcFailure('InvalidParams', `the payment was refused: ${account.error?.reason ?? 'unknown'}`);
      },
    })),
  }),
];
