import { type CallOptions, describe, type Outcome } from '../../../src/client/index.js';
import {
  early,
  fresh,
  NotApplicable,
  PreconditionUnmet,
  type Scene,
  type Source,
  source,
} from '../../../src/kit/index.js';
import type { Message, SendReply, Task } from '../../../src/model/index.js';
import { type Exchange, sleep } from '../../../src/wire/index.js';
import { type Offer, type Option, payable, type X402Version } from '../payments/index.js';
import { type X402Scene, x402Part } from './scene.js';
import { embeddedOffer, exchangeOf, isDecided, offerOf, standingOf } from './tasks.js';

// Requests that cost something, and the offers that the agent answers. a2a-x402 v0.1 §4.3; x402 A2A transport.

/** The payment part of a scene. Throws `NotApplicable` without --x402. */
export function x402Of(scene: Scene): X402Scene {
  const part = scene.part(x402Part);
  if (part === undefined) throw new NotApplicable('payments are judged with --x402');
  return part;
}

/** Reads a task until `isOver`, or until the patience ends. Returns every state that was seen, the given one first. */
export async function watch(
  scene: Scene,
  task: Task,
  isOver: (seen: Task) => boolean,
  patienceMs: number,
  call: CallOptions = {},
): Promise<readonly Task[]> {
  const { client, clock } = scene;
  const seen = [task];
  const until = clock.now() + patienceMs;
  let last = task;
  for (let pause = 50; !isOver(last) && clock.now() < until; pause = Math.min(pause * 2, 2000)) {
    await sleep(clock, Math.min(pause, Math.max(1, until - clock.now())));
    const outcome = await client.call('get', { id: task.id }, call);
    if (outcome.kind === 'result') {
      last = outcome.value;
      seen.push(last);
    } else if (outcome.kind === 'refusal' || outcome.kind === 'not-sent' || outcome.kind === 'denied') break;
  }
  return seen;
}

/** The outcome of a request that costs something. */
export interface Asked {
  /** Random, in the text of the message: the paid content can be recognised by it. */
  readonly word: string;
  readonly message: Message;
  readonly outcome: Outcome<SendReply>;
  /** The task as it was answered, and as it was at each reading. */
  readonly seen: readonly Task[];
  /** The last of `seen`: at rest, or as it was when the patience was over. */
  readonly task: Task | undefined;
  readonly exhibit: Exchange | undefined;
}

export interface Asking {
  /** In place of the trigger of the run. */
  readonly trigger?: string;
  /** Options of the send and of all reads: headers, another caller … */
  readonly call?: CallOptions;
  readonly change?: (message: Message) => Message;
}

/**
 * Sends a request that costs something, with a fresh word, and waits until the task rests: a settlement may take longer
 * than an exchange.
 */
export async function ask(
  scene: Scene,
  { trigger, call = {}, change = (message) => message }: Asking = {},
): Promise<Asked> {
  const x402 = x402Of(scene);
  const word = `tck${scene.uuid().replaceAll('-', '').slice(0, 12)}`;
  const message = change(scene.say(`${trigger ?? x402.trigger} ${word}`));
  const outcome = await scene.client.call('send', { message, configuration: early(scene) }, call);
  const first = outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : undefined;
  const seen = first === undefined ? [] : await watch(scene, first, isDecided, x402.patienceMs, call);
  return { word, message, outcome, seen, task: seen.at(-1), exhibit: exchangeOf(outcome) };
}

/** An unpaid task and the agent's offer. */
export interface Offered {
  readonly word: string;
  /** The text of the request. */
  readonly asked: string;
  readonly task: Task;
  readonly offer: Offer;
  /** The first option that the kit can pay and that charges after the work; else the first that it can pay. */
  readonly option: Option;
  readonly exhibit: Exchange | undefined;
}

const textOf = ({ parts }: Message): string =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');

/**
 * The offer in the answer. Throws `PreconditionUnmet` when there is none, `NotApplicable` when it is in an artifact.
 */
export function offerIn({ outcome, task, exhibit }: Asked): { readonly task: Task; readonly offer: Offer } {
  const hint = 'set --x402-message to what the agent charges for';
  if (outcome.kind !== 'result')
    throw new PreconditionUnmet(`the agent answered without an offer: ${describe(outcome)}`, exhibit);
  if (task === undefined)
    throw new PreconditionUnmet(`${hint}: the agent answered with a message and wants no payment`, exhibit);
  const offer = offerOf(task);
  if (offer !== undefined) return { task, offer };
  if (embeddedOffer(task) !== undefined)
    throw new NotApplicable('the offer is in an artifact: the embedded flow is not exercised');
  throw new PreconditionUnmet(
    `${hint}: the agent asks for no payment that the kit can read (${standingOf(task)})`,
    exhibit,
  );
}

function offeredIn(scene: Scene, answer: Asked): Offered {
  const { task, offer } = offerIn(answer);
  x402Of(scene).notice(offer);
  const [option] = payable(offer);
  if (option === undefined) {
    const why = offer.options.map((option) => option.unusableBecause).find((text) => text !== undefined);
    throw new PreconditionUnmet(
      `offer an option that the kit can pay: ${why ?? 'the offer has no option'}`,
      answer.exhibit,
    );
  }
  return { word: answer.word, asked: textOf(answer.message), task, offer, option, exhibit: answer.exhibit };
}

/** Shared: the outcome of a request that costs something, whatever it is. For checks that only look. */
export const asked: Source<Asked> = source('the answer to a request that costs', (scene) => ask(scene));

/**
 * Shared: an offer, also one that the kit cannot pay. For checks that only look. Throws `PreconditionUnmet` without
 * one.
 */
export const anOffer: Source<{ readonly task: Task; readonly offer: Offer }> = source('an offer', async (scene) =>
  offerIn(await scene.use(asked)),
);

/** An unpaid task with an option that the kit can pay, for one check alone. */
export const offered: Source<Offered> = fresh('a task that waits for its payment', async (scene) => {
  // One search for all checks: an agent that wants no payment is not asked again and again.
  offeredIn(scene, await scene.use(asked));
  return offeredIn(scene, await ask(scene));
});

/** The same for another text, another caller …. Throws `PreconditionUnmet` without an offer. */
export const offeredFor = async (scene: Scene, asking: Asking): Promise<Offered> =>
  offeredIn(scene, await ask(scene, asking));

/**
 * For checks of faults that only one payment version can have. Throws `NotApplicable` for offers of the other version.
 */
export function ofVersion(version: X402Version, { offer }: { readonly offer: Offer }): void {
  if (offer.x402Version !== version) throw new NotApplicable(`the offer is of payment version ${offer.x402Version}`);
}
