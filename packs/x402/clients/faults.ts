import { type ClientFault, clientFault } from '../../../fixtures/clients/shared/client-fault.js';
import type { ClientPatch, Parts, World } from '../../../fixtures/clients/shared/parts.js';
import { payingDialects } from '../../../src/dialect/index.js';
import type { Message } from '../../../src/model/index.js';
import type { Authorization, PaymentPayload } from '../payments/index.js';
import { domainOf, extensionHeaders, metadataKeys } from '../payments/index.js';
import type { WalletParts } from './wallet.js';

const walletIn = ({ parts }: Parts): WalletParts => parts['x402'] as WalletParts;

/** A patch of some of these parts. */
const onWallet =
  (patch: (inner: WalletParts, world: World, whole: () => WalletParts) => Partial<WalletParts>): ClientPatch =>
  (inner, world, whole) => {
    const before = walletIn(inner);
    return { parts: { ...inner.parts, x402: { ...before, ...patch(before, world, () => walletIn(whole)) } } };
  };

const profiles = payingDialects.map(({ id }) => id);

/** Signs something else than the option asks for. */
const signing = (edit: (option: { readonly amount: string }) => Partial<Authorization>): ClientPatch =>
  onWallet((inner) => ({
    paid: (offer, option, more) => inner.paid(offer, option, { ...more, overrides: edit(option) }),
  }));

/** Sends another payment than it has signed. */
const sending = (edit: (payment: PaymentPayload) => PaymentPayload): ClientPatch =>
  onWallet((inner) => ({ paid: (offer, option, more) => edit(inner.paid(offer, option, more)) }));

/** How a client signs its last payment anew. */
const signed = new WeakMap<World, () => PaymentPayload>();

const seconds = (ahead: number): string => String(Math.floor(Date.now() / 1000) + ahead);
const stranger = '0x000000000000000000000000000000000000bEEF';

