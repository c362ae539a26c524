import { type Dialect, dialectById } from '../dialect/index.js';
import type { Inspector } from '../kit/index.js';
import { isObject, isString } from '../model/index.js';

// As which version the kit judges a document that is not a card. Cards name their version:
// src/run/detection/card-profile.ts.

const levels = 6;

/** Words and members that only one version has; counts for each. */
function marksOf(value: unknown, depth = 0): readonly [young: number, old: number] {
  if (depth > levels || typeof value !== 'object' || value === null) return [0, 0];
  let young = 0;
  let old = 0;
  for (const [name, inner] of Object.entries(value).slice(0, 200)) {
    if (name === 'metadata' || name === 'data') continue;
    if (name === 'kind' && isString(inner)) old += 1;
    if (name === 'final' && typeof inner === 'boolean') old += 1;
    if (name === 'role' || name === 'state') {
      if (isString(inner) && /^(ROLE|TASK_STATE)_/.test(inner)) young += 1;
      else if (isString(inner)) old += 1;
    }
    if ((name === 'mediaType' || name === 'filename' || name === 'raw') && isString(inner)) young += 1;
    if ((name === 'statusUpdate' || name === 'artifactUpdate') && isObject(inner)) young += 1;
    if ((name === 'mimeType' && isString(inner)) || (name === 'file' && isObject(inner))) old += 1;
    const [innerYoung, innerOld] = marksOf(inner, depth + 1);
    young += innerYoung;
    old += innerOld;
  }
  return [young, old];
}

export interface FoundVersion {
  readonly dialect: Dialect;
  /** For people. */
  readonly because: string;
}

/**
 * The version by its marks (`kind`, TASK_STATE_…); where they do not decide, the one whose schema finds less to say, and
 * of two the newer one. `count`: how many faults a version has.
 */
export function versionOf(value: unknown, count: (dialect: Dialect) => number): FoundVersion {
  const young = dialectById('a2a-1.0');
  const old = dialectById('a2a-0.3');
  if (young === undefined || old === undefined) throw new Error('1.0 and 0.3 are always known');
  const [forYoung, forOld] = marksOf(value);
  if (forYoung !== forOld && (forYoung === 0 || forOld === 0)) {
    return forYoung > 0
      ? { dialect: young, because: 'it is spelled as in 1.0' }
      : { dialect: old, because: 'it is spelled as in 0.3' };
  }
  const dialect = count(old) < count(young) ? old : young;
  return { dialect, because: 'it fits this version best' };
}

/** How many places of a document break its schema. */
export const faultsBy = (inspector: Inspector, ref: string, value: unknown): number => {
  if (!inspector.has(ref)) return Number.POSITIVE_INFINITY;
  return inspector.inspect(ref, value).findings.filter(({ rule }) => rule !== 'data.no-unknown-members').length;
};
