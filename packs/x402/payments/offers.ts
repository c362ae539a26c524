import { isObject, isString, member, stringMember } from '../../../src/model/index.js';
import { isAddress } from './addresses.js';
import { type Domain, isUint256 } from './eip712.js';
import { chainIdOf, chainIdOfCaip2 } from './networks.js';
import type { Offer, Option, X402Version } from './objects.js';
import { tokenOf } from './tokens.js';

// Reads the offers of merchants, in either version. x402 core v1 §5.1, v2 §5.1, §6.1; scheme exact on EVM.

/**
 * Undefined unless an object of version 1 or 2 with a list `accepts`; the list keeps options that no client can pay.
 */
export function readOffer(value: unknown): Offer | undefined {
  const x402Version = member(value, 'x402Version');
  const accepts = member(value, 'accepts');
  if (!isObject(value) || !isVersion(x402Version) || !Array.isArray(accepts)) return undefined;
  const resource = member(value, 'resource');
  const extensions = member(value, 'extensions');
  const error = stringMember(value, 'error');
  return {
    x402Version,
    options: accepts.map((option: unknown) => readOption(option, x402Version)),
    ...(isObject(resource) ? { resource } : {}),
    ...(isObject(extensions) ? { extensions } : {}),
    ...(error === undefined ? {} : { error }),
    raw: value,
  };
}

const isVersion = (value: unknown): value is X402Version => value === 1 || value === 2;

function readOption(raw: unknown, x402Version: X402Version): Option {
  const text = (name: string): string => stringMember(raw, name) ?? '';
  const network = text('network');
  const chainId = x402Version === 1 ? chainIdOf(network) : chainIdOfCaip2(network);
  const seconds = member(raw, 'maxTimeoutSeconds');
  const extra = member(raw, 'extra');
  const read = {
    scheme: text('scheme'),
    network,
    ...(chainId === undefined ? {} : { chainId }),
    amount: text(amountMember[x402Version]),
    asset: text('asset'),
    payTo: text('payTo'),
    ...(typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? { maxTimeoutSeconds: seconds } : {}),
    extra: isObject(extra) ? extra : {},
    raw,
  };
  const because = obstacle(read);
  return because === undefined ? { ...read, usable: true } : { ...read, usable: false, unusableBecause: because };
}

/** The member of an option that has its price. */
export const amountMember: Readonly<Record<X402Version, string>> = { 1: 'maxAmountRequired', 2: 'amount' };

/**
 * When the payer is charged. `authorization`, which is meant where nothing is said: after the work. `upfront`: before
 * it, and nothing comes back if the work fails. Other values, of any type, come back unchanged: no client may pay them.
 */
export const flowOf = ({ extra }: Pick<Option, 'extra'>): unknown => member(extra, 'paymentFlow') ?? 'authorization';

/** The options that the kit can pay, in their order, but those that charge before the work come last. */
export function payable({ options }: Offer): readonly Option[] {
  const usable = options.filter((option) => option.usable);
  const isUpfront = (option: Option): boolean => flowOf(option) === 'upfront';
  return [...usable.filter((option) => !isUpfront(option)), ...usable.filter(isUpfront)];
}

/** Members of `extra` that the kit knows, for the options that it can pay. */
const known: ReadonlySet<string> = new Set(['name', 'version', 'assetTransferMethod', 'paymentFlow']);

/** Members of `extra` that the kit does not know: they may be terms of the payment. */
export const unknownTerms = ({ extra }: Pick<Option, 'extra'>): readonly string[] =>
  Object.keys(extra).filter((name) => !known.has(name));

function obstacle(option: Omit<Option, 'usable'>): string | undefined {
  if (!isObject(option.raw)) return 'is not an object';
  if (option.scheme !== 'exact') return 'the scheme is not exact';
  if (option.chainId === undefined) {
    return chainIdOf(option.network) === undefined
      ? 'the network is not a known EVM network'
      : 'version 2 names networks by CAIP-2 ids, such as eip155:84532';
  }
  const seconds = member(option.raw, 'maxTimeoutSeconds');
  if (typeof seconds === 'number' && !(seconds > 0)) return 'the time to pay is over';
  const method = member(option.extra, 'assetTransferMethod');
  if (method !== undefined && method !== 'eip3009') return 'the asset is not transferred by EIP-3009';
  const flow = flowOf(option);
  if (flow === 'escrow') return 'the scheme exact has no payment flow escrow';
  if (flow !== 'authorization' && flow !== 'upfront') return 'the kit does not know the payment flow';
  if (!isUint256(option.amount)) return 'the amount is not a decimal text below 2^256';
  if (!isAddress(option.asset)) return 'the asset is not an address';
  if (!isAddress(option.payTo)) return 'the recipient is not an address';
  return domainOf(option) === undefined
    ? 'the kit does not know the token, and extra has no name and version of it'
    : undefined;
}

/**
 * The domain that the offer names, as ordinary clients use it; if it names none, that of a known token. A version that
 * is a number is read as its digits: published examples have 2. For funded payments see `fundedDomain`.
 */
export function domainOf({ chainId, asset, extra }: Pick<Option, 'chainId' | 'asset' | 'extra'>): Domain | undefined {
  if (chainId === undefined) return undefined;
  const token = tokenOf(chainId, asset);
  const name = named(member(extra, 'name')) ?? token?.name;
  const offered = member(extra, 'version');
  const version = named(Number.isSafeInteger(offered) ? String(offered) : offered) ?? token?.version;
  if (name === undefined || version === undefined) return undefined;
  return { name, version, chainId, verifyingContract: asset };
}

const named = (value: unknown): string | undefined => (isString(value) && value !== '' ? value : undefined);
