import { describe, errorOf } from '../../../src/client/index.js';
import { Inconclusive, inconclusive, type Judgement, type Scene } from '../../../src/kit/index.js';
import { brief, type Message, member, type Task } from '../../../src/model/index.js';
import { excerpt, seconds } from '../../../src/wire/index.js';
import {
  type ErrorCode,
  errorCodeOf,
  metadataKeys,
  type Receipt,
  readReceipts,
  readStatus,
} from '../payments/index.js';
import { x402Of } from './asking.js';
import { type Attempt, newArtifacts, newSuccesses, patientTimes } from './paying.js';
import { offerOf, receiptsOf, saidBy, standingOf, statusOf } from './tasks.js';

// Judges whether a payment was taken. The controls, which give refusals a meaning, are in x402-control.ts.

/** Replaces the word of a request in the texts of the agent. */
const wordMark = '\u0001';
const marked = (text: string, word: string): string => text.replaceAll(word, wordMark);

/**
 * Evidence that the agent takes correct payments, so that refusing a wrong one means something. `paid`: one was taken,
 * and `contents` is its paid content, with a mark in place of the word. `unfunded`: an empty wallet was refused for
 * exactly that, so the signature was understood. `none`: no evidence, for this reason.
 */
export type Control =
  | { readonly kind: 'paid'; readonly contents: readonly string[]; readonly empty?: Empty }
  | { readonly kind: 'unfunded'; readonly contents: readonly []; readonly empty: Empty }
  | { readonly kind: 'none'; readonly contents: readonly []; readonly reason: string };

/** Wrong payments come from an empty wallet. `right`: the attempt to pay correctly from such a wallet, if known. */
export interface Empty {
  readonly right: Attempt | undefined;
}

/**
 * Whether the kit has waited long enough to say that the payment is never decided: ten times as long as a correct
 * payment took, and at least `stuckMs`.
 */
export const isStuck = ({ outcome, decided, tookMs, usualMs }: Attempt): boolean =>
  outcome.kind === 'result' &&
  outcome.value.type === 'task' &&
  !decided &&
  usualMs !== undefined &&
  tookMs >= Math.max(stuckMs, patientTimes * usualMs);
/** An agent that asks others may need this long, whatever its usual time is, ms. */
const stuckMs = 9000;

/** Says how long the kit waited for a payment that was not decided. */
const waitedFor = ({ task, tookMs }: Attempt): string =>
  `the agent did not decide the payment within ${seconds(tookMs)} (${task && standingOf(task)})`;

/** The reason text for a payment that was not decided. */
export function notDecided(attempt: Attempt): string {
  const { task, usualMs, inVainMs } = attempt;
  if (inVainMs !== undefined)
    return `the agent did not decide the payment (${task && standingOf(task)}), nor an earlier one within ${seconds(inVainMs)}`;
  return usualMs === undefined
    ? `raise --x402-timeout: ${waitedFor(attempt)}`
    : `${waitedFor(attempt)}, but a correct one within ${seconds(usualMs)}`;
}

/** Unproven for outcomes that do not say whether the payment settled. */
function undecided(attempt: Attempt): Inconclusive | undefined {
  const { outcome, decided } = attempt;
  switch (outcome.kind) {
    case 'not-sent':
      return inconclusive(`the kit could not send the payment: ${outcome.reason}`);
    case 'denied':
    case 'busy':
      return inconclusive(`the agent answered before it looked at the payment: ${describe(outcome)}`);
    case 'invalid-response':
      return inconclusive(`the answer does not state the result of the payment: ${describe(outcome)}`);
    case 'refusal':
      return undefined;
    case 'result':
      if (outcome.value.type === 'message')
        return inconclusive('the agent answered with a message that does not mention the payment');
      return decided ? undefined : inconclusive(notDecided(attempt));
  }
}

/** Shorter texts ("Done.") may stand anywhere, and do not count; characters. */
const shortest = 8;

/**
 * The paid content of a task: its artifacts, or else the texts of the agent; without texts that it shows unpaid as
 * well.
 */
