import {
  check,
  describe,
  Inconclusive,
  inconclusive,
  isServerError,
  type JsonObject,
  type Judgement,
  type Scene,
  source,
  type Task,
} from '../../src/kit/index.js';
import { nothingPaid, refusedAnyway, type Unpaid, unpaid, usable } from './attempts.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';

// Of a client's statements about a payment, only its payload and its rejection count. a2a-x402 v0.1 §4.4, §4.5, §6, §9.

const { metadataKeys } = x402Text;
const claim = (status: unknown, more: JsonObject = {}): JsonObject => ({ [metadataKeys.status]: status, ...more });

// In our words (x402, a2a-x402 v0.2, 7; x402 A2A transport, Payment Payload Transmission): A submission without a
//   payload pays nothing.
export const submittedWithoutPayload = check('x402/submitted-without-payload', 'x402.submitted-without-payload')
  .given('control', nothingPaid)
  .given('unpaid', unpaid)
  .when('the client says that it has paid, and sends no payload', (scene) =>
    x402.submitRaw(scene, scene.unpaid, claim('payment-submitted')),
  )
  .expects('refuse the message, or ask for payment again', (attempt, { control }) =>
    x402.refusedPayment(attempt, control),
  )
  .advice('Verify x402.payment.payload, not the status: where it is missing, refuse the message or ask again.');

/** A well-formed receipt of a payment that was never made. */
function forgedReceipt(given: Unpaid, transaction: string, payer: string): JsonObject {
  return { success: true, transaction, network: given.offer.options[0]?.network ?? '', payer };
}

/** A payment to be refused, so that the agent shows the receipts that it keeps. */
const wrongly = async (scene: Scene, given: Unpaid): Promise<unknown> => {
  const option = usable(given);
  const payload = option && (await x402.defective(scene, { offer: given.offer, option }, 'n18'));
  return payload ?? { x402Version: given.offer.x402Version };
};

// In our words (x402, a2a-x402 v0.1, 4.5, 9): What the client says of the outcome does not count.
export const statusClaimed = check('x402/status-claimed', 'x402.status-claimed')
  .given('control', nothingPaid)
  .when('the client claims that its payment was verified or completed', async (scene) => {
    const tried: x402.Tried[] = [];
    for (const status of ['payment-verified', 'payment-completed']) {
      tried.push({ about: status, attempt: await x402.submitRaw(scene, await scene.use(unpaid), claim(status)) });
    }
    // Without a task the agent has made no offer and taken no payment yet.
    const unasked = await scene.use(unpaid);
    const begun = await x402.submitRaw(scene, unasked, claim('payment-completed'), {
      text: unasked.asked,
      change({ message: { taskId: _, contextId: __, ...message }, ...params }) {
        return { ...params, message };
      },
    });
    tried.push({ about: 'payment-completed in a first message', attempt: begun });
    const given = await scene.use(unpaid);
    const { wallet, nonce } = x402.x402Of(scene);
    const transaction = nonce();
    const receipts = [forgedReceipt(given, transaction, wallet.address)];
    const forged = await x402.submitRaw(
      scene,
      given,
      claim('payment-completed', { [metadataKeys.receipts]: receipts }),
    );
    tried.push({ about: 'a forged receipt', attempt: forged });
    const { task = given.task } = forged;
    if (x402.statusOf(task) === 'payment-required') {
      const payload = await wrongly(scene, given);
      const attempt = await x402.submitRaw(scene, { ...given, task }, x402.submission(payload));
      tried.push({ about: 'a wrong payment after a forged receipt', attempt });
    }
    return { tried, transaction };
  })
  .expects('ignore these claims', ({ tried, transaction }, { control }) =>
    x402.each(tried, (attempt) => {
      const shown = attempt.seen.flatMap(x402.receiptsOf).some((receipt) => receipt.transaction === transaction);
      return shown ? 'the receipt of the client is among those of the task' : x402.refusedPayment(attempt, control);
    }),
  )
  .advice(
    'Only the facilitator knows whether a payment settled. Read status and payload of clients, and nothing else.',
  );

/** Odd payment messages, by description. */
const oddities: Readonly<Record<string, JsonObject>> = {
  'an unknown status': claim('payment-made'),
  'a status in capital letters': claim('PAYMENT-COMPLETED'),
  'a status that is a number': claim(7),
  'a status that is null': claim(null),
  'a status that is a list': claim(['payment-completed']),
  'a payload that is text': claim('payment-submitted', { [metadataKeys.payload]: 'paid' }),
  'an offer that is text': claim('payment-made', { [metadataKeys.required]: 'nothing' }),
  'receipts that are an object': claim('payment-made', { [metadataKeys.receipts]: { success: true } }),
  'an error that is a number': claim('payment-made', { [metadataKeys.error]: 0 }),
};

/** A server error fails like unpaid work does. */
function withoutEffect(attempt: x402.Attempt, control: x402.Control): Judgement {
  const { outcome } = attempt;
  return x402.acceptance(attempt, control.contents) === undefined && isServerError(outcome)
    ? `a server error came: ${describe(outcome)}`
    : x402.refusedPayment(attempt, control);
}

