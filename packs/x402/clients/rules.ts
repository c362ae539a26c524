import {
  both,
  brief,
  type ClientCall,
  type ClientJudge,
  type ClientRun,
  callName,
  callsOf,
  clientCheck,
  inconclusive,
  type Message,
  member,
  standing,
  stringMember,
  toldOf,
  understands,
  whatWasTold,
} from '../../../src/kit/index.js';
import * as x402Text from '../payments/index.js';

/** A payment as it was sent, and the offer of the task that it names. */
interface Paid {
  readonly call: ClientCall;
  readonly message: Message;
  /** undefined: it cannot be read. */
  readonly payment: x402Text.PaymentPayload | undefined;
  readonly offer: x402Text.Offer | undefined;
}

const offerOf = ({ facts }: ClientRun, taskId: string | undefined): x402Text.Offer | undefined => {
  const text = facts[`offer ${taskId ?? ''}`];
  return text === undefined ? undefined : x402Text.readOffer(JSON.parse(text));
};

const paymentsOf = (run: ClientRun): readonly Paid[] =>
  callsOf(run, 'send', 'stream').flatMap((call) => {
    const { message } = call;
    const payload = member(message?.metadata, x402Text.metadataKeys.payload);
    if (message === undefined || payload === undefined) return [];
    return [{ call, message, payment: x402Text.readPayment(payload), offer: offerOf(run, message.taskId) }];
  });

/** The options of the offer that a payment means. Version 1 names scheme and network alone. */
function meant({ payment, offer }: Paid): readonly x402Text.Option[] {
  if (payment === undefined || offer === undefined || payment.x402Version !== offer.x402Version) return [];
  if (payment.x402Version === 1)
    return offer.options.filter(({ scheme, network }) => scheme === payment.scheme && network === payment.network);
  const { accepted } = payment;
  return offer.options.filter(
    ({ scheme, network, amount, asset, payTo }) =>
      accepted['scheme'] === scheme &&
      accepted['network'] === network &&
      accepted['amount'] === amount &&
      x402Text.sameAddress(accepted['asset'], asset) &&
      x402Text.sameAddress(accepted['payTo'], payTo),
  );
}

/** The option that the payment is compared with; where it means none, the one on the network of the user. */
const comparedWith = (paid: Paid, { errand }: ClientRun): x402Text.Option | undefined =>
  meant(paid)[0] ??
  paid.offer?.options.find(({ chainId }) => chainId === x402Text.chainIdOf(errand.wallet?.network ?? ''));

/** Judges each payment; a reason is what is wrong with it. */
const eachPayment = (judge: (paid: Paid, run: ClientRun) => string | undefined): ClientJudge =>
  standing((run) => {
    const payments = paymentsOf(run);
    for (const paid of payments) {
      const wrong = judge(paid, run);
      if (wrong !== undefined) return `${callName(paid.call)}: ${wrong}`;
    }
    return payments.length === 0 ? 'not-concerned' : 'holds';
  });

/** The same for the signed fields, beside the option that is paid. */
const eachAuthorization = (
  judge: (authorization: x402Text.Authorization, option: x402Text.Option, paid: Paid) => string | undefined,
): ReturnType<typeof eachPayment> =>
  eachPayment((paid, run) => {
    if (paid.payment === undefined) return 'the payment cannot be read';
    const option = comparedWith(paid, run);
    return option === undefined
      ? 'the task that it names has no offer'
      : judge(paid.payment.payload.authorization, option, paid);
  });

// In our words (x402, a2a-x402 v0.1, 7; a2a-x402 v0.2, 8; x402 A2A transport, Extension Declaration and Activation):
//   Requests activate the extension by its URI.
export const x402Activated = clientCheck('client-x402/activated', 'client.x402-activated')
  .in('pay', 'pay-v1')
  .expects('name the extension of payments in every message', (run) => {
    const uris = (run.facts['uris'] ?? '').split(' ');
    const sent = callsOf(run, 'send', 'stream');
    const without = sent.find(
      ({ exchange: { request } }) =>
        !request.headers
          .filter(([name]) =>
            x402Text.extensionHeaders.some((extensionHeader) => extensionHeader.toLowerCase() === name.toLowerCase()),
          )
          .some(([, value]) => x402Text.headerEntries(value).some((entry) => uris.includes(entry))),
    );
    if (without !== undefined) return `${callName(without)}: no header of it names ${uris.join(' or ')}`;
    return sent.length === 0 ? 'not-concerned' : 'holds';
  })
  .advice('Send the URI of the card in A2A-Extensions, or X-A2A-Extensions before A2A 1.0, with every request.');

