import { setFlagsFromString } from 'node:v8';

const mebi = 1024 * 1024;
/**
 * V8 lets its heap grow to several times what is alive before it cleans up, the more the more memory the machine has.
 * Resident sets, bytes, from which on memory counts for more than speed, and what V8 is told there. A plain run stays
 * below the second: to prefer size costs it nothing. On megabytes of objects that would double the time of a run, so
 * from there on the heap grows by a tenth each time instead, for as long as that is enough.
 */
const steps = [
  { from: 176 * mebi, flags: ['--optimize-for-size'] },
  { from: 212 * mebi, flags: ['--no-optimize-for-size', '--heap-growing-percent=10'] },
  { from: 256 * mebi, flags: ['--optimize-for-size'] },
] as const;
const everyMs = 20;

/** Does work with an agent that may answer with megabytes. */
export async function sparingly<T>(work: () => Promise<T>): Promise<T> {
  const left = [...steps];
  const watch = setInterval(() => {
    const [next] = left;
    if (next === undefined) clearInterval(watch);
    else if (process.memoryUsage.rss() >= next.from) {
      for (const flag of next.flags) setFlagsFromString(flag);
      left.shift();
    }
  }, everyMs);
  watch.unref();
  try {
    return await work();
  } finally {
    clearInterval(watch);
  }
}
