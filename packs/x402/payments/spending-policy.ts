import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../../src/model/index.js';
import { sameAddress } from './addresses.js';
import type { Domain } from './eip712.js';
import type { Offer, Option } from './objects.js';
import { amountMember, domainOf, flowOf, readOffer } from './offers.js';
import { tokenOf } from './tokens.js';

// Which payments a funded wallet may make. Pure functions; nothing here signs.

/** A token that the user allows; a missing name or version is taken from the offer. */
export interface NamedAsset {
  readonly chainId: bigint;
  readonly asset: string;
  readonly name?: string;
  readonly version?: string;
}

export interface Limits {
  /** Atomic units per payment. */
  readonly maxAmount: bigint;
  /** Chain ids. */
  readonly allowedNetworks: ReadonlySet<bigint>;
  /** In addition to the known tokens. */
  readonly assets: readonly NamedAsset[];
  /** Options may be paid that charge before the work, and give nothing back if it fails. */
  readonly allowUpfront: boolean;
}

const refusals = {
  'no-wallet': 'the kit has no funded wallet',
  'unreadable-offer': 'the offer cannot be read',
  'offer-changed': 'the offer differs from the earlier one',
  'option-not-offered': 'the option is not part of the offer',
  'option-not-usable': 'the option cannot be paid by this kit',
  'network-not-allowed': 'the network is not allowed (--x402-allow-network)',
  'unknown-token': 'the token is neither known nor named by the user (--x402-asset)',
  'flow-not-allowed': 'the agent would be paid before the work, and give nothing back (--x402-allow-upfront)',
  'amount-zero': 'the amount is 0',
  'above-limit': 'the amount is above the limit of one payment (--x402-max-amount)',
  'above-total': 'all payments together would be above their limit (--x402-max-total)',
  'above-shared-total':
    'the payments of all agents and of all runs together would be above their limit (--x402-max-total)',
  'pays-itself': 'the recipient is the payer',
  'no-time': 'the time to pay is shorter than a second, or the clock gives no valid time',
  'nonce-used': 'the nonce was already used or is not 32 bytes in hex',
} as const;
export type Refusal = keyof typeof refusals;
export const refuse = (refused: Refusal): Refused => ({ refused, about: refusals[refused] });
export interface Refused {
  readonly refused: Refusal;
  /** A sentence for people. */
  readonly about: string;
}

/** Members of an option that are read into an `Option`, and those of version 1 that describe what is sold. */
const apart: ReadonlySet<string> = new Set([
  ...['scheme', 'network', ...Object.values(amountMember), 'asset', 'payTo', 'maxTimeoutSeconds'],
  ...['resource', 'description', 'mimeType', 'outputSchema'],
]);

/**
 * What options are compared by. Of one that the kit can pay everything counts but the description: `extra` and members
 * that the kit does not know may be terms. Of others the rest may vary, such as who pays the fees.
 */
const terms = ({
  scheme,
  network,
  amount,
  asset,
  payTo,
  maxTimeoutSeconds,
  usable,
  raw,
}: Option): readonly unknown[] => [
  scheme,
  network,
  amount,
  asset,
  payTo,
  maxTimeoutSeconds,
  ...(usable && isObject(raw) ? [othersIn(raw)] : []),
];

const othersIn = (raw: JsonObject): JsonObject => {
  const names = Object.keys(raw).filter((name) => !apart.has(name));
  return structuredClone(Object.fromEntries(names.map((name) => [name, raw[name]])));
};

const sameOffer = (first: Offer, second: Offer): boolean =>
  first.x402Version === second.x402Version && isDeepStrictEqual(first.options.map(terms), second.options.map(terms));

export interface Agreed {
  readonly offer: Offer;
  readonly option: Option;
}

/**
 * The option, if both offers have it. Everything is copied and read anew, so that nothing can change between the check
 * and the signature.
 */
export function agreed(seen: Offer, again: Offer, option: Option): Agreed | Refused {
  try {
    const [before, offer] = [readOffer(structuredClone(seen.raw)), readOffer(structuredClone(again.raw))];
    if (before === undefined || offer === undefined) return refuse('unreadable-offer');
    if (!sameOffer(before, offer)) return refuse('offer-changed');
    const wanted = terms(option);
    const found = offer.options.find((option) => isDeepStrictEqual(terms(option), wanted));
    return found === undefined ? refuse('option-not-offered') : { offer, option: found };
  } catch {
    // It cannot be copied or compared: it is not JSON, or nests too deeply.
    return refuse('unreadable-offer');
  }
}

/** Why the option is not paid; undefined: no objection. The payer and earlier payments are not considered. */
export function objection(
  option: Option,
  { maxAmount, allowedNetworks, assets, allowUpfront }: Limits,
): Refusal | undefined {
  if (!option.usable || option.chainId === undefined) return 'option-not-usable';
  if (!allowedNetworks.has(option.chainId)) return 'network-not-allowed';
  if (fundedDomain(option, assets) === undefined) return 'unknown-token';
  if (flowOf(option) !== 'authorization' && !allowUpfront) return 'flow-not-allowed';
  if (BigInt(option.amount) === 0n) return 'amount-zero';
  return BigInt(option.amount) > maxAmount ? 'above-limit' : undefined;
}

/** The domain to sign for. For known tokens the kit's own data count; the offer counts only for tokens of the user. */
export function fundedDomain(option: Option, assets: readonly NamedAsset[]): Domain | undefined {
  const { chainId, asset } = option;
  if (chainId === undefined) return undefined;
  const known = tokenOf(chainId, asset);
  const named = assets.find((namedAsset) => namedAsset.chainId === chainId && sameAddress(namedAsset.asset, asset));
  if (known === undefined && named === undefined) return undefined;
  const asked = domainOf(option);
  const name = known?.name ?? named?.name ?? asked?.name;
  const version = known?.version ?? named?.version ?? asked?.version;
  return name === undefined || version === undefined ? undefined : { name, version, chainId, verifyingContract: asset };
}
