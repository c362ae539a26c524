import type { Report } from '../src/report/index.js';
import { plural } from '../src/wire/index.js';
import { readFindings } from './findings.js';
import { causesOf, failedAfterSet, known, notOffered, openByReason, problemsOfCauses, withoutCause } from './groups.js';
import {
  causeSection,
  findingSection,
  openSection,
  paymentSection,
  toleratedSection,
  troubleSection,
} from './markdown/sections.js';
import { code, paragraph, prose } from './markdown/text.js';
import { fromReport, type ReportContext, type Reporter } from './reporter.js';
import {
  duration,
  fuzzText,
  gateText,
  isFuzzOnly,
  judgedName,
  levels,
  placeOf,
  scopeTexts,
  speaksText,
  tallied,
  tallyHeads,
} from './wording.js';

/** A comment on GitHub holds 65,536 characters, a job summary 1 MiB. */
const mostCharacters = 60_000;
const mostReasons = 10;

function table({ summary }: Report): string {
  const rows = levels.map(
    (level) => `| ${level.toUpperCase()} | ${tallied.map((text) => summary[level][text]).join(' | ')} |`,
  );
  return [`| | ${tallyHeads.join(' | ')} |`, `|---|${'--:|'.repeat(tallyHeads.length)}`, ...rows].join('\n');
}

function head(report: Report): string {
  const { target, run, gate, kit } = report;
  const { word, why } = gateText(report);
  const known = judgedName(target);
  const name = known === undefined ? 'An agent without a name' : paragraph(known, 200);
  const place = placeOf(target);
  const at = place === undefined ? '' : ` at ${code(place)}`;
  const facts = [
    plural(run.requests, 'request'),
    plural(run.tasks, 'task'),
    duration(run.durationMs),
    `seed ${run.seed}`,
  ];
  return [
    `## ${gate.passed ? '✓' : gate.exitCode === 4 ? '?' : '✗'} ${word}${why === '' ? '' : `: ${prose(why, 1000)}`}`,
    '',
    `${name} ${speaksText(target)} ${code(target.profile)}${at}. ${prose(kit.name)} ${prose(kit.version)}, ${facts.join(', ')}, exit ${gate.exitCode}.`,
    '',
    ...scopeTexts(report).map((scopeText) => `- ${prose(scopeText, 400)}`),
    ...(scopeTexts(report).length === 0 ? [] : ['']),
    ...(report.fuzz === undefined ? [] : [`Fuzzed: ${prose(fuzzText(report))}.`, '']),
    ...(isFuzzOnly(report) ? [] : [table(report), '']),
  ].join('\n');
}

/** The first sections that fit into `room` characters, and the number of those left out. */
function fitting(sections: readonly string[], room: number): { readonly text: string; readonly left: number } {
  let length = 0;
  let count = 0;
  for (const section of sections) {
    if (length + section.length + 1 > room) break;
    length += section.length + 1;
    count++;
  }
  return { text: sections.slice(0, count).join('\n'), left: sections.length - count };
}

function document(report: Report, context: ReportContext): string {
  const { checks, target, payments = [] } = report;
  const start = head(report);
  const asides = [
    paymentSection(payments),
    toleratedSection('Known failures (baseline)', known(checks)),
    toleratedSection('Failed, added after the set', failedAfterSet(checks)),
    toleratedSection('Not offered (MAY)', notOffered(checks)),
    openSection(openByReason(withoutCause(report)), mostReasons),
  ].filter((text) => text !== '');
  const causes = causesOf(report).map(causeSection);
  const failures = problemsOfCauses(report).map((problem) => troubleSection(problem, target.profile, context));
  const findings = readFindings(report.findings).map(findingSection);
  // Failures come first, but up to a third of the room is for the other sections.
  const aside = fitting(asides, mostCharacters / 3);
  const room = mostCharacters - start.length - aside.text.length - 300;
  const main = fitting([...causes, ...failures, ...findings], room);
  const left = main.left + aside.left;
  const note =
    left === 0
      ? []
      : [`**Cut here:** ${plural(left, 'more section')} would not fit; the HTML and JSON reports have all.\n`];
  return [start, ...(main.text === '' ? [] : [main.text]), ...note, ...(aside.text === '' ? [] : [aside.text])].join(
    '\n',
  );
}

export const markdown: Reporter = {
  id: 'markdown',
  readers: 'job summaries and pull requests',
  begin: fromReport(document),
};
