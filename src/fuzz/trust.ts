import type { CallStep } from './case.js';

// Params that were drawn from a schema fit it, and edits that the generator made break what they say: nobody needs to
// look again. What comes from a file, or out of shrinking, is looked at.

const trusted = new WeakSet<object>();

/** Says that params, or the edits of a step, were made here, and are not changed any more. */
export function trust(made: object | null): void {
  if (made !== null) trusted.add(made);
}

export const isTrusted = ({ params, edits }: CallStep): boolean =>
  (params === undefined || (typeof params === 'object' && params !== null && trusted.has(params))) &&
  (edits === undefined || edits.length === 0 || trusted.has(edits));
