import { setFlagsFromString } from 'node:v8';

const mebi = 1024 * 1024;
/**
 * V8 lets its heap grow to several times what is alive before it cleans up, the more the more memory the machine has.
 * Resident sets, bytes, from which on memory counts for more than speed, and what V8 is told there: to grow by a tenth
 * only, which costs little; then to give back what it can, which may double the time of a run.
 */
const steps = [
  { from: 176 * mebi, flag: '--heap-growing-percent=10' },
  { from: 256 * mebi, flag: '--optimize-for-size' },
] as const;
const everyMs = 20;

/** Does work with an agent that may answer with megabytes. */
export async function sparingly<T>(work: () => Promise<T>): Promise<T> {
  const left = [...steps];
  const watch = setInterval(() => {
    const [next] = left;
    if (next === undefined) clearInterval(watch);
    else if (process.memoryUsage.rss() >= next.from) {
      setFlagsFromString(next.flag);
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
