import { isDeepStrictEqual } from 'node:util';
import type { CallOptions, Outcome } from '../../../src/client/index.js';
import { early, type Scene, type Source, source } from '../../../src/kit/index.js';
import {
  type Draft,
  type JsonObject,
  member,
  type SendParams,
  type SendReply,
  type Task,
} from '../../../src/model/index.js';
import type { Exchange } from '../../../src/wire/index.js';
import { metadataKeys, type Receipt, readPayment } from '../payments/index.js';
import { type Offered, watch, x402Of } from './asking.js';
import { exchangeOf, isDecided, isUnchanged, offerOf, receiptsOf, statusOf } from './tasks.js';

// Attempts to pay. a2a-x402 v0.1 §4.4, §4.5.

/** One attempt to pay, and its result. */
export interface Attempt {
  /** The request: see `Asked`. */
  readonly word: string;
  readonly asked: string;
  /** The task as it was before. */
  readonly before: Task;
  /** The metadata that was sent. */
  readonly metadata: JsonObject;
  readonly outcome: Outcome<SendReply>;
  /** Every task that came afterwards: the answer, each read until the payment was decided, and a read after that. */
  readonly seen: readonly Task[];
  /** The last state of the task in the answer; after an error, of the task to be paid. */
  readonly task: Task | undefined;
  /** The payment was decided within the time that it was given. */
  readonly decided: boolean;
  /** Time from the request until the payment was seen to be decided, or until the kit stopped waiting, ms. */
  readonly tookMs: number;
  /** Time that a correct payment took, ms; undefined if none was decided before. */
  readonly usualMs: number | undefined;
  /**
   * How long the kit waited in vain for an earlier payment, ms; this one was then given less time. Undefined: never.
   */
  readonly inVainMs: number | undefined;
  /** The answer to the attempt. */
  readonly exhibit: Exchange | undefined;
}

export interface Submitting {
  /** Options of the send and of all reads: another caller, other headers … */
  readonly call?: CallOptions;
  /**
   * The text of the message. Give `asked` without a task to pay: it shows whether free words are the paid work or small
   * talk.
   */
  readonly text?: string;
  /** A last change to the params: no taskId, another one, metadata elsewhere … */
  readonly change?: (params: SendParams) => Draft<SendParams>;
  /** The payment should be taken: the kit waits longer for an agent that says nothing new. Default false. */
  readonly hopeful?: boolean;
  /** The payment is correct, only the wallet is empty: its time shows how long other payments may take. */
  readonly right?: boolean;
  /** A last change to the JSON text, for faults that no value can express: a duplicate member. */
  readonly respell?: (body: string) => string;
}

/** An agent that repeats its offer has refused, unless it has not begun yet: it gets this time to begin, ms. */
const unchangedMs = 10_000;

/** A wrong payment may take this many times as long as a correct one. */
export const patientTimes = 10;
/** A wrong payment may take at least this long, ms: the agent may ask a facilitator, which may ask others. */
const leastMs = 10_000;
/** Once a payment was never decided, the kit waits at least this long for the next ones, ms. */
const afterwardsMs = 1000;

/** How long payments take, as seen in this run. */
interface Pace {
  paidMs?: number;
  /** Of a correct payment that was refused for want of funds. */
  refusedMs?: number;
  /** How long the kit waited in vain: for a payment that should be taken, and for any other. */
  hopefulInVainMs?: number;
  inVainMs?: number;
  /** The wrong payment that the kit waited for longest without a decision. */
  longest?: Attempt;
}
const pace: Source<Pace> = source('how long payments take', async () => ({}));

/** The wrong payment of this run so far that the kit waited for longest without a decision. */
export async function longestUndecided(scene: Scene): Promise<Attempt | undefined> {
  const { longest, paidMs, refusedMs } = await scene.use(pace);
  return longest && { ...longest, usualMs: paidMs ?? refusedMs };
}

/** How long a payment may take, ms. After one wait in vain, the next ones are shorter. */
function patienceOf({ paidMs, refusedMs, hopefulInVainMs, inVainMs }: Pace, hopeful: boolean, mostMs: number): number {
  const usual = paidMs ?? refusedMs;
  const long = hopeful || usual === undefined ? mostMs : Math.min(mostMs, Math.max(leastMs, patientTimes * usual));
  const wasInVain = (hopeful ? hopefulInVainMs : inVainMs) !== undefined;
  return wasInVain ? Math.min(long, Math.max(afterwardsMs, 2 * (usual ?? 0))) : long;
}

