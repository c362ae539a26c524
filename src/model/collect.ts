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

/** Bytes of long bodies between two collections: some 30 ms of work for two or three of them. */
const between = 6 * 1024 * 1024;
const long = 256 * 1024;
let sinceThen = 0;

/** To be called with the length of each body that came, bytes: after several long ones, what they left is collected. */
export function noteBody(length: number): void {
  if (length < long) return;
  sinceThen += length;
  if (sinceThen < between) return;
  sinceThen = 0;
  collectIfLarge();
}
