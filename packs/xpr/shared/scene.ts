import { type Credentials, scenePart } from '../../../src/kit/index.js';
import type { ChainControl, PrivateKey, Scheme } from '../signing/index.js';

/** A caller who signs. */
export interface XprCaller {
  readonly account: string;
  readonly key: PrivateKey;
}

export interface XprSigning {
  /** Replaces the digest of this agent. */
  readonly scheme?: Scheme;
  /** Unix seconds. Default: the agent's own time. */
  readonly timestamp?: number;
  /** False: sent at once, whatever the agent's limit. */
  readonly paced?: boolean;
}

/** Additions to a scene for checks of signed requests: callers, the digest, the agent's limits and its time. */
export interface XprScene {
  /** The digest that this agent verifies. */
  readonly scheme: Scheme;
  /** The account of the user; undefined: none was given. */
  readonly first: XprCaller | undefined;
  /** Why a correct agent may refuse the first caller's key, if the chain was asked. */
  readonly keyDoubt: string | undefined;
  readonly second: XprCaller | undefined;
  /** An account that the chain knows and that is not a registered agent. */
  readonly unregistered: XprCaller | undefined;
  /** Signed requests per minute that the agent accepts. */
  readonly rate: number;
  /** The user gave the rate; else it is the default of the document. */
  readonly isRateStated: boolean;
  /** The user allows waits of more than a minute. */
  readonly slow: boolean;
  /** The agent's requirements for callers, if the user gave them. */
  readonly minKyc: number | undefined;
  readonly minTrust: number | undefined;
  /** The chain that the agent asks, if it is one of the kit's; else `stubOff` says what is needed. */
  readonly stub: ChainControl | undefined;
  readonly stubOff: string;
  /** Unix seconds by the agent's clock, read from its Date header. */
  seconds(): number;
  /** Credentials that sign as the caller. Unpaced requests count for the pace of later ones too. */
  as(caller: XprCaller, signing?: XprSigning): Credentials;
  /** A caller with an unknown key, from the seed of the run; the account is made up unless it is given. */
  stranger(account?: string): XprCaller;
}

/** Signed requests, in scenes of runs on agents of these profiles. */
export const xprPart = scenePart<XprScene>('xpr');
