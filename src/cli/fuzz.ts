import type { TargetOptions } from '../index.js';
import type { CliOptions } from './cli-options.js';
import { perSecond } from './rate.js';

/** Inputs that are tried after the checks by default: a second or two on most agents. */
const usualRuns = 10;

/**
 * How much `run` and `demo` fuzz. By default they do not if checks are selected or a budget is given. All shards have
 * the same seed, so only the first one fuzzes.
 */
export function readFuzz({ fuzzRuns, suite, check, budget, shard, rate }: CliOptions): Pick<TargetOptions, 'fuzz'> {
  if (fuzzRuns === 0 || (shard !== undefined && !/^0*1\//.test(shard))) return {};
  const paced = rate === undefined ? {} : { rate: perSecond(rate) };
  if (fuzzRuns !== undefined) return { fuzz: { runs: fuzzRuns, ...paced } };
  const isWhole = suite === undefined && check === undefined && budget === undefined;
  return isWhole ? { fuzz: { runs: usualRuns, unasked: true, ...paced } } : {};
}
