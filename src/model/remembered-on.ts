/**
 * The same function of an object, asked once for each: what it said stays with the object and goes with it. Not by a
 * `WeakMap`: whatever stands in one, and all that it refers to, outlives the collections of young objects, and most
 * objects are looked at for a moment. The object must not change, nor be frozen.
 */
export function rememberedOn<Of extends object, More extends readonly unknown[], T>(
  work: (of: Of, ...more: More) => T,
): (of: Of, ...more: More) => T {
  // Symbols that are not enumerable are seen by no copy, no comparison and no text.
  const mark = Symbol('remembered');
  return (of, ...more) => {
    const known = (of as { readonly [mark]?: { readonly of: Of; readonly said: T } })[mark];
    // Views of an object inherit what it has.
    if (known?.of === of) return known.said;
    const said = work(of, ...more);
    Object.defineProperty(of, mark, { value: { of, said } });
    return said;
  };
}
