import type { DocumentFault, Validation } from '../../src/report/index.js';
import { attributes, xml } from '../xml.js';
import { factOf } from './groups.js';

interface Case {
  readonly id: string;
  readonly title: string;
  readonly level: string;
  readonly faults: readonly DocumentFault[];
}

/** One case for each check, and one for what no check is about. */
function casesOf({ checks, faults }: Validation): readonly Case[] {
  const known = new Set(checks.map(({ id }) => id));
  const others = withoutCheck(faults, known);
  return [
    ...checks.map(({ id, title, level }) => ({ id, title, level, faults: faults.filter(({ check }) => check === id) })),
    ...[...others].map(([id, own]) => ({
      id,
      title: own[0]?.statement ?? id,
      level: own[0]?.level ?? 'must',
      faults: own,
    })),
  ];
}

function withoutCheck(
  faults: readonly DocumentFault[],
  known: ReadonlySet<string>,
): ReadonlyMap<string, readonly DocumentFault[]> {
  const groups = new Map<string, DocumentFault[]>();
  for (const fault of faults) {
    const id = fault.check ?? fault.requirement ?? 'document';
    if (known.has(id)) continue;
    groups.set(id, [...(groups.get(id) ?? []), fault]);
  }
  return groups;
}

const faultText = (fault: DocumentFault, source: string): string =>
  [
    `${source}:${fault.line}:${fault.column}: ${factOf(fault)}`,
    ...(fault.statement === undefined ? [] : [`sentence: ${fault.statement}`]),
    ...(fault.link === undefined ? [] : [`link: ${fault.link}`]),
    ...(fault.fix === undefined ? [] : [`fix: ${fault.fix}`]),
  ].join('\n');

/** The faults that count are failures; SHOULD ones are skipped unless they count too. */
const fails = (fuzzCase: Case, strict: boolean): boolean =>
  fuzzCase.faults.some(({ level }) => level === 'must') || (strict && fuzzCase.faults.length > 0);

function caseText(fuzzCase: Case, source: string, strict: boolean): readonly string[] {
  const about = { name: fuzzCase.id, classname: `a2a-tck.validate.${fuzzCase.id.split('/')[0] ?? ''}`, time: '0.000' };
  const [first] = fuzzCase.faults;
  const properties = { level: fuzzCase.level, title: fuzzCase.title };
  const lines = Object.entries(properties).map(([name, value]) => `        <property${attributes({ name, value })}/>`);
  const head = [`    <testcase${attributes(about)}>`, '      <properties>', ...lines, '      </properties>'];
  if (first === undefined) return [...head, '    </testcase>'];
  const rest = fuzzCase.faults.length - 1;
  const message = `${factOf(first)}${rest > 0 ? ` (and ${rest} more)` : ''}`;
  const body = fuzzCase.faults.map((fault) => xml(faultText(fault, source))).join('\n');
  const failed = fails(fuzzCase, strict)
    ? `      <failure${attributes({ message, type: first.level })}>${body}</failure>`
    : `      <skipped${attributes({ message })}/>`;
  return [...head, failed, '    </testcase>'];
}

function suiteOf(validation: Validation, strict: boolean) {
  const { source } = validation.document;
  const cases = casesOf(validation);
  const failures = cases.filter((fuzzCase) => fails(fuzzCase, strict)).length;
  const skipped = cases.filter((fuzzCase) => fuzzCase.faults.length > 0 && !fails(fuzzCase, strict)).length;
  const counts = { tests: cases.length, failures, errors: 0, skipped };
  const lines = [
    `  <testsuite${attributes({ name: source, ...counts, time: '0.000' })}>`,
    ...cases.flatMap((fuzzCase) => caseText(fuzzCase, source, strict)),
    '  </testsuite>',
  ];
  return { counts, lines };
}

/** JUnit XML: a suite for each document, with a case for each check that has something to say of it. */
export function validationJunit(validations: readonly Validation[], strict: boolean): string {
  const suites = validations.map((validation) => suiteOf(validation, strict));
  const sum = (name: 'tests' | 'failures' | 'errors' | 'skipped') =>
    suites.reduce((all, { counts }) => all + counts[name], 0);
  const counts = { tests: sum('tests'), failures: sum('failures'), errors: sum('errors'), skipped: sum('skipped') };
  const kit = validations[0]?.kit;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: `${kit?.name} ${kit?.version}`, ...counts, time: '0.000' })}>`,
    ...suites.flatMap(({ lines }) => lines),
    '</testsuites>',
    '',
  ].join('\n');
}
