import {
  check,
  describe,
  early,
  inconclusive,
  isSettled,
  type Judgement,
  NotApplicable,
  type Opened,
  PreconditionUnmet,
  type Scene,
  type StreamEvent,
  type Task,
} from '../../src/kit/index.js';
import * as x402 from './shared/index.js';

// Streamed payments. a2a-x402 v0.1 §6.1; x402 A2A transport, Payment Status Lifecycle.

/** The states of the task that the stream of one payment showed, in order. */
interface Streamed {
  readonly opened: Opened;
  readonly shown: readonly Task[];
}

const shownIn = (event: StreamEvent | undefined): readonly Task[] => {
  if (event?.type === 'task') return [event.task];
  return event?.type === 'status' ? [{ id: event.taskId, status: event.status }] : [];
};

async function payStreaming(scene: Scene, { task }: x402.Offered, payload: unknown): Promise<Streamed> {
  const message = {
    ...scene.say('Here is the payment.'),
    taskId: task.id,
    ...(task.contextId === undefined ? {} : { contextId: task.contextId }),
    metadata: x402.submission(payload),
  };
  const opened = await scene.client.open('stream', { message, configuration: early(scene) });
  if (opened.kind !== 'stream') return { opened, shown: [] };
  const items = await opened.collect((seen) => {
    const [last] = shownIn(seen.at(-1)?.event);
    // The first event may show the task before the payment.
    return last !== undefined && seen.length > 1 && isSettled(last.status.state) && x402.isDecided(last);
  });
  opened.close();
  return { opened, shown: items.flatMap(({ event }) => shownIn(event)) };
}

const begun = ['payment-required', 'payment-submitted', 'payment-verified'];

/** Describes statuses that are out of order; steps may be missing or repeated. */
function outOfOrder(shown: readonly Task[], order: readonly string[]): string | undefined {
  let at = 0;
  for (const status of shown.map(x402.statusOf)) {
    if (status === undefined) continue;
    const next = order.indexOf(status, at);
    if (next < 0) return `${status} comes after ${order[at]}`;
    at = next;
  }
  return undefined;
}

/** Why a stream shows nothing, or that it was refused. */
function missing({ opened, shown }: Streamed): Judgement {
  if (opened.kind === 'stream') return shown.length > 0 ? undefined : inconclusive('the stream showed no task');
  return opened.kind === 'refusal' ? `the payment is refused: ${describe(opened)}` : inconclusive(describe(opened));
}

// In our words (x402, a2a-x402 v0.1, 6.1; x402 A2A transport, Payment Status Lifecycle): A payment can be streamed:
//   events follow the states, and the last one has the receipts.
export const streamed = check('x402/streamed-payment', 'x402.streamed-payment')
  .given('offered', x402.offered)
  .when('the client streams a right payment, and one with a wrong signature', async (scene) => {
    const { stub, stubOff } = x402.x402Of(scene);
    if (stub === undefined) throw new PreconditionUnmet(stubOff);
    const { payment } = await x402.signFunded(scene, scene.offered);
    const right = await payStreaming(scene, scene.offered, payment);
    const other = await scene.use(x402.offered);
    const wrong = await payStreaming(scene, other, await x402.defective(scene, other, 'n18'));
    return { right, wrong };
  })
  .expects('show the statuses of both', ({ right }): Judgement => {
    const { shown } = right;
    const last = shown.at(-1);
    if (last === undefined) return missing(right);
    const wrongOrder = outOfOrder(shown, [...begun, 'payment-completed', 'payment-required']);
    if (wrongOrder !== undefined) return wrongOrder;
    if (!shown.some((task) => x402.statusOf(task) === 'payment-completed'))
      return inconclusive(`the stream ended before the payment was completed (${x402.standingOf(last)})`);
    const hasReceipt = x402.receiptsOf(last).some(({ success }) => success === true);
    return hasReceipt ? undefined : `the last status (${x402.standingOf(last)}) has no successful receipt`;
  })
  .expects('the statuses of the wrong one', ({ wrong }): Judgement => {
    if (wrong.opened.kind === 'refusal') return undefined;
    return missing(wrong) ?? outOfOrder(wrong.shown, [...begun, 'payment-failed', 'payment-required']);
  })
  .advice('Each status is an event of the stream, and every message after the settlement has the receipts.');

interface AskedByStream {
  readonly opened: Opened;
  /** All states of the task that were seen; the final read is last. */
  readonly seen: readonly Task[];
  /** The agent worked without asking for payment: the result of the same request without a stream. */
  readonly again: x402.Asked | undefined;
}

async function askStreaming(scene: Scene): Promise<AskedByStream> {
  const message = scene.say(`${x402.x402Of(scene).trigger} tck${scene.uuid().slice(0, 8)}`);
  const opened = await scene.client.open('stream', { message, configuration: early(scene) });
  if (opened.kind !== 'stream') return { opened, seen: [], again: undefined };
  const items = await opened.collect((all) => all.slice(-1).some(({ event }) => shownIn(event).some(x402.isDecided)));
  opened.close();
  const shown = items.flatMap(({ event }) => shownIn(event));
  const [first] = shown;
  const read = first && (await scene.client.call('get', { id: first.id }));
  const seen = read?.kind === 'result' ? [...shown, read.value] : shown;
  return { opened, seen, again: isUnpaid(seen) ? await x402.ask(scene) : undefined };
}

const isUnpaid = (seen: readonly Task[]): boolean =>
  seen.some(({ status }) => status.state === 'completed') && seen.every((task) => x402.statusOf(task) === undefined);

// In our words (x402, x402 A2A transport, Payment Required Signaling; a2a-x402 v0.1, 4.3): A request that costs
//   something is answered with a Task in input-required whose status message has `x402.payment.status`
//   payment-required.
export const streamedOffer = check('x402/offer-streamed', 'x402.offer-made')
  .when('the client streams a request for paid work', async (scene) => {
    if (!scene.card.capabilities.streaming) throw new NotApplicable('the card declares no streaming');
    await scene.use(x402.anOffer);
    return askStreaming(scene);
  })
  .expects('ask for payment, as without a stream', ({ opened, seen, again }): Judgement => {
    if (opened.kind !== 'stream') return inconclusive(describe(opened));
    if (seen.some((task) => x402.statusOf(task) === 'payment-required')) return undefined;
    const last = seen.at(-1);
    if (again === undefined)
      return inconclusive(last === undefined ? 'the stream showed no task' : `the task is ${x402.standingOf(last)}`);
    const isCharged = again.task !== undefined && x402.offerOf(again.task) !== undefined;
    return isCharged
      ? 'the agent did the work without payment; without a stream it charges for the same'
      : inconclusive('the agent does not charge for the same request each time');
  })
  .advice('Ask for the payment before the work, whatever the method is that brings the request.');
