import { check, conforms, law, member } from '../../src/kit/index.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';
import { offered, ofOptional, receiptsIn, saidIn, tradeOf } from './tape.js';

// The form of all payment messages of the agent. a2a-x402 v0.1 §5.4, §6, §8.1; v0.2 §7; x402 core v2 §5.3.2.

const { metadataKeys } = x402Text;
const otherwise = 'the agent said nothing of payments';
const noReceipt = 'no receipt came';
const noFailure = 'the agent refused no payment with a receipt';

// In our words (x402, x402 A2A transport, Payment Status Lifecycle; a2a-x402 v0.1, 6): `x402.payment.status` is one of
//   the six texts.
export const statusKnown = conforms('x402/status-known', 'x402.status-known', 'be one of the six', {
  subject: 'every payment status',
  otherwise,
  advice:
    'Write payment-required, payment-submitted, payment-rejected, payment-verified, payment-completed or payment-failed, in these letters.',
});

// In our words (x402, a2a-x402 v0.2, 7): Every payment message has `x402.payment.status`.
export const statusCarried = ofOptional(
  conforms('x402/status-carried', 'x402.status-carried', 'have the payment status', {
    subject: 'every message about a payment',
    otherwise,
    advice: 'Set x402.payment.status whenever you set another key of a payment: clients look at it first.',
  }),
  // Messages with only a status are right.
  (reading) => saidIn(reading, metadataKeys.status).length > 0,
);

// In our words (x402, x402 A2A transport, Payment Metadata Keys; a2a-x402 v0.1, 6; a2a-x402 v0.2, 7):
//   `x402.payment.receipts` is an array, with one entry too.
export const receiptsArray = conforms(
  'x402/receipts-array',
  'x402.receipts-array',
  'give receipts as an array, also a single one',
  {
    subject: 'the agent',
    otherwise: noReceipt,
    advice: 'Write a list, and append to it: clients read all attempts there.',
  },
);

// In our words (x402, x402 core v2, 5.3.2; a2a-x402 v0.1, 5.4): A receipt is an object with the boolean `success`.
export const receiptShape = conforms(
  'x402/receipt-shape',
  'x402.receipt-shape',
  'say by a boolean whether it succeeded',
  {
    subject: 'every receipt',
    otherwise: noReceipt,
    advice: 'Write "success": true, without quotes, and false for a settlement that failed.',
  },
);

// In our words (x402, x402 core v2, 5.3.2; a2a-x402 v0.1, 5.4): `network` of a receipt is that of the payment, written
//   as in the offer.
const named = conforms('x402/receipt-network', 'x402.receipt-network', 'name the network as the offer does', {
  subject: 'every receipt',
  otherwise: noReceipt,
});
// In our words (x402, x402 core v2, 5.3.2; a2a-x402 v0.1, 5.4): `network` of a receipt is that of the payment, written
//   as in the offer.
export const receiptNetwork = law(
  'x402/receipt-network',
  'x402.receipt-network',
  'name in each receipt the network as the offer does',
  { otherwise: noReceipt, notes: [offered], advice: 'Copy the network of the option that was paid.' },
  (reading, target, tape) => {
    const judged = named.judge(reading, target, tape);
    const { paidNetworks } = tradeOf(tape);
    if (judged !== 'holds' || paidNetworks.size === 0) return judged;
    const wrong = receiptsIn(reading).find(({ success, network }) => success === true && !paidNetworks.has(network));
    if (wrong === undefined) return judged;
    return `the network of the receipt is ${wrong.network}, and ${[...paidNetworks].join(', ')} was paid`;
  },
);

// In our words (x402, x402 core v2, 5.3.2): The optional members of a receipt have their types when present.
export const receiptOptional = ofOptional(
  conforms('x402/receipt-optional', 'x402.receipt-optional', 'give its optional members the right types', {
    subject: 'every receipt',
    otherwise: noReceipt,
    advice: 'Write errorReason and amount as texts, extensions as an object. Leave out what is not set: no null.',
  }),
  (reading) => receiptsIn(reading).length > 0,
);

// In our words (x402, x402 core v1, 5.3.2): A receipt of version 1 has `payer`.
export const receiptPayerStated = check('x402/receipt-payer-stated', 'x402.receipt-payer-stated')
  .when('the client has paid an offer of version 1', async (scene) => {
    x402.ofVersion(1, await scene.use(x402.anOffer));
    return scene.use(x402.paidOnce);
  })
  .expects('name the payer in the receipt', (paid) => {
    const silent = x402.newSuccesses(paid).some(({ raw }) => member(raw, 'payer') === undefined);
    return silent ? 'the receipt has no payer' : undefined;
  })
  .advice('Copy payer from the answer of the facilitator, or authorization.from of the payment, into the receipt.');

// In our words (x402, x402 core v2, 5.3.2; a2a-x402 v0.1, 5.4): `transaction` of an unsuccessful receipt is an empty
//   string.
export const failedTransaction = conforms(
  'x402/failed-transaction',
  'x402.failed-transaction',
  'have an empty transaction, when it is unsuccessful',
  {
    subject: 'every receipt',
    otherwise: noFailure,
    advice: 'Write "transaction": "" where nothing was settled, instead of null or nothing.',
  },
);

// In our words (x402, x402 core v2, 5.3.2): An unsuccessful receipt has `errorReason`, a non-empty string.
export const failedReason = conforms(
  'x402/failed-reason',
  'x402.failed-reason',
  'say in errorReason why it failed, when it is unsuccessful',
  {
    subject: 'every receipt',
    otherwise: noFailure,
    advice:
      'Copy errorReason from the facilitator, or invalidReason where verification failed, and have a text where neither came.',
  },
);
