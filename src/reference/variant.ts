import type { ProfileId } from '../dialect/index.js';
import type { Header } from '../wire/index.js';
import type { Patch } from './seams.js';

/** An unusual agent that is right all the same: nothing may be held against it. */
export interface Variant {
  readonly id: string;
  /** What is unusual, and the sentence or ambiguity that allows it. */
  readonly about: string;
  readonly patch: Patch;
  /** Credentials that the kit is given. */
  readonly headers?: readonly Header[];
  /** The card URL that the kit is given in place of the base URL. */
  readonly cardUrl?: (baseUrl: string) => string;
  /** Dialects in which the agent is right. Left out: all. */
  readonly profiles?: readonly ProfileId[];
}

export const variant = (id: string, definition: Omit<Variant, 'id'>): Variant => ({ id, ...definition });
