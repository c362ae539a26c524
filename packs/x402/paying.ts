import { isDeepStrictEqual as alike } from 'node:util';
import {
  check,
  conforms,
  inconclusive,
  isObject,
  type Judgement,
  member,
  NotApplicable,
  PreconditionUnmet,
  type Scene,
} from '../../src/kit/index.js';
import { stubOf } from './again.js';
import { paidInVain } from './attempts.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';

// Correct payments. a2a-x402 v0.1 §4.5, §6; x402 A2A transport; x402 core v2 §5.3.

const settledElsewhere = "the agent did not ask the kit's facilitator about the payment and may settle elsewhere";

// In our words (x402, x402 A2A transport, Settlement Response Delivery; a2a-x402 v0.1, 4.5): A valid payment is taken:
//   status payment-completed, and the work is delivered.
export const paid = check('x402/paid', 'x402.paid')
  .when('the client pays what the agent asks for', (scene) => scene.use(x402.funded))
  .expects('accept the payment and do the work', (attempt, scene) => {
    const judgement = x402.taken(scene)(attempt);
    if (judgement !== undefined) return judgement;
    const { task, settling, seen } = attempt;
    if (settling?.asked === false) return inconclusive(`the agent accepted the payment, and ${settledElsewhere}`);
    if (settling !== undefined && settling.transaction === undefined)
      return 'the payment was taken, and the facilitator was not asked to settle it';
    if (task && x402.statusOf(task) === 'payment-required')
      return inconclusive('the agent charges again for the next step');
    if (task && !seen.some((task) => x402.statusOf(task) === 'payment-completed'))
      return `the work was delivered, and no status says payment-completed: the task is ${x402.standingOf(task)}`;
    const inVain = paidInVain(attempt);
    if (inVain !== undefined) return inVain;
    if (task?.status.state !== 'completed') return `the task is ${task && x402.standingOf(task)} in the end`;
    return x402.saidBy(task).some((text) => text !== '') ? undefined : 'neither an artifact nor a message came of it';
  })
  .advice('Find the offer by the task id, verify, settle, then complete the task with the receipt and the result.');

// In our words (x402, a2a-x402 v0.1, 6): One payment has one successful receipt.
export const receiptSingle = check('x402/receipt-single', 'x402.receipt-single')
  .when('the client has paid once', (scene) => scene.use(x402.funded))
  .expects('show one successful receipt', (attempt, scene): Judgement => {
    const open = x402.taken(scene)(attempt);
    if (open !== undefined) return typeof open === 'string' ? inconclusive(open) : open;
    const { length } = x402.newSuccesses(attempt);
    if (length === 0) return x402.noReceipt(attempt);
    return length === 1 ? undefined : `${length} successful receipts came of one payment`;
  })
  .advice('Receipts are a history: each attempt to settle adds one, and nothing else does.');

// In our words (x402, x402 core v2, 5.3.2; a2a-x402 v0.1, 5.4): A successful receipt has `transaction`, on EVM the hash
//   of a transaction.
export const receiptTransaction = conforms(
  'x402/receipt-transaction',
  'x402.receipt-transaction',
  'name its transaction, when it is successful',
  {
    subject: 'every receipt',
    otherwise: 'no successful receipt came',
    advice: 'Pass on what the facilitator answered: on EVM, 0x and the 64 digits of the hash.',
  },
);

// In our words (x402, x402 core v2, 5.3.2; a2a-x402 v0.1, 5.4): A successful receipt has `transaction`, on EVM the hash
//   of a transaction.
export const receiptSettlement = check('x402/receipt-settlement', 'x402.receipt-transaction')
  .when('the client has paid with play money', async (scene) => {
    stubOf(scene);
    return scene.use(x402.paidOnce);
  })
  .expects('name the transaction by which the payment was settled', (attempt): Judgement => {
    const { settling } = attempt;
    if (settling?.asked !== true) return inconclusive(settledElsewhere);
    const named = x402.newSuccesses(attempt).map(({ transaction = '' }) => transaction.toLowerCase());
    const { transaction } = settling;
    if (transaction === undefined) return `the receipt names ${named.at(-1)}, and the payment was not settled`;
    return named.includes(transaction.toLowerCase())
      ? undefined
      : `the receipt names ${named.at(-1)}, and the payment was settled by ${transaction}`;
  })
  .advice('Pass on the transaction that the facilitator answered to /settle.');

// In our words (x402, x402 core v2, 5.3.2; x402 core v1, 5.3.2): `payer` of a receipt is the wallet that paid.
export const receiptPayer = check('x402/receipt-payer', 'x402.receipt-payer')
  .when('the client has paid', (scene) => scene.use(x402.paidOnce))
  .expects('name the wallet that paid, where it names a payer', (attempt, scene): Judgement => {
    const { from } = attempt.payment.payload.authorization;
    for (const { raw } of attempt.task === undefined ? [] : x402.receiptsOf(attempt.task)) {
      const { findings } = x402.x402Of(scene).inspector.inspect('settlement-response.schema.json', raw);
      const broken = findings.find(({ rule }) => rule === 'x402.receipt-payer');
      if (broken !== undefined) return `the receipt${broken.path} ${broken.message}: ${broken.seen}`;
    }
    const wrong = x402
      .newSuccesses(attempt)
      .map(({ raw }) => member(raw, 'payer'))
      .find((payer) => payer !== undefined && payer !== null && !isWallet(payer, from));
    return wrong === undefined ? undefined : `the payer of the receipt is ${JSON.stringify(wrong)}, and ${from} paid`;
  })
  .advice('The payer is the `from` of the authorization.');

