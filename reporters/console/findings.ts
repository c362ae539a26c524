import type { Finding, FuzzSummary, Replay, Report } from '../../src/report/index.js';
import { plural, printable, wrap } from '../../src/wire/index.js';
import { lineOf } from '../operation.js';
import type { ReportContext } from '../reporter.js';
import { isFuzzOnly } from '../wording.js';
import { commandText } from './command.js';
import type { Paint } from './paint.js';

const labelWidth = 11;
/** Characters of a curl line beside the files of a finding: five rows of eighty. */
const longestLine = 400;
/** Findings of a run with checks, without --verbose. */
const mostBesideChecks = 2;

function confirmation({ confirmed: { times, of }, unconfirmed }: Finding): string {
  if (unconfirmed !== undefined) return `not, ${unconfirmed}`;
  if (of === 0) return 'not: it was never run again';
  return times < of ? `flaky ${times}/${of}` : `${times}/${of}`;
}

/** How to reproduce a finding: by curl if it is one short request, and by its files if they are written. */
function again(finding: Finding, report: Report, context: ReportContext): readonly (readonly [string, string])[] {
  const [only] = finding.exchanges;
  const exchange = finding.steps === 1 ? report.exchanges.find(({ id }) => id === only) : undefined;
  const line = exchange === undefined ? undefined : lineOf(exchange, context.shell);
  if (context.findings === undefined) {
    const stored = 'by its script in the JSON report, or with the files of a2a-tck fuzz';
    return [['reproduce', line === undefined ? stored : commandText(line, stored, context)]];
  }
  const file = printable(`${context.findings}/${finding.id}`, 400);
  // Beside another interface, an interface of gRPC is judged only where it is asked for.
  const binding = report.target.profile.endsWith('-grpc') ? ' --binding grpc' : '';
  const options = `${binding}${(context.replayOptions ?? []).map((option) => ` ${option}`).join('')}`;
  const isShort = line !== undefined && line.length <= longestLine;
  return [
    ...(isShort ? [['reproduce', printable(line)] as const] : []),
    ['script', `sh ${file}.sh`],
    ['replay', `a2a-tck fuzz --url ${printable(report.target.url, 200)}${options} --replay ${file}.json`],
    ['more', `a2a-tck explain ${printable(finding.id, 40)}`],
  ];
}

function findingText(finding: Finding, report: Report, context: ReportContext, paint: Paint): string {
  const indent = 2 + labelWidth;
  const line = (name: string, text: string) => `  ${paint('dim', name.padEnd(labelWidth))}${text}`;
  const flow = (text: string) => wrap(printable(text), indent, context.columns);
  const known = finding.baseline === undefined ? '' : ` (baseline: ${finding.baseline})`;
  const level = `${finding.level === undefined ? 'weakness' : finding.level.toUpperCase()}${known}`;
  const sentences = finding.requirements.map((id) => {
    const row = context.sentence(report.target.profile, id);
    return line('sentence', flow(row === undefined ? id : `${id}, ${row.section}: ${row.statement}`));
  });
  return [
    `${paint(['bold', 'red'], 'FOUND')} ${paint('bold', `${level} ${printable(finding.id, 40)}`)}`,
    line('problem', paint('red', flow(finding.title))),
    ...(context.verbose || isFuzzOnly(report) ? [line('actual', flow(finding.detail))] : []),
    ...sentences,
    ...((finding.operations ?? []).length > 1 ? [line('through', flow((finding.operations ?? []).join(', ')))] : []),
    line('confirmed', `${confirmation(finding)}, ${plural(finding.steps, 'request')}, case ${finding.case}`),
    ...again(finding, report, context).map(([name, text]) => line(name, text)),
    '',
  ].join('\n');
}

const replayWords = { shows: 'still shows', gone: 'no longer shows', 'not-run': 'not run' } as const;
const replayStyles = { shows: 'red', gone: 'green', 'not-run': 'yellow' } as const;

function replayText(replay: Replay, paint: Paint): string {
  const { verdict, times, of, name, title, reason } = replay;
  const counted = verdict === 'not-run' ? printable(reason ?? '', 300) : `${times}/${of}`;
  return `${paint(replayStyles[verdict], replayWords[verdict].padEnd(16))} ${printable(name, 80)}  ${counted}  ${paint('dim', printable(title, 200))}`;
}

/** What the campaign did, one line. */
function campaignText(
  { cases, requests, features, kept, seed, cut, replays }: FuzzSummary,
  found: number,
  paint: Paint,
): string {
  const end = cut === undefined ? '' : `; ended early: ${printable(cut, 300)}`;
  const facts =
    replays === undefined
      ? `${plural(cases, 'case')}, ${plural(requests, 'request')}, ${plural(features, 'different answer')}, ${plural(kept, 'case kept', 'cases kept')}, seed ${seed}`
      : `${cases} of ${plural(replays.length, 'stored case')}, ${plural(requests, 'request')}`;
  return `  ${paint('dim', `fuzzed: ${facts}`)}, ${plural(found, 'finding')}${end}\n`;
}

/** Every finding, and what was tried. */
export function findingsText(report: Report, context: ReportContext, paint: Paint): string {
  const { findings, fuzz } = report;
  if (fuzz === undefined) return '';
  const replays = (fuzz.replays ?? []).map((replay) => `${replayText(replay, paint)}\n`).join('');
  const shown = context.verbose || isFuzzOnly(report) ? findings : findings.slice(0, mostBesideChecks);
  const blocks = shown.map((finding) => findingText(finding, report, context, paint));
  const rest = findings.length - shown.length;
  if (rest > 0) blocks.push(`and ${plural(rest, 'more finding')}; --verbose shows them\n`);
  return [...blocks, replays, campaignText(fuzz, findings.length, paint)].filter((block) => block !== '').join('\n');
}
