import { brief, check, conforms, ifMet, inconclusive, type Judgement, law, member } from '../../src/kit/index.js';
import { malformed } from './malformed.js';
import * as x402Text from './payments/index.js';
import { asErrors, inTasks, type Refused, refusals } from './refusals.js';
import * as x402 from './shared/index.js';

export * from './facilitator.js';

// How refused payments are reported. a2a-x402 v0.1 §6, §8; x402 A2A transport, Error Handling.

const noFailure = 'the agent refused no payment in a task';

// In our words (x402, x402 core v2, 6.1.2): A valid payment from a wallet without funds is refused.
export const unfunded = check('x402/unfunded', 'x402.unfunded')
  .given('control', x402.control)
  .when('an empty wallet pays', (scene) => scene.use(x402.unfunded))
  .expects('refuse the payment', (attempt, { control }) => x402.refusedPayment(attempt, control))
  .advice('Does the facilitator look at the chain? One that takes all payments is for tests.');

// In our words (x402, a2a-x402 v0.1, 8.1): The code of such a refusal is INSUFFICIENT_FUNDS.
export const unfundedCode = check('x402/unfunded-code', 'x402.unfunded-code')
  .when('an empty wallet pays', (scene) => scene.use(x402.unfunded))
  .expects('refuse the payment as INSUFFICIENT_FUNDS', (attempt) => {
    const said = x402.saidError(attempt);
    if (said === undefined) return inconclusive('the refusal has no error code');
    return x402.codeOf(attempt) === 'INSUFFICIENT_FUNDS' ? undefined : `the code is ${brief(said)}`;
  })
  .advice(
    'Translate insufficient_funds and invalid_exact_evm_insufficient_balance of the facilitator into INSUFFICIENT_FUNDS.',
  );

// In our words (x402, a2a-x402 v0.1, 8; a2a-x402 v0.2, 9; x402 A2A transport, Error Handling): A refused payment that
//   is answered with a task comes to the status payment-failed, or asks again.
export const failureStatus = check('x402/failure-status', 'x402.failure-status')
  .given('refused', refusals)
  .when('a wrong payment comes', async (scene) => {
    await ifMet(scene.use(malformed));
    const undecided = await x402.longestUndecided(scene);
    return { refused: scene.refused, undecided, exhibit: undecided?.exhibit };
  })
  .expects('state payment-failed, or ask again', ({ refused, undecided }) => {
    if (undecided !== undefined && x402.isStuck(undecided)) return x402.notDecided(undecided);
    const tasks = inTasks(refused);
    if (tasks.length === 0 && asErrors(refused).length === 0) {
      const open = refused[0];
      return inconclusive(
        open === undefined ? 'the agent refused no payment' : `${open.about}: ${x402.notDecided(open.attempt)}`,
      );
    }
    return x402.each(tasks, ({ task }): Judgement => {
      const isRight = task === undefined || ['payment-failed', 'payment-required'].includes(x402.statusOf(task) ?? '');
      return isRight ? undefined : `the task is ${x402.standingOf(task)}`;
    });
  })
  .advice('Whatever is wrong with a payment, set payment-failed, or ask for it again: no task stays at work for it.');

// In our words (x402, a2a-x402 v0.1, 6, 8; a2a-x402 v0.2, 7, 9; x402 A2A transport, Payment Metadata Keys): The status
//   payment-failed comes with `x402.payment.error`, a non-empty string.
export const failureError = conforms(
  'x402/failure-error',
  'x402.failure-error',
  'state an error code with payment-failed',
  {
    subject: 'the agent',
    otherwise: noFailure,
    advice:
      'Set x402.payment.error whenever you set payment-failed: a code such as INVALID_SIGNATURE, or SETTLEMENT_FAILED.',
  },
);

// In our words (x402, a2a-x402 v0.1, 8; a2a-x402 v0.2, 9): The status message of a failed payment says what happened.
export const failureText = check('x402/failure-text', 'x402.failure-text')
  .given('refused', refusals)
  .when('the agent refuses a payment', async ({ refused }) => refused)
  .expects('describe the failure in the message', (refused) => {
    const failures = refused.map(({ attempt }) => x402.failureIn(attempt)).filter((message) => message !== undefined);
    if (failures.length === 0) return inconclusive(noFailure);
    const silent = failures.find(({ parts }) => parts.length === 0);
    return silent === undefined ? undefined : `message ${brief(silent.messageId)} has no parts`;
  })
  .advice('Put a text part into status.message of the task: people read it, programs read the code.');