export const paymentsFaults: readonly ClientFault[] = [
  clientFault('client-x402-not-activated', {
    about: 'The extension of payments is not named in requests.',
    breaks: ['client.x402-activated'],
    profiles,
    patch: (inner) => ({
      headers: (op) =>
        inner
          .headers(op)
          .filter(
            ([name]) =>
              !extensionHeaders.some((extensionHeader) => extensionHeader.toLowerCase() === name.toLowerCase()),
          ),
    }),
  }),
  clientFault('client-x402-no-task-id', {
    about: 'A payment does not name the task that it pays.',
    breaks: ['client.x402-task-id'],
    profiles,
    patch: onWallet((inner) => ({
      settlement(task, offer) {
        const made = inner.settlement(task, offer);
        if (made === undefined) return undefined;
        const { taskId: _, ...message } = made;
        return message;
      },
    })),
  }),
  clientFault('client-x402-no-status', {
    about: 'A payment has no status beside it.',
    breaks: ['client.x402-submitted'],
    profiles,
    patch: onWallet((inner) => ({
      settlement(task, offer) {
        const message = inner.settlement(task, offer);
        const { [metadataKeys.status]: _, ...metadata } = message?.metadata ?? {};
        return message && { ...message, metadata };
      },
    })),
  }),
  clientFault('client-x402-silent', {
    about: 'An offer that is not taken is left unanswered.',
    breaks: ['client.x402-rejects'],
    profiles,
    patch: onWallet((inner, _, all) => ({
      settlement: (task, offer) => (all().option(offer) === undefined ? undefined : inner.settlement(task, offer)),
    })),
  }),
  clientFault('client-x402-pays-anything', {
    about: 'Every offer is paid, whatever it costs.',
    breaks: ['client.x402-rejects'],
    profiles,
    patch: onWallet((inner) => ({
      option: (offer) => inner.option(offer) ?? offer.options.find(({ usable }) => usable),
    })),
  }),
  clientFault('client-x402-pays-again', {
    about: 'Where the answer to a payment is lost, another one is signed.',
    breaks: ['client.x402-pays-once'],
    profiles,
    patch: (inner, world, whole) => ({
      ...onWallet((before) => ({
        paid(offer, option, more) {
          signed.set(world, () => before.paid(offer, option, more));
          return before.paid(offer, option, more);
        },
      }))(inner, world, whole),
      async call(op, value) {
        try {
          return await inner.call(op, value);
        } catch (error) {
          const { message } = (value ?? {}) as { readonly message?: Message };
          const last = signed.get(world);
          if (last === undefined || message?.metadata?.[metadataKeys.payload] === undefined) throw error;
          const metadata = { ...message.metadata, [metadataKeys.payload]: last() };
          return inner.call(op, { ...(value as object), message: { ...message, metadata } });
        }
      },
    }),
  }),
  clientFault('client-x402-other-option', {
    about: 'A payment names an option that was not offered.',
    breaks: ['client.x402-chosen-option'],
    profiles,
    patch: sending((payment) =>
      payment.x402Version === 1
        ? { ...payment, network: 'base' }
        : { ...payment, accepted: { ...payment.accepted, payTo: stranger } },
    ),
  }),
  clientFault('client-x402-pays-less', {
    about: 'A payment is for one unit, whatever the price is.',
    breaks: ['client.x402-amount'],
    profiles,
    patch: signing(() => ({ value: '1' })),
  }),
  clientFault('client-x402-pays-more', {
    about: 'A payment is for one unit more than the price.',
    breaks: ['client.x402-amount'],
    profiles,
    patch: signing(({ amount }) => ({ value: String(BigInt(amount) + 1n) })),
  }),
  clientFault('client-x402-other-recipient', {
    about: 'The client pays another address than that of the merchant.',
    breaks: ['client.x402-recipient'],
    profiles,
    patch: signing(() => ({ to: stranger })),
  }),
  clientFault('client-x402-other-domain', {
    about: 'The signature is for another version of the token.',
    breaks: ['client.x402-signature'],
    profiles,
    patch: onWallet((inner) => ({
      paid(offer, option, more) {
        const domain = domainOf(option);
        return inner.paid(offer, option, { ...more, ...(domain && { domain: { ...domain, version: '99' } }) });
      },
    })),
  }),
  clientFault('client-x402-expired', {
    about: 'A payment has expired when it is sent.',
    breaks: ['client.x402-window'],
    profiles,
    patch: signing(() => ({ validBefore: seconds(-60) })),
  }),
  clientFault('client-x402-not-yet', {
    about: 'A payment is valid only later.',
    breaks: ['client.x402-window'],
    profiles,
    patch: signing(() => ({ validAfter: seconds(30) })),
  }),
  clientFault('client-x402-same-nonce', {
    about: 'All payments have the same nonce.',
    breaks: ['client.x402-new-nonce'],
    profiles,
    patch: onWallet(() => ({ nonce: () => `0x${'11'.repeat(32)}` })),
  }),
  clientFault('client-x402-sends-key', {
    about: 'The client sends the private key along with the payment.',
    breaks: ['client.x402-key-kept'],
    profiles,
    patch: onWallet((inner, { errand }) => ({
      settlement(task, offer) {
        const message = inner.settlement(task, offer);
        const key = Buffer.from(errand.wallet?.key ?? '', 'hex').toString('base64');
        return message && { ...message, metadata: { ...message.metadata, wallet: key } };
      },
    })),
  }),
  clientFault('client-x402-tells-success', {
    about: 'The client reports every payment as a success.',
    breaks: ['client.x402-failure-told'],
    profiles,
    patch: (inner) => ({ tell: (so) => ({ ...inner.tell(so), state: 'completed' }) }),
  }),
  clientFault('client-x402-does-not-wait', {
    about: 'What the task is when it was paid is taken for its end.',
    breaks: ['client.x402-waits'],
    profiles,
    patch: () => ({ follow: async (so) => so }),
  }),
  clientFault('client-x402-other-transaction', {
    about: 'The client reports another transaction than that of the receipt.',
    breaks: ['client.x402-receipt-told'],
    profiles,
    patch: (inner) => ({
      tell: (so) => ({ ...inner.tell(so), transaction: `0x${'11'.repeat(32)}` }),
    }),
  }),
];
