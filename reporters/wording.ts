import {
  type Cause,
  type CheckResult,
  type ExpectationResult,
  proofOfReport,
  type Report,
  type SetReport,
  type TargetReport,
  type Times,
} from '../src/report/index.js';
import { excerpt, plural } from '../src/wire/index.js';
import { known } from './groups.js';

export function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

export const levels: readonly CheckResult['level'][] = ['must', 'should', 'may'];
export const tallied = ['pass', 'fail', 'notOffered', 'inconclusive', 'notApplicable', 'error'] as const;
export const tallyHeads = ['pass', 'fail', 'not offered', 'inconclusive', 'not applicable', 'error'] as const;

/** The share of the applicable MUST checks that reached pass or fail, in words. */
function proofText(report: Report): string {
  const { shown, of, counted, percent } = proofOfReport(report);
  return `${shown} of ${of} applicable ${counted} were shown either way (${percent} %)`;
}

/** The failures that a passed gate tolerated, in words. */
function toleratedText({ checks }: Report): string {
  const tolerated = known(checks).length;
  const should = checks.filter((check) => check.level === 'should' && check.verdict === 'fail').length;
  const must = tolerated === 0 ? 'no MUST failed' : `nothing failed but ${plural(tolerated, 'known failure')}`;
  return should === 0 || tolerated > 0 ? must : `${must}, ${should} SHOULD did`;
}

/** A run of the fuzzer alone: it has no checks to count. */
export const isFuzzOnly = ({ checks, fuzz }: Report): boolean => checks.length === 0 && fuzz !== undefined;

/** More are in the JSON report. */
const mostInterfaces = 8;

/** Who was judged: the name of the agent, or the command of the client. Contains text of the agent. */
export const judgedName = ({ agent, client, url }: TargetReport): string | undefined =>
  client !== undefined
    ? excerpt(url, 200)
    : agent.name === undefined
      ? undefined
      : `${excerpt(agent.name, 120)} ${excerpt(agent.version ?? '', 40)}`.trim();

/** "as", "at": what stands between the profile and the place; a client has no place. */
export const placeOf = ({ client, endpoint }: TargetReport): string | undefined =>
  client === undefined ? excerpt(endpoint, 300) : undefined;

/** `declares` if no interface was judged: only the card says what the agent speaks. */
export const speaksText = ({ interfaces = [], client }: TargetReport): 'speaks' | 'declares' | 'is judged as' =>
  client !== undefined
    ? 'is judged as'
    : interfaces.length > 0 && interfaces.every(({ judged }) => judged === 'not')
      ? 'declares'
      : 'speaks';

/** Clients differ in the form of an address of gRPC that they take, and no sentence says which form is right. */
const formOf = (binding: string, url: string): string =>
  binding !== 'GRPC' || /^[a-z][a-z0-9+.-]*:\/\//i.test(url)
    ? ''
    : '; its address is host:port, as many libraries take it, and clients that expect a URL refuse it';

/**
 * Which interfaces were judged and which were not, one line each; empty if there is one, which the card declares and the
 * head of a report names. Contains text of the agent.
 */
export function interfaceTexts({ interfaces = [] }: TargetReport): readonly string[] {
  const isPlain = interfaces.every(
    ({ declared, judged, why, binding, url }) =>
      declared && judged === 'in-full' && why === undefined && formOf(binding, url) === '',
  );
  if (interfaces.length < 2 && isPlain) return [];
  const lines = interfaces.map(({ url, binding, version, tenant, declared, judged, label, why }) => {
    const name = `${excerpt(binding, 80)}${version === undefined ? '' : ` ${excerpt(version, 20)}`}`;
    const place = `${excerpt(url, 200)}${tenant === undefined ? '' : ` (tenant ${excerpt(tenant, 60)})`}`;
    const because = `${why === undefined ? '' : `; ${why}`}${formOf(binding, url)}`;
    if (judged === 'not') return `not judged: ${name} at ${place}${because}`;
    const results = label === undefined ? '' : `; its results end with @${label}`;
    if (judged === 'in-part') return `judged in part: ${name} at ${place}${because}${results}`;
    return `judged in full: ${name} at ${place}${declared ? '' : '; the card does not declare it'}${because}${results}`;
  });
  const rest = lines.length - mostInterfaces;
  return [
    ...lines.slice(0, mostInterfaces),
    ...(rest > 0 ? [`and ${plural(rest, 'more interface')}, in the JSON report`] : []),
  ];
}

/** Checks named in one line; the JSON report has all. */
const mostAdded = 5;

/** The frozen set, and what does not count because of it. */
function setText({ id, stale = [] }: SetReport, checks: readonly CheckResult[]): string {
  const added = checks.filter(({ afterSet, verdict }) => afterSet === true && verdict !== 'not-applicable');
  const names = added.slice(0, mostAdded).map((checkResult) => `${checkResult.id} (${checkResult.verdict})`);
  const rest = added.length - names.length;
  const more = rest > 0 ? ` and ${rest} more` : '';
  const summary =
    added.length === 0
      ? 'every check that applies counts'
      : `${plural(added.length, 'check')} added after your set, not counted: ${names.join(', ')}${more}`;
  const passing = stale.length === 0 ? '' : `; entries of the baseline that pass with this kit: ${stale.join(', ')}`;
  return `set ${id}: ${summary}${passing}`;
}