export function contentsOf({ task, before, word, asked: request }: Attempt): readonly string[] {
  if (task === undefined) return [];
  const artifacts = saidBy({ ...task, history: [], status: { state: task.status.state } });
  const texts = artifacts.length > 0 ? artifacts : saidBy({ ...task, history: [] });
  const known = [...saidBy(before), request].map((text) => marked(text, word));
  return [...new Set(texts.map((text) => marked(text.trim(), word)))].filter(
    (text) => text.length >= shortest && !known.some((value) => value.includes(text)),
  );
}

/** The paid content that a task shows, if any. */
export function leakIn(task: Task, word: string, contents: readonly string[]): string | undefined {
  const said = saidBy(task).map((text) => marked(text, word));
  const found = contents.find((content) => said.some((text) => text.includes(content)));
  return found?.replaceAll(wordMark, word);
}

/** Why the payment counts as taken; undefined: it does not. */
export function acceptance(attempt: Attempt, contents: readonly string[]): string | undefined {
  const { before, seen, word } = attempt;
  const receipts = newSuccesses(attempt).length;
  if (receipts > 0)
    return `the payment was taken: ${receipts === 1 ? 'a successful receipt' : `${receipts} successful receipts`} came`;
  const completed = seen.find(
    (task) =>
      statusOf(task) === 'payment-completed' && (task.id !== before.id || statusOf(before) !== 'payment-completed'),
  );
  if (completed !== undefined) return `the payment was taken: the task is ${standingOf(completed)}`;
  if (newArtifacts(attempt) > 0) return 'the work was delivered: an artifact came';
  for (const task of seen) {
    const leak = leakIn(task, word, contents);
    if (leak !== undefined && leakIn(before, word, contents) === undefined)
      return `the work was delivered: the task says ${JSON.stringify(excerpt(leak, 80))}`;
  }
  // A failed payment on a completed task is only a fault of its state (AMBP-08).
  const done = seen.find(
    (task) =>
      task.status.state === 'completed' &&
      before.status.state !== 'completed' &&
      !['payment-failed', 'payment-rejected'].includes(statusOf(task) ?? ''),
  );
  return done === undefined ? undefined : `the task was completed without a payment (${standingOf(done)})`;
}

/**
 * Expects the payment to be refused: a JSON-RPC error, or a task with payment-failed or payment-required. The answer
 * and a later read must not have a successful receipt, an artifact, or paid content. Taking the payment is a failure
 * whatever the control; refusing it counts only with a control.
 */
export function refusedPayment(attempt: Attempt, control: Control): Judgement {
  const taken = acceptance(attempt, control.contents);
  if (taken !== undefined) return taken;
  const open = undecided(attempt);
  if (open !== undefined) return open;
  const { outcome, task, word, before, asked: request } = attempt;
  const status = task && statusOf(task);
  if (outcome.kind !== 'refusal' && status !== 'payment-failed' && status !== 'payment-required') {
    return inconclusive(`the answer does not say that the agent refused the payment: ${task && standingOf(task)}`);
  }
  if (control.kind === 'none') return inconclusive(control.reason);
  const quoted = (text: string): boolean => text.replaceAll(request, '').includes(word);
  if (
    control.kind === 'unfunded' &&
    !saidBy(before).some((text) => text.includes(word)) &&
    attempt.seen.some((task) => saidBy(task).some(quoted))
  ) {
    return inconclusive(
      'the refusal repeats a word of the request, and only a paid task shows whether that word is the paid content',
    );
  }
  return undefined;
}

/**
 * For a task that is paid or has ended: expects that no payment is taken. An error passes, and the unchanged task
 * passes too.
 */
export const notTaken = (attempt: Attempt, contents: readonly string[]): Judgement =>
  acceptance(attempt, contents) ?? undecided(attempt);

/** One of several attempts that must be judged alike. */
export interface Tried {
  /** Its fault; reads before a colon. */
  readonly about: string;
  readonly attempt: Attempt;
}

