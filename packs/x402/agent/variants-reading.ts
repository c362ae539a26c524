import { isObject, type Message, member } from '../../../src/model/index.js';
import { type Patch, together, type Variant, variant } from '../../../src/reference/patching.js';
import { domainOf, recoverAuthorization, sameAddress, tokens } from '../payments/index.js';
import { onOffer } from './edits.js';
import { authorizationIn, reading, requiring } from './lenient-verification.js';
import { payloadOf } from './offers.js';
import { onX402, selling } from './patches.js';
import { PaymentRefusal } from './seams.js';

const [usdc] = tokens;

/** The number that a lenient reader sees in a value, as decimal digits; other values are returned unchanged. */
function plainly(value: unknown): unknown {
  const text = String(value).trim();
  if (/^\d+\.0+$/.test(text)) return String(BigInt(text.slice(0, text.indexOf('.'))));
  return /^(\d+|0x[0-9a-fA-F]+)$/.test(text) ? String(BigInt(text)) : value;
}

/** The id of a payment by the extension payment-identifier. */
const idIn = (payload: unknown): unknown =>
  member(member(member(member(payload, 'extensions'), 'payment-identifier'), 'info'), 'id');

/**
 * Demands an id of each payment. A known id with the same payment gets the task of then, with another one it is refused.
 * Extension payment-identifier.
 */
const identifying: Patch = (inner, world, whole) => {
  const known = new Map<unknown, { readonly payload: string; readonly taskId: string | undefined }>();
  const isKnown = (message: Message): boolean =>
    known.get(idIn(payloadOf(message)))?.payload === JSON.stringify(payloadOf(message));
  const demanding = together(
    onOffer((offer) => ({
      ...offer,
      extensions: { 'payment-identifier': { info: { required: true }, schema: { type: 'object' } } },
    })),
    onX402((before) => ({
      payment(message, offer) {
        const payment = before.payment(message, offer);
        const id = idIn(payment);
        if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{16,128}$/.test(id)) throw new PaymentRefusal('invalid_payload');
        if (known.has(id) && !isKnown(message)) throw new PaymentRefusal('invalid_payload');
        known.set(id, { payload: JSON.stringify(payloadOf(message)), taskId: message.taskId });
        return payment;
      },
    })),
  );
  return {
    ...demanding(inner, world, whole),
    async execute(command, call) {
      if (command.op !== 'send' || !isKnown(command.params.message)) return inner.execute(command, call);
      const { taskId } = known.get(idIn(payloadOf(command.params.message))) ?? {};
      const task = world.store.get(taskId ?? '');
      if (task === undefined || taskId === command.params.message.taskId) return inner.execute(command, call);
      return { op: 'send', result: { type: 'task', task } };
    },
  };
};

/** Agents that read payments in their own way, and are paid exactly what they asked for. */
export const x402ReadingVariants: readonly Variant[] = [
  variant('x402-lenient-values', {
    about: 'Values may be spelled as any number, as published facilitators have it; what is settled is the price.',
    charges: true,
    patch: reading((payload) => {
      const authorization = authorizationIn(payload);
      const inner = member(payload, 'payload');
      if (!isObject(payload) || !isObject(inner) || !isObject(authorization)) return payload;
      const value = plainly(authorization['value']);
      return { ...payload, payload: { ...inner, authorization: { ...authorization, value } } };
    }),
  }),
  variant('x402-high-s-at-settlement', {
    about: 'A high s is found only when the payment is settled, as published facilitators have it.',
    charges: true,
    patch: onX402((inner) => ({
      async verify(attempt) {
        const { option, payment } = attempt;
        const { authorization, signature } = payment.payload;
        const domain = domainOf(option);
        const signer = domain && recoverAuthorization(domain, authorization, signature, { lenient: true });
        const refusal = await inner.verify(attempt);
        const isLenient = refusal?.reason.includes('signature') === true && sameAddress(signer, authorization.from);
        return isLenient ? undefined : refusal;
      },
    })),
  }),
  variant('x402-funds-first', {
    about: 'Whether there is money is looked at before anything else, and the kit has none.',
    charges: true,
    patch: onX402((inner) => ({
      verify: async (attempt) =>
        (await inner.verify(attempt)) && new PaymentRefusal('invalid_exact_evm_insufficient_balance'),
    })),
    told: { stub: false },
  }),
  variant('x402-version-1-more', {
    about: 'In version 1 a payment may exceed the price (x402 core v1 §6.1.2).',
    charges: true,
    patch: together(
      selling({ x402Version: 1, ...(usdc === undefined ? {} : { tokens: [usdc] }) }),
      requiring(({ payload }, { amount }) => {
        const { value } = payload.authorization;
        return BigInt(value) > BigInt(amount) ? { maxAmountRequired: value } : {};
      }),
    ),
  }),
  variant('x402-identifier-required', {
    about: 'Payments must have an id, and one that is known is answered as it was before (payment-identifier).',
    charges: true,
    patch: identifying,
  }),
  variant('x402-price-of-one', {
    about: 'It costs the least that there is, so that no payment can be too small but one of nothing.',
    charges: true,
    patch: selling({
      skills: [
        { id: 'paid-echo', amount: '1' },
        { id: 'paid-report', amount: '2' },
      ],
    }),
  }),
];
