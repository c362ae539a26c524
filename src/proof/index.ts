export { type Allowance, allowances } from './allowances.js';
export { type ClientProofOptions, clientsAtOnce, proveClients } from './clients.js';
export { type Breaking, killersOf, killsIn, mayProve, storedKills } from './kills.js';
export { checkMatrix, matrixText, writeMatrix } from './matrix.js';
export { type FaultProof, idleChanges, isIn, type Proof, type ProofOptions, prove } from './prove.js';
export { openStage, type RuleModules, type Stage } from './stage.js';
export { type StagedAgent, stageAgent, toldOf } from './staged-agent.js';
export { type LawProof, pairOf, writtenProof } from './stored.js';
