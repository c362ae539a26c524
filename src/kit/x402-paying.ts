import { type CallOptions, describe, type Outcome } from '../client/index.js';
import { type Draft, type JsonObject, member, type SendParams, type SendReply, type Task } from '../model/index.js';
import type { Exchange } from '../wire/index.js';
import {
  type DefectId,
  defects,
  metadataKeys,
  type Offer,
  type Option,
  type Paying,
  type PaymentPayload,
  payment,
  type Receipt,
  readPayment,
  sameAddress,
  type ThrowawayWallet,
  tokens,
} from '../x402/index.js';
import type { Scene } from './scene.js';
import { Unreached } from './verdict.js';
import {
  exchangeOf,
  isDecided,
  isUnchanged,
  type Offered,
  offerOf,
  quickly,
  receiptsOf,
  statusOf,
  watch,
  x402Of,
} from './x402-asking.js';

// Paying, or trying to. a2a-x402 v0.1 §4.4, §4.5.

/** One attempt to pay, and what became of it. */
export interface Attempt {
  /** What was asked for: see `Asked`. */
  readonly word: string;
  readonly asked: string;
  /** The task as it was before. */
  readonly before: Task;
  /** What was sent in metadata. */
  readonly metadata: JsonObject;
  readonly outcome: Outcome<SendReply>;
  /** Every task that came afterwards: the answer, each read until the payment was decided, and a read after that. */
  readonly seen: readonly Task[];
  /** The last state of the task that answered; where it was an error, of the one that was to be paid. */
  readonly task: Task | undefined;
  /** The payment came to an end within the patience of the run. */
  readonly decided: boolean;
  /** The answer to the attempt. */
  readonly exhibit: Exchange | undefined;
}

export interface Submitting {
  /** Of the send and of all reads: another caller, other headers … */
  readonly call?: CallOptions;
  /** What the message says. Say `asked` where there is no task to pay: paid work for free is then told from small talk. */
  readonly text?: string;
  /** A last change to the params: no taskId, another one, metadata elsewhere … */
  readonly change?: (params: SendParams) => Draft<SendParams>;
  /** Who hopes to be paid waits longer for an agent that says nothing new. Default false. */
  readonly hopeful?: boolean;
}

/** An agent that repeats its offer has refused, unless it has not begun yet: it is given that long, ms. */
const unchangedMs = 10_000;

/** The metadata that submits a payment, whatever is in the place of the payment. */
export const submission = (payload: unknown): JsonObject => ({
  [metadataKeys.status]: 'payment-submitted',
  [metadataKeys.payload]: payload,
});

/** Submits a payment for a task, and waits until it is decided. */
export const submit = (scene: Scene, given: Offered, payload: unknown, how: Submitting = {}): Promise<Attempt> =>
  submitRaw(scene, given, submission(payload), how);

/** Sends any metadata to a task, and waits until the payment is decided, or nothing more happens. */
export async function submitRaw(
  scene: Scene,
  given: Pick<Offered, 'word' | 'asked' | 'task'>,
  metadata: JsonObject,
  { call = {}, change = (params) => params, text = 'Here is the payment.', hopeful = false }: Submitting = {},
): Promise<Attempt> {
  const { patienceMs, treasurer } = x402Of(scene);
  const { task: before, word, asked } = given;
  const message = {
    ...scene.say(text),
    taskId: before.id,
    ...(before.contextId === undefined ? {} : { contextId: before.contextId }),
    metadata,
  };
  const outcome = await scene.client.call('send', change({ message, configuration: quickly(scene) }), call);
  const answer = outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : undefined;
  const seen =
    answer === undefined ? [] : [...(await decided(scene, answer, before, hopeful ? patienceMs : unchangedMs, call))];
  const last = seen.at(-1);
  const isOver = last !== undefined && isDecided(last);
  // What comes out later counts as well: the task that answered is read once more, and the one that was to be paid.
  const ids = new Set([...(last === undefined ? [] : [last.id]), before.id]);
  if (outcome.kind !== 'withheld') {
    for (const id of ids) {
      const read = await scene.client.call('get', { id }, call);
      if (read.kind === 'result') seen.push(read.value);
    }
  }
  const shown = last?.id ?? before.id;
  const attempt: Attempt = {
    word,
    asked,
    before,
    metadata,
    outcome,
    seen,
    task: seen.findLast(({ id }) => id === shown),
    decided: isOver,
    exhibit: exchangeOf(outcome),
  };
  const nonce = readPayment(member(metadata, metadataKeys.payload))?.payload.authorization.nonce;
  if (nonce !== undefined && newSuccesses(attempt).length > 0) treasurer?.settled(nonce);
  return attempt;
}

async function decided(
  scene: Scene,
  answer: Task,
  before: Task,
  unchanged: number,
  call: CallOptions,
): Promise<readonly Task[]> {
  const { patienceMs } = x402Of(scene);
  const started = scene.clock.now();
  // Completed payments may still have work before them.
  const isOver = (task: Task): boolean =>
    isDecided(task) && (!isUnchanged(task, before) || scene.clock.now() - started >= Math.min(unchanged, patienceMs));
  return watch(scene, answer, isOver, patienceMs, call);
}

const successesOf = (task: Task): readonly Receipt[] => receiptsOf(task).filter(({ success }) => success === true);

