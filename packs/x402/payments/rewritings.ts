import { isObject, type JsonObject, member } from '../../../src/model/index.js';
import type { PaymentPayload } from './objects.js';
import { identifier } from './payments.js';
import { highS } from './signature.js';

// Other spellings of the same payment that an attacker can make from a captured one, without its key.

/** Returns a new payment and does not change the given one; needs no new signature. */
export type Rewriting = (payment: PaymentPayload) => PaymentPayload;

const withPayload = (payment: PaymentPayload, payload: PaymentPayload['payload']): PaymentPayload => ({
  ...payment,
  payload,
});

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
};

const otherCase = (text: string): string => {
  const digits = text.slice(2);
  return `0x${digits === digits.toLowerCase() ? digits.toUpperCase() : digits.toLowerCase()}`;
};

const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

function lowerAccepted(accepted: JsonObject): JsonObject {
  return { ...accepted, asset: lower(accepted['asset']), payTo: lower(accepted['payTo']) };
}

export const rewritings = {
  /** s replaced by its negative: recovers the same payer, but token contracts refuse it. */
  highS: (payment) => withPayload(payment, { ...payment.payload, signature: highS(payment.payload.signature) }),
  /** The nonce in letters of the other case: the same 32 bytes. */
  nonceCase: (payment) =>
    withPayload(payment, {
      ...payment.payload,
      authorization: { ...payment.payload.authorization, nonce: otherCase(payment.payload.authorization.nonce) },
    }),
  /** The members of all objects in reversed order. */
  reordered: (payment) => reversed(payment) as PaymentPayload,
  /** One more member: in `accepted.extra`, or beside the payload in version 1, which has no copy of the option. */
  extraMember: (payment) => {
    if (payment.x402Version === 1) return { ...payment, note: 'added' };
    const extra = payment.accepted['extra'];
    const more = { ...(typeof extra === 'object' ? extra : {}), note: 'added' };
    return { ...payment, accepted: { ...payment.accepted, extra: more } };
  },
  /** Version 2: without the optional resource. */
  withoutResource: (payment) => {
    if (payment.x402Version === 1) return payment;
    const { resource: _, ...rest } = payment;
    return rest;
  },
  /** Version 2: without the id of the extension payment-identifier. */
  withoutId: (payment) => {
    const offered = member(member(payment, 'extensions'), identifier);
    const info = member(offered, 'info');
    if (payment.x402Version === 1 || !isObject(offered) || !isObject(info)) return payment;
    const { id: _, ...rest } = info;
    return { ...payment, extensions: { ...payment.extensions, [identifier]: { ...offered, info: rest } } };
  },
  /** All addresses in lower case. */
  lowerCase: (payment) => {
    const { from, to } = payment.payload.authorization;
    const authorization = { ...payment.payload.authorization, from: from.toLowerCase(), to: to.toLowerCase() };
    const written = withPayload(payment, { ...payment.payload, authorization });
    return written.x402Version === 1 ? written : { ...written, accepted: lowerAccepted(written.accepted) };
  },
} as const satisfies Readonly<Record<string, Rewriting>>;
