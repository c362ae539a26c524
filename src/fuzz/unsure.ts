import { causeOf } from './bucket.js';
import type { Confirmed } from './campaign-settings.js';
import type { Case } from './case.js';
import type { Symptom } from './oracle.js';

/** So many other cases are looked at for one that shows it each time. */
const mostLooks = 8;
/** And so many cases are run until then: what is found is to be told while the campaign goes on. */
const mostCases = 200;

interface Waiting {
  readonly symptom: Symptom;
  readonly confirmed: Confirmed;
  /** Cases that were looked at, as JSON: those that repeat one would say nothing new. */
  readonly looked: Set<string>;
  readonly until: number;
}

/**
 * Findings that came again, but not each time, or only in haste. Another case may show the same each time, at leisure: its
 * script is the better one, so that they wait for it.
 */
export interface Unsure {
  readonly size: number;
  has(cause: string): boolean;
  /** Whether a case may take the place of what waits: none was looked at that is the same. */
  mayBetter(cause: string, one: Case): boolean;
  /** What waits comes each time, if in haste: only one at leisure is better. */
  isSteady(cause: string): boolean;
  /** Whether the same comes at times of requests that are not changed. */
  isPlain(symptom: Symptom): boolean;
  /** `cases`: how many were run until now. */
  wait(symptom: Symptom, confirmed: Confirmed, shownBy: Case, cases: number): void;
  /** A case was looked at, and did not show it each time. */
  looked(cause: string, one: Case): void;
  /** A better one was found. */
  drop(cause: string): void;
  /**
   * Takes out what has waited long enough when so many cases were run; left out: all. What is no more than the same of a
   * plain request is forgotten.
   */
  take(cases?: number): readonly Confirmed[];
}

/** It came again each time that it was tried, or could not be tried again. */
export const isSteady = ({ finding: { confirmed } }: Confirmed): boolean => confirmed.times === confirmed.of;

/** Nothing is to be waited for. */
export const isSure = (confirmed: Confirmed): boolean => isSteady(confirmed) && confirmed.isHasty !== true;

export function createUnsure(): Unsure {
  const waiting = new Map<string, Waiting>();
  /** Buckets of all that ever waited. */
  const sometimes = new Set<string>();
  const isPlain = ({ plain }: Symptom): boolean => plain !== undefined && sometimes.has(plain);
  return {
    get size() {
      return waiting.size;
    },
    has: (bucket) => waiting.has(bucket),
    mayBetter: (bucket, one) => waiting.get(bucket)?.looked.has(JSON.stringify(one)) === false,
    isSteady(bucket) {
      const one = waiting.get(bucket);
      return one !== undefined && isSteady(one.confirmed);
    },
    isPlain,
    wait(symptom, confirmed, shownBy, cases) {
      const looked = new Set([JSON.stringify(shownBy)]);
      waiting.set(causeOf(symptom), { symptom, confirmed, looked, until: cases + mostCases });
      if (!isSteady(confirmed)) sometimes.add(symptom.bucket);
    },
    looked(bucket, one) {
      waiting.get(bucket)?.looked.add(JSON.stringify(one));
    },
    drop(bucket) {
      waiting.delete(bucket);
    },
    take(cases) {
      const due = [...waiting].filter(
        ([, { looked, until }]) => cases === undefined || cases >= until || looked.size > mostLooks,
      );
      for (const [bucket] of due) waiting.delete(bucket);
      return due.flatMap(([, { symptom, confirmed }]) => (isPlain(symptom) ? [] : confirmed));
    },
  };
}
