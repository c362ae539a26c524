import { isObject, member } from '../../model/index.js';
import { domainOf, recoverAuthorization, sameAddress, tokens } from '../../x402/index.js';
import { together } from '../seams.js';
import { type Variant, variant } from '../variant.js';
import { authorizationIn, reading, requiring } from '../x402/lenient-verification.js';
import { onX402, selling } from '../x402/patches.js';
import { PaymentRefusal } from '../x402/seams.js';

const [usdc] = tokens;

/** The number that a lenient reader sees in a value, as decimal digits; other values are returned unchanged. */
function plainly(value: unknown): unknown {
  const text = String(value).trim();
  if (/^\d+\.0+$/.test(text)) return String(BigInt(text.slice(0, text.indexOf('.'))));
  return /^(\d+|0x[0-9a-fA-F]+)$/.test(text) ? String(BigInt(text)) : value;
}

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
    x402: { stub: false },
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
