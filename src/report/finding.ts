import type { CheckResult, Finding } from './result.js';

/** It came again each time, is not known in the baseline, and counts in the frozen set. Only such findings fail a gate. */
export const isSteady = ({
  confirmed: { times, of },
  baseline,
  afterSet,
}: Pick<Finding, 'confirmed' | 'baseline' | 'afterSet'>): boolean =>
  of > 0 && times === of && baseline !== 'known' && afterSet !== true;

/** It is steady, and breaks a sentence of this level. */
export const breaks = (finding: Finding, wanted: CheckResult['level']): boolean =>
  finding.level === wanted && isSteady(finding);
