import { setFlagsFromString } from 'node:v8';

const mebi = 1024 * 1024;
/**
 * V8 lets its heap grow to several times its live size before it collects garbage, and more so on machines with more
 * memory. Each step is a resident set size in bytes from which memory matters more than speed, and the V8 flags set
 * there. A plain run stays below the second step, where preferring size costs no time. With megabytes of objects that
 * flag would double the time of a run, so from the second step the heap grows by 10 percent at a time instead, until
 * the third.
 */
const steps = [
  { from: 176 * mebi, flags: ['--optimize-for-size'] },
  { from: 212 * mebi, flags: ['--no-optimize-for-size', '--heap-growing-percent=10'] },
  { from: 256 * mebi, flags: ['--optimize-for-size'] },
] as const;
const everyMs = 20;

/** Runs work with an agent that may answer with megabytes. */
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
