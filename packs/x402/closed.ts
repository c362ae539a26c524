import {
  inconclusive,
  isTerminal,
  type Judgement,
  type Scene,
  type Source,
  source,
  type Task,
} from '../../src/kit/index.js';
import { forFunds, isSettled, nonceOf } from './attempts.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';

// Tasks that ended without a payment, and payments sent to them nevertheless.

export interface Closed {
  /** How the task was meant to end. */
  readonly about: string;
  /** The payment; undefined where the task did not end. In that case `open` describes the task. */
  readonly attempt: x402.Attempt | undefined;
  readonly open: string;
  readonly settled: boolean;
}

/** Ends a task in this way, and then sends a correct payment for it. */
const closing = (
  about: string,
  end: (scene: Scene, given: x402.Offered) => Promise<Task | undefined>,
): Source<Closed> =>
  source(`a task that was ${about}, and then paid`, async (scene) => {
    const given = await scene.use(x402.offered);
    const { task = given.task } = { task: await end(scene, given) };
    const open = isTerminal(task.status.state) ? '' : `the task is ${x402.standingOf(task)}`;
    if (open !== '') return { about, attempt: undefined, open, settled: false };
    const payment = await x402.rightPayment(scene, given);
    const attempt = await x402.submit(scene, { ...given, task }, payment);
    return { about, attempt, open, settled: await isSettled(scene, nonceOf(payment)) };
  });

const canceled = closing('canceled', async (scene, { task }) => {
  const outcome = await scene.client.call('cancel', { id: task.id });
  if (outcome.kind !== 'result') return undefined;
  const { patienceMs } = x402.x402Of(scene);
  const seen = await x402.watch(scene, outcome.value, ({ status }) => isTerminal(status.state), patienceMs);
  return seen.at(-1);
});

const rejected = closing('rejected', async (scene, given) => {
  const metadata = { [x402Text.metadataKeys.status]: 'payment-rejected' };
  return (await x402.submitRaw(scene, given, metadata)).task;
});

/** The payment has one bit of its signature flipped. */
const failed = closing('refused', async (scene, given) => {
  const payload = await x402.defective(scene, given, 'n18');
  return payload === undefined ? undefined : (await x402.submit(scene, given, payload)).task;
});

export const closings: readonly Source<Closed>[] = [canceled, rejected, failed];

/** An error passes, and so does an unchanged task. A refusal only for lack of funds is unproven. */
export function stillClosed(attempt: x402.Attempt, control: x402.Control): Judgement {
  const judgement = x402.notTaken(attempt, control.contents);
  if (judgement !== undefined) return judgement;
  return control.kind === 'none' ? inconclusive(control.reason) : forFunds(attempt, control);
}
