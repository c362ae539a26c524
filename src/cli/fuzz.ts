import type { TargetOptions } from '../index.js';
import type { Given } from './given.js';

/** Tried after the checks when nobody says how many: a second or two on most agents. */
const usualRuns = 10;

/**
 * Of `run` and `demo`. Who chooses checks or caps what they cost wants no more than that. Of several shards, which have
 * one seed, only the first fuzzes.
 */
export function readFuzz({ fuzzRuns, suite, check, budget, shard }: Given): Pick<TargetOptions, 'fuzz'> {
  if (fuzzRuns === 0 || (shard !== undefined && !/^0*1\//.test(shard))) return {};
  if (fuzzRuns !== undefined) return { fuzz: { runs: fuzzRuns } };
  const isWhole = suite === undefined && check === undefined && budget === undefined;
  return isWhole ? { fuzz: { runs: usualRuns, unasked: true } } : {};
}
