import type { Confirmed } from './campaign-settings.js';
import type { Case } from './case.js';

/** So many other cases are looked at for one that shows it each time. */
const mostLooks = 8;
/** And so many cases are run until then: what is found is to be told while the campaign goes on. */
const mostCases = 200;

interface Waiting {
  readonly confirmed: Confirmed;
  /** Cases that were looked at, as JSON: those that repeat one would say nothing new. */
  readonly looked: Set<string>;
  readonly until: number;
}

/**
 * Findings that came again, but not each time. Another case may show the same each time: its script is the better one, so
 * that they wait for it.
 */
export interface Unsure {
  readonly size: number;
  has(bucket: string): boolean;
  /** Whether a case may take the place of what waits: none was looked at that is the same. */
  mayBetter(bucket: string, one: Case): boolean;
  /** `cases`: how many were run until now. */
  wait(bucket: string, confirmed: Confirmed, shownBy: Case, cases: number): void;
  /** A case was looked at, and did not show it each time. */
  looked(bucket: string, one: Case): void;
  /** A better one was found. */
  drop(bucket: string): void;
  /** Takes out what has waited long enough when so many cases were run; left out: all. */
  take(cases?: number): readonly Confirmed[];
}

/** It came again each time that it was tried, or could not be tried again. */
export const isSure = ({ finding: { confirmed } }: Confirmed): boolean => confirmed.times === confirmed.of;

export function createUnsure(): Unsure {
  const waiting = new Map<string, Waiting>();
  return {
    get size() {
      return waiting.size;
    },
    has: (bucket) => waiting.has(bucket),
    mayBetter: (bucket, one) => waiting.get(bucket)?.looked.has(JSON.stringify(one)) === false,
    wait(bucket, confirmed, shownBy, cases) {
      waiting.set(bucket, { confirmed, looked: new Set([JSON.stringify(shownBy)]), until: cases + mostCases });
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
      return due.map(([, { confirmed }]) => confirmed);
    },
  };
}