/** The metadata that submits a payment, whatever `payload` is. */
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
  {
    call = {},
    change = (params) => params,
    text = 'Here is the payment.',
    hopeful = false,
    right = false,
    respell,
  }: Submitting = {},
): Promise<Attempt> {
  const { patienceMs: mostMs, treasurer } = x402Of(scene);
  const known = await scene.use(pace);
  const patienceMs = patienceOf(known, hopeful, mostMs);
  const inVainMs = hopeful ? known.hopefulInVainMs : known.inVainMs;
  const { task: before, word, asked } = given;
  const message = {
    ...scene.say(text),
    taskId: before.id,
    ...(before.contextId === undefined ? {} : { contextId: before.contextId }),
    metadata,
  };
  const params = change({ message, configuration: early(scene) });
  const started = scene.clock.now();
  const outcome = await (respell === undefined
    ? scene.client.call('send', params, call)
    : sendText(scene, params, respell, call));
  const answer = outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : undefined;
  const waiting = { patienceMs, unchangedMs: hopeful ? patienceMs : Math.min(unchangedMs, patienceMs) };
  const watched = answer && (await decided(scene, answer, before, waiting, call));
  const seen = [...(watched?.seen ?? [])];
  const last = seen.at(-1);
  const isOver = last !== undefined && isDecided(last);
  const tookMs = (watched?.decidedAt ?? scene.clock.now()) - started;
  if (watched !== undefined && !isOver) known[hopeful ? 'hopefulInVainMs' : 'inVainMs'] ??= tookMs;
  // Later changes count as well: the task in the answer and the task to be paid are read once more.
  const ids = new Set([...(last === undefined ? [] : [last.id]), before.id]);
  if (outcome.kind !== 'not-sent') {
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
    tookMs,
    usualMs: known.paidMs ?? known.refusedMs,
    inVainMs,
    exhibit: exchangeOf(outcome),
  };
  const isWrong = !hopeful && Object.hasOwn(metadata, metadataKeys.payload);
  if (isWrong && watched !== undefined && !isOver && tookMs > (known.longest?.tookMs ?? 0)) known.longest = attempt;
  if (isOver && hopeful && newSuccesses(attempt).length > 0) known.paidMs ??= tookMs;
  if (isOver && right) known.refusedMs ??= tookMs;
  const nonce = readPayment(member(metadata, metadataKeys.payload))?.payload.authorization.nonce;
  if (nonce !== undefined && newSuccesses(attempt).length > 0) treasurer?.settled(nonce);
  return attempt;
}

/** Whether the binding carries a text that no value can express. */
export const takesTexts = ({ client }: Scene): boolean => client.dialect.binding.requests !== 'messages';

/** A send whose text is changed before it goes out. */
async function sendText(
  { client, uuid }: Scene,
  params: Draft<SendParams>,
  respell: (body: string) => string,
  call: CallOptions,
): Promise<Outcome<SendReply>> {
  const { send } = client.dialect.operations;
  const id = uuid();
  const request = { jsonrpc: '2.0', id, method: send?.rpc, params: send?.params.encode(params) };
  const outcome = await client.post(respell(JSON.stringify(request)), { ...call, id });
  if (outcome.kind !== 'result') return outcome;
  const value = send?.result.decode(outcome.wire);
  if (value !== undefined) return { ...outcome, value };
  return {
    kind: 'invalid-response',
    fault: 'unreadable',
    detail: 'the result is not a task',
    exchange: outcome.exchange,
  };
}

async function decided(
  scene: Scene,
  answer: Task,
  before: Task,
  { patienceMs, unchangedMs: unchanged }: { readonly patienceMs: number; readonly unchangedMs: number },
  call: CallOptions,
): Promise<{ readonly seen: readonly Task[]; readonly decidedAt: number | undefined }> {
  const started = scene.clock.now();
  let decidedAt: number | undefined;
  // After a completed payment the work may go on: the task is then no longer decided.
  const isOver = (task: Task): boolean => {
    if (!isDecided(task)) {
      decidedAt = undefined;
      return false;
    }
    decidedAt ??= scene.clock.now();
    return !isUnchanged(task, before) || scene.clock.now() - started >= unchanged;
  };
  const seen = await watch(scene, answer, isOver, patienceMs, call);
  return { seen, decidedAt };
}

const successesOf = (task: Task): readonly Receipt[] => receiptsOf(task).filter(({ success }) => success === true);

/** Successful receipts that were not there before the attempt; of the state that shows the most of them. */
export function newSuccesses({ before, seen }: Attempt): readonly Receipt[] {
  const old = successesOf(before).length;
  return seen
    .map((task) => successesOf(task).slice(task.id === before.id ? old : 0))
    .reduce((most, some) => (some.length > most.length ? some : most), []);
}

/** The same task if it repeats the same offer; undefined: it may be closed to further payments. */
export function offeredAgain(given: Offered, { task, decided }: Attempt): Offered | undefined {
  if (!decided || task === undefined || task.id !== given.task.id) return undefined;
  if (task.status.state !== 'input-required' || statusOf(task) !== 'payment-required') return undefined;
  return isDeepStrictEqual(offerOf(task)?.raw, given.offer.raw) ? { ...given, task } : undefined;
}

/** How many artifacts were not there before the attempt. */
export function newArtifacts({ before, seen }: Attempt): number {
  const old = new Set((before.artifacts ?? []).map(({ artifactId }) => artifactId));
  return Math.max(
    0,
    ...seen.map(
      (task) => (task.artifacts ?? []).filter(({ artifactId }) => task.id !== before.id || !old.has(artifactId)).length,
    ),
  );
}
