import { isDeepStrictEqual as alike } from 'node:util';
import {
  check,
  inconclusive,
  type Judgement,
  NotApplicable,
  PreconditionUnmet,
  plural,
  type Scene,
  type Task,
} from '../../src/kit/index.js';
import { mustBeTaken, readAgain, stubOf } from './again.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';

export { canceledSettling, canceledUnpaid, receiptsAfterCancel } from './canceled.js';

// Receipts, which are the payment history of a task. a2a-x402 v0.1 §4.5, §6.

const historyAdvice = 'Receipts are a history: add to it, and write it into every status message that follows.';

const isOpen = (task: Task | undefined): task is Task => task?.status.state === 'input-required';
const rawOf = (task: Task): readonly unknown[] => x402.receiptsOf(task).map(({ raw }) => raw);

/** Describes how the later receipts break with the earlier ones. */
function lost(earlier: readonly unknown[], later: readonly unknown[]): string | undefined {
  const at = earlier.findIndex((item, index) => !alike(item, later[index]));
  if (at < 0) return undefined;
  return later.length <= at
    ? `of ${earlier.length} receipts ${later.length} are left`
    : `receipt ${at + 1} is another one than before`;
}

// In our words (x402, a2a-x402 v0.1, 4.5, 6; a2a-x402 v0.2, 7): The final message of the task has the complete
//   receipts.
export const receiptsKept = check('x402/receipts-kept', 'x402.receipts-kept')
  .given('paid', x402.paidOnce)
  .when('the client reads a paid task', (scene) => readAgain(scene, scene.paid.before.id))
  .expects('show all receipts that were shown before', (task, { paid }): Judgement => {
    const shown = paid.seen
      .filter(({ id }) => id === task.id)
      .map(rawOf)
      .reduce((most, some) => (some.length > most.length ? some : most), []);
    return lost(shown, rawOf(task));
  })
  .advice(historyAdvice);

interface Twice {
  /** The receipts after the first payment. */
  readonly first: readonly unknown[];
  readonly second: x402.Attempt;
}

/** Pays again a task that has receipts: with play money, or with the user's money, which requires an offer. */
async function payOn(scene: Scene, given: x402.Offered, task: Task): Promise<x402.Attempt> {
  const offer = x402.offerOf(task) ?? given.offer;
  const usable = x402Text.payable(offer);
  const option = usable.find(({ amount }) => amount === given.option.amount) ?? usable[0];
  if (option === undefined) throw new PreconditionUnmet('the second offer has no option that the kit can pay');
  const again: x402.Offered = { ...given, task, offer, option };
  const attempt =
    x402.x402Of(scene).stub === undefined
      ? await x402.payFunded(scene, again)
      : await x402.submit(scene, again, await x402.rightPayment(scene, again), { hopeful: true });
  // A payment that was accepted without a new receipt also counts: the check judges the missing receipt.
  return x402.acceptance(attempt, []) === undefined ? mustBeTaken(scene, attempt) : attempt;
}

// In our words (x402, a2a-x402 v0.1, 6): Receipts are a history: new ones are added, old ones stay.
export const receiptsAppended = check('x402/receipts-appended', 'x402.receipts-appended')
  .given('offered', x402.offered)
  .when('the client pays a task after a failed payment', async (scene): Promise<Twice> => {
    const { offered } = scene;
    const failing = await x402.defective(scene, offered, 'n18');
    if (failing === undefined) throw new NotApplicable('the offer has no room for a payment that fails');
    const failed = await x402.submit(scene, offered, failing);
    if (x402.acceptance(failed, []) !== undefined)
      throw new PreconditionUnmet('the agent accepts a payment with a broken signature', failed.exhibit);
    if (!isOpen(failed.task)) throw new NotApplicable('the task does not stay open after a payment that failed');
    const first = rawOf(failed.task);
    if (first.length === 0) throw new PreconditionUnmet('the failed payment left no receipt', failed.exhibit);
    return { first, second: await payOn(scene, offered, failed.task) };
  })
  .expects('keep the failure and add the success', ({ first, second }): Judgement => {
    const gone = second.seen.filter((task) => x402.newSuccesses({ ...second, seen: [task] }).length > 0);
    return gone.map((task) => lost(first, rawOf(task))).find((loss) => loss !== undefined);
  })
  .advice(historyAdvice);

// In our words (x402, a2a-x402 v0.1, 6; x402 A2A transport, Key Differences from Other Transports): A task that is
//   charged in steps has a receipt of each, in order.
export const receiptsOfSteps = check('x402/receipts-of-steps', 'x402.receipts-of-steps')
  .given('offered', x402.offered)
  .when('the client pays a task in steps', async (scene): Promise<Twice> => {
    stubOf(scene);
    const { offered } = scene;
    const step = await payOn(scene, offered, offered.task);
    if (!isOpen(step.task) || x402.statusOf(step.task) !== 'payment-required')
      throw new NotApplicable('the task is charged once');
    return { first: rawOf(step.task), second: await payOn(scene, offered, step.task) };
  })
  .expects('list the receipt of each step, in order', ({ first, second }): Judgement => {
    const { task } = second;
    if (task === undefined) return inconclusive('the agent did not show the task again');
    return lost(first, rawOf(task)) ?? twice(x402.receiptsOf(task));
  })
  .advice(historyAdvice);

function twice(receipts: readonly x402Text.Receipt[]): Judgement {
  const { length } = receipts.filter(({ success }) => success === true);
  return length === 2
    ? undefined
    : `two steps were paid, and ${plural(length, 'successful receipt says', 'successful receipts say')} so`;
}
