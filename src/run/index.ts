export { type Acceptance, acceptanceOf } from './acceptance.js';
export {
  type Baseline,
  type BaselineEntry,
  readBaseline,
  updatedBaseline,
} from './baseline.js';
export { cardDigest } from './card-digest.js';
export { notApplicable } from './claims.js';
export { type Coverage, type CoverageCount, coverage, type RowCoverage } from './coverage.js';
export { type Detected, detect, parseTargetUrl } from './detect.js';
export { type Change, type Difference, difference, type Trend } from './difference.js';
export type { FuzzOutcome, FuzzPhase, FuzzStage } from './fuzz-phase.js';
export { breaks, type FuzzOptions, isSteady } from './fuzzing.js';
export {
  failsGate,
  findingFailsGate,
  judgeGate,
  type ProofShare,
  proofOf,
  proofOfReport,
  usualMinProof,
} from './gate.js';
export { merged } from './merge.js';
export { glob, type Planned, plan, planAll } from './plan.js';
export { random, seedOfVersion, uuids } from './random.js';
export {
  type Cause,
  type CheckResult,
  type Finding,
  type FuzzSummary,
  type Gate,
  gateOf,
  type InterfaceReport,
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
export { readShard, type Shard } from './shard.js';
export { createSlots } from './slots.js';
export type { Witness } from './witness.js';
export type { Funds, X402Options } from './x402.js';
export type { XprOptions } from './xpr.js';
