import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Resident set from which garbage is collected at the end of a run, bytes: a plain run stays below it. */
const large = 212 * 1024 * 1024;

/**
 * Collects the garbage of this thread if the process has taken much memory. V8 would not yet: most of what a run leaves
 * here are bodies, which are outside of its heap.
 */
export function collectIfLarge(): void {
  if (process.memoryUsage.rss() < large) return;
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
