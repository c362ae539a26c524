import type { JsonObject, Task } from '../../../src/model/index.js';
import { type Patch, together } from '../../../src/reference/patching.js';
import { believing, onSeller, onX402 } from '../agent/index.js';
import { metadataKeys } from '../payments/index.js';

export const withoutReceipts = ({ [metadataKeys.receipts]: _, ...rest }: JsonObject): JsonObject => rest;

/** Ignores that the token has used the nonce before. */
export const paidTwice = believing((reason) => /nonce/.test(reason));

export const forgetful: Patch = together(
  onX402(() => ({ claim: () => true })),
  paidTwice,
);

/** Accepts payments for tasks that have ended, and reopens them. */
export const endless = (isOne: (task: Task) => boolean): Patch =>
  onSeller((inner, _, { x402 }) => {
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
  });
