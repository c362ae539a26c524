import {
  check,
  comesAgain,
  type Exchange,
  Inconclusive,
  inconclusive,
  type Judgement,
  plural,
  type Scene,
  sleep,
} from '../../src/kit/index.js';
import { afterwards, receiptless, settlementsOf, stubOf, successesOf, wrapped } from './again.js';
import type * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';

// Concurrent payments. a2a-x402 v0.1 §9.

const claimAdvice =
  'Take the nonce in one step, before anything is awaited; refuse the second payment, or let it wait for the first.';

interface Race {
  readonly attempts: readonly x402.Attempt[];
  /** Settlements of all its payments, in the log of the kit's facilitator; undefined where that is not read. */
  readonly settled: number | undefined;
  readonly exhibit: Exchange | undefined;
}

/** Why no payment was accepted: an unproven judgement comes before a failure. */
function nothing(scene: Scene, attempts: readonly x402.Attempt[]): Judgement {
  const judgements = attempts.map(x402.taken(scene));
  const open = judgements.find((judgement) => judgement instanceof Inconclusive);
  if (open instanceof Inconclusive) return inconclusive(`the agent accepted none of the payments: ${open.reason}`);
  const [first] = judgements.filter((judgement) => typeof judgement === 'string');
  return `none was taken: ${first ?? 'no receipt came'}`;
}

const times = (count: number): string => (count === 0 ? 'no settlement' : `${count} settlements`);

/**
 * No receipt came. Other checks report a missing receipt on a single payment; here the settlements show how often the
 * agent took the payment.
 */
function unreceipted(scene: Scene, attempts: readonly x402.Attempt[], settled: number | undefined): Judgement {
  const delivered = attempts.find((attempt) => x402.acceptance(attempt, []) !== undefined);
  if (delivered === undefined)
    return settled === 1 ? 'the payment was settled, and nothing came of it' : nothing(scene, attempts);
  if (settled === 1) return undefined;
  const why = x402.noReceipt(delivered);
  return settled === 0
    ? `${why}, and there was ${times(settled)}`
    : inconclusive(`the kit cannot count the settlements: ${why}`);
}

const copies = 10;

/**
 * With play money the race is repeated, to see whether it ends in the same way. The user's money is spent only once.
 */
const repeating =
  (race: (scene: Scene) => Promise<Race>, judge: (race: Race, scene: Scene) => Judgement | Promise<Judgement>) =>
  (first: Race, scene: Scene): Promise<Judgement> =>
    comesAgain(
      first,
      (seen) => judge(seen, scene),
      x402.x402Of(scene).stub === undefined ? undefined : () => race(scene),
    );

async function payCopies(scene: Scene): Promise<Race> {
  const given = await scene.use(x402.offered);
  const { payment } = await x402.signFunded(scene, given);
  const send = () => x402.submit(scene, given, payment, { hopeful: true });
  const attempts = await afterwards(scene, await Promise.all(Array.from({ length: copies }, send)));
  return { attempts, settled: await settlementsOf(scene, payment), exhibit: attempts[0]?.exhibit };
}

// In our words (x402, a2a-x402 v0.1, 9): Copies of one payload that come at once are paid once.
export const sameTask = check('x402/race-same-task', 'x402.race-same-task')
  .when('10 copies of one payment come to its task at once', payCopies)
  .expects(
    'accept the payment once',
    repeating(payCopies, ({ attempts, settled }, scene): Judgement => {
      const receipts = successesOf(attempts);
      if (receipts > 1) return `${receipts} successful receipts came of one payment`;
      if (settled !== undefined && settled > 1) return `there were ${times(settled)} of one payment`;
      if (receipts === 0) return unreceipted(scene, attempts, settled);
      return settled === undefined || settled === 1 ? undefined : `a receipt came, and there was ${times(settled)}`;
    }),
  )
  .advice(claimAdvice);

const tasks = 5;

async function payOthers(scene: Scene): Promise<Race> {
  const first = await scene.use(x402.offered);
  const others: x402.Offered[] = [];
  while (others.length < tasks - 1) others.push(await scene.use(x402.offered));
  const { payment, option } = await x402.signFunded(scene, first);
  const sent = [first, ...others].map((given) => [given, wrapped(scene, payment, option, given)] as const);
  const attempts = await Promise.all(
    sent.map(([given, payload]) => x402.submit(scene, given, payload, { hopeful: true })),
  );
  const settled = await settlementsOf(scene, payment);
  return { attempts: await afterwards(scene, attempts), settled, exhibit: attempts[0]?.exhibit };
}

// In our words (x402, a2a-x402 v0.1, 9): Copies of one payload for several tasks pay at most one.
export const otherTasks = check('x402/race-other-tasks', 'x402.race-other-tasks')
  .when('one payment comes to 5 tasks at once', payOthers)
  .expects(
    'accept the payment for one of them',
    repeating(payOthers, ({ attempts, settled }, scene): Judgement => {
      const contents = attempts.filter((attempt) => x402.newSuccesses(attempt).length > 0).flatMap(x402.contentsOf);
      const taken = attempts.filter((attempt) => x402.acceptance(attempt, contents) !== undefined).length;
      if (taken > 1) return `the work was done for ${taken} of ${tasks} tasks`;
      if (taken === 0) {
        const why = nothing(scene, attempts);
        return typeof why === 'string' ? inconclusive(why) : why;
      }
      return settled === undefined || settled === 1 ? undefined : `one task was paid, and there was ${times(settled)}`;
    }),
  )
  .advice(claimAdvice);

async function payTwice(scene: Scene): Promise<Race> {
  stubOf(scene);
  const given = await scene.use(x402.offered);
  const payments: readonly x402Text.PaymentPayload[] = [
    await x402.rightPayment(scene, given),
    await x402.rightPayment(scene, given),
  ];
  const attempts = await Promise.all(payments.map((payment) => x402.submit(scene, given, payment, { hopeful: true })));
  // The agent may settle after its answer.
  await sleep(scene.clock, 1000);
  const settled = await Promise.all(payments.map(async (payment) => (await settlementsOf(scene, payment)) ?? 0));
  const all = settled.reduce((sum, count) => sum + count, 0);
  return { attempts: await afterwards(scene, attempts), settled: all, exhibit: attempts[0]?.exhibit };
}

// In our words (x402, a2a-x402 v0.1, 9): Of two payments at once for one task at most one is settled, or both are
//   listed.
export const twoPayments = check('x402/race-two-payments', 'x402.race-two-payments')
  .when('two payments for one task come at once', payTwice)
  .expects(
    'settle one of them, or list both',
    repeating(payTwice, async ({ attempts, settled = 0 }, scene): Promise<Judgement> => {
      const receipts = successesOf(attempts);
      const why = settled > 1 && receipts === 0 ? await receiptless(scene) : undefined;
      if (why !== undefined)
        return inconclusive(`${plural(settled, 'payment was', 'payments were')} settled, and ${why}`);
      if (settled > 1 && settled > receipts)
        return `${plural(settled, 'payment was', 'payments were')} settled, and ${plural(receipts, 'receipt says', 'receipts say')} so`;
      return settled === 0 ? asOpen(nothing(scene, attempts)) : undefined;
    }),
  )
  .advice('Refuse a payment while another one of the task is under way, or list both.');

const asOpen = (judgement: Judgement): Judgement =>
  typeof judgement === 'string' ? inconclusive(judgement) : judgement;
