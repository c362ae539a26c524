import type { JsonObject } from '../../../src/model/index.js';
import type { Incoming } from '../../../src/reference/patching.js';
import type { headerNames, Scheme } from '../signing/index.js';
import type { XprSettings } from './settings.js';

/**
 * The seams of an agent that knows its callers by signatures. A weakness replaces one of them, with `onXpr`:
 *
 * | weakness | seam |
 * |---|---|
 * | other limits, windows, gates, modes; answers of the chain kept too long | `settings` |
 * | an unsigned account header is believed | `anonymous` |
 * | an empty signature counts as none | `isAnonymous`; a wrong one too: `authenticate`, of the agent |
 * | callers without a claim are not limited | `admit` for undefined |
 * | two headers of one name, empty ones | `header` |
 * | odd names of accounts | `claim`, which composes the three headers |
 * | sloppy timestamps | `claim`, with the number written again; milliseconds: `seconds` |
 * | old, future or all timestamps | `fresh` |
 * | the body is decoded before it is hashed, or not hashed | `body` |
 * | signed once, upper-case digits, a line feed at the end, other recipients or chains | `hash`, `scheme`, `chainId` |
 * | other spellings and other curves of a signature | `key` |
 * | the chain is trusted when it fails, its error texts are passed on | `ask`, `permissions` |
 * | keys of other permissions, a key of too little weight | `authorises` |
 * | replays | `use`; two copies at once: `use`, with a pause between `seen` and `remember` |
 * | replays in another spelling | `mark`, with the text of the signature or of the timestamp |
 * | replays that cost the victim its calls | `accept`, in the other order |
 * | unregistered, inactive, unverified callers; a foreign row counts | `gate`, `agent`, `kyc`, `trust` |
 * | the caller that the body names is believed | `authenticate`, of the agent |
 * | foreign tasks are shown, or get another answer than unknown ones | `visible`, `find`, of the agent |
 */
export interface XprSeams {
  settings(): XprSettings;

  // -- The claim of a caller
  /** The request claims no caller, and need not claim one. */
  isAnonymous(request: Incoming): boolean;
  /** The caller of a request that claims none; undefined: no caller. */
  anonymous(request: Incoming): string | undefined;
  /**
   * The value of one of the three headers. Throws AuthenticationError unless there is exactly one, and it is not empty.
   */
  header(name: keyof typeof headerNames, request: Incoming): string;
  /** What the three headers say. Throws AuthenticationError. */
  claim(request: Incoming): XprClaim;

  // -- When
  /** Unix seconds. Throws AuthenticationError for a text that is not a number. */
  seconds(timestamp: string): number;
  /** Throws AuthenticationError for a time that is too far from now. */
  fresh(seconds: number): void;

  // -- Signatures
  /** The bytes of the body that are signed. */
  body(request: Incoming): Uint8Array;
  scheme(): Promise<Scheme>;
  /** The hash that is signed by ECDSA, 32 bytes. */
  hash(claim: XprClaim, body: Uint8Array): Promise<Uint8Array>;
  /** `PUB_K1_…` of the key that signed. Throws AuthenticationError for a text that is not a signature. */
  key(signature: string, hash: Uint8Array): string;

  // -- The chain
  /** URL of the node that is asked; empty: there is none. */
  node(): string;
  /** One question, not cached: the path below the node, such as `/v1/chain/get_info`. Throws AuthenticationError. */
  ask(path: string, question: JsonObject): Promise<unknown>;
  chainId(): Promise<string>;
  /** The permissions of an account, cached. Throws AuthenticationError for an unknown account. */
  permissions(account: string): Promise<readonly XprPermission[]>;
  /** Whether this key alone acts for the account. */
  authorises(key: string, permissions: readonly XprPermission[]): boolean;

  // -- Once, and not too often
  /** Accepts a verified request: marks it as used, then counts it. Throws AuthenticationError. */
  accept(proof: XprProof): Promise<void>;
  /** Uses a request. Throws AuthenticationError the second time. */
  use(proof: XprProof): void | Promise<void>;
  /** A text that is the same for two copies of one request. */
  mark(proof: XprProof): string;
  seen(proof: XprProof): boolean;
  remember(proof: XprProof): void;
  /**
   * Throws AuthenticationError when a caller sent too many requests in the last minute; undefined: all callers without
   * a claim.
   */
  admit(caller: string | undefined): void;

  // -- Gates
  /** Throws AuthenticationError for a caller who does not meet the settings. */
  gate(account: string): Promise<void>;
  /** The row of a registered agent, cached. */
  agent(account: string): Promise<XprAgent | undefined>;
  /** 0 to 3, cached. */
  kyc(account: string): Promise<number>;
  /** The part of the trust score that tables show: KYC level, and time since registration. */
  trust(agent: XprAgent, kyc: number): number;
}

/** What the headers of a request say, as they spell it. */
export interface XprClaim {
  readonly account: string;
  readonly timestamp: string;
  readonly signature: string;
}

/** A verified claim. */
export interface XprProof extends XprClaim {
  readonly seconds: number;
  /** Hexadecimal. */
  readonly bodyHash: string;
}

export interface XprPermission {
  readonly name: string;
  readonly threshold: number;
  readonly keys: readonly { readonly key: string; readonly weight: number }[];
}

export interface XprAgent {
  readonly isActive: boolean;
  /** Unix seconds. */
  readonly registeredAt: number;
}
