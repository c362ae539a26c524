import { plural } from '../wire/index.js';
import { isSteady } from './finding.js';
import {
  type Acceptance,
  type Cause,
  type CheckResult,
  type ExpectationResult,
  type Finding,
  type Gate,
  gateOf,
  type Report,
} from './result.js';

/** Default of `minProof`, percent. */
export const usualMinProof = 50;

export interface GateOptions {
  /** A failed SHOULD fails the gate too. */
  readonly strict: boolean;
  /**
   * Percent of applicable MUST checks that must have reached pass or fail. Default: `usualMinProof`. 0: the gate needs
   * neither that nor an accepted message.
   */
  readonly minProof?: number | undefined;
  /** Why the run ended before all was judged. */
  readonly cut?: string | undefined;
  /** One of several parts: the share that was proven is judged after the merge. */
  readonly isPart?: boolean;
  /** Findings of the fuzzer: one that breaks a sentence and came again each time counts as a failed check. */
  readonly findings?: readonly Finding[];
  /** What the user expects beside the protocol: it never counts for the share that was proven. */
  readonly expectations?: readonly ExpectationResult[] | undefined;
  /** Left out where no check that was chosen needs a message. */
  readonly messages?: Acceptance | undefined;
  /** Causes of the run: the gate names the one that matters most. */
  readonly causes?: readonly Cause[] | undefined;
  /** Checks that `--read-only` held back do not count. */
  readonly readOnly?: boolean | undefined;
}

/** How many of the checks that count were shown either way. */
export interface ProofShare {
  readonly shown: number;
  readonly of: number;
  /** What counts: MUST checks, or all chosen checks if no MUST is among them. */
  readonly counted: 'MUST checks' | 'chosen checks';
  /** Floored; 0 when there are none. */
  readonly percent: number;
}

const isHeldBack = ({ verdict, reason }: CheckResult): boolean =>
  verdict === 'inconclusive' && reason.includes('--read-only');

const isShown = ({ verdict }: CheckResult): boolean =>
  verdict === 'pass' || verdict === 'fail' || verdict === 'not-offered';

/** The share of applicable MUST checks that were shown either way. Without any MUST: the share of all chosen checks. */
export function proofOf(results: readonly CheckResult[], readOnly = false): ProofShare {
  const applicable = results.filter(
    (result) => result.verdict !== 'not-applicable' && result.afterSet !== true && !(readOnly && isHeldBack(result)),
  );
  const musts = applicable.filter((checkResult) => checkResult.level === 'must');
  const counted = musts.length > 0 ? musts : applicable;
  const shown = counted.filter((checkResult) => isShown(checkResult)).length;
  return {
    shown,
    of: counted.length,
    counted: musts.length > 0 ? 'MUST checks' : 'chosen checks',
    percent: counted.length === 0 ? 0 : Math.floor((100 * shown) / counted.length),
  };
}

/** The share of a report. */
export const proofOfReport = ({ checks, run }: Pick<Report, 'checks' | 'run'>): ProofShare =>
  proofOf(checks, run.readOnly);

/** Causes that keep a whole agent from taking messages. */
const ofWholeAgent = /^(answer|binding|credentials|died|limit|overloaded|redirect|silent|no-message)$/;

const causeText = ({ fact, advice }: Cause): string => (advice === '' ? fact : `${fact}; ${advice}`);

/** The agent opens streams, and nothing is known of what they say. */
function unreadStreams(messages: Acceptance | undefined): readonly string[] {
  if (messages?.streams?.read !== false) return [];
  const { why } = messages.streams;
  return [`the agent opens streams, and no event of any could be read${why === undefined ? '' : `: ${why}`}`];
}

/** Why less was shown than the gate needs. */
interface Lacks {
  /** Why nothing could be shown: it says more than how many checks failed because of it. */
  readonly why: readonly string[];
  /** What was not shown. */
  readonly what: readonly string[];
}

/** Both are empty if enough was shown. */
function tooLittle(results: readonly CheckResult[], options: GateOptions): Lacks {
  const { minProof = usualMinProof, isPart, messages, causes = [], readOnly } = options;
  // A run without results is unproven even if `minProof` is 0.
  const isEmpty = results.length === 0;
  if (isPart === true || (minProof === 0 && !isEmpty)) return { why: [], what: [] };
  const { shown, of, counted, percent } = proofOf(results, readOnly);
  const isUnaccepted = messages?.accepted === false;
  const isShort = isEmpty || percent < minProof;
  const unread = [
    ...unreadStreams(messages),
    ...causes.flatMap((cause) => (cause.id === 'stalled' ? [causeText(cause)] : [])),
  ];
  if (!isUnaccepted && !isShort) return { why: [], what: unread };
  const [widest] = [...causes].sort((a, b) => b.checks.length - a.checks.length);
  const lead = isUnaccepted ? causes.find(({ id }) => ofWholeAgent.test(id)) : widest;
  const why = isUnaccepted && lead === undefined ? (messages.why ?? 'no message was accepted') : undefined;
  const asked = isShort ? `, ${minProof} % are asked for (--min-proof)` : '';
  const share =
    of === 0
      ? 'none of the chosen checks applies to this agent'
      : `${shown} of ${of} applicable ${counted} were shown either way (${percent} %)${asked}`;
  return {
    why: [...(lead === undefined ? [] : [causeText(lead)]), ...(why === undefined ? [] : [why]), ...unread],
    what: [share],
  };
}

