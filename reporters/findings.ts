import type { CheckResult, Finding } from '../src/report/index.js';
import { plural, printableLines } from '../src/wire/index.js';

/** A finding as reports show it. A stored report may come from any program: only these members are read. */
export type ShownFinding = Omit<Finding, 'level' | 'bucket' | 'replay'> & {
  /** Undefined: a weakness that breaks no sentence. */
  readonly level: CheckResult['level'] | undefined;
};

type Unknown = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : 0;

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

function readFinding(raw: Unknown, index: number): ShownFinding {
  const confirmed = isObject(raw['confirmed']) ? raw['confirmed'] : {};
  const { level, baseline, unconfirmed } = raw;
  return {
    id: text(raw['id']) || `finding-${index + 1}`,
    oracle: text(raw['oracle']),
    title: text(raw['title']) || 'a finding without a title',
    detail: text(raw['detail']),
    level: level === 'must' || level === 'should' || level === 'may' ? level : undefined,
    requirements: texts(raw['requirements']),
    confirmed: { times: count(confirmed['times']), of: count(confirmed['of']) },
    steps: count(raw['steps']),
    seed: count(raw['seed']),
    case: count(raw['case']),
    script: text(raw['script']),
    exchanges: texts(raw['exchanges']),
    ...(unconfirmed === 'for want of time' ? { unconfirmed } : {}),
    ...(baseline === 'known' || baseline === 'expired' ? { baseline } : {}),
  };
}

/** Leaves out what is not an object. */
export const readFindings = (findings: readonly unknown[]): readonly ShownFinding[] =>
  findings.filter(isObject).map(readFinding);

const longestScript = 20_000;

/** The script of a finding. A shortened script would be another one, so a long one is not shown. */
export const scriptOf = ({ script }: ShownFinding): string =>
  script.length > longestScript
    ? `# too long to show (${script.length} characters); it is in the JSON report`
    : printableLines(script);

/** Whether the finding came again at least once. */
export const isConfirmed = ({ confirmed }: ShownFinding): boolean => confirmed.times > 0;

/** `seen again 3 of 3 times`, or that it came once only. */
export function confirmationOf({ confirmed: { times, of }, unconfirmed }: ShownFinding): string {
  if (unconfirmed !== undefined) return `seen once, and not run again ${unconfirmed}`;
  if (times === 0) return 'seen once, and not again';
  return `seen again ${times} of ${plural(of, 'time')}${times < of ? ': flaky' : ''}`;
}

/** `MUST` or another level, or `WEAKNESS` if no sentence is broken. */
export const rankOf = ({ level, baseline }: ShownFinding): string =>
  `${level?.toUpperCase() ?? 'WEAKNESS'}${baseline === undefined ? '' : ` (baseline: ${baseline})`}`;
