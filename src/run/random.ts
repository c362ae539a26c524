/** The state of mulberry32 after one step. */
export const stepped = (state: number): number => (state + 0x6d2b79f5) >>> 0;

/** The number that mulberry32 gives in a state: 32 bits, unsigned. */
export function bitsOf(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

/** A small seeded generator (mulberry32): the same seed gives the same ids in the same order. Not for secrets. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = stepped(state);
    return bitsOf(state) / 4294967296;
  };
}

/** Fresh version 4 UUIDs for each purpose of a run: the ids of one check do not depend on how much others have sent. */
export function uuidsByPurpose(seed: number): (purpose: string) => () => string {
  const known = new Map<string, () => string>();
  return (purpose) => {
    const found = known.get(purpose);
    if (found !== undefined) return found;
    const made = uuids(random(mixed(seed, purpose)));
    known.set(purpose, made);
    return made;
  };
}

/** FNV-1a hash of the text; the seed is part of its start value. */
export function mixed(seed: number, text: string): number {
  let hash = seed ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The default seed of runs: the same for the same version of the kit. */
export const seedOfVersion = (version: string): number => mixed(0, `a2a-tck ${version}`);

/** Fresh version 4 UUIDs from a generator. */
export function uuids(next: () => number): () => string {
  const hex = (digits: number): string => {
    let text = '';
    for (let at = 0; at < digits; at++) text += '0123456789abcdef'.charAt(next() * 16);
    return text;
  };
  return () => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'.charAt(Math.floor(next() * 4))}${hex(3)}-${hex(12)}`;
}
