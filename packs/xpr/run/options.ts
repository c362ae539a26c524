import type { XprCaller } from '../shared/scene.js';
import type { ChainControl } from '../signing/index.js';

/** The user's options for an agent of the XPR dialect. Keys are secrets and appear in no output. */
export interface XprOptions {
  readonly first?: XprCaller;
  readonly second?: XprCaller;
  readonly unregistered?: XprCaller;
  /** `auto`: three lines, or five if those are refused. */
  readonly digest: 'v1' | 'v2' | 'auto';
  /** Recipient of five-line digests. Default: the account of the card. */
  readonly audience?: string;
  readonly chainId?: string;
  /** Reads the chain; given if there is an RPC endpoint. */
  readonly chain?: ChainReader;
  /** Signed requests per minute that the agent accepts, if the user gave it. */
  readonly rate?: number;
  /** Messages may be sent, although each starts work. */
  readonly allowSend: boolean;
  /** Waits of more than a minute are allowed. */
  readonly slow: boolean;
  readonly minKyc?: number;
  readonly minTrust?: number;
  /** Controls the chain that the agent asks, if it is one of the kit's. */
  readonly stub?: ChainControl;
}

/** No account, and all defaults. */
export const withoutAccount: XprOptions = { digest: 'auto', allowSend: false, slow: false };

/** The state of a given key on the chain. */
export interface KeysTold {
  /** One line for each fact. */
  readonly lines: readonly string[];
  /** Why a correct agent may refuse the key. */
  readonly doubt?: string;
}

/** Reads a chain before the run. Methods reject when it cannot be read. */
export interface ChainReader {
  chainId(): Promise<string>;
  /** How a correct agent should treat the caller's key. */
  keysOf(caller: XprCaller): Promise<KeysTold>;
}
