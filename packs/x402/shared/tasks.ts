import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from '../../../src/client/index.js';
import { isInterrupted, isTerminal, type JsonObject, member, type Task } from '../../../src/model/index.js';
import type { Exchange } from '../../../src/wire/index.js';
import { metadataKeys, type Offer, type Receipt, readOffer, readReceipts, readStatus } from '../payments/index.js';

// The state of a task that costs something. a2a-x402 v0.1 §4 to §6.

/** Metadata of the message in the status of a task, where the agent puts everything about the payment. */
export const paymentOf = (task: Task): JsonObject => task.status.message?.metadata ?? {};
export const statusOf = (task: Task): string | undefined => readStatus(paymentOf(task));
export const receiptsOf = (task: Task): readonly Receipt[] =>
  readReceipts(member(paymentOf(task), metadataKeys.receipts)) ?? [];
export const offerOf = (task: Task): Offer | undefined => readOffer(member(paymentOf(task), metadataKeys.required));
export const errorOf = (task: Task): unknown => member(paymentOf(task), metadataKeys.error);

/** For people: "input-required, payment-required". */
export const standingOf = (task: Task): string => `${task.status.state}, ${statusOf(task) ?? 'no payment status'}`;

/** An offer inside an artifact: the embedded flow of v0.2, which the kit sees and does not pay. */
export const embeddedOffer = (task: Task): unknown =>
  (task.artifacts ?? [])
    .flatMap(({ parts }) => parts)
    .map((part) => (part.kind === 'data' ? offerWithin(part.data) : undefined))
    .find((found) => found !== undefined);

function offerWithin(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 12) return undefined;
  if (readOffer(value) !== undefined) return value;
  for (const inner of Object.values(value)) {
    const found = offerWithin(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the payment changes no more without the client; a completed payment only once the work has ended. */
export function isDecided(task: Task): boolean {
  const status = statusOf(task);
  const { state } = task.status;
  if (isTerminal(state) || status === 'payment-failed' || status === 'payment-rejected') return true;
  return isInterrupted(state) && status !== 'payment-submitted' && status !== 'payment-verified';
}

/** Whether the status is the same as before: perhaps the agent has not begun yet. */
export const isUnchanged = (task: Task, before: Task): boolean =>
  task.id === before.id && isDeepStrictEqual(task.status, before.status);

/** Every text that the agent says: in status messages, its part of the history, and artifacts. */
export function saidBy(task: Task): readonly string[] {
  const messages = [task.status.message, ...(task.history ?? [])].filter((message) => message?.role === 'agent');
  return [
    ...messages.flatMap((message) => message?.parts ?? []),
    ...(task.artifacts ?? []).flatMap(({ parts }) => parts),
  ].map((part) =>
    part.kind === 'text'
      ? part.text
      : part.kind === 'data'
        ? (JSON.stringify(part.data) ?? '')
        : (part.bytes ?? part.uri ?? ''),
  );
}

export const exchangeOf = (outcome: Outcome<unknown>): Exchange | undefined =>
  outcome.kind === 'not-sent' ? undefined : outcome.exchange;
