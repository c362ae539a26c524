export { type DocumentToJudge, judgeDocument } from './judge.js';
export { type DocumentKind, documentKinds } from './kinds.js';
export { mostBytes } from './read.js';
export { readKeys } from './signatures.js';
export { type CardChange, type UpgradedCard, upgradeDocument } from './upgrade.js';