// In our words (x402, a2a-x402 v0.1, 4.5; x402 A2A transport, Payment Payload Transmission): The message with the
//   payment has the taskId of the offer.
export const x402TaskId = clientCheck('client-x402/task-id', 'client.x402-task-id')
  .in('pay-two')
  .expects(
    'pay each task under its own id',
    eachPayment(({ message: { taskId }, payment, offer }) => {
      if (offer === undefined) return `its taskId is ${brief(taskId)}, which has no offer`;
      const value = payment?.payload.authorization.value;
      return offer.options.some(({ amount }) => amount === value)
        ? undefined
        : `it pays ${value} for the task ${taskId}, which costs ${offer.options[0]?.amount}`;
    }),
  )
  .advice('Send the payment with the taskId of the task that asked for it.');

// In our words (x402, a2a-x402 v0.2, 5.5; x402 A2A transport, Payment Payload Transmission): The message with the
//   payment has the status payment-submitted.
export const x402Submitted = clientCheck('client-x402/submitted', 'client.x402-submitted')
  .in('pay', 'pay-v1')
  .expects(
    'say payment-submitted beside a payment',
    eachPayment(({ message: { metadata } }) => {
      const status = stringMember(metadata, x402Text.metadataKeys.status);
      return status === 'payment-submitted' ? undefined : `${x402Text.metadataKeys.status} is ${brief(status)}`;
    }),
  )
  .advice('Put x402.payment.status "payment-submitted" beside x402.payment.payload into the metadata of the message.');

// In our words (x402, a2a-x402 v0.1, 4.4; a2a-x402 v0.2, 5.4): An offer that the client does not take is rejected.
export const x402Rejects = clientCheck('client-x402/rejects', 'client.x402-rejects')
  .in('pay-too-much', 'pay-strange')
  .expects('reject an offer that it does not take', (run) => {
    const sent = callsOf(run, 'send', 'stream').filter(({ message }) => message !== undefined);
    const [asked] = sent;
    if (asked === undefined || !Object.keys(run.facts).some((name) => name.startsWith('offer ')))
      return 'not-concerned';
    const [paid] = paymentsOf(run);
    if (paid !== undefined) return `${callName(paid.call)}: it pays what the user does not allow`;
    const rejected = sent.some(
      ({ message }) =>
        offerOf(run, message?.taskId) !== undefined &&
        stringMember(message?.metadata, x402Text.metadataKeys.status) === 'payment-rejected',
    );
    return rejected ? 'holds' : 'the client said nothing about the offer';
  })
  .advice('Send a message on the task with x402.payment.status "payment-rejected".');

// In our words (x402, a2a-x402 v0.1, 6.1; a2a-x402 v0.2, 7.1): An offer is paid once.
export const x402PaysOnce = clientCheck('client-x402/pays-once', 'client.x402-pays-once')
  .in('pay-slow', 'pay-lost')
  .expects(
    'sign one payment for an offer',
    standing((run) => {
      const payments = paymentsOf(run);
      const nonces = new Map<string, string>();
      for (const { call, message, payment } of payments) {
        const nonce = payment?.payload.authorization.nonce.toLowerCase();
        const task = message.taskId ?? '';
        const before = nonces.get(task);
        if (nonce !== undefined && before !== undefined && before !== nonce)
          return `${callName(call)}: a second payment for the same offer, and both can be cashed`;
        if (nonce !== undefined) nonces.set(task, nonce);
      }
      return payments.length === 0 ? 'not-concerned' : 'holds';
    }),
  )
  .advice('Keep the signed payment, and send the same one again where its answer was lost; or ask for the task.');

