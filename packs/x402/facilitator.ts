import {
  brief,
  check,
  inconclusive,
  isObject,
  isTerminal,
  type Judgement,
  member,
  NotApplicable,
  PreconditionUnmet,
  type Scene,
  source,
} from '../../src/kit/index.js';
import { stubOf } from './again.js';
import { callsAbout, during, isSettled, nonceIn, nonceOf } from './attempts.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';

// How an agent uses its facilitator, also one that fails. x402 core v2 §5.3, §6.1, §7; a2a-x402 v0.1 §6.

const wasAsked = (calls: readonly x402Text.FacilitatorCall[], path: string): boolean =>
  calls.some((call) => call.path === path);
const notAsked = 'the agent did not ask its facilitator to settle';

/** Sends a correct payment, with play money, while the facilitator fails. */
async function paidDuring(scene: Scene, order: x402Text.FacilitatorOrder): Promise<x402.Attempt> {
  stubOf(scene);
  const given = await scene.use(x402.offered);
  const payment = await x402.rightPayment(scene, given);
  return during(scene, { ...order, sticky: true }, () => x402.submit(scene, given, payment, { hopeful: true }));
}

/** Shared: payments that could not be settled. Throws `PreconditionUnmet` when the agent never tried to settle. */
const unsettled = source('payments that could not be settled', async (scene) => {
  const tried: x402.Tried[] = [];
  for (const [about, behaviour] of [
    ['a transaction that fails', 'settle-fails'],
    ['a facilitator that calls every payment valid, and settles none', 'valid-then-fail'],
  ] as const) {
    const attempt = await paidDuring(scene, { behaviour });
    if (wasAsked(await callsAbout(scene, nonceIn(attempt)), '/settle')) tried.push({ about, attempt });
  }
  if (tried.length === 0) throw new PreconditionUnmet(notAsked);
  return tried;
});

// In our words (x402, a2a-x402 v0.1, 4.5; x402 A2A transport, Payment Failure): A payment that could not be settled
//   does not count as a payment.
export const settleFailure = check('x402/settle-failure', 'x402.settle-failure')
  .given('control', x402.control)
  .alone()
  .when('a payment cannot be settled', (scene) => scene.use(unsettled))
  .expects('refuse them, and give nothing of the work', (tried, { control }) =>
    x402.each(tried, (attempt) => x402.refusedPayment(attempt, control)),
  )
  .advice('Work may be done before the settlement, but must be kept back until it has succeeded.');

const showsFailure = (receipts: readonly x402Text.Receipt[]): boolean =>
  receipts.some(({ success }) => success === false);

interface Unsettled extends x402.Tried {
  /**
   * For a task that stayed open and does not show the failure: a correct payment, after which its message is the final
   * one.
   */
  readonly next: x402.Attempt | undefined;
}

/** Receipts are in the final message, and an open task has not had it yet. a2a-x402 v0.1 §4.5, v0.2 §7. */
async function paidOn(scene: Scene, attempt: x402.Attempt): Promise<x402.Attempt | undefined> {
  const { task, before, word, asked, exhibit } = attempt;
  const isKnown = x402.acceptance(attempt, []) !== undefined || showsFailure(x402.newReceipts(attempt));
  if (isKnown || task?.id !== before.id || task.status.state !== 'input-required') return undefined;
  const offer = x402.offerOf(task) ?? x402.offerOf(before);
  const [option] = offer === undefined ? [] : x402Text.payable(offer);
  if (offer === undefined || option === undefined) return undefined;
  const given = { word, asked, task, offer, option, exhibit };
  return x402.submit(scene, given, await x402.rightPayment(scene, given), { hopeful: true });
}

function shownInTheEnd(next: x402.Attempt): Judgement {
  const { task } = next;
  const isFinal = task !== undefined && isTerminal(task.status.state) && task.id === next.before.id;
  if (!isFinal || x402.acceptance(next, []) === undefined)
    return inconclusive('the task stays open, and a further payment did not end it: no final message came');
  return showsFailure(x402.receiptsOf(task))
    ? undefined
    : `the final message (${x402.standingOf(task)}) shows no receipt with success false`;
}

