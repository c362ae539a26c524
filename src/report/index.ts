export {
  applyBaseline,
  applyBaselineToFindings,
  type Baseline,
  type BaselineEntry,
  type BaselineNames,
  checkBaseline,
  readBaseline,
  updatedBaseline,
} from './baseline.js';
export { type Change, type Difference, difference, type Trend } from './difference.js';
export { breaks, isSteady } from './finding.js';
export {
  failsGate,
  findingFailsGate,
  type GateOptions,
  gateOfProtocol,
  judgeGate,
  type ProofShare,
  proofOf,
  proofOfReport,
  toleratedBy,
  usualMinProof,
} from './gate.js';
export { createStopwatch, type Latency, type LatencyRow, type Slower, type Times } from './latency.js';
export { merged } from './merge.js';
export {
  type Acceptance,
  asOffer,
  type Cause,
  type CheckResult,
  type Estimate,
  type ExpectationResult,
  type Finding,
  type FuzzSummary,
  type Gate,
  gateOf,
  type InterfaceReport,
  type PackReport,
  type PaymentReport,
  type Replay,
  type Report,
  type RunEvent,
  type Selection,
  type SetReport,
  type Summary,
  type Tally,
  type TapedRun,
  type TargetReport,
  tally,
  tallyOf,
  type Waited,
} from './result.js';
export { mostShards, readShard, type Shard, type ShardReport } from './shard.js';
export type {
  DocumentCheck,
  DocumentFault,
  DocumentNote,
  DocumentPlace,
  DocumentSignature,
  Validation,
} from './validation.js';
