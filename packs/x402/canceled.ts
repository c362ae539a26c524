import {
  check,
  describe,
  inconclusive,
  type Judgement,
  NotApplicable,
  type Outcome,
  PreconditionUnmet,
  type Scene,
  sleep,
  type Task,
} from '../../src/kit/index.js';
import { readAgain, receiptless, settlementsOf, stubOf } from './again.js';
import * as x402 from './shared/index.js';

// Tasks that are canceled before, during or after their payment. A2A, cancel; a2a-x402 v0.1 §6.

interface Canceled {
  readonly canceled: Outcome<Task>;
  /** The task read after that. */
  readonly task: Task | undefined;
  /** A payment sent after that. */
  readonly attempt: x402.Attempt | undefined;
}

// In our words (x402, A2A, tasks/cancel): A task that waits for payment can be canceled, and is not paid afterwards.
export const canceledUnpaid = check('x402/canceled-unpaid', 'x402.canceled-unpaid')
  .given('control', x402.control)
  .given('offered', x402.offered)
  .when('the client cancels a task that waits for its payment, and pays it', async (scene): Promise<Canceled> => {
    const { offered, client } = scene;
    const canceled = await client.call('cancel', { id: offered.task.id });
    const read = await client.call('get', { id: offered.task.id });
    const task = read.kind === 'result' ? read.value : canceled.kind === 'result' ? canceled.value : undefined;
    if (task?.status.state !== 'canceled') return { canceled, task, attempt: undefined };
    const payment = await x402.rightPayment(scene, offered);
    return { canceled, task, attempt: await x402.submit(scene, { ...offered, task }, payment) };
  })
  .expects('cancel the task', ({ canceled, task }): Judgement => {
    if (canceled.kind !== 'result' && canceled.kind !== 'refusal') return inconclusive(describe(canceled));
    if (task?.status.state === 'canceled') return undefined;
    return canceled.kind === 'refusal' ? describe(canceled) : `the task is ${task && x402.standingOf(task)}`;
  })
  .expects('accept no payment for it', ({ attempt }, { control }): Judgement => {
    if (attempt === undefined) return inconclusive('the agent did not cancel the task, so the kit paid nothing');
    const judgement = x402.notTaken(attempt, control.contents);
    return judgement === undefined && control.kind === 'none' ? inconclusive(control.reason) : judgement;
  })
  .advice('A client may change its mind: cancel the task, and take no payment for it any more.');

/** A task with receipts that can still be canceled: between two steps, or after a failure. */
async function openWithReceipts(scene: Scene): Promise<Task> {
  const has = (task: Task | undefined): task is Task =>
    task?.status.state === 'input-required' && x402.receiptsOf(task).length > 0;
  const given = await scene.use(x402.offered);
  const paid = await x402.submit(scene, given, await x402.rightPayment(scene, given), { hopeful: true });
  if (has(paid.task)) return paid.task;
  const other = await scene.use(x402.offered);
  const failed = await x402.submit(scene, other, await x402.defective(scene, other, 'n18'));
  if (has(failed.task)) return failed.task;
  throw new NotApplicable('no task with receipts stays open, so none can be canceled');
}

// In our words (x402, a2a-x402 v0.1, 6): Receipts stay with the task when it is canceled.
export const receiptsAfterCancel = check('x402/receipts-after-cancel', 'x402.receipts-after-cancel')
  .when('the client cancels a task with receipts', async (scene) => {
    stubOf(scene);
    const before = await openWithReceipts(scene);
    const canceled = await scene.client.call('cancel', { id: before.id });
    if (canceled.kind !== 'result')
      throw new PreconditionUnmet(`the agent did not cancel the task: ${describe(canceled)}`);
    return { before, after: await readAgain(scene, before.id) };
  })
  .expects('still show its receipts', ({ before, after }): Judgement => {
    if (after.status.state !== 'canceled') return inconclusive(`the task is ${x402.standingOf(after)}`);
    const [had, has] = [x402.receiptsOf(before).length, x402.receiptsOf(after).length];
    return has < had ? `${has} of ${had} receipts are left` : undefined;
  })
  .advice('The message of the status canceled has the metadata of the payment as well: receipts stay.');

/** Delay of the facilitator's answer, ms; shorter than agents wait for it. */
const settlingMs = 2000;
/** Time for an agent to ask the facilitator to settle, ms. */
const beginningMs = 5000;

// In our words (x402, a2a-x402 v0.1, 6): A task canceled during settlement has a receipt when it was settled.
export const canceledSettling = check('x402/canceled-settling', 'x402.canceled-settling')
  .alone()
  .given('offered', x402.offered)
  .when('the client cancels a task while its payment settles', async (scene) => {
    const stub = stubOf(scene);
    const { offered, client, clock } = scene;
    const payment = await x402.rightPayment(scene, offered);
    const last = (await stub.calls()).at(-1)?.number ?? 0;
    await stub.setBehaviour({ behaviour: 'delay', on: 'settle', delayMs: settlingMs });
    try {
      const paying = x402.submit(scene, offered, payment, { hopeful: true });
      const isAsked = async () => (await stub.calls()).some(({ number, path }) => number > last && path === '/settle');
      for (let waited = 0; waited < beginningMs && !(await isAsked()); waited += 50) await sleep(clock, 50);
      if (!(await isAsked())) {
        await paying;
        throw new PreconditionUnmet('the agent did not ask the facilitator to settle');
      }
      const canceled = await client.call('cancel', { id: offered.task.id });
      await paying;
      await sleep(clock, settlingMs);
      const task = await readAgain(scene, offered.task.id);
      return { canceled, task, settled: (await settlementsOf(scene, payment)) ?? 0 };
    } finally {
      await stub.setBehaviour(undefined);
    }
  })
  .expects('show a receipt if the payment was settled', async ({ task, settled }, scene): Promise<Judgement> => {
    const { length } = x402.receiptsOf(task).filter(({ success }) => success === true);
    if (settled <= length) return undefined;
    const why = await receiptless(scene);
    if (why !== undefined) return inconclusive(`the agent settled the payment, and ${why}`);
    return `the payment was settled, and the task (${x402.standingOf(task)}) has no successful receipt`;
  })
  .advice('Refuse to cancel while the facilitator is at it, or write the receipt into the canceled task.');