/** The scope of a run, shown before its verdict: how the agent was reached, which interfaces it judged, and what it left out. */
export const scopeTexts = ({
  target,
  checks,
  run: { skipped = [], set },
}: Pick<Report, 'target' | 'run' | 'checks'>): readonly string[] => [
  ...(target.network ?? []),
  ...interfaceTexts(target),
  ...(set === undefined ? [] : [setText(set, checks)]),
  ...(skipped.length === 0 ? [] : [`skipped: ${skipped.join(', ')}; ${target.profile} has no such check`]),
];

/** What a cause does to checks: names and texts of up to two lines. */
export const effectsOf = ({ checks, failures = [] }: Cause): readonly (readonly [name: string, text: string])[] => [
  ...(failures.length === 0 ? [] : [['Fails', `${plural(failures.length, 'check')}, shown as one`] as const]),
  ...(checks.length === 0 ? [] : [['Keeps', `${plural(checks.length, 'check')} from being judged`] as const]),
];

/** What stands before the names of checks beside the first one of a problem. */
export const alikeText = (count: number, isOfCause: boolean): string =>
  isOfCause
    ? `${plural(count, 'other check')} ${count === 1 ? 'fails' : 'fail'} for the same cause`
    : `${plural(count, 'check')} with the same problem`;

interface GateText {
  readonly word: 'PASSED' | 'NOTHING FOUND' | 'FAILED' | 'UNPROVEN' | 'KIT ERROR';
  /** May be empty; may contain text of the agent. */
  readonly why: string;
}

const gateWords = { 0: 'passed', 1: 'failed', 4: 'UNPROVEN', 70: 'error of the kit' } as const;

/** The word for a gate inside other text. */
export const gateWord = ({ exitCode }: Pick<Report['gate'], 'exitCode'>): string => gateWords[exitCode];

export function gateText(report: Report): GateText {
  const { exitCode, reasons } = report.gate;
  const reasonText = reasons.join('; ');
  if (exitCode === 1) return { word: 'FAILED', why: reasonText };
  if (exitCode === 70) return { word: 'KIT ERROR', why: reasonText };
  if (isFuzzOnly(report)) return { word: exitCode === 0 ? 'NOTHING FOUND' : 'UNPROVEN', why: reasonText };
  if (exitCode === 4) return { word: 'UNPROVEN', why: reasonText };
  return { word: 'PASSED', why: `${toleratedText(report)}; ${proofText(report)}` };
}

const timesText = ({ p50, p95, max }: Times): string => [p50, p95, max].map(Math.round).join('/');

/**
 * How long the agent took, in one line of a terminal: the binding with the most answers, and what users wait for; empty:
 * nothing came.
 */
export function latencyText({ latency }: Report): string {
  const rows = latency?.rows ?? [];
  const answers = (binding: string): number =>
    rows.filter((row) => row.binding === binding).reduce((sum, { count }) => sum + count, 0);
  const [binding] = [...new Set(rows.map((row) => row.binding))].sort((a, b) => answers(b) - answers(a));
  const of = (operation: string) => rows.find((row) => row.binding === binding && row.operation === operation);
  const send = of('send');
  const first = of('stream')?.first;
  const parts = [
    ...(send === undefined || send.count === 0 ? [] : [`send ${timesText(send)} ms`]),
    ...(first === undefined ? [] : [`first event ${timesText(first)} ms`]),
  ];
  return parts.length === 0 ? '' : `p50/p95/max over ${binding}: ${parts.join(', ')}`;
}

/** What a campaign of the fuzzer did; empty where nothing was fuzzed. */
export function fuzzText({ fuzz }: Report): string {
  if (fuzz === undefined) return '';
  const { cases, requests, features, kept, seed, durationMs, cut } = fuzz;
  const facts = [
    plural(cases, 'case'),
    plural(requests, 'request'),
    plural(features, 'different answer'),
    plural(kept, 'case kept', 'cases kept'),
    duration(durationMs),
    `seed ${seed}`,
  ];
  return `${facts.join(', ')}${cut === undefined ? '' : `; ended early: ${cut}`}`;
}

/** What to do about a result, besides the advice of its check. */
export function nextStep({ verdict, baseline }: CheckResult): string | undefined {
  if (verdict === 'error') return 'this is a defect of the kit, not of the agent: please report it';
  if (baseline === 'stale') return 'take the entry out of the baseline, or run with --update-baseline';
  return baseline === 'expired' ? 'fix it, or give the baseline entry a later date and say why' : undefined;
}

export interface Piece {
  readonly text: string;
  readonly isCode: boolean;
}

/** Splits a sentence at its backticks: text between two of them is code. */
export const piecesOf = (sentence: string): readonly Piece[] =>
  sentence
    .split(/`([^`]*)`/)
    .map((text, index) => ({ text, isCode: index % 2 === 1 }))
    .filter(({ text }) => text !== '');

/** With the interface at which it was asked, where that is not the first one. */
export const expectationName = ({ name, interface: label }: ExpectationResult): string =>
  label === undefined ? name : `${name} @${label}`;

/** ", 3 of 5 times": how often an expectation held that is asked more than once. */
export const expectationCount = ({ held, runs }: ExpectationResult): string =>
  runs === 1 ? '' : `, ${held} of ${runs} times`;
