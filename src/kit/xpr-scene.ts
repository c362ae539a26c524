import type { Credentials } from '../client/index.js';
import type { ChainControl, PrivateKey, Scheme } from '../xpr/index.js';

/** Somebody who signs. */
export interface XprCaller {
  readonly account: string;
  readonly key: PrivateKey;
}

export interface XprSigning {
  /** In place of the digest of this agent. */
  readonly scheme?: Scheme;
  /** Unix seconds. Default: the agent's own time. */
  readonly timestamp?: number;
  /** False: sent at once, whatever the agent's limit. */
  readonly paced?: boolean;
}

/** What checks of signed requests need beyond a scene: who can sign, how, and when. */
export interface XprScene {
  /** The digest that this agent verifies. */
  readonly scheme: Scheme;
  /** The account of the user; undefined: none was given. */
  readonly first: XprCaller | undefined;
  /** Why a right agent may refuse its key, where the chain was asked. */
  readonly keyDoubt: string | undefined;
  readonly second: XprCaller | undefined;
  /** An account that the chain knows and that is no registered agent. */
  readonly unregistered: XprCaller | undefined;
  /** Signed requests that the agent takes in a minute. */
  readonly rate: number;
  /** The user said so; else it is what the document takes where nothing is said. */
  readonly isRateStated: boolean;
  /** Nobody waits for longer than a minute unless the user allows it. */
  readonly slow: boolean;
  /** What the agent asks of its callers, where the user said so. */
  readonly minKyc: number | undefined;
  readonly minTrust: number | undefined;
  /** The chain that the agent asks, where it is one of the kit's; else `labOff` says what would be needed. */
  readonly lab: ChainControl | undefined;
  readonly labOff: string;
  /** Unix seconds by the agent's clock, told by its Date header. */
  seconds(): number;
  /** Signs as the caller. Unpaced ones count for the pace of later ones all the same. */
  as(caller: XprCaller, signing?: XprSigning): Credentials;
  /** A key that nobody knows, from the seed of the run; the account is made up unless it is given. */
  stranger(account?: string): XprCaller;
}
