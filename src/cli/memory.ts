import { setFlagsFromString } from 'node:v8';

/** Resident set above which memory counts for more than speed, bytes. */
const plenty = 176 * 1024 * 1024;
const everyMs = 20;

/**
 * Does work with an agent that may answer with megabytes. V8 lets its heap grow to several times what is alive before
 * it cleans up, the more the more memory the machine has; from a bound on it is told to prefer less memory.
 */
export async function sparingly<T>(work: () => Promise<T>): Promise<T> {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() < plenty) return;
    setFlagsFromString('--optimize-for-size');
    clearInterval(watch);
  }, everyMs);
  watch.unref();
  try {
    return await work();
  } finally {
    clearInterval(watch);
  }
}
