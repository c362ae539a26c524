import {
  check,
  type Judgement,
  plural,
  type Scene,
  sleep,
  Unproven,
  unproven,
  x402,
  type x402Text,
} from '../../src/kit/index.js';
import { afterwards, labOf, settlementsOf, successesOf, wrapped } from './again.js';

// Payments that come at the same time. a2a-x402 v0.1 §9.

const claimAdvice =
  'Take the nonce in one step, before anything is awaited; whoever comes second is refused, or waits for the first.';

interface Race {
  readonly attempts: readonly x402.Attempt[];
  /** Of all its payments, in the log of the kit's facilitator; undefined where that is not asked. */
  readonly settled: number | undefined;
}

/** Why nothing was taken: what is open counts before what was refused. */
function nothing(scene: Scene, attempts: readonly x402.Attempt[]): Judgement {
  const judgements = attempts.map(x402.paid(scene));
  const open = judgements.find((one) => one instanceof Unproven);
  if (open instanceof Unproven) return unproven(`none was taken: ${open.reason}`);
  const [first] = judgements.filter((one) => typeof one === 'string');
  return `none was taken: ${first ?? 'no receipt came'}`;
}

const times = (count: number): string => (count === 0 ? 'no settlement' : `${count} settlements`);

const copies = 10;

export const sameTask = check('x402/race-same-task', 'x402.race-same-task')
  .given('offered', x402.offered)
  .when(`${copies} copies of one payment come to its task at once`, async (scene): Promise<Race> => {
    const { payment } = await x402.signFunded(scene, scene.offered);
    const send = () => x402.submit(scene, scene.offered, payment, { hopeful: true });
    const attempts = await afterwards(scene, await Promise.all(Array.from({ length: copies }, send)));
    return { attempts, settled: await settlementsOf(scene, payment) };
  })
  .expects('be paid once', ({ attempts, settled }, scene): Judgement => {
    const receipts = successesOf(attempts);
    if (receipts > 1) return `${receipts} successful receipts came of one payment`;
    if (receipts === 0 && settled === 1) return 'the payment was settled, and the task has no successful receipt';
    if (receipts === 0) return nothing(scene, attempts);
    return settled === undefined || settled === 1 ? undefined : `a receipt came, and there was ${times(settled)}`;
  })
  .advice(claimAdvice)
  .killedBy('x402-claims-await', 'x402-nonces-forgotten-at-once');

const tasks = 5;

export const otherTasks = check('x402/race-other-tasks', 'x402.race-other-tasks')
  .given('first', x402.offered)
  .when(`one payment comes to ${tasks} tasks at once`, async (scene): Promise<Race> => {
    const others: x402.Offered[] = [];
    while (others.length < tasks - 1) others.push(await scene.use(x402.offered));
    const { payment, option } = await x402.signFunded(scene, scene.first);
    const sent = [scene.first, ...others].map((given) => [given, wrapped(payment, option, given)] as const);
    const attempts = await Promise.all(
      sent.map(([given, payload]) => x402.submit(scene, given, payload, { hopeful: true })),
    );
    return { attempts: await afterwards(scene, attempts), settled: await settlementsOf(scene, payment) };
  })
  .expects('pay one of them', ({ attempts, settled }, scene): Judgement => {
    const contents = attempts.filter((one) => x402.newSuccesses(one).length > 0).flatMap(x402.contentsOf);
    const taken = attempts.filter((one) => x402.acceptance(one, contents) !== undefined).length;
    if (taken > 1) return `the work was done for ${taken} of ${tasks} tasks`;
    if (taken === 0) {
      const why = nothing(scene, attempts);
      return typeof why === 'string' ? unproven(why) : why;
    }
    return settled === undefined || settled === 1 ? undefined : `one task was paid, and there was ${times(settled)}`;
  })
  .advice(claimAdvice)
  .killedBy('x402-claims-await', 'x402-nonces-forgotten', 'x402-memory-per-task');

export const twoPayments = check('x402/race-two-payments', 'x402.race-two-payments')
  .given('offered', x402.offered)
  .when('two payments for one task come at once', async (scene): Promise<Race> => {
    labOf(scene);
    const payments: readonly x402Text.PaymentPayload[] = [
      await x402.rightPayment(scene, scene.offered),
      await x402.rightPayment(scene, scene.offered),
    ];
    const attempts = await Promise.all(
      payments.map((payment) => x402.submit(scene, scene.offered, payment, { hopeful: true })),
    );
    // A settlement that nobody waits for is still a settlement.
    await sleep(scene.clock, 1000);
    const settled = await Promise.all(payments.map(async (payment) => (await settlementsOf(scene, payment)) ?? 0));
    return { attempts: await afterwards(scene, attempts), settled: settled.reduce((sum, one) => sum + one, 0) };
  })
  .expects('be settled once, or both listed', ({ attempts, settled = 0 }, scene): Judgement => {
    const receipts = successesOf(attempts);
    if (settled > receipts)
      return `${plural(settled, 'payment was', 'payments were')} settled, and ${plural(receipts, 'receipt says', 'receipts say')} so`;
    return settled === 0 ? asOpen(nothing(scene, attempts)) : undefined;
  })
  .advice('Refuse a payment while another one of the task is under way, or list both.')
  .killedBy('x402-second-payment-unlisted');

const asOpen = (judgement: Judgement): Judgement => (typeof judgement === 'string' ? unproven(judgement) : judgement);
