export {
  applyBaselineToFindings,
  type Baseline,
  type BaselineEntry,
  readBaseline,
  updatedBaseline,
} from './baseline.js';
export { cardDigest } from './card-digest.js';
export { notApplicable } from './claims.js';
export { type Coverage, type CoverageCount, coverage, type RowCoverage } from './coverage.js';
export { type Detected, type DetectionOptions, detect, parseTargetUrl } from './detect.js';
export { type Change, type Difference, difference, type Trend } from './difference.js';
export type { FuzzOutcome, FuzzPhase, FuzzStage } from './fuzz-phase.js';
export { breaks, type FuzzOptions } from './fuzzing.js';
export { type GateOptions, judgeGate, proofPercent } from './gate.js';
export { merged } from './merge.js';
export { glob, type Planned, plan, planAll, type Selection } from './plan.js';
export { random, uuids } from './random.js';
export {
  type CheckResult,
  type Finding,
  type FuzzSummary,
  type Gate,
  type PaymentReport,
  type Replay,
  type Report,
  type RunEvent,
  type Summary,
  type Tally,
  type TargetReport,
  tally,
  tallyOf,
} from './result.js';
export { type RunOptions, run } from './run.js';
export { mostShards, readShard, type Shard, type ShardReport } from './shard.js';
export { createSlots, type Slots } from './slots.js';
export type { Funds, X402Options } from './x402.js';
export type { ChainReader, XprOptions } from './xpr.js';
