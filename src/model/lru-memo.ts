/** How many results of a function are kept. */
export interface MemoBudget<Of> {
  readonly weightOf: (of: Of) => number;
  /** The oldest results are dropped when all together weigh more than this. */
  readonly most: number;
}

/**
 * Remembers the results of a function for the last few objects: for results too large to keep as long as the object.
 * The newest result is always kept, so that a caller who asks again and again does not wait each time.
 */
export function lruMemo<Of extends object, T>({ weightOf, most }: MemoBudget<Of>, work: (of: Of) => T): (of: Of) => T {
  const known = new Map<Of, { readonly said: T; readonly weight: number }>();
  let weight = 0;
  return (of) => {
    const before = known.get(of);
    if (before !== undefined) return before.said;
    const made = { said: work(of), weight: weightOf(of) };
    known.set(of, made);
    weight += made.weight;
    for (const [oldest, item] of known) {
      if (weight <= most || oldest === of) break;
      known.delete(oldest);
      weight -= item.weight;
    }
    return made.said;
  };
}