/** Judges each; returns the first failure, else the first that is unproven. */
export function each(tried: readonly Tried[], judge: (attempt: Attempt) => Judgement): Judgement {
  let open: Judgement;
  for (const { about, attempt } of tried) {
    const judgement = judge(attempt);
    if (typeof judgement === 'string') return `${about}: ${judgement}`;
    if (judgement instanceof Inconclusive) open ??= inconclusive(`${judgement.reason} (${about})`);
  }
  return open;
}

/**
 * The message that says that the payment failed. If the agent repeated its offer at once, the message is in an earlier
 * state or in the history.
 */
export function failureIn({ before, seen }: Attempt): Message | undefined {
  const messagesOf = (task: Task): readonly Message[] => [
    ...(task.history ?? []),
    ...(task.status.message === undefined ? [] : [task.status.message]),
  ];
  const old = new Set(messagesOf(before).map(({ messageId }) => messageId));
  const isNew = ({ role, messageId, metadata }: Message): boolean =>
    role === 'agent' && !old.has(messageId) && readStatus(metadata) === 'payment-failed';
  return seen.flatMap(messagesOf).findLast(isNew);
}

/** The value of `x402.payment.error` in the failure message. */
export const saidError = (attempt: Attempt): unknown => failureIn(attempt)?.metadata?.[metadataKeys.error];

/** The code of the failure, if it is one of the list; undefined for others. */
export const codeOf = (attempt: Attempt): ErrorCode | undefined => errorCodeOf(saidError(attempt));

/** Whether the user's wallet may be the reason for this code. */
export const isOfTheWallet = (code: ErrorCode | undefined): boolean =>
  code === 'INSUFFICIENT_FUNDS' || code === 'SETTLEMENT_FAILED';

/** Receipts that came with the refusal. If the agent repeated its offer, only the failure message may have them. */
export function newReceipts(attempt: Attempt): readonly Receipt[] {
  const { before, seen } = attempt;
  const old = receiptsOf(before).length;
  const said = readReceipts(failureIn(attempt)?.metadata?.[metadataKeys.receipts]) ?? [];
  const shown = seen.map((task) => receiptsOf(task).slice(task.id === before.id ? old : 0));
  return [said.slice(old), ...shown].reduce((most, some) => (some.length > most.length ? some : most));
}

const textsIn = (message: Message | undefined): readonly string[] =>
  (message?.parts ?? []).map((part) =>
    part.kind === 'text' ? part.text : part.kind === 'data' ? (JSON.stringify(part.data) ?? '') : '',
  );
const offerError = (task: Task | undefined): unknown => member(task && offerOf(task)?.raw, 'error');

/** The texts of a refusal: of the error, of the message, of a new receipt, and of the repeated offer. */
function wordsOf(attempt: Attempt): readonly string[] {
  const { outcome, task, before } = attempt;
  const old = [...textsIn(before.status.message), offerError(before)];
  const said = [
    ...(outcome.kind === 'refusal' ? [outcome.message, JSON.stringify(outcome.data) ?? ''] : []),
    ...textsIn(failureIn(attempt) ?? task?.status.message),
    ...newReceipts(attempt).map(({ errorReason }) => errorReason),
    offerError(task),
  ];
  return said.filter((item): item is string => typeof item === 'string' && item !== '' && !old.includes(item));
}

/** Whether a refusal blames missing funds, in its code or in its texts: some agents have one code for everything. */
const blamesWallet = (attempt: Attempt): boolean => isOfTheWallet(codeOf(attempt)) || speaksOfFunds(attempt);
const speaksOfFunds = (attempt: Attempt): boolean =>
  wordsOf(attempt).some((text) => /insufficient|balance|funds/i.test(text));

/** Codes that stand for one cause. INVALID_SIGNATURE does not: some agents use it for everything that is not valid. */
const ofOneCause: readonly (ErrorCode | undefined)[] = [
  'EXPIRED_PAYMENT',
  'DUPLICATE_NONCE',
  'NETWORK_MISMATCH',
  'INVALID_AMOUNT',
];

/** Ids and numbers: they differ in each payment, whatever the reason of the refusal. */
const incidental = /[0-9a-f]{8}-[0-9a-f-]{27}|0x[0-9a-f]+|[0-9a-f]{8,}|\d+/gi;

