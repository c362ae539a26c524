import { type BindingId, type ProfileId, signers } from '../dialect/index.js';
import type { Header } from '../wire/index.js';
import type { Patch } from './seams.js';

/** An unusual agent that conforms all the same: no check may fail on it. */
export interface Variant {
  readonly id: string;
  /** What is unusual, and the sentence or ambiguity that allows it. */
  readonly about: string;
  readonly patch: Patch;
  /** Headers of every call that the kit is given: credentials, extensions. */
  readonly headers?: readonly Header[];
  /** The same for a second, unrelated caller. */
  readonly secondHeaders?: readonly Header[];
  /** Credentials that belong into the URL of every call. */
  readonly query?: readonly Parameter[];
  readonly secondQuery?: readonly Parameter[];
  /** The card URL that the kit is given in place of the base URL. */
  readonly cardUrl?: (baseUrl: string) => string;
  /**
   * What the kit knows of the agent: options of the pack of its profile, or of its payments. `stub: false`: the kit cannot
   * control the answers of the service that it asks.
   */
  readonly told?: Readonly<Record<string, number | false>>;
  /** It charges: it is used for checks of payments only, on top of the merchant. */
  readonly charges?: true;
  /** Dialects in which the agent is right. Left out: all. */
  readonly profiles?: readonly ProfileId[];
  /** The only binding in which it can be seen. Left out: all. */
  readonly binding?: BindingId;
  /** Bindings and profiles that have no form for it. */
  readonly notOver?: readonly (BindingId | ProfileId)[];
  /** Beginnings of the buckets that the fuzzer finds in it: weaknesses, which break no sentence. Left out: none. */
  readonly weaknesses?: readonly string[];
}

/** Name and value, not yet encoded. */
export type Parameter = readonly [name: string, value: string];

/** The versions before 1.0, whose rules are looser in many places, and the dialects that stem from them. */
export const before10: readonly ProfileId[] = ['a2a-0.3', 'a2a-0.2', ...signers, 'terminal-bench', 'openclaw'];
/** The dialects that agree in the card and in the optional operations. */
export const a2a: readonly ProfileId[] = ['a2a-0.3', 'a2a-0.2', 'a2a-1.0'];

/** The dialects that have streams. */
export const streamers: readonly ProfileId[] = [...a2a, 'openclaw'];
export const allBut = (...names: readonly ProfileId[]): readonly ProfileId[] =>
  (['a2a-1.0', ...before10] as const).filter((id) => !names.includes(id));

export const variant = (id: string, definition: Omit<Variant, 'id'>): Variant => ({ id, ...definition });

export { signers } from '../dialect/index.js';