const isWallet = (payer: unknown, wallet: string): boolean =>
  typeof payer === 'string' && x402Text.sameAddress(payer, wallet);

// In our words (x402, a2a-x402 v0.1, 6): A completed payment shows no `x402.payment.error`, and offer and payload only
//   as they were.
export const paidWithoutError = check('x402/paid-without-error', 'x402.paid-without-error')
  .when('the client has paid', (scene) => scene.use(x402.paidOnce))
  .expects('show no error, and neither another offer nor another payment', (attempt): Judgement => {
    const { before, metadata, seen } = attempt;
    const offered = member(x402.paymentOf(before), x402Text.metadataKeys.required);
    for (const task of seen.filter((task) => x402.statusOf(task) === 'payment-completed')) {
      const said = x402.paymentOf(task);
      const error = x402.errorOf(task);
      if (error !== undefined && error !== null)
        return `${x402.standingOf(task)} has the error ${JSON.stringify(error)}`;
      const [offer, payload] = [x402Text.metadataKeys.required, x402Text.metadataKeys.payload].map((key) =>
        member(said, key),
      );
      if (isObject(offer) && !alike(offer, offered)) return `${x402.standingOf(task)} has another offer than was paid`;
      if (isObject(payload) && !alike(payload, member(metadata, x402Text.metadataKeys.payload)))
        return `${x402.standingOf(task)} has another payment than was sent`;
    }
    return undefined;
  })
  .advice('Leave the error of an earlier attempt out of the message that says payment-completed.');

/** At most so many options of an offer are paid. */
const mostOptions = 8;

// In our words (x402, x402 core v2, 5.1.2): Every option of the offer can be paid.
export const optionsPayable = check('x402/options-payable', 'x402.options-payable')
  .given('first', x402.offered)
  .when(
    'the client pays each option of an offer, on a task of its own',
    async (scene): Promise<readonly x402.Tried[]> => {
      stubOf(scene);
      const tried: x402.Tried[] = [];
      const count = Math.min(usableOf(scene.first).length, mostOptions);
      for (let at = 0; at < count; at++) {
        const given = at === 0 ? scene.first : await scene.use(x402.offered);
        const only = usableOf(given)[at];
        if (only === undefined) throw new PreconditionUnmet('the agent offers other options each time', given.exhibit);
        const about = `option ${given.offer.options.indexOf(only) + 1}, ${only.amount} of ${only.asset} on ${only.network}`;
        tried.push({ about, attempt: await x402.payFunded(scene, given, { only }) });
      }
      return tried;
    },
  )
  .expects('accept each payment', (tried, scene) => x402.each(tried, x402.taken(scene)))
  .advice('Match a payment against every option of the offer, not against the first.');

const usableOf = ({ offer }: x402.Offered): readonly x402Text.Option[] => x402Text.payable(offer);

/** Pays with a correct payment in another spelling. */
async function rewritten(scene: Scene, given: x402.Offered, how: keyof typeof x402Text.rewritings) {
  const payment = x402Text.rewritings[how](await x402.rightPayment(scene, given));
  return x402.submit(scene, given, payment, { hopeful: true });
}

// In our words (x402, x402 core v2, 5.2.2): The order of members does not matter, nor does one more member in
//   `accepted.extra`.
export const payloadReordered = check('x402/payload-reordered', 'x402.payload-reordered')
  .given('first', x402.offered)
  .when('a payment has its members in another order, or one more', async (scene) => {
    stubOf(scene);
    x402.ofVersion(2, scene.first);
    return [
      { about: 'members in reversed order', attempt: await rewritten(scene, scene.first, 'reordered') },
      {
        about: 'one more member in accepted.extra',
        attempt: await rewritten(scene, await scene.use(x402.offered), 'extraMember'),
      },
    ];
  })
  .expects('accept it', (tried, scene) => x402.each(tried, x402.taken(scene)))
  .advice('Compare `accepted` member by member: order means nothing in JSON, and the offered extra is the least.');

// In our words (x402, x402 core v2, 5.2.2): `resource` of a payload is optional.
export const payloadWithoutResource = check('x402/payload-without-resource', 'x402.payload-without-resource')
  .given('offered', x402.offered)
  .when('a payment has no resource', async (scene) => {
    stubOf(scene);
    x402.ofVersion(2, scene.offered);
    if (scene.offered.offer.resource === undefined) throw new NotApplicable('the offer has no resource to leave out');
    return rewritten(scene, scene.offered, 'withoutResource');
  })
  .expects('accept it', (attempt, scene) => x402.taken(scene)(attempt))
  .advice('`resource` of a payment is optional: the task says what is paid.');