/** Everything that a refusal says about its cause, as a text that can be compared. */
function toldBy(attempt: Attempt): string {
  const { outcome, task, before, word, asked: request } = attempt;
  const isOwn = task?.id === before.id;
  const ids = [task?.id, task?.contextId, before.id, before.contextId, request, word];
  const plain = (text: string): string =>
    ids.reduce<string>((rest, id) => (id ? rest.replaceAll(id, '') : rest), text).replaceAll(incidental, '');
  const details = outcome.kind === 'refusal' ? [errorOf(outcome)] : [isOwn, task?.status.state, task && statusOf(task)];
  return JSON.stringify([outcome.kind, ...details, saidError(attempt) ?? null, ...wordsOf(attempt).map(plain)]);
}

/**
 * A wrong payment from an empty wallet has two reasons to be refused. Returns why the refusal may be only for want of
 * funds, so that it says nothing about the defect; undefined if it names another cause.
 */
export function wantOfFunds(attempt: Attempt, control: Control): string | undefined {
  if (control.kind === 'none' || control.empty === undefined) return undefined;
  const { right } = control.empty;
  if (codeOf(attempt) === 'INSUFFICIENT_FUNDS') return 'it was refused only for lack of funds';
  if (right !== undefined && toldBy(attempt) === toldBy(right))
    return 'it was refused in the same way as a correct payment from an empty wallet, so perhaps only for lack of funds';
  if (ofOneCause.includes(codeOf(attempt))) return undefined;
  // An agent that settles without verifying may answer SETTLEMENT_FAILED for want of funds. Not if it gives another
  // code for an empty wallet: then only the texts count.
  const isOther = codeOf(attempt) === 'SETTLEMENT_FAILED' && right !== undefined;
  const isBlamed = isOther ? speaksOfFunds(attempt) : blamesWallet(attempt);
  return isBlamed ? 'it was refused only for lack of funds' : undefined;
}

/** Expects the payment to be taken; receipts are judged separately. */
export const taken =
  (scene: Scene) =>
  (attempt: Attempt): Judgement => {
    const { outcome, task, decided } = attempt;
    const isStub = x402Of(scene).stub !== undefined;
    // The kit's own facilitator answers at once.
    if (outcome.kind === 'result' && outcome.value.type === 'task' && !decided)
      return isStub && attempt.inVainMs === undefined ? waitedFor(attempt) : inconclusive(notDecided(attempt));
    if (outcome.kind !== 'refusal') {
      const open = undecided(attempt);
      if (open !== undefined) return open;
    }
    const refusal = (why: string): Judgement =>
      !isStub && blamesWallet(attempt) ? inconclusive(`add funds to the wallet if it has none: ${why}`) : why;
    if (outcome.kind === 'refusal') return refusal(`the payment was refused: ${describe(outcome)}`);
    if (task === undefined) return inconclusive('the agent did not show the task again');
    // An agent that charges in steps asks for the next payment, with a receipt.
    if (acceptance(attempt, []) !== undefined) return undefined;
    const said = saidError(attempt);
    const standing = `${standingOf(task)}${said === undefined ? '' : `, ${brief(said)}`}`;
    return refusals.has(statusOf(task) ?? '')
      ? refusal(`the payment was refused (${standing})`)
      : refusal(`the payment brought neither the work nor a receipt: the task is ${standing}`);
  };
const refusals: ReadonlySet<string> = new Set(['payment-failed', 'payment-required', 'payment-rejected']);

/** The reason text without a successful receipt. */
export const noReceipt = (attempt: Attempt): string =>
  `the task has no successful receipt and is ${attempt.task && standingOf(attempt.task)}${newArtifacts(attempt) > 0 ? ', and an artifact came' : ''}`;

/** Expects the payment to be taken, and a successful receipt of it. */
export const paid =
  (scene: Scene) =>
  (attempt: Attempt): Judgement => {
    const open = taken(scene)(attempt);
    if (open !== undefined) return open;
    if (newSuccesses(attempt).length > 0) return undefined;
    return noReceipt(attempt);
  };
