import { randomBytes } from 'node:crypto';
import { TckError } from '../../../src/model/index.js';
import { type Carrier, realClock } from '../../../src/wire/index.js';
import {
  chainIdOf,
  type FacilitatorControl,
  hasRightChecksum,
  isAddress,
  isPurse,
  isUint256,
  type NamedAsset,
  type Purse,
  readWallet,
  testNetworks,
  type Wallet,
} from '../payments/index.js';
import { createFacilitatorStub } from './facilitator-stub.js';
import type { Funds, X402Options } from './prepare.js';

/** For agents that charge through the x402 extension. The key is a secret: it appears in no event and no report. */
export interface X402Target {
  /** Text of the message that the agent charges for; default `paid-echo`. */
  readonly message?: string;
  /** Private key of a wallet with funds: 64 hex digits. Left out: signatures can move no money. */
  readonly key?: string;
  /** Atomic units of one payment, and of all together (default: one payment). Needed with a key. */
  readonly maxAmount?: string | bigint;
  readonly maxTotal?: string | bigint;
  /** From `createPurse`: a total of all runs that are given the same one, besides `maxTotal`, which is of this run. */
  readonly purse?: Purse;
  /** Besides the test networks: `eip155:8453`, `base` or `8453`. */
  readonly allowNetworks?: readonly string[];
  /** Besides the known tokens: `<network>:<address>`. */
  readonly assets?: readonly string[];
  /** Pays too where the agent charges before it works, and gives nothing back if the work fails; default false. */
  readonly allowUpfront?: boolean;
  /** Time until a payment must be decided, ms; default 60000. */
  readonly timeoutMs?: number;
  /** Signs nothing with the key, and reports what it would sign. */
  readonly dryRun?: boolean;
  /** Control of the facilitator that the agent asks: the URL that `a2a-tck stub --x402` prints, or an object. */
  readonly stub?: string | FacilitatorControl;
}

export interface X402Chosen {
  readonly options: X402Options;
  /** Texts that must appear in no output. */
  readonly secrets: readonly string[];
}

const usage = (message: string, hint: string): TckError => new TckError('usage', message, hint);
/** Hides what looks like a key: the user may have given it to the wrong option. */
const quoted = (text: string): string => (/[0-9a-f]{64}/i.test(text) ? '[hidden]' : text);
const usualMessage = 'paid-echo';
const usualTimeoutMs = 60_000;

function walletOf(key: string): Wallet {
  try {
    return readWallet(key);
  } catch {
    throw usage('the x402 key is not a private key', '64 hex digits, as a wallet exports it');
  }
}

function amountOf(option: string, amount: string | bigint): bigint {
  const text = String(amount).trim();
  if (!isUint256(text))
    throw usage(`${option} ${quoted(text)} is not an amount`, 'whole atomic units: 10000 are 0.01 of a USDC');
  return BigInt(text);
}

function networkOf(option: string, network: string): bigint {
  const found = chainIdOf(/^[1-9][0-9]*$/.test(network) ? `eip155:${network}` : network);
  if (found === undefined)
    throw usage(`${option} ${quoted(network)} is not an EVM network`, 'give one such as eip155:8453 or base');
  return found;
}

/** `eip155:8453:0x…`, `base:0x…`. */
function assetOf(text: string): NamedAsset {
  const at = text.lastIndexOf(':');
  const asset = text.slice(at + 1);
  if (at < 1 || !isAddress(asset)) {
    throw usage(
      `--x402-asset ${quoted(text)} is not a token`,
      'give one as <network>:<address>, such as base:0x833589fC…',
    );
  }
  if (!hasRightChecksum(asset))
    throw usage(`--x402-asset ${quoted(text)}: the checksum of the address is wrong`, 'look for a typo');
  return { chainId: networkOf('--x402-asset', text.slice(0, at)), asset };
}

/** Spellings of a key: in hex with letters of either case, as a number, and as bytes in base64. */
function spellings(key: string): readonly string[] {
  const digits = key.trim().replace(/^0x/, '');
  const base64 = Buffer.from(digits, 'hex').toString('base64');
  return [digits, digits.toLowerCase(), digits.toUpperCase(), String(BigInt(`0x${digits}`)), base64.replace(/=+$/, '')];
}

function fundsOf({ key, dryRun = false, allowUpfront = false, ...target }: X402Target): Funds | undefined {
  const { allowNetworks = [], assets = [], purse } = target;
  if (purse !== undefined && !isPurse(purse))
    throw usage('x402.purse is not a purse', 'give what createPurse returned');
  const maxAmount = target.maxAmount === undefined ? undefined : amountOf('--x402-max-amount', target.maxAmount);
  const maxTotal = target.maxTotal === undefined ? undefined : amountOf('--x402-max-total', target.maxTotal);
  const networks = allowNetworks.map((allowNetwork) => networkOf('--x402-allow-network', allowNetwork));
  const named = assets.map(assetOf);
  if (key === undefined) {
    const isLimited = maxAmount !== undefined || maxTotal !== undefined || networks.length > 0 || named.length > 0;
    if (isLimited || allowUpfront || purse !== undefined)
      throw usage('there are limits of payments, and no key that could pay', 'put it into A2A_TCK_X402_KEY');
    if (dryRun) throw usage('--dry-run has no key that would sign', 'put one into A2A_TCK_X402_KEY');
    return undefined;
  }
  const wallet = walletOf(key);
  if (maxAmount === undefined) {
    throw usage('a key needs --x402-max-amount', 'the most that one payment may cost, in atomic units');
  }
  if (maxTotal !== undefined && maxTotal < maxAmount) {
    throw usage('--x402-max-total is below --x402-max-amount', 'it is for all payments together');
  }
  return {
    wallet,
    maxAmount,
    ...(maxTotal === undefined ? {} : { maxTotal }),
    ...(purse === undefined ? {} : { purse }),
    allowedNetworks: new Set([...testNetworks, ...networks]),
    assets: named,
    allowUpfront,
    dryRun,
  };
}

/** Makes options for a run. Throws `TckError('usage')` for what does not go together. Errors never quote a key. */
export async function x402For(target: X402Target, carrier: Carrier): Promise<X402Chosen> {
  const { message = usualMessage, timeoutMs = usualTimeoutMs, key, stub } = target;
  if (message.trim() === '') throw usage('--x402-message is empty', 'give a text that the agent charges for');
  if (stub !== undefined && key !== undefined) {
    throw usage('a key and --x402-stub do not go together', 'with a stub play money pays: leave the key out');
  }
  const funds = fundsOf(target);
  const control = typeof stub !== 'string' ? stub : createFacilitatorStub(stub, { carrier, clock: realClock });
  return {
    options: {
      message,
      timeoutMs,
      random: (length) => new Uint8Array(randomBytes(length)),
      ...(funds === undefined ? {} : { funds }),
      ...(control === undefined ? {} : { stub: control }),
    },
    secrets: key === undefined ? [] : spellings(key),
  };
}
