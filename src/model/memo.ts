/** Entries that are kept by default; a thousand take some kilobytes. */
const usual = 50_000;

/**
 * Remembers the results of a pure and slow function: a proof plays the same run hundreds of times. When the memory is
 * full it is cleared. Results without a key are not remembered.
 */
export function memo<Args extends readonly unknown[], T>(
  keyOf: (...args: Args) => string | undefined,
  work: (...args: Args) => T,
  most = usual,
): (...args: Args) => T {
  const known = new Map<string, T>();
  return (...args) => {
    const key = keyOf(...args);
    if (key === undefined) return work(...args);
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as T;
    const made = work(...args);
    if (known.size >= most) known.clear();
    known.set(key, made);
    return made;
  };
}

/** Bytes as a key; each character is one. */
export const bytesKey = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
