import type { JsonObject } from '../../../src/model/index.js';
import { bytesOf, hex, keccak, sameAddress } from './addresses.js';
import {
  bothVersions,
  changed,
  edited,
  type Flaw,
  invalidSignature,
  other,
  signedFor,
  signedWith,
  strangerTo,
} from './defect.js';
import { caip2Of, chainIdOf, v1NameOf } from './networks.js';
import { domainOf } from './offers.js';
import { type Paying, payment } from './payments.js';
import { highS, signAuthorization } from './signature.js';
import { localToken, type Token, tokens } from './tokens.js';

// Well-formed payments that a merchant must refuse. x402 core v2 §6.1.2; scheme exact on EVM.

const hour = 3600;
/** Seconds as text. Clocks of tests begin at 0, and times below 0 do not exist. */
const second = (time: number): string => String(Math.max(0, time));
const amountOf = ({ option }: Paying): bigint => BigInt(option.amount);
const highest = 2n ** 256n - 1n;
/** The value as text, if it is the price of no option: in version 1 options may differ in the value only. */
const unpriced = (paying: Paying, value: bigint): string | undefined =>
  value < 0n || value > highest || paying.offer.options.some(({ amount }) => amount === String(value))
    ? undefined
    : String(value);
const signedValue = (paying: Paying, wanted: bigint): JsonObject | undefined => {
  const value = unpriced(paying, wanted);
  return value === undefined ? undefined : signedWith(paying, { value });
};

/** A wrong recipient: the payer itself, so that cashing the payment would move no money. */
const elsewhere = (paying: Paying): string =>
  sameAddress(paying.option.payTo, paying.wallet.address) ? strangerTo(paying).address : paying.wallet.address;

/** A token of no option of the offer. */
const otherAsset = ({ offer, option }: Paying, candidates: readonly Token[]): string =>
  other(candidates, ({ asset }) => offer.options.some((option) => sameAddress(asset, option.asset)))?.asset ??
  option.payTo;

const chains = [8453n, 84532n, 1n, 137n] as const;
/** A chain that no option of the offer is on. */
const otherChain = ({ offer }: Paying): bigint =>
  other(chains, (chain) => offer.options.some(({ network }) => chainIdOf(network) === chain)) ?? 43114n;

const otherNetwork = (paying: Paying): string => {
  const chain = otherChain(paying);
  return paying.offer.x402Version === 1 ? (v1NameOf(chain) ?? 'base') : caip2Of(chain);
};

/** Replaces members such as `scheme` and `network`: in the copy of the option, or beside the payload in version 1. */
function chosen(paying: Paying, members: JsonObject, good: JsonObject = payment(paying)): JsonObject {
  if (paying.offer.x402Version === 1) return { ...good, ...members };
  return { ...good, accepted: { ...(good['accepted'] as JsonObject), ...members } };
}

const resigned = (paying: Paying, change: (signature: string) => string): JsonObject =>
  changed(paying, ({ signature, authorization }) => ({ signature: change(signature), authorization }));

function bitFlipped(signature: string): string {
  const bytes = bytesOf(signature);
  bytes[5] = (bytes[5] ?? 0) ^ 1;
  return hex(bytes);
}

const signed = (name: string, about: string, codes: Flaw['codes'], make: Flaw['make']): Flaw => ({
  name,
  about,
  codes,
  versions: bothVersions,
  make,
});
const badSignature = (name: string, about: string, make: Flaw['make']): Flaw =>
  signed(name, about, invalidSignature, make);
const copied = (flaw: Flaw): Flaw => ({ ...flaw, versions: [2] });

