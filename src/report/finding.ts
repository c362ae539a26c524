import type { CheckResult, Finding } from './result.js';

/** It came again each time and is not known in the baseline. Only such findings fail a gate. */
export const isSteady = ({ confirmed: { times, of }, baseline }: Pick<Finding, 'confirmed' | 'baseline'>): boolean =>
  of > 0 && times === of && baseline !== 'known';

/** It is steady, and breaks a sentence of this level. */
export const breaks = (finding: Finding, wanted: CheckResult['level']): boolean =>
  finding.level === wanted && isSteady(finding);
