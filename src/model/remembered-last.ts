/** How much is kept of what a function said. */
export interface Room<Of> {
  readonly weightOf: (of: Of) => number;
  /** The oldest go when all together weigh more than this. */
  readonly most: number;
}

/**
 * The same function of an object, which remembers what it said of the last few: for what is too large to stay for as long
 * as the object does. The last one of all stays in any case, so that who asks again and again does not wait each time.
 */
export function rememberedLast<Of extends object, T>({ weightOf, most }: Room<Of>, work: (of: Of) => T): (of: Of) => T {
  const known = new Map<Of, { readonly said: T; readonly weight: number }>();
  let weight = 0;
  return (of) => {
    const before = known.get(of);
    if (before !== undefined) return before.said;
    const made = { said: work(of), weight: weightOf(of) };
    known.set(of, made);
    weight += made.weight;
    for (const [oldest, one] of known) {
      if (weight <= most || oldest === of) break;
      known.delete(oldest);
      weight -= one.weight;
    }
    return made.said;
  };
}
