import type { BindingId, ProfileId } from '../dialect/index.js';
import type { RequirementKey } from '../ledger/generated.js';
import type { Patch } from './seams.js';

/** One defect of the reference agent: the checks of the sentences that it breaks must fail. */
export interface Fault {
  readonly id: string;
  /** What is wrong, for people. */
  readonly about: string;
  readonly breaks: readonly [RequirementKey, ...RequirementKey[]];
  /** The variant in which the fault can be seen, where the plain agent does not show it. */
  readonly on?: string;
  /** Dialects in which it can be seen. Left out: all that have one of the sentences. */
  readonly profiles?: readonly ProfileId[];
  /** The only binding in which it can be seen. Left out: all. */
  readonly binding?: BindingId;
  /** Bindings and profiles that have no form for it, or in which it breaks nothing. */
  readonly notOver?: readonly (BindingId | ProfileId)[];
  readonly patch: Patch;
}

/** Named for what is wrong. */
export const fault = (id: string, definition: Omit<Fault, 'id'>): Fault => ({ id, ...definition });
