import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { type Outcome, resultsOf } from './judge.js';

/** A line of `targets/history.ndjson`: what one kit said of one version of a target. */
export interface Past {
  readonly target: string;
  readonly package: string;
  readonly version: string;
  readonly kit: string;
  /** ISO date. */
  readonly at: string;
  readonly seconds: number;
  readonly checks: number;
  readonly pass: number;
  /** Ids of the checks that failed. */
  readonly failures: readonly string[];
}

export function readHistory(file: string): readonly Past[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Past);
}

export function pastOf({ target: { manifest }, run }: Outcome, kit: string): Past | undefined {
  if (run === undefined) return undefined;
  const results = resultsOf(run);
  return {
    target: manifest.id,
    package: manifest.package,
    version: manifest.version,
    kit,
    at: run.at,
    seconds: Math.round(run.seconds * 10) / 10,
    checks: results.length,
    pass: results.filter(({ verdict }) => verdict === 'pass').length,
    failures: results
      .filter(({ verdict }) => verdict === 'fail')
      .map(({ id }) => id)
      .sort(),
  };
}

const sameAs = (first: Past, second: Past): boolean =>
  first.version === second.version &&
  first.kit === second.kit &&
  JSON.stringify(first.failures) === JSON.stringify(second.failures);

/** Adds what says something new: another version, another kit, or other failures than the line before. */
export function record(file: string, fresh: readonly Past[]): number {
  const known = readHistory(file);
  const added = fresh.filter((item) => {
    const last = known.findLast(({ target }) => target === item.target);
    return last === undefined || !sameAs(last, item);
  });
  if (added.length > 0) appendFileSync(file, added.map((item) => `${JSON.stringify(item)}\n`).join(''));
  return added.length;
}

export interface VersionChange {
  readonly from: string;
  readonly to: string;
  readonly mended: readonly string[];
  readonly broken: readonly string[];
}

/** What the last version of a target mended and broke, by the last lines of it and of the version before. */
export function versionChange(history: readonly Past[], id: string): VersionChange | undefined {
  const own = history.filter(({ target }) => target === id);
  const now = own.at(-1);
  const before = own.findLast(({ version }) => version !== now?.version);
  if (now === undefined || before === undefined) return undefined;
  return {
    from: before.version,
    to: now.version,
    mended: before.failures.filter((failure) => !now.failures.includes(failure)),
    broken: now.failures.filter((failure) => !before.failures.includes(failure)),
  };
}