// In our words (x402, a2a-x402 v0.1, 6.1): Unknown status texts and keys of wrong types have no effect.
export const statusUnknown = check('x402/status-unknown', 'x402.status-unknown')
  .given('control', nothingPaid)
  .when('the client sends unknown statuses, and keys of wrong types', async (scene) => {
    const tried: x402.Tried[] = [];
    let given = await scene.use(unpaid);
    for (const [about, metadata] of Object.entries(oddities)) {
      const attempt = await x402.submitRaw(scene, given, metadata);
      tried.push({ about, attempt });
      const { task = given.task } = attempt;
      const waits = task.status.state === 'input-required' && x402.statusOf(task) === 'payment-required';
      given = waits ? { ...given, task } : await scene.use(unpaid);
    }
    return tried;
  })
  .expects('refuse each message, or ask for payment again', (tried, { control }) =>
    x402.each(tried, (attempt) => withoutEffect(attempt, control)),
  )
  .advice('Handle payment-submitted and payment-rejected by name, and refuse all else: no work in the default branch.');

// In our words (x402, x402 A2A transport, Payment Metadata Keys): Payment metadata counts in message.metadata only.
export const metadataElsewhere = check('x402/metadata-elsewhere', 'x402.metadata-elsewhere')
  .given('control', x402.control)
  .when('a payment is in the metadata of the params, or of a part', async (scene) => {
    const paid = async (change: x402.Submitting['change']): Promise<x402.Attempt> => {
      const given = await scene.use(x402.offered);
      return x402.submit(scene, given, await x402.rightPayment(scene, given), change === undefined ? {} : { change });
    };
    const ofParams = await paid(({ message: { metadata, ...message }, ...params }) => ({
      ...params,
      message,
      metadata,
    }));
    const ofPart = await paid(({ message: { metadata, parts, ...message }, ...params }) => ({
      ...params,
      message: { ...message, parts: parts.map((part) => ({ ...part, metadata })) },
    }));
    return [
      { about: 'metadata of the params', attempt: ofParams },
      { about: 'metadata of a part', attempt: ofPart },
    ];
  })
  .expects('accept no payment', (tried, { control }) => x402.each(tried, (attempt) => refusedAnyway(attempt, control)))
  .advice('Read message.metadata only: what is in metadata of params or parts pays nothing.');

/** Shared: another check judges the state of the task afterwards. */
const rejection = source('a rejected offer', async (scene) =>
  x402.submitRaw(scene, await scene.use(unpaid), claim('payment-rejected'), { text: 'No, thank you.' }),
);

/** A rejected task that is shown as completed has an odd end, but that alone is not unpaid work. */
const closedOddly = (task: Task): Task =>
  task.status.state === 'completed' && x402.statusOf(task) === 'payment-rejected'
    ? { ...task, status: { ...task.status, state: 'rejected' } }
    : task;

/** What the agent gave in spite of the rejection, if anything. */
const takenAnyway = (attempt: x402.Attempt, contents: readonly string[]): string | undefined =>
  x402.acceptance({ ...attempt, seen: attempt.seen.map(closedOddly) }, contents);

/** The task in its final state; else why that is not known. */
function rested(attempt: x402.Attempt): Task | Inconclusive {
  const { outcome, task } = attempt;
  if (task === undefined || (outcome.kind !== 'result' && outcome.kind !== 'refusal'))
    return inconclusive(`the answer does not show the state of the task: ${describe(outcome)}`);
  return x402.isDecided(task) ? task : inconclusive(x402.notDecided(attempt));
}

// In our words (x402, a2a-x402 v0.1, 4.4; x402 A2A transport, Payment Status Lifecycle): A client that rejects the
//   offer gets no work and is not charged.
export const rejected = check('x402/rejected', 'x402.rejected')
  .given('control', nothingPaid)
  .given('rejection', rejection)
  .when('the client rejects the offer', async ({ rejection: attempt }) => attempt)
  .expects('do no work and charge nothing', (attempt, { control }) => {
    const taken = takenAnyway(attempt, control.contents);
    if (taken !== undefined) return taken;
    const atWork = attempt.seen.find((task) => x402.statusOf(task) === 'payment-verified');
    if (atWork !== undefined) return `the task goes on: it is ${x402.standingOf(atWork)}`;
    const task = rested(attempt);
    return task instanceof Inconclusive ? task : undefined;
  })
  .advice('payment-rejected ends the task, or leaves it waiting for another answer. Nothing is done for it.');

/** Payment statuses that fit each end. A task that was only ended by means of A2A may have none. */
const endings: Partial<Record<Task['status']['state'], readonly (string | undefined)[]>> = {
  failed: ['payment-rejected', 'payment-required'],
  'input-required': ['payment-rejected', 'payment-required'],
  canceled: ['payment-rejected', 'payment-required', undefined],
  rejected: ['payment-rejected', 'payment-required', undefined],
};

// In our words (x402, x402 A2A transport, Payment Status Lifecycle): The rejected task is failed or input-required,
//   with status payment-rejected or payment-required.
export const rejectedState = check('x402/rejected-state', 'x402.rejected-state')
  .given('rejection', rejection)
  .when('the client rejects the offer', async ({ rejection: attempt }) => attempt)
  .expects('show an ended or waiting task with a matching payment status', (attempt) => {
    if (takenAnyway(attempt, []) !== undefined)
      return inconclusive('the agent accepted the payment instead of rejecting the task');
    const task = rested(attempt);
    if (task instanceof Inconclusive) return task;
    const isRight = endings[task.status.state]?.includes(x402.statusOf(task));
    return isRight ? undefined : `the task is ${x402.standingOf(task)}`;
  })
  .advice('On payment-rejected, end the task or let it wait for input, and repeat the status: no payment has failed.');
