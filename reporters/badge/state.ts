import {
  breaks,
  gateOfProtocol,
  proofOfReport,
  type Report,
  toleratedBy,
  usualMinProof,
} from '../../src/report/index.js';
import { plural, printable } from '../../src/wire/index.js';
import { interfaceTexts } from '../wording.js';

/** Names that shields.io knows. */
export type BadgeColor = 'brightgreen' | 'green' | 'yellow' | 'red' | 'lightgrey';

/** What a badge says of a run. */
export interface BadgeState {
  readonly label: string;
  readonly message: string;
  readonly color: BadgeColor;
  /** Share of the applicable MUST checks that were shown either way, percent, floored: that of the gate. */
  readonly percent: number;
  /** Why the badge is not green; undefined if it is. */
  readonly why: string | undefined;
  /** What was judged of each interface, one line each; empty if the agent has one. May contain text of the agent. */
  readonly interfaces: readonly string[];
}

/** The share of the gate, of MUST only: percent of the applicable MUST checks that were shown either way. */
function shownPercent(report: Report): number {
  const { counted, percent } = proofOfReport(report);
  return counted === 'MUST checks' ? percent : 0;
}

/** Why too little was shown for a coloured badge; undefined if enough was shown. */
function tooLittle(report: Report): string | undefined {
  const { checks, run, gate, target } = report;
  if (target.insecure === true) return 'certificates were not checked';
  if (run.shard !== undefined) return `only part ${run.shard.index} of ${run.shard.of} of a run`;
  if (run.selection !== undefined && run.selection.suites.length + run.selection.checks.length > 0) {
    return 'only chosen checks were run';
  }
  if (run.cut !== undefined) return 'the run ended early';
  if (gate.exitCode === 70) return 'the kit itself failed';
  if (!checks.some((check) => check.level === 'must' && check.verdict === 'pass')) return 'no MUST passed';
  if (run.messages?.accepted === false) return 'no message was accepted';
  if (run.messages?.streams?.read === false) return 'no event of a stream could be read';
  // A coloured badge needs this much, whatever the gate asks for.
  const percent = shownPercent(report);
  if (percent < usualMinProof) return `${usualMinProof}% needed`;
  return gate.exitCode === 4 ? 'less was shown than asked for' : undefined;
}

/** Red if a MUST failed, whatever else is shown; green only if the gate passed, and not by the baseline. */
function colored(report: Report, percent: number): Pick<BadgeState, 'color' | 'why'> {
  const { checks, gate, findings } = report;
  const failed = checks.filter(
    (check) =>
      check.level === 'must' && check.verdict === 'fail' && check.baseline !== 'known' && check.afterSet !== true,
  ).length;
  if (failed > 0) return { color: 'red', why: `${failed} MUST failed` };
  const broken = findings.filter((finding) => breaks(finding, 'must')).length;
  if (broken > 0) return { color: 'red', why: `${broken} MUST broken by what the fuzzer found` };
  const why = tooLittle(report);
  if (why !== undefined) return { color: 'lightgrey', why };
  if (!gate.passed) return { color: 'yellow', why: 'the gate failed' };
  const tolerated = toleratedBy(report).length;
  if (tolerated > 0) return { color: 'yellow', why: plural(tolerated, 'known failure') };
  return { color: percent === 100 ? 'brightgreen' : 'green', why: undefined };
}

/** The interfaces beside the first, by their labels: ", a2a-1.0-rest in part". */
const besides = ({ interfaces = [] }: Report['target']): string =>
  interfaces
    .flatMap(({ label, judged }) => (label === undefined ? [] : `, ${label}${judged === 'in-part' ? ' in part' : ''}`))
    .join('');

/** The packs that were judged too, by name: ", pack timestamp". */
const packsOf = ({ packs = [] }: Report['run']): string => packs.map(({ name }) => `, pack ${name}`).join('');

/** Every badge has profile, version of the kit, percent and day. */
export function badgeState(given: Report): BadgeState {
  // It speaks of the protocol, and not of what one user expects.
  const report = { ...given, gate: gateOfProtocol(given) };
  const { kit, target, run } = report;
  const percent = shownPercent(report);
  const { color, why } = colored(report, percent);
  const day = printable(run.startedAt.slice(0, 10));
  return {
    label: printable(
      `${kit.name} ${run.set?.id ?? kit.version} ${target.profile}${besides(target)}${packsOf(run)}`,
      80,
    ),
    message: `${percent}% of MUST shown${why === undefined ? '' : `, ${why}`}, ${day}`,
    color,
    percent,
    why,
    interfaces: [...(target.network ?? []), ...interfaceTexts(target)].map((text) => printable(text, 500)),
  };
}

/** The badge of an agent that was not judged: why, in a few words, and the day. It shows no share. */
export const unjudgedBadge = (kit: Report['kit'], why: string, at: string): BadgeState => ({
  label: printable(`${kit.name} ${kit.version}`, 80),
  message: printable(`${why}, ${at.slice(0, 10)}`, 80),
  color: 'lightgrey',
  percent: 0,
  why: printable(why, 80),
  interfaces: [],
});
