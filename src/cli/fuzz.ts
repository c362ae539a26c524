import type { TargetOptions } from '../index.js';
import type { CliOptions } from './cli-options.js';

/** Inputs that are tried after the checks by default: a second or two on most agents. */
const usualRuns = 10;

/**
 * How much `run` and `demo` fuzz. By default they do not if checks are selected or a budget is given. All shards have
 * the same seed, so only the first one fuzzes.
 */
export function readFuzz({ fuzzRuns, suite, check, budget, shard }: CliOptions): Pick<TargetOptions, 'fuzz'> {
  if (fuzzRuns === 0 || (shard !== undefined && !/^0*1\//.test(shard))) return {};
  if (fuzzRuns !== undefined) return { fuzz: { runs: fuzzRuns } };
  const isWhole = suite === undefined && check === undefined && budget === undefined;
  return isWhole ? { fuzz: { runs: usualRuns, unasked: true } } : {};
}
