import { TckError, withoutKeys } from '../../../src/model/index.js';
import { type Carrier, realClock } from '../../../src/wire/index.js';
import {
  type ChainControl,
  isAccountName,
  type PrivateKey,
  pvtText,
  readPrivateKey,
  wif,
  XprTextError,
} from '../signing/index.js';
import { createChainReader } from './chain-reader.js';
import { createChainStub } from './chain-stub.js';
import type { XprOptions } from './options.js';

/** For agents of the XPR dialect, whose callers sign. Keys are secrets: they appear in no event and no report. */
export interface XprTarget {
  /** The account that signs, and its key: WIF or `PVT_K1_…`. */
  readonly account?: string;
  readonly key?: string;
  /** Another account, for checks of who may access what. */
  readonly secondAccount?: string;
  readonly secondKey?: string;
  /** An account that the chain knows, but that is not a registered agent. */
  readonly unregisteredAccount?: string;
  readonly unregisteredKey?: string;
  /** Three or five lines; default `auto`. */
  readonly digest?: 'v1' | 'v2' | 'auto';
  /** The recipient of five-line digests; default: the account of the card. */
  readonly audience?: string;
  /** 64 hexadecimal digits; default: what `rpc` says. */
  readonly chainId?: string;
  /** RPC endpoint of the chain. What it says about the accounts is reported before the run. */
  readonly rpc?: string;
  /** Signed requests that the agent takes in a minute; default 20. */
  readonly rate?: number;
  /** Allows messages, although each starts work. Default: only to agents on this machine. */
  readonly allowSend?: boolean;
  /** Waits of more than a minute are allowed. */
  readonly slow?: boolean;
  /** What the agent demands of its callers, for the checks of its trust gates. */
  readonly minKyc?: number;
  readonly minTrust?: number;
  /**
   * Control of the stub that the agent asks in place of a chain: the URL that `a2a-tck stub --profile xpr` prints, or an
   * object.
   */
  readonly stub?: string | ChainControl;
}

/** Errors never quote a key, not even one that was given to the wrong option. */
const wrong = (message: string, hint: string): TckError => new TckError('usage', withoutKeys(message), hint);

const nameHint = 'a-z, 1-5 and dots, at most 12, as alice or my.agent';

/** A caller that signs; undefined if none is given. */
function callerOf(what: string, account: string | undefined, key: string | undefined) {
  if (account === undefined && key === undefined) return undefined;
  if (account === undefined) throw wrong(`the ${what}key has no account`, `give --xpr-${what}account`);
  if (!isAccountName(account)) throw wrong(`--xpr-${what}account ${account} is not an account name`, nameHint);
  if (key === undefined) {
    const variable = `A2A_TCK_XPR_${what.replace('-', '_').toUpperCase()}KEY`;
    throw wrong(`--xpr-${what}account ${account} has no key`, `put it into ${variable}, or give --xpr-${what}key-file`);
  }
  return { account, key: keyOf(what, account, key) };
}

function keyOf(what: string, account: string, text: string): PrivateKey {
  try {
    return readPrivateKey(text.trim());
  } catch (error) {
    const why = error instanceof XprTextError ? ` (${error.message})` : '';
    throw wrong(
      `the key of --xpr-${what}account ${account} cannot be read${why}`,
      'WIF or PVT_K1_…, as a wallet exports it',
    );
  }
}

/** Throws `TckError('usage')` if two callers have the same account. */
function checkDifferent(callers: readonly ({ readonly account: string } | undefined)[]): void {
  const accounts = callers.flatMap((caller) => (caller === undefined ? [] : [caller.account]));
  const twice = accounts.find((account, at) => accounts.indexOf(account) !== at);
  if (twice === undefined) return;
  throw wrong(`the account ${twice} is given twice`, 'the second and the unregistered one must be others');
}

/** A key in all its spellings. */
const spellings = (key: PrivateKey): readonly string[] => [
  wif(key),
  pvtText(key),
  Buffer.from(key.secret).toString('hex'),
];

export interface XprChosen {
  readonly options: XprOptions;
  /** Texts that must appear in no output. */
  readonly secrets: readonly string[];
}

/** Makes options for a run. Throws `TckError('usage')` for what does not go together. Errors never quote a key. */
export async function xprFor(target: XprTarget, carrier: Carrier): Promise<XprChosen> {
  const first = callerOf('', target.account, target.key);
  const second = callerOf('second-', target.secondAccount, target.secondKey);
  const unregistered = callerOf('unregistered-', target.unregisteredAccount, target.unregisteredKey);
  checkDifferent([first, second, unregistered]);
  const { audience, minKyc, minTrust, rpc, stub } = target;
  if (audience !== undefined && !isAccountName(audience)) {
    throw wrong(`--xpr-audience ${audience} is not an account name`, nameHint);
  }
  const chainId = target.chainId?.toLowerCase();
  if (chainId !== undefined && !/^[0-9a-f]{64}$/.test(chainId)) {
    throw wrong('--xpr-chain-id must be 64 hexadecimal digits', 'get_info of the chain says it; --xpr-rpc asks');
  }
  const chain = rpc === undefined ? undefined : await createChainReader(rpc);
  const control = typeof stub !== 'string' ? stub : createChainStub(stub, { carrier, clock: realClock });
  return {
    options: {
      ...(first === undefined ? {} : { first }),
      ...(second === undefined ? {} : { second }),
      ...(unregistered === undefined ? {} : { unregistered }),
      digest: target.digest ?? 'auto',
      ...(audience === undefined ? {} : { audience }),
      ...(chainId === undefined ? {} : { chainId }),
      ...(chain === undefined ? {} : { chain }),
      ...(target.rate === undefined ? {} : { rate: target.rate }),
      allowSend: target.allowSend ?? false,
      slow: target.slow ?? false,
      ...(minKyc === undefined ? {} : { minKyc }),
      ...(minTrust === undefined ? {} : { minTrust }),
      ...(control === undefined ? {} : { stub: control }),
    },
    secrets: [first, second, unregistered].flatMap((caller) => (caller === undefined ? [] : spellings(caller.key))),
  };
}
