import { isObject, type JsonObject, member } from '../../../src/model/index.js';
import { bytesOf, hex, keccak } from './addresses.js';
import { type Domain, isAuthorization } from './eip712.js';
import { type Authorization, type Offer, type Option, type PaymentPayload, X402Error } from './objects.js';
import { domainOf } from './offers.js';
import { signAuthorization } from './signature.js';
import type { ThrowawayWallet } from './wallets.js';

// Payments for an option of an offer, in the version of the offer. x402 core v1 §5.2, v2 §5.2.

export interface Paying {
  readonly offer: Offer;
  /** A usable option of the offer. */
  readonly option: Option;
  readonly wallet: ThrowawayWallet;
  /** Whole Unix seconds. */
  readonly now: number;
  /** 32 bytes in hex. */
  readonly nonce: string;
  /** Fields that replace the right ones before signing. */
  readonly overrides?: Partial<Authorization>;
  /** The domain to sign for, if it is not that of the offer. */
  readonly domain?: Domain;
}

/** Seconds. Clocks differ, so a payment is valid from ten minutes ago, as with published clients. */
const backwards = 600;
/** Seconds. A payment is valid for two minutes at most, even if the merchant would accept it for longer. */
export const longestValidity = 120;

/** The fields that pay an option in full. */
export function authorizationFor(option: Option, from: string, now: number, nonce: string): Authorization {
  const validity = Math.floor(Math.min(option.maxTimeoutSeconds ?? longestValidity, longestValidity));
  return {
    from,
    to: option.payTo,
    value: option.amount,
    validAfter: String(Math.max(0, now - backwards)),
    validBefore: String(now + validity),
    nonce,
  };
}

/**
 * A signed payment by a wallet without money.
 * @throws X402Error when the option is not usable, or the overrides cannot be signed
 */
export function payment({ offer, option, wallet, now, nonce, overrides, domain }: Paying): PaymentPayload {
  const signed = domain ?? domainOf(option);
  if (!option.usable || signed === undefined) throw new X402Error('payment: the option is not usable');
  const authorization = { ...authorizationFor(option, wallet.address, now, nonce), ...overrides };
  return envelope(offer, option, { signature: signAuthorization(wallet, signed, authorization), authorization });
}

/**
 * The object around a signed authorization. It repeats the option and the extensions as offered, unknown members included,
 * and has an id where the offer asks for one: the same for the same signature, so that a retry has it too.
 */
export function envelope(offer: Offer, option: Option, payload: PaymentPayload['payload']): PaymentPayload {
  if (offer.x402Version === 1) {
    return { x402Version: 1, scheme: option.scheme, network: option.network, payload };
  }
  return {
    x402Version: 2,
    ...(offer.resource === undefined ? {} : { resource: copy(offer.resource) }),
    accepted: copy(isObject(option.raw) ? option.raw : {}),
    payload,
    ...(offer.extensions === undefined ? {} : { extensions: identified(offer.extensions, idOf(payload)) }),
  };
}

/** 64 digits, which do not reveal the signature. */
const idOf = ({ signature }: PaymentPayload['payload']): string => hex(keccak(bytesOf(signature))).slice(2);

/** The extension by which a payment has an id. */
export const identifier = 'payment-identifier';

/**
 * The extensions of an offer as a payment has them: with its id in that of payment-identifier, if it is offered. What the
 * agent sent is never replaced. x402 core v2 §5.1.2; extension payment-identifier.
 * @param id 16 to 128 letters, digits, `_` and `-`
 */
export function identified(extensions: JsonObject, id: string): JsonObject {
  const made = copy(extensions);
  const offered = member(made, identifier);
  const info = member(offered, 'info');
  if (!isObject(offered) || !isObject(info)) return made;
  return { ...made, [identifier]: { ...offered, info: { id, ...info } } };
}

/** Whether a payment for these extensions must have an id. */
export const needsId = (extensions: JsonObject | undefined): boolean =>
  member(member(member(extensions, identifier), 'info'), 'required') === true;

const copy = (value: JsonObject): JsonObject => structuredClone(value);

const signaturePattern = /^0x(?:[0-9a-fA-F]{2})*$/;

/**
 * Reads strictly: undefined unless every member has its type and pattern. The signature may have any length, as those
 * of contract wallets do.
 */
export function readPayment(value: unknown): PaymentPayload | undefined {
  const payload = member(value, 'payload');
  const signature = member(payload, 'signature');
  const authorization = member(payload, 'authorization');
  if (!isObject(value) || !isObject(authorization)) return undefined;
  if (typeof signature !== 'string' || !signaturePattern.test(signature)) return undefined;
  const fields = Object.fromEntries(fieldNames.map((name) => [name, member(authorization, name)]));
  if (!isAuthorization(fields as Authorization)) return undefined;
  const version = member(value, 'x402Version');
  if (version === 1 && typeof member(value, 'scheme') === 'string' && typeof member(value, 'network') === 'string') {
    return value as PaymentPayload;
  }
  return version === 2 && isObject(member(value, 'accepted')) ? (value as PaymentPayload) : undefined;
}

const fieldNames = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'] as const;
