/**
 * Remembers the result of a function on its object, so that it is freed with the object. Not in a `WeakMap`: its
 * entries, and everything they refer to, outlive the collections of young objects, while most objects are used only
 * briefly. The object must not change, and must not be frozen.
 */
export function weakMemo<Of extends object, More extends readonly unknown[], T>(
  work: (of: Of, ...more: More) => T,
): (of: Of, ...more: More) => T {
  // Copies, comparisons and JSON texts ignore symbols that are not enumerable.
  const mark = Symbol('remembered');
  return (of, ...more) => {
    const known = (of as { readonly [mark]?: { readonly of: Of; readonly said: T } })[mark];
    // A view of an object inherits its mark.
    if (known?.of === of) return known.said;
    const said = work(of, ...more);
    Object.defineProperty(of, mark, { value: { of, said } });
    return said;
  };
}
