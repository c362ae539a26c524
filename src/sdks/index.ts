export { type Built, buildKey, built, type Workshop } from './build.js';
export { type Comparison, compared, type Deviation } from './compare.js';
export { draftOf } from './draft.js';
export { type Past, pastOf, readHistory, record, type VersionChange, versionChange } from './history.js';
export { type Judging, judged, kitKeyOf, type Outcome, resultsOf, type StoredRun, spokenIn } from './judge.js';
export { type Expected, type Manifest, nameOf, readTargets, type Target } from './manifest.js';
export { tablePage } from './page.js';
export { type Table, tableOf } from './table.js';
