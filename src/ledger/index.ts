export { type Ambiguity, loadAmbiguities } from './ambiguities.js';
export { type Cost, loadCosts } from './costs.js';
export type { RequirementKey, ScenarioId } from './generated.js';
export { type OwnInspector, ownInspector } from './own-schema.js';
export { publishedAt } from './published.js';
export { inText, isIn, type Ledger, ledgerOf, loadLedger, overlaid, type Requirement } from './requirements.js';
export { fileOf, idOf, readSchemas, resolve } from './schema-files.js';
export { everInSets, type FrozenSet, loadSet, setIds } from './sets.js';
export { unknownMember } from './unknown-member.js';
