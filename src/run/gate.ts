import { plural } from '../wire/index.js';
import { isSteady } from './fuzzing.js';
import type { CheckResult, Finding, Gate } from './result.js';

export interface GateOptions {
  /** A failed SHOULD fails the gate too. */
  readonly strict: boolean;
  /** Percent of applicable MUST checks that must have reached pass or fail; undefined: no such gate. */
  readonly minProof?: number;
  /** The run ended before all was judged. */
  readonly cut?: string;
  /** One of several parts: how much was proven is judged on all of them. */
  readonly isPart?: boolean;
  /** Of the fuzzer: what breaks a sentence and came again each time counts as a failed check. */
  readonly findings?: readonly Finding[];
}

/** Share of applicable MUST checks that were shown either way, percent, floored; 0 when there are none. */
export function proofPercent(results: readonly CheckResult[]): number {
  const musts = results.filter((result) => result.level === 'must' && result.verdict !== 'not-applicable');
  const shown = musts.filter((result) => result.verdict === 'pass' || result.verdict === 'fail').length;
  return musts.length === 0 ? 0 : Math.floor((100 * shown) / musts.length);
}

/** Whether a broken sentence of this level fails the gate. */
const isDemanded = (level: CheckResult['level'], strict: boolean): boolean =>
  level === 'must' || (strict && level === 'should');

/** By its verdict or by its baseline entry; errors of the kit, which fail it too, are told apart. */
export const failsGate = ({ verdict, level, baseline }: CheckResult, strict: boolean): boolean =>
  baseline === undefined ? verdict === 'fail' && isDemanded(level, strict) : baseline !== 'known';

export const findingFailsGate = (
  finding: Pick<Finding, 'confirmed' | 'baseline'> & { readonly level?: Finding['level'] | undefined },
  strict: boolean,
): boolean => finding.level !== undefined && isDemanded(finding.level, strict) && isSteady(finding);

const some = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [plural(count, one, many)];

/** `contract.md`, exit codes. An error of the kit outweighs a failed gate, a failed gate outweighs too little proof. */
export function judgeGate(results: readonly CheckResult[], options: GateOptions): Gate {
  const failed = (level: CheckResult['level']) =>
    results.filter((one) => one.verdict === 'fail' && one.level === level && one.baseline === undefined).length;
  const musts = failed('must');
  const shoulds = options.strict ? failed('should') : 0;
  const found = (options.findings ?? []).filter((one) => findingFailsGate(one, options.strict)).length;
  const stale = results.filter((one) => one.baseline === 'stale').length;
  const expired = results.filter((one) => one.baseline === 'expired').length;
  const errors = results.filter((one) => one.verdict === 'error').length;
  const proof = proofPercent(results);
  const unproven = options.minProof !== undefined && options.isPart !== true && proof < options.minProof;
  const reasons = [
    ...some(errors, 'check ended in an error of the kit itself', 'checks ended in an error of the kit itself'),
    ...some(musts, 'MUST check failed', 'MUST checks failed'),
    ...some(shoulds, 'SHOULD check failed (--strict)', 'SHOULD checks failed (--strict)'),
    ...some(found, 'finding of the fuzzer breaks a sentence', 'findings of the fuzzer break sentences'),
    ...some(stale, 'baseline entry is stale: the check passes now', 'baseline entries are stale: the checks pass now'),
    ...some(expired, 'baseline entry has expired', 'baseline entries have expired'),
    ...(unproven
      ? [`${proof} % of the applicable MUST checks were shown either way, ${options.minProof} % are asked for`]
      : []),
    ...(options.cut === undefined ? [] : [`the run ended early: ${options.cut}`]),
  ];
  const demands = {
    ...(options.strict ? { strict: true } : {}),
    ...(options.minProof === undefined ? {} : { minProof: options.minProof }),
  };
  const gate = (exitCode: Gate['exitCode']): Gate => ({ passed: exitCode === 0, exitCode, reasons, ...demands });
  if (errors > 0) return gate(70);
  if (musts + shoulds + found + stale + expired > 0) return gate(1);
  // A run that was cut short has shown too little, whatever the percentage.
  return gate(unproven || options.cut !== undefined ? 4 : 0);
}
