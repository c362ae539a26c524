import type { CallStep } from '../case/case.js';

// Params that were drawn from a schema fit it, and edits of the generator break the keyword of their tag: they are not
// checked again. Params and edits from a file, or from shrinking, are checked.

const trusted = new WeakSet<object>();

/** Marks params, or the edits of a step, as made by the generator and not changed any more. */
export function trust(made: object | null): void {
  if (made !== null) trusted.add(made);
}

export const isTrusted = ({ params, edits }: CallStep): boolean =>
  (params === undefined || (typeof params === 'object' && params !== null && trusted.has(params))) &&
  (edits === undefined || edits.length === 0 || trusted.has(edits));
