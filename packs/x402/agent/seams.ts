import type { JsonObject, Message, Part, Task, TaskState } from '../../../src/model/index.js';
import type { Act, Incoming, RpcFailure, Script } from '../../../src/reference/patching.js';
import type { ErrorCode, Offer, Option, PaymentPayload, Status } from '../payments/index.js';
import type { MerchantSettings, PaidSkill } from './settings.js';

/**
 * The seams of an agent that charges for some of its skills. A weakness replaces one of them, with `onX402`:
 *
 * | weakness | seam |
 * |---|---|
 * | other versions, prices, options, orders, states; no echo | `settings` |
 * | activation ignored, or by a part of a URI | `isActive` |
 * | the amount is a number, a wrong network name, no error text | `offer` |
 * | one offer for all tasks | `offerFor` |
 * | the outcome that the client claims is believed, rejections are ignored | `intent`, `answer` |
 * | a payment without a task id | `unbound`, and `execute` of the agent |
 * | several payments of one task at once | `meanwhile`, with `pay` |
 * | crashes over what is malformed, payload taken from elsewhere | `payment` |
 * | the copy of the option is believed | `match`, with an option made of it |
 * | offers do not expire | `timely` |
 * | nonces are not remembered, or for a task only | `claim`; the facilitator remembers them as well: `believing` |
 * | a nonce is checked, and recorded only after a pause | `claim`, asynchronous |
 * | a nonce in other letters is another one | `mark` |
 * | amount, recipient, signature, times, chain, token, funds not looked at | `believing` |
 * | other requirements are sent to the facilitator, or another payment | `request` |
 * | answers of the facilitator are read loosely | `ask`, `verify`, `settle` |
 * | nothing is verified | `verify`; nothing is settled: `settle` |
 * | the work is given before it is paid | `settle`, with `deliver` before it |
 * | the text of a failure contains the work | `words` |
 * | receipts no array, incomplete, of another shape; no code; other keys | `metadata`, `receiptsFor`, `receipt` |
 * | receipts are overwritten | `onSettled`, `onRefused` |
 * | codes | `code` |
 * | a failed payment and a completed task | `stateAfter` |
 * | tasks that have ended are paid | `refusal` and `transition` of the agent, with `pay` |
 * | receipts not in tasks/get, no card entry | `encode`, `card` of the agent |
 */
export interface X402Seams {
  settings(): MerchantSettings;
  /** The extension is active for a request. */
  isActive(request: Incoming): boolean;

  // -- Offers
  /** The skill that a message asks for, where it costs something. */
  skill(message: Message): PaidSkill | undefined;
  /** The offer for a skill, for the first charge or a further one; PaymentRequired. */
  offer(skill: PaidSkill, step: number): JsonObject;
  /** The account of a task; undefined for a task that costs nothing. */
  account(task: Task): Account | undefined;
  /** The offer with which a payment of the task is compared. */
  offerFor(account: Account): JsonObject;

  // -- Messages about payments
  intent(message: Message): 'pay' | 'reject' | 'other';
  /** Why a message that pays and names no task is refused. */
  unbound(message: Message): RpcFailure | undefined;
  /** Why another payment is refused while one is under way. */
  meanwhile(account: Account, message: Message): RpcFailure | undefined;
  /** Handles a message to a task that waits to be paid. An error that it throws refuses the call. */
  answer(account: Account, message: Message): void;
  /** Begins a payment: everything up to the claim happens at once. */
  pay(account: Account, message: Message): void;
  /** What is done about a task that was at work when the agent was stopped. */
  resumed(account: Account): Script;

  // -- What a payment says
  /** The payment in a message. Throws PaymentRefusal if it is not a payment of the version of the offer. */
  payment(message: Message, offer: Offer): PaymentPayload;
  /** The option that is paid. Throws PaymentRefusal. */
  match(offer: Offer, payment: PaymentPayload): Option;
  /** Throws PaymentRefusal when the offer has expired. */
  timely(account: Account, option: Option): void;

  // -- Once
  /** A text that is the same for two copies of one payment. */
  mark(attempt: Attempt): string;
  /** False when the payment is claimed already. One step, so that only the first of many concurrent copies gets it. */
  claim(attempt: Attempt): boolean | Promise<boolean>;
  /** Gives a claim back: nothing was settled. */
  release(attempt: Attempt): void;

  // -- The facilitator
  /** The body of both calls. */
  request(attempt: Attempt): JsonObject;
  /** Status and JSON of the answer. Rejects when there is none in time. */
  ask(path: '/verify' | '/settle', body: JsonObject): Promise<{ readonly status: number; readonly json: unknown }>;
  /** Undefined: valid. */
  verify(attempt: Attempt): Promise<PaymentRefusal | undefined>;
  /** The hash of the transaction. */
  settle(attempt: Attempt): Promise<string | PaymentRefusal>;

  // -- The result
  /** SettlementResponse. */
  receipt(account: Account, outcome: Outcome, attempt: Attempt | undefined): JsonObject;
  /** Records a payment. */
  onSettled(attempt: Attempt, transaction: string): void;
  /** Records a failure, and reports it. */
  onRefused(account: Account, refusal: PaymentRefusal, attempt: Attempt | undefined): void;
  code(reason: string): ErrorCode;
  stateAfter(event: 'failure' | 'rejection'): TaskState;
  /** The result of the paid work. */
  work(account: Account): readonly Part[];
  /** Delivers the paid work, and ends the task or asks for the next step. */
  deliver(account: Account, parts: readonly Part[]): void;

  // -- What the client gets
  receiptsFor(account: Account): readonly JsonObject[];
  /** Metadata of a status message; undefined: none. */
  metadata(account: Account, state: TaskState): JsonObject | undefined;
  /** Text of a status message. */
  words(account: Account, state: TaskState): string;
  /** Applies an act to the task, if the life cycle allows it. */
  publish(account: Account, act: Act): void;
}

/** The state of a task that costs something. */
export interface Account {
  readonly taskId: string;
  readonly skill: PaidSkill;
  /** The message that asks for the paid work. */
  readonly message: Message;
  /** PaymentRequired. */
  offer: JsonObject;
  /** When the offer was made or repeated; milliseconds. */
  askedAt: number;
  status: Status;
  /** Of the last failure. */
  error: { readonly code: string; readonly reason: string } | undefined;
  receipts: readonly JsonObject[];
  /** Number of charges that were paid. */
  step: number;
  underWay: 'no' | 'verifying' | 'settling';
}

/** A payment that was read, for an option of the offer. */
export interface Attempt {
  readonly account: Account;
  readonly offer: Offer;
  readonly payment: PaymentPayload;
  readonly option: Option;
}

export type Outcome = { readonly transaction: string } | { readonly reason: string };

/** A payment is refused, for a reason in the words of facilitators. */
export class PaymentRefusal extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`the payment is refused: ${reason}`);
    this.name = 'PaymentRefusal';
    this.reason = reason;
  }
}
