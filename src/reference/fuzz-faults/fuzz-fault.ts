import type { ProfileId } from '../../dialect/index.js';
import type { Patch } from '../seams.js';

/**
 * One defect of an agent, mostly one that no check looks for: it needs an odd input, a rare order of calls or two calls
 * at once. The fuzzer must find it.
 */
export interface FuzzFault {
  readonly id: string;
  /** What is wrong, for people. */
  readonly about: string;
  /** The oracles of which at least one must see it. */
  readonly seenBy: readonly [string, ...string[]];
  /** The variant in which the fault can be seen, where the plain agent does not show it. */
  readonly on?: string;
  /** Dialects in which it can be seen; the first is the one in which it is sought. Left out: a2a-0.3. */
  readonly profiles?: readonly [ProfileId, ...ProfileId[]];
  /** It shows only to callers who sign, or to those who pay: campaigns for it take longer, and are run apart. */
  readonly callers?: 'sign' | 'pay';
  /** The fault shows only behind two or three conditions; all but the last change answers in a way that is right. */
  readonly chain?: true;
  readonly patch: Patch;
}

/** Named for what is wrong. */
export const fuzzFault = (id: `fuzz-${string}`, definition: Omit<FuzzFault, 'id'>): FuzzFault => ({
  id,
  ...definition,
});