// In our words (x402, a2a-x402 v0.1, 8.1): The code says which defect the payment had.
export const failureCode = check('x402/failure-code', 'x402.failure-code')
  .given('refused', refusals)
  .when('a payment has one defect', async ({ refused }) => refused)
  .expects('report the matching error code', (refused) => {
    const coded = refused.filter(({ attempt }) => x402.saidError(attempt) !== undefined);
    if (coded.length === 0) return inconclusive('no refusal has an error code');
    const wrong = coded.find(({ attempt, codes }) => !codes.some((code) => code === x402.codeOf(attempt)));
    return wrong && `${wrong.about}: the code is ${brief(x402.saidError(wrong.attempt))}`;
  })
  .advice(
    'Codes: INSUFFICIENT_FUNDS, INVALID_SIGNATURE, EXPIRED_PAYMENT, DUPLICATE_NONCE, NETWORK_MISMATCH, INVALID_AMOUNT, SETTLEMENT_FAILED.',
  );

// In our words (x402, a2a-x402 v0.1, 8.1): The code is one of the list.
export const failureCodeListed = law(
  'x402/failure-code-listed',
  'x402.failure-code-listed',
  'name errors by the codes of the extension',
  {
    subject: 'the agent',
    otherwise: 'no error code came',
    advice:
      'Translate the reason of the facilitator into INVALID_SIGNATURE, EXPIRED_PAYMENT, INVALID_AMOUNT or another code of the extension.',
  },
  ({ documents }) => {
    const codes = documents
      .filter((document) => document.of === 'payment')
      .map(({ value }) => member(value, x402Text.metadataKeys.error))
      .filter((code) => typeof code === 'string' && code !== '');
    if (codes.length === 0) return 'not-concerned';
    const unknown = codes.find((code) => x402Text.errorCodeOf(code) === undefined);
    return unknown === undefined ? 'holds' : `${brief(unknown)} is none of the list`;
  },
);

/** Describes what is wrong with the receipt of a refusal; undefined when it is right. */
function failedReceipt({ attempt, networks }: Refused): string | undefined {
  const receipt = x402.newReceipts(attempt).at(-1);
  if (receipt === undefined) return 'the task has no receipt';
  const { success, transaction, network, errorReason } = receipt;
  if (success !== false) return `success of the receipt is ${brief(member(receipt.raw, 'success'))}`;
  if (transaction !== '') return `transaction of the receipt is ${brief(member(receipt.raw, 'transaction'))}`;
  if (errorReason === undefined || errorReason === '') return 'the receipt has no errorReason';
  return networks.includes(network ?? '')
    ? undefined
    : `network of the receipt is ${brief(network)}, and was not offered`;
}

// In our words (x402, a2a-x402 v0.1, 6; a2a-x402 v0.2, 7; x402 A2A transport, Payment Failure): A payment that was
//   refused leaves a receipt: success false, an errorReason, an empty transaction, the network of the offer.
export const failureReceipt = check('x402/failure-receipt', 'x402.failure-receipt')
  .given('refused', refusals)
  .when('the agent refuses a payment', async ({ refused }) => refused)
  .expects('leave a receipt of the failure', (refused) => {
    // No document says which network the receipt names when the payment names another one.
    const reported = inTasks(refused).filter(({ codes }) => !codes.includes('NETWORK_MISMATCH'));
    if (reported.length === 0) return inconclusive(noFailure);
    const wrong = reported.find((refused) => failedReceipt(refused) !== undefined);
    return wrong && `${wrong.about}: ${failedReceipt(wrong)}`;
  })
  .advice(
    'Append a receipt with success false, errorReason, transaction "" and the network of the offer, also where verification failed.',
  );

// In our words (x402, x402 A2A transport, Payment Status Lifecycle; a2a-x402 v0.1, 8; a2a-x402 v0.2, 9): The task of a
//   failed payment is not completed.
export const failureState = check('x402/failure-state', 'x402.failure-state')
  .given('refused', refusals)
  .when('the agent refuses a payment', async ({ refused }) => refused)
  .expects('not complete the task', (refused) => {
    const reported = refused.filter(({ attempt }) => x402.failureIn(attempt) !== undefined);
    if (reported.length === 0) return inconclusive(noFailure);
    const states = reported.flatMap(({ about, attempt: { seen } }) => seen.map((task) => ({ about, task })));
    const failed = states.filter(({ task }) => x402.statusOf(task) === 'payment-failed');
    const completed = failed.find(({ task }) => task.status.state === 'completed');
    return completed && `${completed.about}: the task is ${x402.standingOf(completed.task)}`;
  })
  .advice('Leave the task in input-required, or set it to failed: completed says that the work was done.');
