import type { Case } from '../case/case.js';
import type { Symptom } from '../oracles/oracle.js';
import { causeOf } from '../report/bucket.js';
import type { Confirmed } from '../schedule/campaign-settings.js';

/** How many other cases are tried to find one that shows the symptom each time. */
const mostLooks = 8;
/** How many cases run until then: the user should see a finding while the campaign goes on. */
const mostCases = 200;

interface Waiting {
  readonly symptom: Symptom;
  readonly confirmed: Confirmed;
  /** Cases that were tried, as JSON: a repeated one would show nothing new. */
  readonly looked: Set<string>;
  readonly until: number;
}

/**
 * Findings that came again, but not each time, or only without pauses between requests. They wait, because another case
 * may show the same each time and with pauses: its script is the better one.
 */
export interface FlakyFindings {
  readonly size: number;
  has(cause: string): boolean;
  /** Whether a case may replace the one that waits: it was not tried before. */
  mayBetter(cause: string, fuzzCase: Case): boolean;
  /** The finding that waits comes each time, but only without pauses: only a case with pauses is better. */
  isSteady(cause: string): boolean;
  /** Whether unchanged requests show the same at times. */
  isPlain(symptom: Symptom): boolean;
  /** `cases`: how many were run until now. */
  wait(symptom: Symptom, confirmed: Confirmed, shownBy: Case, cases: number): void;
  /** Notes that a case was tried and did not show it each time. */
  looked(cause: string, fuzzCase: Case): void;
  /** A better one was found. */
  drop(cause: string): void;
  /**
   * Removes and returns the findings that have waited long enough after `cases` cases; left out: all. Findings that
   * unchanged requests show as well are dropped.
   */
  take(cases?: number): readonly Confirmed[];
}

/** The finding came again in each run, or could not be run again. */
export const isSteady = ({ finding: { confirmed } }: Confirmed): boolean => confirmed.times === confirmed.of;

/** The finding needs no better case. */
export const isSure = (confirmed: Confirmed): boolean => isSteady(confirmed) && confirmed.isHasty !== true;

export function createFlakyFindings(): FlakyFindings {
  const waiting = new Map<string, Waiting>();
  /** Buckets of all findings that ever waited and did not come each time. */
  const sometimes = new Set<string>();
  const isPlain = ({ plain }: Symptom): boolean => plain !== undefined && sometimes.has(plain);
  return {
    get size() {
      return waiting.size;
    },
    has: (bucket) => waiting.has(bucket),
    mayBetter: (bucket, fuzzCase) => waiting.get(bucket)?.looked.has(JSON.stringify(fuzzCase)) === false,
    isSteady(bucket) {
      const item = waiting.get(bucket);
      return item !== undefined && isSteady(item.confirmed);
    },
    isPlain,
    wait(symptom, confirmed, shownBy, cases) {
      const looked = new Set([JSON.stringify(shownBy)]);
      waiting.set(causeOf(symptom), { symptom, confirmed, looked, until: cases + mostCases });
      if (!isSteady(confirmed)) sometimes.add(symptom.bucket);
    },
    looked(bucket, fuzzCase) {
      waiting.get(bucket)?.looked.add(JSON.stringify(fuzzCase));
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
