import type { JsonObject } from '../../model/index.js';
import type { headerNames, Scheme } from '../../xpr/index.js';
import type { Incoming, Patch, Seams, World } from '../seams.js';
import type { XprSettings } from './settings.js';

/**
 * The joints of an agent that knows its callers by signatures. A weakness is one of them replaced, by `onXpr`:
 *
 * | weakness | joint |
 * |---|---|
 * | other limits, windows, gates, modes; answers of the chain kept too long | `settings` |
 * | an unsigned account header is believed | `anonymous` |
 * | an empty signature counts as none | `isAnonymous`; a wrong one too: `authenticate`, of the agent |
 * | nobody is not limited | `admit` for undefined |
 * | two headers of one name, empty ones | `header` |
 * | odd names of accounts | `claim`, which composes the three headers |
 * | sloppy timestamps | `claim`, with the number written again; milliseconds: `seconds` |
 * | old, future or all timestamps | `fresh` |
 * | the body is decoded before it is hashed, or not hashed | `body` |
 * | signed once, upper-case digits, a line feed at the end, other recipients or chains | `hash`, `scheme`, `chainId` |
 * | other spellings and other curves of a signature | `key` |
 * | the chain is trusted when it fails, its words get out | `ask`, `permissions` |
 * | keys of other permissions, a key of too little weight | `authorises` |
 * | replays | `use`; two copies at once: `use`, with a pause between `seen` and `remember` |
 * | replays in another spelling | `mark`, with the text of the signature or of the timestamp |
 * | replays that cost the victim its calls | `accept`, in the other order |
 * | unregistered, inactive, unverified callers; a foreign row counts | `gate`, `agent`, `kyc`, `trust` |
 * | the caller that the body names is believed | `authenticate`, of the agent |
 * | foreign tasks are shown, or told apart | `visible`, `find`, of the agent |
 */
export interface XprSeams {
  settings(): XprSettings;

  // -- Who says that he is who
  /** Nothing is claimed, and nothing needs to be. */
  isAnonymous(request: Incoming): boolean;
  /** As whom he is served who claims nothing; undefined: as nobody. */
  anonymous(request: Incoming): string | undefined;
  /** The value of one of the three headers. Throws AuthenticationError unless there is just one that is not empty. */
  header(name: keyof typeof headerNames, request: Incoming): string;
  /** What the three headers say. Throws AuthenticationError. */
  claim(request: Incoming): XprClaim;

  // -- When
  /** Unix seconds. Throws AuthenticationError for what is no number. */
  seconds(timestamp: string): number;
  /** Throws AuthenticationError for a time that is too far from now. */
  fresh(seconds: number): void;

  // -- Signatures
  /** The bytes of the body that are signed. */
  body(request: Incoming): Uint8Array;
  scheme(): Promise<Scheme>;
  /** What ECDSA runs over, 32 bytes. */
  hash(claim: XprClaim, body: Uint8Array): Promise<Uint8Array>;
  /** `PUB_K1_…` of the key that signed. Throws AuthenticationError for what is no signature. */
  key(signature: string, hash: Uint8Array): string;

  // -- The chain
  /** One question, not cached: the path below the node, such as `/v1/chain/get_info`. Throws AuthenticationError. */
  ask(path: string, question: JsonObject): Promise<unknown>;
  chainId(): Promise<string>;
  /** Of an account, cached. Throws AuthenticationError for one that is not there. */
  permissions(account: string): Promise<readonly XprPermission[]>;
  /** Whether this key alone acts for the account. */
  authorises(key: string, permissions: readonly XprPermission[]): boolean;

  // -- Once, and not too often
  /** Takes note of a verified request: it is used, then it counts. Throws AuthenticationError. */
  accept(proof: XprProof): Promise<void>;
  /** Throws AuthenticationError the second time. */
  use(proof: XprProof): void | Promise<void>;
  /** What makes two requests the same. */
  mark(proof: XprProof): string;
  seen(proof: XprProof): boolean;
  remember(proof: XprProof): void;
  /** Throws AuthenticationError when there were too many in the last minute; undefined: all who claim nothing. */
  admit(caller: string | undefined): void;

  // -- Gates
  /** Throws AuthenticationError for a caller who does not come up to the settings. */
  gate(account: string): Promise<void>;
  /** The row of a registered agent, cached. */
  agent(account: string): Promise<XprAgent | undefined>;
  /** 0 to 3, cached. */
  kyc(account: string): Promise<number>;
  /** The part of the score that stands in tables: who somebody is, and for how long. */
  trust(agent: XprAgent, kyc: number): number;
}

/** What the headers of a request say, as they spell it. */
export interface XprClaim {
  readonly account: string;
  readonly timestamp: string;
  readonly signature: string;
}

/** A claim that was found to be true. */
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

/** A patch of some of these joints. */
export const onXpr =
  (patch: (inner: XprSeams, world: World, whole: Seams) => Partial<XprSeams>): Patch =>
  (inner, world, whole) => ({ xpr: { ...inner.xpr, ...patch(inner.xpr, world, whole) } });

/** Other settings. */
export const setting = (more: Partial<XprSettings>): Patch =>
  onXpr((inner) => ({ settings: () => ({ ...inner.settings(), ...more }) }));
