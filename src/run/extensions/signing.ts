import type { Signer } from '../../client/index.js';
import type { Dialect } from '../../dialect/index.js';
import type { Rule, SigningCallers } from '../../kit/index.js';
import type { Clock, Wire } from '../../wire/index.js';
import type { Detected } from '../detection/detect.js';

// What the pack of a profile does where calls are signed. The run knows neither keys nor what is signed.

export interface Preparing {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly uuid: () => string;
  readonly onWait: (ms: number) => void;
  readonly signal?: AbortSignal;
  /** True when nothing is sent any more: the agent is gone, or the budget is spent. */
  readonly isOver?: () => boolean;
}

/** What a pack adds to scenes; `uuid` gives the ids of one check. */
export interface SceneAddition {
  readonly pack: string;
  of(uuid: () => string): unknown;
}

/** Everything that a run has to know of signed calls. */
export interface Prepared {
  /** A card may leave open which profile of the pack the agent speaks. */
  readonly dialect: Dialect;
  readonly signer: Signer | undefined;
  readonly secondSigner: Signer | undefined;
  readonly callers: SigningCallers;
  /** The checks of the pack: a run need not have them before it knows the agent. */
  readonly rules: readonly Rule[];
  readonly addition: SceneAddition;
  /** Why messages are not sent; undefined: they are. */
  readonly sendsOff: string | undefined;
  /** Evidence, one line each. */
  readonly evidence: readonly string[];
}

/** How calls are signed. */
export interface CallSigning {
  /** The account that signs; undefined: the user names none. */
  readonly account: string | undefined;
  /** Advice where the user names an account, and the agent speaks a profile without signatures. */
  readonly hint: string;
  /** Before the first check. Throws `TckError` for options that do not fit together. */
  prepare(preparing: Preparing, detected: Detected): Promise<Prepared>;
}