export const wrongPayments = {
  n01: signed('value-low', 'value one unit short, properly signed', ['INVALID_AMOUNT'], (paying) =>
    signedValue(paying, amountOf(paying) - 1n),
  ),
  n02: signed('value-high', 'value one unit above, properly signed', ['INVALID_AMOUNT'], (paying) =>
    signedValue(paying, amountOf(paying) + 1n),
  ),
  n03: signed('value-zero', 'value 0, properly signed', ['INVALID_AMOUNT'], (paying) => signedValue(paying, 0n)),
  n04: signed('value-edited', 'value edited after signing', ['INVALID_SIGNATURE', 'INVALID_AMOUNT'], (paying) =>
    edited(paying, { value: amountOf(paying) === 1n ? '2' : '1' }),
  ),
  n05: signed('recipient', 'another recipient, properly signed', 'any', (paying) =>
    signedWith(paying, { to: elsewhere(paying) }),
  ),
  n06: badSignature('recipient-edited', 'recipient edited after signing', (paying) =>
    edited(paying, { to: elsewhere(paying) }),
  ),
  n07: signed('other-chain', 'signed for another chain id', ['INVALID_SIGNATURE', 'NETWORK_MISMATCH'], (paying) =>
    signedFor(paying, () => ({ chainId: otherChain(paying) })),
  ),
  n08: badSignature('other-asset', 'signed for another token contract', (paying) =>
    signedFor(paying, () => ({ verifyingContract: otherAsset(paying, tokens) })),
  ),
  n09: badSignature('domain-name', 'signed with the token name of another network', (paying) =>
    signedFor(paying, ({ name }) => ({ name: name === 'USD Coin' ? 'USDC' : 'USD Coin' })),
  ),
  n10: badSignature('domain-version', 'signed with another version of the domain', (paying) =>
    signedFor(paying, ({ version }) => ({ version: version === '1' ? '2' : '1' })),
  ),
  n11: badSignature('other-signer', 'signed by another wallet than that of the named payer', (paying) =>
    changed(paying, ({ authorization }) => {
      const domain = paying.domain ?? domainOf(paying.option);
      const signature = domain && signAuthorization(strangerTo(paying), domain, authorization);
      return { signature, authorization };
    }),
  ),
  n12: badSignature('from-edited', 'payer replaced after signing', (paying) =>
    edited(paying, { from: strangerTo(paying).address }),
  ),
  n13: badSignature('nonce-edited', 'nonce replaced after signing', (paying) =>
    edited(paying, { nonce: hex(keccak(`other ${paying.nonce}`)) }),
  ),
  n14: signed('expired', 'validBefore one hour ago', ['EXPIRED_PAYMENT'], (paying) =>
    signedWith(paying, { validAfter: second(paying.now - 2 * hour), validBefore: second(paying.now - hour) }),
  ),
  n15: signed('expires-now', 'validBefore is this very second', ['EXPIRED_PAYMENT'], (paying) =>
    signedWith(paying, { validBefore: second(paying.now) }),
  ),
  n16: signed('not-yet-valid', 'valid for one second, an hour ahead', 'any', (paying) =>
    signedWith(paying, { validAfter: second(paying.now + hour), validBefore: second(paying.now + hour + 1) }),
  ),
  n17: signed('window-inverted', 'validAfter later than validBefore, both in the future', 'any', (paying) =>
    signedWith(paying, { validAfter: second(paying.now + 200), validBefore: second(paying.now + 100) }),
  ),
  n18: badSignature('sig-bit-flip', 'one bit of r flipped', (paying) => resigned(paying, bitFlipped)),
  n19: badSignature('sig-other-parity', 'v of the other parity', (paying) =>
    resigned(paying, (signature) => signature.slice(0, -2) + (signature.endsWith('1b') ? '1c' : '1b')),
  ),
  n20: badSignature('sig-v-29', 'v is 29', (paying) => resigned(paying, (signature) => `${signature.slice(0, -2)}1d`)),
  n21: badSignature('sig-zero', '65 zero bytes', (paying) => resigned(paying, () => `0x${'00'.repeat(65)}`)),
  n22: badSignature('sig-empty', 'signature "0x"', (paying) => resigned(paying, () => '0x')),
  n23: badSignature('sig-64-bytes', 'v left out', (paying) => resigned(paying, (signature) => signature.slice(0, -2))),
  n24: badSignature('sig-66-bytes', 'one byte too many', (paying) => resigned(paying, (signature) => `${signature}00`)),
  n25: signed(
    'sig-high-s',
    'the high-s twin: recovers the payer, but token contracts refuse it',
    ['INVALID_SIGNATURE', 'SETTLEMENT_FAILED'],
    (paying) => resigned(paying, highS),
  ),
  n26: signed('accepted-network', 'names a network that was not offered', ['NETWORK_MISMATCH'], (paying) =>
    chosen(paying, { network: otherNetwork(paying) }),
  ),
  n27: signed('accepted-scheme', 'names a scheme that was not offered', 'any', (paying) =>
    chosen(paying, {
      scheme:
        other(['upto', 'deferred', 'none'], (text) => paying.offer.options.some(({ scheme }) => scheme === text)) ??
        'unheard-of',
    }),
  ),
  n28: copied(
    signed('accepted-amount', 'a cheaper accepted.amount and a matching signature', ['INVALID_AMOUNT'], (paying) => {
      const amount = amountOf(paying) > 0n ? unpriced(paying, amountOf(paying) === 1n ? 0n : 1n) : undefined;
      return amount === undefined ? undefined : chosen(paying, { amount }, signedWith(paying, { value: amount }));
    }),
  ),
  n29: copied(
    signed('accepted-payto', 'another accepted.payTo and a matching signature', 'any', (paying) =>
      chosen(paying, { payTo: elsewhere(paying) }, signedWith(paying, { to: elsewhere(paying) })),
    ),
  ),
  n30: copied(
    signed('accepted-asset', 'another token in accepted and a matching signature', 'any', (paying) => {
      const asset = otherAsset(paying, [localToken, ...tokens]);
      return chosen(
        paying,
        { asset },
        signedFor(paying, () => ({ verifyingContract: asset })),
      );
    }),
  ),
} as const satisfies Readonly<Record<string, Flaw>>;
