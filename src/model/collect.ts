import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Resident set from which garbage is collected before V8 would, bytes: a plain run stays below it. */
const large = 212 * 1024 * 1024;

/**
 * Collects the garbage of this thread if the process has taken much memory. V8 would not yet: most of what a run leaves
 * are bodies, which are outside of its heap.
 */
export function collectIfLarge(): void {
  if (process.memoryUsage.rss() < large) return;
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}

/**
 * Collects each time that so many bytes have come, for work that leaves much behind: a collection takes some 30 ms.
 * Call the result with the length of each piece.
 */
export function collectEvery(bytes: number): (length: number) => void {
  let sinceThen = 0;
  return (length) => {
    sinceThen += length;
    if (sinceThen < bytes) return;
    sinceThen = 0;
    collectIfLarge();
  };
}

const ofLongBodies = collectEvery(6 * 1024 * 1024);
const long = 256 * 1024;

/** To be called with the length of each body that came, bytes. Only long ones leave much behind. */
export function noteBody(length: number): void {
  if (length >= long) ofLongBodies(length);
}