/** Successful receipts that were not there before the attempt; of the state that shows the most of them. */
export function newSuccesses({ before, seen }: Attempt): readonly Receipt[] {
  const old = successesOf(before).length;
  return seen
    .map((task) => successesOf(task).slice(task.id === before.id ? old : 0))
    .reduce((most, some) => (some.length > most.length ? some : most), []);
}

/** Artifacts that were not there before the attempt. */
export function newArtifacts({ before, seen }: Attempt): number {
  const old = new Set((before.artifacts ?? []).map(({ artifactId }) => artifactId));
  return Math.max(
    0,
    ...seen.map(
      (task) => (task.artifacts ?? []).filter(({ artifactId }) => task.id !== before.id || !old.has(artifactId)).length,
    ),
  );
}

/** What a payment is made from: the throwaway wallet, the agent's time and a fresh nonce, unless said otherwise. */
export function paying(
  scene: Scene,
  { offer, option }: Pick<Offered, 'offer' | 'option'>,
  over: Partial<Paying> = {},
): Paying {
  const { wallet, seconds, nonce } = x402Of(scene);
  return { offer, option, wallet, now: seconds(), nonce: nonce(), ...over };
}

/**
 * The throwaway wallet; with play money where the agent settles through the kit's facilitator, so that a wrong payment
 * is not refused for want of funds.
 */
export async function payer(scene: Scene, given: Pick<Offered, 'offer' | 'option'>): Promise<ThrowawayWallet> {
  const { wallet } = x402Of(scene);
  await fund(scene, wallet.address, given.offer);
  return wallet;
}

/** Play money for every option of the offer. Does nothing where there is none. */
export async function fund(scene: Scene, address: string, { options }: Offer): Promise<void> {
  const { lab } = x402Of(scene);
  if (lab === undefined) return;
  const usable = options.filter((one) => one.usable);
  for (const { network, asset, chainId } of usable) {
    const others = tokens.flatMap((token) =>
      token.chainId === chainId && !sameAddress(token.asset, asset) ? [token.asset] : [],
    );
    try {
      await lab.fund(address, { network, asset }, playMoney);
    } catch (error) {
      throw new Unreached(`the lab has no play money for ${asset} on ${network}: ${messageOf(error)}`);
    }
    // A payment in another token must not fail for want of it. Not every stub knows every token.
    for (const one of others) await lab.fund(address, { network, asset: one }, playMoney).catch(() => undefined);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** More than any price in atomic units, and far from where numbers end. */
const playMoney = '1000000000000000000000000000000';

/** The right payment of the throwaway wallet. */
export async function rightPayment(scene: Scene, given: Pick<Offered, 'offer' | 'option'>): Promise<PaymentPayload> {
  await payer(scene, given);
  return payment(paying(scene, given));
}

/** The payment with one defect; undefined where the offer leaves no room for it, or its version cannot have it. */
export async function defective(
  scene: Scene,
  given: Pick<Offered, 'offer' | 'option'>,
  id: DefectId,
  over: Partial<Paying> = {},
): Promise<JsonObject | undefined> {
  const { make, versions } = defects[id];
  if (!versions.includes(given.offer.x402Version)) return undefined;
  await payer(scene, given);
  return make(paying(scene, given, over));
}

/** A payment by the treasurer, for an option that he pays. */
export interface Funded {
  readonly payment: PaymentPayload;
  readonly option: Option;
}

/**
 * Has the treasurer sign, who wants to see the offer again first. Tries the options in their order, or one alone. Throws
 * `Unreached` with his reason when he signs none.
 */
export async function signFunded(scene: Scene, given: Offered, only?: Option): Promise<Funded> {
  const { treasurer } = x402Of(scene);
  if (treasurer?.payer === undefined) {
    throw new Unreached('a wallet with funds is needed: give A2A_TCK_X402_KEY and --x402-max-amount, or --x402-lab');
  }
  const read = await scene.client.call('get', { id: given.task.id });
  const again = read.kind === 'result' ? offerOf(read.value) : undefined;
  if (again === undefined) {
    const seen = read.kind === 'result' ? (statusOf(read.value) ?? 'no payment status') : describe(read);
    throw new Unreached(
      `nothing is paid, since the task does not show its offer when it is read (${seen})`,
      exchangeOf(read),
    );
  }
  await fund(scene, treasurer.payer, given.offer);
  let why = 'there is no option';
  for (const option of only === undefined ? given.offer.options.filter((one) => one.usable) : [only]) {
    const treatment = treasurer.pay(given.offer, again, option);
    if ('payment' in treatment) return { payment: treatment.payment, option };
    if ('wouldSign' in treatment) throw new Unreached('this is a dry run: the payment was not signed');
    why = treatment.about;
  }
  throw new Unreached(`nothing is paid: ${why}`);
}

/** Pays through the treasurer. Throws `Unreached` when he does not pay. */
export async function payFunded(
  scene: Scene,
  given: Offered,
  how: Submitting & { readonly only?: Option } = {},
): Promise<Attempt & Funded> {
  const { only, ...submitting } = how;
  const funded = await signFunded(scene, given, only);
  const attempt = await submit(scene, given, funded.payment, { hopeful: true, ...submitting });
  return { ...attempt, ...funded };
}