// In our words (x402, a2a-x402 v0.1, 6): An attempt to settle that failed is in the receipts.
export const settleFailureReceipt = check('x402/settle-failure-receipt', 'x402.settle-failure-receipt')
  .given('control', x402.control)
  .alone()
  .when('a payment cannot be settled', async (scene): Promise<readonly Unsettled[]> => {
    const seen: Unsettled[] = [];
    for (const tried of await scene.use(unsettled)) seen.push({ ...tried, next: await paidOn(scene, tried.attempt) });
    return seen;
  })
  .expects('show a receipt of each attempt in the final message', (tried) => {
    const judged = new Map(tried.map((unsettled) => [unsettled.attempt, unsettled.next] as const));
    return x402.each(tried, (attempt): Judgement => {
      const { task, decided, outcome } = attempt;
      if (x402.acceptance(attempt, []) !== undefined) return inconclusive('the agent accepted the payment');
      if (task === undefined || (outcome.kind === 'result' && !decided))
        return inconclusive('the answer does not state the result of the payment');
      if (showsFailure(x402.newReceipts(attempt))) return undefined;
      const next = judged.get(attempt);
      if (next !== undefined) return shownInTheEnd(next);
      return isTerminal(task.status.state)
        ? `the task (${x402.standingOf(task)}) shows no receipt with success false`
        : inconclusive(`raise --x402-timeout: the task is still ${x402.standingOf(task)}, and no final message came`);
    });
  })
  .advice(
    'When settle fails, append a receipt with success false and errorReason, and keep it when the task is paid after that.',
  );

/** Failures of the facilitator, on either call. */
const troubles = (['down', 'delay', 'http-500', 'html', 'invalid-json'] as const).flatMap((behaviour) =>
  (['verify', 'settle'] as const).map((on): x402Text.FacilitatorOrder => ({ behaviour, on })),
);

// In our words (x402, x402 core v2, 7): A facilitator that is down, slow, or answers rubbish stops the payment, not the
//   agent.
export const facilitatorFailure = check('x402/facilitator-failure', 'x402.facilitator-failure')
  .given('control', x402.control)
  .alone()
  .when('the facilitator is down, slow, or answers garbage', async (scene) => {
    const tried = [];
    for (const order of troubles) {
      const attempt = await paidDuring(scene, order);
      // An agent may also wait for a slow facilitator until the payment is settled.
      tried.push({
        about: `${order.on}: ${order.behaviour}`,
        attempt,
        settled: await isSettled(scene, nonceIn(attempt)),
      });
    }
    return tried;
  })
  .expects('refuse the payment, end its task', (tried, { control }) =>
    x402.each(
      tried.filter(({ attempt, settled }) => !settled || x402.acceptance(attempt, []) === undefined),
      (attempt) => {
        const { outcome, task, decided } = attempt;
        const judgement = x402.refusedPayment(attempt, control);
        const isStuck = outcome.kind === 'result' && task !== undefined && !decided;
        return typeof judgement !== 'string' && isStuck ? `the task is still ${x402.standingOf(task)}` : judgement;
      },
    ),
  )
  .expects('accept payments again afterwards', async (_, scene) => {
    if (scene.control.kind !== 'paid')
      return inconclusive(scene.control.kind === 'none' ? scene.control.reason : 'the kit paid nothing');
    return x402.taken(scene)(await x402.payFunded(scene, await scene.use(x402.offered)));
  })
  .advice(
    'Give up after some seconds, fail the payment, and read nothing into an answer that is not JSON as documented.',
  );

