import type { JudgedTarget } from '../endpoint/index.js';
import type { Report } from '../report/index.js';
import { canBeIsolated, inTime, runIsolated } from './isolated.js';

/**
 * Judges one agent, in a thread of its own where that can be. The shape of the options is not judged: for callers that
 * have read them by a schema of their own. Throws what `runAgainst` throws.
 */
export async function runTarget(options: JudgedTarget): Promise<Report> {
  if (options.isolate !== false && canBeIsolated(options)) return runIsolated(options);
  const { runHere } = await import('../endpoint/index.js');
  return inTime(options, (signal) => runHere({ ...options, ...(signal === undefined ? {} : { signal }) }));
}