// In our words (x402, x402 core v2, 5.2.2; x402 core v1, 5.2.2; a2a-x402 v0.1, 5.1): The payment names one of the
//   options that were offered.
export const x402ChosenOption = clientCheck('client-x402/chosen-option', 'client.x402-chosen-option')
  .in('pay', 'pay-v1')
  .expects(
    'pay one of the options that were offered',
    eachPayment((paid) => {
      if (paid.payment === undefined) return 'the payment cannot be read';
      return meant(paid).length > 0 ? undefined : 'the payment names none of the options of the offer';
    }),
  )
  .advice('Copy the option of the offer unchanged into `accepted`; in version 1 take its scheme and its network.');

// In our words (x402, x402 core v2, 6.1.2; x402 core v1, 6.1.2): The authorization is for the amount of the option.
export const x402Amount = clientCheck('client-x402/amount', 'client.x402-amount')
  .in('pay', 'pay-v1')
  .expects(
    'authorize the amount of the option',
    eachAuthorization(({ value }, { amount }, { payment }) => {
      // Version 1 speaks of the amount as the most that is asked for.
      const isRight = value === amount || (payment?.x402Version === 1 && BigInt(value) > BigInt(amount));
      return isRight ? undefined : `the payment authorizes ${value}, and the price is ${amount}`;
    }),
  )
  .advice('Sign the exact `amount` of the option, maxAmountRequired in version 1: atomic units, a decimal text.');

// In our words (x402, x402 core v2, 5.2.2, 6.1.2; x402 core v1, 5.2.2, 6.1.2): The authorization is for the recipient
//   of the option.
export const x402Recipient = clientCheck('client-x402/recipient', 'client.x402-recipient')
  .in('pay', 'pay-v1')
  .expects(
    'authorize the recipient of the option',
    eachAuthorization(({ to }, { payTo }) =>
      x402Text.sameAddress(to, payTo) ? undefined : `the payment goes to ${to}, and payTo is ${payTo}`,
    ),
  )
  .advice('Sign payTo of the option as `to`.');

// In our words (x402, exact on EVM, 1; x402 core v2, 6.1.2): The signature is that of the payer, for the asset and the
//   network of the option.
export const x402Signature = clientCheck('client-x402/signature', 'client.x402-signature')
  .in('pay', 'pay-v1')
  .expects(
    'sign for the asset and the network of the option',
    eachAuthorization((authorization, option, { payment }) => {
      const domain = x402Text.domainOf(option);
      if (domain === undefined) return 'the option names no token';
      const signer = x402Text.recoverAuthorization(domain, authorization, payment?.payload.signature);
      return x402Text.sameAddress(signer, authorization.from)
        ? undefined
        : `the signature is that of ${signer ?? 'no account'}, the payer is ${authorization.from}`;
    }),
  )
  .advice(
    'The domain of EIP-712 has name and version of `extra`, the chain of the network, and the asset as contract.',
  );

// In our words (x402, x402 core v2, 5.2.2, 6.1.2; x402 core v1, 6.1.2): The authorization is valid when it arrives.
export const x402Window = clientCheck('client-x402/window', 'client.x402-window')
  .in('pay', 'pay-v1')
  .expects(
    'send a payment that is valid now',
    eachAuthorization(({ validAfter, validBefore }, _, { call }) => {
      const now = BigInt(Math.floor(call.exchange.startedAt / 1000));
      if (BigInt(validAfter) >= now) return `validAfter is ${validAfter}, it is ${now}`;
      return BigInt(validBefore) <= now ? `validBefore is ${validBefore}, it is ${now}` : undefined;
    }),
  )
  .advice('Let validAfter lie some minutes back, as clocks differ, and validBefore maxTimeoutSeconds ahead.');

// In our words (x402, x402 core v2, 5.2.2; x402 core v1, 5.2.2): Each payment has a nonce of its own: 32 random bytes.
export const x402NewNonce = clientCheck('client-x402/new-nonce', 'client.x402-new-nonce')
  .in('pay-two')
  .expects('give each payment a nonce of its own', (run) => {
    const payments = paymentsOf(run);
    const nonces = payments.map(({ payment }) => payment?.payload.authorization.nonce.toLowerCase() ?? '');
    const unreadable = payments.find((_, at) => nonces[at] === '');
    if (unreadable !== undefined) return `${callName(unreadable.call)}: the payment cannot be read`;
    const tasks = new Map(payments.map(({ message }, at) => [message.taskId ?? '', nonces[at] ?? '']));
    if (tasks.size < 2) return 'not-concerned';
    return new Set(tasks.values()).size === tasks.size ? 'holds' : 'two payments have the same nonce';
  })
  .advice('Take 32 random bytes for each payment.');

