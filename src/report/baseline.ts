import { readWithin, whyOf } from '../files/index.js';
import { isObject, isString, TckError, yaml } from '../model/index.js';
import type { CheckResult, Finding } from './result.js';

/** A known failure: why it is tolerated, and until when. */
export interface BaselineEntry {
  /** Id of a check, or of a finding of the fuzzer. */
  readonly check: string;
  /** Holds only for an agent judged by this profile; left out: by any. */
  readonly profile?: string;
  readonly reason: string;
  readonly owner?: string;
  /** ISO date, the last day on which it is tolerated. */
  readonly expires?: string;
}
export interface Baseline {
  readonly entries: readonly BaselineEntry[];
}

/** Bytes: some thousand entries. The parser needs some hundred times as much memory. */
const longest = 1024 * 1024;

/** Throws `TckError('config')` for a file that cannot be read or has another shape. */
export function readBaseline(file: string): Baseline {
  let raw: unknown;
  try {
    raw = yaml().parse(readWithin(file, longest).toString('utf8'));
  } catch (error) {
    throw new TckError(
      'config',
      `the baseline ${file} cannot be read: ${whyOf(error)}`,
      'write one with --update-baseline',
    );
  }
  if (raw === null) return { entries: [] };
  const known = isObject(raw) ? raw['known'] : undefined;
  if (!Array.isArray(known))
    throw new TckError('config', `the baseline ${file} has no list "known"`, 'write one with --update-baseline');
  const entries = known.map((entry: unknown, index) => readEntry(entry, `${file}, entry ${index + 1}`));
  const twice = entries.find((entry, at) => entries.findIndex((other) => nameOf(other) === nameOf(entry)) !== at);
  if (twice !== undefined) {
    const { check, profile } = twice;
    const where = profile === undefined ? '' : ` for ${profile}`;
    throw new TckError(
      'config',
      `the baseline ${file} lists "${check}" twice${where}`,
      'remove one of the two entries',
    );
  }
  return { entries };
}

const nameOf = ({ check, profile = '' }: Pick<BaselineEntry, 'check' | 'profile'>): string => `${check} ${profile}`;

const members = ['check', 'profile', 'reason', 'owner', 'expires'];

/** Whether a text is a day of the calendar: `Date` would read others as another day, or not at all. */
function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

function readEntry(raw: unknown, where: string): BaselineEntry {
  const wrong = (what: string) =>
    new TckError('config', `${where}: ${what}`, 'each entry has check, reason and perhaps profile, owner, expires');
  if (!isObject(raw)) throw wrong('not an object');
  // A misspelled "expires" would tolerate a failure for ever.
  const unknown = Object.keys(raw).find((name) => !members.includes(name));
  if (unknown !== undefined) throw wrong(`unknown member "${unknown}"`);
  const { check, profile, reason, owner, expires } = raw;
  if (!isString(check) || check === '') throw wrong('no "check"');
  if (!isString(reason) || reason.trim() === '') throw wrong(`"${check}" has no "reason"`);
  if (profile !== undefined && !isString(profile)) throw wrong(`"profile" of "${check}" is no text`);
  if (owner !== undefined && !isString(owner)) throw wrong(`"owner" of "${check}" is no text`);
  if (expires !== undefined && !(isString(expires) && isDay(expires))) {
    throw wrong(`"expires" of "${check}" is no day such as 2027-03-31`);
  }
  return {
    check,
    ...(profile === undefined ? {} : { profile }),
    reason,
    ...(owner === undefined ? {} : { owner }),
    ...(expires === undefined ? {} : { expires }),
  };
}

const day = 24 * 60 * 60 * 1000;

/** Finds the entry for a check in this profile. An entry that names the profile wins. */
function finder({ entries }: Baseline, profile: string): (check: string) => BaselineEntry | undefined {
  const byName = new Map(entries.map((entry) => [nameOf(entry), entry]));
  return (check) => byName.get(nameOf({ check, profile })) ?? byName.get(nameOf({ check }));
}

/**
 * Marks listed checks: stale if the check passes, else expired if the day of the entry is over, else known if the check
 * fails. `now`: ms since 1970; a day ends with its last second in UTC.
 */
export function applyBaseline(
  results: readonly CheckResult[],
  baseline: Baseline,
  now: number,
  profile: string,
): readonly CheckResult[] {
  const find = finder(baseline, profile);
  return results.map((result) => {
    const entry = find(result.id);
    // An error is a failure of the kit, and what is not offered is no failure: the entry does not matter.
    if (entry === undefined || result.verdict === 'error' || result.verdict === 'not-offered') return result;
    if (result.verdict === 'pass')
      return { ...result, baseline: 'stale', reason: 'listed in the baseline, but it passes now' };
    if (result.verdict !== 'fail' && stateOf(entry, now) === 'known') return result;
    return { ...result, baseline: stateOf(entry, now) };
  });
}

const stateOf = ({ expires }: BaselineEntry, now: number): 'known' | 'expired' =>
  expires !== undefined && Date.parse(expires) + day <= now ? 'expired' : 'known';

/**
 * Marks findings that are listed, or that break only what known failures break. Findings are never stale: one that did
 * not come this time may still be there.
 */
export function applyBaselineToFindings(
  findings: readonly Finding[],
  results: readonly CheckResult[],
  baseline: Baseline,
  now: number,
  profile: string,
): readonly Finding[] {
  const find = finder(baseline, profile);
  const known = results.filter((result) => result.baseline === 'known');
  const tolerated = new Set(known.flatMap(({ requirements }) => requirements));
  return findings.map((finding) => {
    const entry = find(finding.id);
    if (entry !== undefined) return { ...finding, baseline: stateOf(entry, now) };
    const { requirements } = finding;
    return requirements.length > 0 && requirements.every((id) => tolerated.has(id))
      ? { ...finding, baseline: 'known' }
      : finding;
  });
}

/**
 * The baseline as YAML, sorted: new failures are added, and entries whose check passes are removed. All other entries
 * stay unchanged: those of other profiles, of findings, and of checks that could not be judged.
 */
export function updatedBaseline(
  results: readonly CheckResult[],
  before: Baseline,
  profile: string,
  findings: readonly Finding[] = [],
): string {
  const find = finder(before, profile);
  const isNew = ({ id }: { readonly id: string }) => find(id) === undefined;
  const note = (text: string) => `not looked into yet: ${text.slice(0, 200)}`;
  const failing = results.filter((result) => result.verdict === 'fail' && isNew(result));
  const found = findings.filter(
    (finding) => finding.requirements.length > 0 && finding.baseline !== 'known' && isNew(finding),
  );
  const fresh = [
    ...failing.map(({ id, reason }) => ({ check: id, profile, reason: note(reason) })),
    ...found.map(({ id, title }) => ({ check: id, profile, reason: note(title) })),
  ];
  const over = new Set(results.filter((result) => result.verdict === 'pass').map(({ id }) => id));
  const kept = before.entries.filter((entry) => !(find(entry.check) === entry && over.has(entry.check)));
  const known = [...kept, ...fresh].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return yaml().stringify({ known });
}
