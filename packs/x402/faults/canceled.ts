import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { RpcFailure } from '../../../src/reference/patching.js';
import { onSeller, onX402 } from '../agent/index.js';
import { endless } from './shared.js';

export const faults: readonly Fault[] = [
  fault('x402-receipts-lost-in-cancel', {
    about: 'A canceled task shows no receipts.',
    breaks: ['x402.receipts-after-cancel'],
    on: 'x402-two-steps',
    patch: onX402((inner) => ({
      metadata: (account, state) => (state === 'canceled' ? undefined : inner.metadata(account, state)),
    })),
  }),
  fault('x402-unpaid-not-cancelable', {
    about: 'A task that waits to be paid cannot be canceled.',
    breaks: ['x402.canceled-unpaid'],
    patch: onSeller((inner, _, { x402 }) => ({
      refusal(command, task) {
        const isWaiting = x402.account(task)?.status === 'payment-required' && task.status.state === 'input-required';
        if (command.op === 'cancel' && isWaiting) return new RpcFailure('TaskNotCancelable', 'it must be paid');
        return inner.refusal(command, task);
      },
    })),
  }),
  fault('x402-canceled-tasks-paid', {
    about: 'A canceled task is paid and goes on.',
    breaks: ['x402.canceled-unpaid'],
    patch: endless(({ status }) => status.state === 'canceled'),
  }),
  fault('x402-canceled-while-settling', {
    about: 'A task is canceled while its payment is settled, and the receipt is lost.',
    breaks: ['x402.canceled-settling'],
    patch: onSeller((inner, _, { x402 }) => ({
      refusal(command, task) {
        if (command.op === 'cancel' && x402.account(task)?.underWay === 'settling') return undefined;
        return inner.refusal(command, task);
      },
    })),
  }),
];
