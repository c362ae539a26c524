import type { CheckResult } from '../report/index.js';
import { type Expected, idsOf, type Manifest } from './manifest.js';

/** A check that came out differently, and what is to be said of it. */
export interface Deviation {
  readonly kind: 'new' | 'mended' | 'not-shown' | 'told' | 'level' | 'kit-error' | 'profile';
  /** The id of the check, with its label. */
  readonly id: string;
  /** One line. */
  readonly text: string;
}

export interface Comparison {
  /** Number of failures that are as expected. */
  readonly asExpected: number;
  /** Failures that come and go, and are there this time. */
  readonly racing: number;
  readonly deviations: readonly Deviation[];
}

type Result = Pick<CheckResult, 'id' | 'verdict' | 'level' | 'reason'>;

/** What differs between a run and what a person has judged of this target. */
export function compared(
  results: readonly Result[],
  spoken: readonly string[],
  { profiles }: Pick<Manifest, 'profiles'>,
  { failures, missed = [] }: Expected,
): Comparison {
  const found = new Map(results.map((result) => [result.id, result]));
  const known = new Map(failures.flatMap((failure) => idsOf(failure, profiles).map((id) => [id, failure] as const)));
  const unreported = new Set(
    missed.flatMap(({ check, over }) =>
      check === undefined ? [] : idsOf({ check, ...(over === undefined ? {} : { over }) }, profiles),
    ),
  );
  const deviations: Deviation[] = [];
  if (JSON.stringify(spoken) !== JSON.stringify(profiles))
    deviations.push({
      kind: 'profile',
      id: '',
      text: `it is found to speak ${spoken.join(', ') || 'nothing'}, not ${profiles.join(', ')}`,
    });
  for (const { id, verdict, level, reason } of results) {
    const entry = known.get(id);
    if (verdict === 'error') deviations.push({ kind: 'kit-error', id, text: reason });
    else if (verdict === 'fail' && entry === undefined)
      deviations.push({ kind: unreported.has(id) ? 'told' : 'new', id, text: reason });
    else if (verdict === 'fail' && entry?.level !== level)
      deviations.push({ kind: 'level', id, text: `its level is ${level}, and ${entry?.level} is expected` });
  }
  for (const [id, entry] of known) {
    const verdict = found.get(id)?.verdict;
    if (verdict === 'fail' || verdict === 'error' || entry['comes-and-goes'] === true) continue;
    if (verdict === 'pass') deviations.push({ kind: 'mended', id, text: entry.wire });
    else deviations.push({ kind: 'not-shown', id, text: found.get(id)?.reason ?? 'the run has no such check' });
  }
  const there = [...known].filter(([id, { level }]) => {
    const result = found.get(id);
    return result?.verdict === 'fail' && result.level === level;
  });
  const racing = there.filter(([, entry]) => entry['comes-and-goes'] === true).length;
  return { asExpected: there.length - racing, racing, deviations };
}
