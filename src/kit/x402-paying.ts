import { isDeepStrictEqual } from 'node:util';
import type { CallOptions, Outcome } from '../client/index.js';
import { type Draft, type JsonObject, member, type SendParams, type SendReply, type Task } from '../model/index.js';
import type { Exchange } from '../wire/index.js';
import { metadataKeys, type Receipt, readPayment } from '../x402/index.js';
import type { Scene } from './scene.js';
import { early } from './steering.js';
import { type Offered, watch, x402Of } from './x402-asking.js';
import { exchangeOf, isDecided, isUnchanged, offerOf, receiptsOf, statusOf } from './x402-tasks.js';

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
  /** A last change to the JSON text, for what no value can say: a member twice. */
  readonly respell?: (body: string) => string;
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
  { call = {}, change = (params) => params, text = 'Here is the payment.', hopeful = false, respell }: Submitting = {},
): Promise<Attempt> {
  const { patienceMs, treasurer } = x402Of(scene);
  const { task: before, word, asked } = given;
  const message = {
    ...scene.say(text),
    taskId: before.id,
    ...(before.contextId === undefined ? {} : { contextId: before.contextId }),
    metadata,
  };
  const params = change({ message, configuration: early(scene) });
  const outcome = await (respell === undefined
    ? scene.client.call('send', params, call)
    : sendText(scene, params, respell, call));
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

/** A send whose text is changed before it goes out. */
async function sendText(
  { client, uuid }: Scene,
  params: Draft<SendParams>,
  respell: (body: string) => string,
  call: CallOptions,
): Promise<Outcome<SendReply>> {
  const { send } = client.dialect.operations;
  const id = uuid();
  const request = { jsonrpc: '2.0', id, method: send?.method, params: send?.params.encode(params) };
  const outcome = await client.post(respell(JSON.stringify(request)), { ...call, id });
  if (outcome.kind !== 'result') return outcome;
  const value = send?.result.decode(outcome.wire);
  if (value !== undefined) return { ...outcome, value };
  return { kind: 'broken', fault: 'unreadable', detail: 'the result is no task', exchange: outcome.exchange };
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

/** The same task once more, where it asks again for the same; undefined: it may be closed to further payments. */
export function offeredAgain(given: Offered, { task, decided }: Attempt): Offered | undefined {
  if (!decided || task === undefined || task.id !== given.task.id) return undefined;
  if (task.status.state !== 'input-required' || statusOf(task) !== 'payment-required') return undefined;
  return isDeepStrictEqual(offerOf(task)?.raw, given.offer.raw) ? { ...given, task } : undefined;
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
