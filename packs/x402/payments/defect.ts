import type { JsonObject } from '../../../src/model/index.js';
import { keccak } from './addresses.js';
import type { Domain } from './eip712.js';
import { type Authorization, type PaymentPayload, X402Error, type X402Version } from './objects.js';
import { domainOf } from './offers.js';
import { type Paying, payment } from './payments.js';
import { type ThrowawayWallet, throwawayWallet } from './wallets.js';
import type { ErrorCode } from './words.js';

/** One thing that is wrong with a payment, and nothing else. */
export interface Flaw {
  /** Short, with hyphens. */
  readonly name: string;
  readonly about: string;
  /** The codes allowed in `x402.payment.error`; `any` where no code of the list fits. */
  readonly codes: readonly ErrorCode[] | 'any';
  /** The versions of payments that can have it. */
  readonly versions: readonly X402Version[];
  /** Undefined when the flaw is impossible for the offer: no amount is below 0. */
  readonly make: (paying: Paying) => JsonObject | undefined;
}

export const invalidSignature = ['INVALID_SIGNATURE'] as const;
export const bothVersions = [1, 2] as const;

/** A payment with other fields than the right ones, properly signed. */
export const signedWith = (paying: Paying, overrides: Partial<Authorization>): PaymentPayload =>
  payment({ ...paying, overrides: { ...paying.overrides, ...overrides } });

/** A payment signed for another domain than that of the offer. */
export const signedFor = (paying: Paying, change: (domain: Domain) => Partial<Domain>): PaymentPayload => {
  const domain = paying.domain ?? domainOf(paying.option);
  if (domain === undefined) throw new X402Error('payment: the option is not usable');
  return payment({ ...paying, domain: { ...domain, ...change(domain) } });
};

/** Fields edited after signing. */
export const edited = (paying: Paying, fields: JsonObject): JsonObject =>
  changed(paying, ({ authorization, ...rest }) => ({ ...rest, authorization: { ...authorization, ...fields } }));

/** The inner payload changed after signing. */
export function changed(paying: Paying, change: (payload: PaymentPayload['payload']) => unknown): JsonObject {
  const good = payment(paying);
  return { ...good, payload: change(good.payload) };
}

export const without = (value: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));

/** The first candidate that is not used. */
export const other = <T>(candidates: readonly T[], used: (candidate: T) => boolean): T | undefined =>
  candidates.find((candidate) => !used(candidate));

/** Another wallet without money, always the same for the same nonce: any program can make it. */
export const strangerTo = ({ nonce }: Paying): ThrowawayWallet => throwawayWallet(() => keccak(`stranger ${nonce}`));