// In our words (x402, x402 core v2, 7): A settlement that is pending is settled by the same call again, and is not
//   delivered before.
export const settlementPending = check('x402/settlement-pending', 'x402.settlement-pending')
  .given('control', x402.control)
  .alone()
  .when('a settlement is pending', async (scene) => {
    const attempt = await paidDuring(scene, { behaviour: 'settlement-pending-once' });
    const nonce = nonceIn(attempt);
    if (!wasAsked(await callsAbout(scene, nonce), '/settle')) throw new PreconditionUnmet(notAsked);
    return { attempt, settled: await isSettled(scene, nonce) };
  })
  .expects('ask again and then deliver, or refuse', ({ attempt, settled }, { control }) => {
    const taken = x402.acceptance(attempt, control.contents);
    if (taken !== undefined) return settled ? undefined : `${taken}, and it is not settled`;
    return x402.refusedPayment(attempt, control);
  })
  .advice(
    'Send the same settle call once more where the answer is settlement_pending, and deliver only after success true.',
  );

/** The agent's calls to its facilitator about a payment. Throws `PreconditionUnmet` when there are none. */
const askedAbout = source('what the facilitator was asked about a payment', async (scene) => {
  const { payment, before, option } = await scene.use(x402.funded);
  const calls = await callsAbout(scene, nonceOf(payment));
  const all = (await stubOf(scene).calls()).filter(({ path }) => path === '/verify' || path === '/settle');
  // Where no call has the payment in the right member, calls without that member are judged.
  const nameless = all.filter(({ request }) => !isObject(member(request, 'paymentPayload')));
  if (calls.length === 0 && nameless.length === 0)
    throw new PreconditionUnmet('the agent did not ask its facilitator about the payment');
  return { calls: calls.length > 0 ? calls : nameless, offer: x402.offerOf(before), option };
});

/** Two requirements are the same if these members are equal; the case of addresses does not matter. */
const core = ['scheme', 'network', 'asset', 'payTo', 'amount', 'maxAmountRequired'] as const;
const alike = (item: unknown, other: unknown): boolean =>
  core.every((name) => lower(member(item, name)) === lower(member(other, name)));
const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

// In our words (x402, x402 core v2, 7; x402 core v1, 7): Calls to the facilitator have x402Version, paymentPayload and
//   paymentRequirements, the latter as offered.
export const facilitatorRequest = check('x402/facilitator-request', 'x402.facilitator-request')
  .given('asked', askedAbout)
  .when('the agent asks its facilitator about a payment', async ({ asked }) => asked)
  .expects('send version, payload and what was offered', ({ calls, offer }, scene) => {
    const { inspector } = x402.x402Of(scene);
    for (const { path, request } of calls) {
      const { findings } = inspector.inspect('facilitator.schema.json#/$defs/verify.request', request);
      const finding = findings.find(({ rule }) => rule === 'x402.facilitator-request');
      if (finding !== undefined) return `${path}: ${finding.path} ${finding.message}: ${finding.seen}`;
      if (offer === undefined) continue;
      const version = member(request, 'x402Version');
      if (version !== offer.x402Version)
        return `${path}: x402Version is ${brief(version)}, and the offer is of ${offer.x402Version}`;
      const wanted = member(request, 'paymentRequirements');
      if (!offer.options.some(({ raw }) => alike(raw, wanted)))
        return `${path}: paymentRequirements were not offered: ${brief(wanted)}`;
    }
    return undefined;
  })
  .advice(
    'Send {"x402Version", "paymentPayload", "paymentRequirements"}: the payment as it came, and the option that you offered and kept.',
  );

// In our words (x402, x402 core v2, 6.1.2, 7): A payment is verified before it is settled, unless it is paid before the
//   work (`extra.paymentFlow` upfront).
export const verifiedBeforeSettled = check('x402/verified-before-settled', 'x402.verified-before-settled')
  .given('asked', askedAbout)
  .when('the agent asks its facilitator about a payment', async ({ asked }) => {
    if (x402Text.flowOf(asked.option) === 'authorization') return asked;
    throw new NotApplicable('it is paid before the work, and settles a payment without asking whether it is valid');
  })
  .expects('have the payment verified before it is settled', ({ calls }) => {
    const settle = calls.find(({ path }) => path === '/settle');
    if (settle === undefined) return inconclusive(notAsked);
    const isVerified = calls.some(({ path, number }) => path === '/verify' && number < settle.number);
    return isVerified ? undefined : 'it was settled without being verified';
  })
  .advice('Call /verify first, and /settle only where isValid is true.');
