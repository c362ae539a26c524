import type { CheckResult, Gate } from './result.js';

export interface GateOptions {
  /** A failed SHOULD fails the gate too. */
  readonly strict: boolean;
  /** Percent of applicable MUST checks that must have reached pass or fail; undefined: no such gate. */
  readonly minProof?: number;
  /** The run ended before all was judged. */
  readonly cut?: string;
}

/** Share of applicable MUST checks that were shown either way, percent, floored; 0 when there are none. */
export function proofPercent(results: readonly CheckResult[]): number {
  const musts = results.filter((result) => result.level === 'must' && result.verdict !== 'not-applicable');
  const shown = musts.filter((result) => result.verdict === 'pass' || result.verdict === 'fail').length;
  return musts.length === 0 ? 0 : Math.floor((100 * shown) / musts.length);
}

const some = (count: number, what: string): readonly string[] => (count === 0 ? [] : [`${count} ${what}`]);

/** `contract.md`, exit codes. An error of the kit outweighs a failed gate, a failed gate outweighs too little proof. */
export function judgeGate(results: readonly CheckResult[], options: GateOptions): Gate {
  const failed = (level: CheckResult['level']) =>
    results.filter((one) => one.verdict === 'fail' && one.level === level && one.baseline === undefined).length;
  const musts = failed('must');
  const shoulds = options.strict ? failed('should') : 0;
  const stale = results.filter((one) => one.baseline === 'stale').length;
  const expired = results.filter((one) => one.baseline === 'expired').length;
  const errors = results.filter((one) => one.verdict === 'error').length;
  const proof = proofPercent(results);
  const unproven = options.minProof !== undefined && proof < options.minProof;
  const reasons = [
    ...some(errors, 'checks ended in an error of the kit itself'),
    ...some(musts, musts === 1 ? 'MUST check failed' : 'MUST checks failed'),
    ...some(shoulds, 'SHOULD checks failed (--strict)'),
    ...some(stale, 'baseline entries are stale: the check passes now'),
    ...some(expired, 'baseline entries have expired'),
    ...(unproven
      ? [`${proof} % of the applicable MUST checks were shown either way, ${options.minProof} % are asked for`]
      : []),
    ...(options.cut === undefined ? [] : [`the run ended early: ${options.cut}`]),
  ];
  if (errors > 0) return { passed: false, exitCode: 70, reasons };
  if (musts + shoulds + stale + expired > 0) return { passed: false, exitCode: 1, reasons };
  // A run that was cut short has shown too little, whatever the percentage.
  if (unproven || options.cut !== undefined) return { passed: false, exitCode: 4, reasons };
  return { passed: true, exitCode: 0, reasons };
}
