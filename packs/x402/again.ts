import {
  fresh,
  ifMet,
  isObject,
  PreconditionUnmet,
  type Scene,
  type Source,
  sleep,
  type Task,
} from '../../src/kit/index.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';
import type { X402Scene } from './shared/scene.js';

// Shared by checks that pay more than once.

type Payment = x402Text.PaymentPayload;
type Paid = x402.Attempt & x402.Funded;

/** The kit's own facilitator, whose answers can be set. Throws `PreconditionUnmet` where there is none. */
export function stubOf(scene: Scene): NonNullable<X402Scene['stub']> {
  const { stub, stubOff } = x402.x402Of(scene);
  if (stub === undefined) throw new PreconditionUnmet(stubOff);
  return stub;
}

/** Throws `PreconditionUnmet` unless the agent accepted the payment. */
export function mustBeTaken<Seen extends x402.Attempt>(scene: Scene, attempt: Seen): Seen {
  const judgement = x402.taken(scene)(attempt);
  if (judgement === undefined) return attempt;
  throw new PreconditionUnmet(typeof judgement === 'string' ? judgement : judgement.reason, attempt.exhibit);
}

/**
 * The user's money is spent once, and that payment is shared. Play money pays anew, so that the payment is still valid.
 */
export const paidNow: Source<Paid> = fresh('a payment that was taken', async (scene) => {
  if (x402.x402Of(scene).stub === undefined) return scene.use(x402.takenOnce);
  return mustBeTaken(scene, await x402.payFunded(scene, await scene.use(x402.offered)));
});

/** An accepted payment from the throwaway wallet; with play money only. */
export const playPaid: Source<Paid> = fresh('a payment with play money that was taken', async (scene) => {
  stubOf(scene);
  const given = await scene.use(x402.offered);
  const payment = await x402.rightPayment(scene, given);
  return {
    ...mustBeTaken(scene, await x402.submit(scene, given, payment, { hopeful: true })),
    payment,
    option: given.option,
  };
});

/** Facilitators require some seconds of validity beyond what they need. */
const marginSeconds = 10;

/** The payment is too old for any agent to accept, so its refusal shows nothing. */
export const isExpired = (scene: Scene, { payload }: Payment): boolean =>
  Number(payload.authorization.validBefore) < x402.x402Of(scene).seconds() + marginSeconds;

const core = ['scheme', 'network', 'asset', 'payTo', 'amount'] as const;

/** The option of another offer with the same price. Throws `PreconditionUnmet` where there is none. */
export function optionLike(paid: x402Text.Option, { offer, task }: x402.Offered): x402Text.Option {
  const isLike = (option: x402Text.Option): boolean =>
    core.every((name) => option[name] === paid[name]) && x402Text.flowOf(option) === x402Text.flowOf(paid);
  const option = x402Text.payable(offer).find(isLike);
  if (option !== undefined) return option;
  throw new PreconditionUnmet(`the task ${task.id} has another offer, which the same payment would not meet`);
}

/**
 * The signed part of a payment in the wrapping of another offer; the wrapping is not signed. The id of the payment is
 * new too: an agent may answer a known id with what it answered before, and a thief would not send it. Throws
 * `PreconditionUnmet` where the price differs.
 */
export function wrapped(scene: Scene, payment: Payment, paid: x402Text.Option, given: x402.Offered): Payment {
  const { raw } = optionLike(paid, given);
  x402.ofVersion(payment.x402Version, given);
  if (payment.x402Version === 1) return payment;
  const { resource, extensions } = given.offer;
  return {
    ...payment,
    ...(resource === undefined ? {} : { resource }),
    ...(extensions === undefined
      ? {}
      : { extensions: x402Text.identified(extensions, x402.x402Of(scene).nonce().slice(2)) }),
    accepted: isObject(raw) ? raw : payment.accepted,
  };
}

/** How often the kit's facilitator settled the payment; undefined without that facilitator. */
export async function settlementsOf(scene: Scene, { payload }: Payment): Promise<number | undefined> {
  const { from, nonce } = payload.authorization;
  const all = await x402.x402Of(scene).stub?.settlements();
  return all?.filter(
    (settlement) => x402Text.sameAddress(settlement.from, from) && settlement.nonce === nonce.toLowerCase(),
  ).length;
}

/** The current task. Throws `PreconditionUnmet` when the kit cannot read it. */
export async function readAgain(scene: Scene, id: string): Promise<Task> {
  const read = await scene.client.call('get', { id });
  if (read.kind === 'result') return read.value;
  throw new PreconditionUnmet(`the agent no longer shows the task ${id}`, x402.exchangeOf(read));
}

/**
 * Why a missing receipt shows nothing more: this agent issues no receipts at all, which `x402/receipt-single` reports.
 */
export async function receiptless(scene: Scene): Promise<string | undefined> {
  const plain = await ifMet(scene.use(x402.takenOnce));
  const hasNone = plain !== undefined && x402.newSuccesses(plain).length === 0;
  return hasNone ? 'a payment that came alone has no successful receipt either' : undefined;
}

/** Pause for work that an agent does after its answer, ms. */
const aftermathMs = 1000;

/** The attempts, each with a later read of its task. */
export async function afterwards(scene: Scene, attempts: readonly x402.Attempt[]): Promise<readonly x402.Attempt[]> {
  await sleep(scene.clock, aftermathMs);
  const late = new Map<string, Task>();
  for (const id of new Set(attempts.map(({ before }) => before.id))) {
    const read = await scene.client.call('get', { id });
    if (read.kind === 'result') late.set(id, read.value);
  }
  return attempts.map((attempt) => {
    const task = late.get(attempt.before.id);
    return task === undefined ? attempt : { ...attempt, seen: [...attempt.seen, task] };
  });
}

/** The number of new successful receipts of all tasks; for each task, the state with the most receipts counts. */
export function successesOf(attempts: readonly x402.Attempt[]): number {
  const most = new Map<string, number>();
  for (const { before, seen } of attempts) {
    const old = x402.receiptsOf(before).filter(({ success }) => success === true).length;
    for (const task of seen) {
      const all = x402.receiptsOf(task).filter(({ success }) => success === true).length;
      most.set(task.id, Math.max(most.get(task.id) ?? 0, all - (task.id === before.id ? old : 0)));
    }
  }
  return [...most.values()].reduce((sum, count) => sum + count, 0);
}
