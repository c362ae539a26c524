import { stripVTControlCharacters } from 'node:util';
import type { CheckResult, Report } from '../../src/report/index.js';
import { wrap } from '../../src/wire/index.js';
import { foremost, isNewFailure, type Problem, problemsOf, troubles } from '../groups.js';
import { exchangesById } from '../operation.js';
import type { ReportContext } from '../reporter.js';
import { levels } from '../wording.js';
import { failureText, type Shown, shortFailureText } from './failure.js';
import type { Paint } from './paint.js';

/** Failures in full, where there is room for them. */
const mostInFull = 5;
/** Rows that are kept for the failures which fail no gate, if there are any. */
const rowsOfMinor = 12;
/** Rows that say what is not shown, and what shows it. */
const rowsOfRest = 4;
const usualColumns = 80;

/** Rows that a text takes on the screen, with the rows of lines that are too long for it. */
export const rowsOf = (text: string, columns = usualColumns): number =>
  stripVTControlCharacters(text)
    .replace(/\n$/, '')
    .split('\n')
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / columns)), 0);

const sum = (counts: readonly number[]): number => counts.reduce((all, value) => all + value, 0);

/** `and 5 MUST (3 card, 2 task) and 9 SHOULD (9 rpc) more`. */
function restText(problems: readonly Problem[], { columns }: ReportContext): string {
  const checks = problems.flatMap(({ check, alike }) => [check, ...alike]);
  const counts = levels.flatMap((level) => {
    const some = checks.filter((check) => check.level === level);
    const suites = [...new Set(some.map(({ suite }) => suite))];
    const bySuite = suites.map(
      (suite) => `${some.filter((checkResult) => checkResult.suite === suite).length} ${suite}`,
    );
    return some.length === 0 ? [] : [`${some.length} ${level.toUpperCase()} (${bySuite.join(', ')})`];
  });
  return wrap(`and ${counts.join(' and ')} more`, 2, columns);
}

interface Rows {
  readonly full: number;
  readonly short: number;
  /** It is never shown in full, and waits behind all others. */
  readonly isMinor: boolean;
}

/** How many are shown in full: as many as leave room for the others, or more than half of the room. */
function countInFull(problems: readonly Rows[], room: number): number {
  let rows = 0;
  let count = 0;
  for (const { full, isMinor } of problems.slice(0, mostInFull)) {
    const after = problems.slice(count + 1);
    const others = sum(after.filter((rows) => !rows.isMinor).map(({ short }) => short));
    const minor = sum(after.filter((rows) => rows.isMinor).map(({ short }) => short));
    rows += full;
    const kept = Math.min(others + Math.min(minor, rowsOfMinor), 0.45 * room);
    if (isMinor || (count > 0 && rows + kept > room)) return count;
    count++;
  }
  return count;
}

/** How many of these texts fit, one below the other. */
function countThatFit(rows: readonly number[], room: number): number {
  const at = rows.findIndex((_, index) => sum(rows.slice(0, index + 1)) > room);
  return at < 0 ? rows.length : at;
}

interface Screen extends Shown {
  readonly profile: string;
  /** Rows. */
  readonly room: number;
}

/**
 * Problems of one kind: those in full that a reader should see first, the others in two or three rows, and the rest
 * counted. `isShort`: never in full.
 */
function listed(
  problems: readonly Problem[],
  isShort: (check: CheckResult) => boolean,
  { profile, room, ...shown }: Screen,
): string {
  const { context, paint } = shown;
  const inFull = (some: readonly Problem[]) =>
    some.map((problem, at) => failureText(problem, some.slice(0, at), profile, shown));
  if (context.verbose) return inFull(problems).join('\n');

  const ordered = foremost(problems);
  const full = inFull(ordered.slice(0, mostInFull));
  const short = ordered.map((problem) => ({
    text: shortFailureText(problem, profile, shown),
    place: problems.indexOf(problem),
  }));
  const rows = ordered.map(({ check }, at) => ({
    full: rowsOf(full[at] ?? '', context.columns) + 1,
    short: rowsOf(short[at]?.text ?? '', context.columns),
    isMinor: isShort(check),
  }));
  const count = countInFull(rows, room - rowsOfRest);
  const blocks = full.slice(0, count);
  if (count === ordered.length) return blocks.join('\n');

  const left = room - rowsOfRest - sum(rows.slice(0, count).map((row) => row.full));
  const fitting = countThatFit(
    rows.slice(count).map((row) => row.short),
    left,
  );
  const rest = ordered.slice(count + fitting);
  const others = [
    ...short
      .slice(count, count + fitting)
      .sort((a, b) => a.place - b.place)
      .map(({ text }) => text),
    ...(rest.length === 0 ? [] : [`${restText(rest, context)}\n`]),
    `  ${paint('dim', 'a2a-tck explain <check> says more of each; --verbose shows them in full')}\n`,
  ];
  return [...blocks, others.join('')].join('\n');
}

/** Everything that failed or needs a look, in about `room` rows of the screen. With --verbose each is shown in full. */
export function troublesText(report: Report, room: number, context: ReportContext, paint: Paint): string {
  const screen = { profile: report.target.profile, context, paint, exchanges: exchangesById(report) };
  const isShort = ({ level }: CheckResult): boolean => !context.strict && level === 'should';
  const wrong = troubles(report.checks);
  const others = listed(
    problemsOf(
      wrong.filter((checkResult) => !isNewFailure(checkResult)),
      report.causes,
    ),
    () => false,
    { ...screen, room: room / 2 },
  );
  const left = others === '' ? room : room - rowsOf(others, context.columns) - 1;
  const failures = listed(problemsOf(wrong.filter(isNewFailure), report.causes), isShort, { ...screen, room: left });
  return [failures, others].filter((text) => text !== '').join('\n');
}