/** Whether a broken sentence of this level fails the gate. */
const isDemanded = (level: CheckResult['level'], strict: boolean): boolean =>
  level === 'must' || (strict && level === 'should');

/**
 * Whether a check fails the gate, by its verdict or its baseline entry. Errors of the kit, which fail it too, are
 * counted apart.
 */
export const failsGate = ({ verdict, level, baseline, afterSet }: CheckResult, strict: boolean): boolean =>
  afterSet === true
    ? false
    : baseline === undefined
      ? verdict === 'fail' && isDemanded(level, strict)
      : baseline !== 'known';

export const findingFailsGate = (
  finding: Pick<Finding, 'confirmed' | 'baseline' | 'afterSet'> & { readonly level?: Finding['level'] | undefined },
  strict: boolean,
): boolean => finding.level !== undefined && isDemanded(finding.level, strict) && isSteady(finding);

/** How many failures the gate passes over only because the baseline lists them: of checks, and findings. */
export function toleratedBy({
  checks,
  findings,
  gate,
}: Pick<Report, 'checks' | 'findings' | 'gate'>): readonly string[] {
  const strict = gate.strict === true;
  const isKnown = ({ baseline, level }: { readonly baseline?: string; readonly level?: CheckResult['level'] }) =>
    baseline === 'known' && level !== undefined && isDemanded(level, strict);
  return [
    ...checks
      .filter((check) => check.verdict === 'fail' && check.afterSet !== true && isKnown(check))
      .map(({ id }) => id),
    ...findings.filter(isKnown).map(({ id }) => id),
  ];
}

const some = (count: number, text: string, many: string): readonly string[] =>
  count === 0 ? [] : [plural(count, text, many)];

/** ", 38 of them for one cause": how many failures share a cause with others. */
function forCauses(failures: readonly CheckResult[]): string {
  const causes = failures.flatMap(({ cause }) => cause ?? []);
  const shared = causes.filter((cause) => causes.indexOf(cause) !== causes.lastIndexOf(cause));
  if (shared.length === 0) return '';
  const kinds = new Set(shared).size;
  const which = shared.length === failures.length ? 'all' : `${shared.length} of them`;
  return `, ${which} for ${kinds === 1 ? 'one cause' : plural(kinds, 'cause')}`;
}

const failedText = (failures: readonly CheckResult[], level: string, more = ''): readonly string[] =>
  some(failures.length, `${level} check failed${more}`, `${level} checks failed${more}${forCauses(failures)}`);

/** The exit code and its reasons. An error of the kit outweighs a failed gate, a failed gate outweighs too little proof. */
export function judgeGate(all: readonly CheckResult[], options: GateOptions): Gate {
  const results = all.filter((checkResult) => checkResult.afterSet !== true);
  const failed = (level: CheckResult['level']) =>
    results.filter((result) => result.verdict === 'fail' && result.level === level && result.baseline === undefined);
  const musts = failed('must');
  const shoulds = options.strict ? failed('should') : [];
  const found = (options.findings ?? []).filter((finding) => findingFailsGate(finding, options.strict)).length;
  const stale = results.filter((result) => result.baseline === 'stale').length;
  const expired = results.filter((result) => result.baseline === 'expired').length;
  const errors = results.filter((result) => result.verdict === 'error').length;
  const expected = (verdict: ExpectationResult['verdict']) =>
    (options.expectations ?? []).filter((expectation) => expectation.verdict === verdict).length;
  const unmet = expected('fail');
  const unasked = expected('inconclusive');
  const { why, what } = tooLittle(results, options);
  const reasons = [
    ...some(errors, 'check ended in an error of the kit itself', 'checks ended in an error of the kit itself'),
    ...why,
    ...failedText(musts, 'MUST'),
    ...failedText(shoulds, 'SHOULD', ' (--strict)'),
    ...some(found, 'finding of the fuzzer breaks a sentence', 'findings of the fuzzer break sentences'),
    ...some(unmet, 'expectation of yours does not hold', 'expectations of yours do not hold'),
    ...some(unasked, 'expectation of yours was not decided', 'expectations of yours were not decided'),
    ...some(stale, 'baseline entry is stale: the check passes now', 'baseline entries are stale: the checks pass now'),
    ...some(expired, 'baseline entry has expired', 'baseline entries have expired'),
    ...what,
    ...(options.cut === undefined ? [] : [`the run ended early: ${options.cut}`]),
  ];
  const demands = {
    ...(options.strict ? { strict: true } : {}),
    minProof: options.minProof ?? usualMinProof,
  };
  const gate = (exitCode: Gate['exitCode']): Gate => ({ ...gateOf(exitCode, reasons), ...demands });
  if (errors > 0) return gate(70);
  if (musts.length + shoulds.length + found + unmet + stale + expired > 0) return gate(1);
  // A run that was cut short has shown too little, whatever the percentage.
  return gate(what.length + unasked > 0 || options.cut !== undefined ? 4 : 0);
}

/** The gate as it would be if the user expected nothing beside the protocol. */
export function gateOfProtocol({ gate, run, checks, findings, causes, expectations }: Report): Gate {
  if (expectations === undefined) return gate;
  return judgeGate(checks, {
    strict: gate.strict === true,
    minProof: gate.minProof,
    cut: run.cut,
    isPart: run.shard !== undefined,
    findings,
    messages: run.messages,
    causes,
    readOnly: run.readOnly,
  });
}
