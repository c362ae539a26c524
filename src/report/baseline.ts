import { readWithin, whyOf } from '../files/index.js';
import { isObject, isString, suggestion, TckError, yaml } from '../model/index.js';
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
  // A misspelled "expires" would tolerate a failure forever.
  const unknown = Object.keys(raw).find((name) => !members.includes(name));
  if (unknown !== undefined) throw wrong(`unknown member "${unknown}"`);
  const { check, profile, reason, owner, expires } = raw;
  if (!isString(check) || check === '') throw wrong('no "check"');
  if (!isString(reason) || reason.trim() === '') throw wrong(`"${check}" has no "reason"`);
  if (profile !== undefined && !isString(profile)) throw wrong(`"profile" of "${check}" is not a text`);
  if (owner !== undefined && !isString(owner)) throw wrong(`"owner" of "${check}" is not a text`);
  if (expires !== undefined && !(isString(expires) && isDay(expires))) {
    throw wrong(`"expires" of "${check}" is not a day such as 2027-03-31`);
  }
  return {
    check,
    ...(profile === undefined ? {} : { profile }),
    reason,
    ...(owner === undefined ? {} : { owner }),
    ...(expires === undefined ? {} : { expires }),
  };
}

/** What entries may name. */
export interface BaselineNames {
  /** Ids of checks, of older versions too: what is gone fails nothing. */
  readonly checks: readonly string[];
  readonly profiles: readonly string[];
  /** Which checks the list is about; one file may be for agents and for clients. */
  isAbout(check: string): boolean;
}

/** As the fuzzer names what it finds. */
const findingId = /^f-[0-9a-f]{8}$/;

/**
 * Throws `TckError('config')` for an entry that names no check, finding or profile that there can be: it would never
 * hold, and its owner would believe that it does.
 */
export function checkBaseline({ entries }: Baseline, { checks, profiles, isAbout }: BaselineNames): void {
  const refuse = (what: string, name: string, known: readonly string[], otherwise: string): never => {
    throw new TckError(
      'config',
      `the baseline names ${what} ${name}, and there is none`,
      suggestion(name, known, otherwise),
    );
  };
  const knownChecks = new Set(checks);
  for (const { check, profile } of entries) {
    if (profile !== undefined && !profiles.includes(profile)) {
      refuse('the profile', profile, profiles, 'a2a-tck list profiles shows them');
    }
    if (/^f-[^/]*$/.test(check)) {
      if (!findingId.test(check))
        refuse('the finding', check, [], 'the id of a finding is f- and eight hexadecimal digits');
      continue;
    }
    const [id = '', label] = check.split('@');
    // The second interface of one profile has its number in the label: "a2a-1.0.2".
    if (label !== undefined && ![label, label.replace(/\.\d+$/, '')].some((text) => profiles.includes(text))) {
      const known = profiles.map((profile) => `${id}@${profile}`);
      refuse('the check', check, known, 'behind @ stands the profile of an interface');
    }
    if (isAbout(id) && !knownChecks.has(id)) refuse('the check', check, checks, 'a2a-tck list checks shows them');
  }
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
    // An error is a failure of the kit, and a feature that the agent does not offer is not a failure: the entry does
    // not matter.
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
 * Marks findings of the fuzzer that the baseline lists, or that break only requirements which known failures break too.
 * Findings are never stale: one that does not come in this run may still be there.
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

/** Texts that differ from run to run: ids, points in time, lengths of time, ports. */
const chance =
  /\b(?:[\w-]*[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}[\w-]*|[0-9a-f]{16,}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?|\d+(?:\.\d+)? ms|(?<=:)\d{4,5}(?=[/"'\s]|$))/gi;

/** What a baseline looks like after an update. */
export interface UpdatedBaseline {
  /** YAML. */
  readonly text: string;
  readonly entries: number;
  readonly added: number;
  /** Entries whose check passes. */
  readonly removed: number;
  /** Failures of a level that was not asked for. */
  readonly leftOut: number;
}

/**
 * The baseline with new failures and without entries whose check passes, sorted. All other entries stay unchanged: those
 * of other profiles, of findings, and of checks that could not be judged. `strict`: with failures of SHOULD too, which
 * fail the gate then.
 */
export function updatedBaseline(
  {
    checks,
    findings,
    strict,
  }: { readonly checks: readonly CheckResult[]; readonly findings: readonly Finding[]; readonly strict: boolean },
  before: Baseline,
  profile: string,
): UpdatedBaseline {
  const find = finder(before, profile);
  const isNew = ({ id }: { readonly id: string }) => find(id) === undefined;
  const isDemanded = ({ level }: { readonly level?: CheckResult['level'] }) =>
    level === 'must' || (strict && level === 'should');
  const note = (text: string) => `not looked into yet: ${text.replace(chance, '…').slice(0, 200)}`;
  const failing = checks.filter((check) => check.verdict === 'fail' && isNew(check));
  const found = findings.filter(
    (finding) => finding.requirements.length > 0 && finding.baseline !== 'known' && isNew(finding),
  );
  const fresh = [
    ...failing.filter(isDemanded).map(({ id, reason }) => ({ check: id, profile, reason: note(reason) })),
    ...found.filter(isDemanded).map(({ id, title }) => ({ check: id, profile, reason: note(title) })),
  ];
  const over = new Set(checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
  const kept = before.entries.filter((entry) => !(find(entry.check) === entry && over.has(entry.check)));
  const known = [...kept, ...fresh].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return {
    text: yaml().stringify({ known }),
    entries: known.length,
    added: fresh.length,
    removed: before.entries.length - kept.length,
    leftOut: failing.length + found.length - fresh.length,
  };
}