/** The key in the forms that people write it in. */
const spellings = (key: string): readonly string[] => {
  const bytes = Buffer.from(key, 'hex');
  return [key.toLowerCase(), bytes.toString('base64').replaceAll('=', ''), bytes.toString('base64url')];
};

// In our words (x402, a2a-x402 v0.1, 9; a2a-x402 v0.2, 10): The private key of the wallet is not sent.
export const x402KeyKept = clientCheck('client-x402/key-kept', 'client.x402-key-kept')
  .in('pay', 'pay-v1', 'pay-refused')
  .expects(
    'keep the private key of the wallet to itself',
    standing((run) => {
      const { errand, calls } = run;
      const [hex = '', ...others] = spellings(errand.wallet?.key ?? '');
      const leak = calls.find(({ exchange: { request } }) => {
        const headers = request.headers.map(([, value]) => value).join('\n');
        const text = `${request.url}\n${headers}\n${Buffer.from(request.body ?? []).toString('latin1')}`;
        return text.toLowerCase().includes(hex) || others.some((form) => text.includes(form));
      });
      if (leak !== undefined) return `${callName(leak)}: it has the private key of the wallet`;
      // Only a client that pays has used the key at all.
      return paymentsOf(run).length === 0 ? 'not-concerned' : 'holds';
    }),
  )
  .advice('Sign on the side of the client; the key gives access to the money.');

// In our words (x402, a2a-x402 v0.1, 4.1, 8; x402 A2A transport, Error Handling): A payment that failed is not taken as
//   a success.
export const x402FailureTold = clientCheck('client-x402/failure-told', 'client.x402-failure-told')
  .in('pay-refused')
  .expects('report a failed payment as a failure', (run) => {
    if (paymentsOf(run).length === 0) return 'not-concerned';
    const line = toldOf(run);
    if ('open' in line) return line.open;
    const { state, error } = line.told;
    return error === undefined && state === 'completed' ? 'the client reported that the task is completed' : 'holds';
  })
  .advice('Read x402.payment.status and the last receipt: after payment-failed nothing was bought.');

// In our words (x402, a2a-x402 v0.1, 4.1; x402 A2A transport, Payment Status Lifecycle): The client waits for the end
//   of the task after it has paid.
export const x402Waits = clientCheck('client-x402/waits', 'client.x402-waits')
  .in('pay-slow')
  .expects('wait for the work that it has paid', (run) => {
    const paid = paymentsOf(run).at(-1);
    if (paid === undefined) return 'not-concerned';
    const after = run.calls.slice(run.calls.indexOf(paid.call) + 1);
    const isWatched =
      paid.call.operation === 'stream' || callsOf({ ...run, calls: after }, 'get', 'subscribe').length > 0;
    return isWatched || understands(run) === 'holds'
      ? 'holds'
      : 'the client did not ask for the task after it had paid';
  })
  .advice('payment-verified and payment-completed are not the end: watch the task until it has ended.');

// In our words (x402, a2a-x402 v0.1, 4.1, 5.4): The client may tell the transaction of the receipt.
export const x402ReceiptTold = clientCheck('client-x402/receipt-told', 'client.x402-receipt-told')
  .in('pay')
  .expects(
    'report the transaction of the receipt',
    both(
      eachPayment(() => undefined),
      whatWasTold(({ transaction }, { facts }) => {
        if (transaction === undefined)
          return inconclusive('print `transaction` in the line of the client: it has none');
        return transaction === facts['transaction']
          ? undefined
          : `the client reported ${brief(transaction)}, the receipt says ${facts['transaction']}`;
      }),
    ),
  )
  .advice('Print `transaction` of the last receipt.');

export const paymentsRules = [
  x402Activated,
  x402TaskId,
  x402Submitted,
  x402Rejects,
  x402PaysOnce,
  x402ChosenOption,
  x402Amount,
  x402Recipient,
  x402Signature,
  x402Window,
  x402NewNonce,
  x402KeyKept,
  x402FailureTold,
  x402Waits,
  x402ReceiptTold,
];
