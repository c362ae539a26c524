import type { Symptom } from '../oracles/oracle.js';
import type { Attempt } from '../schedule/campaign-settings.js';

/** The symptom of a bucket in an attempt. */
export const showing = (bucket: string, { symptoms }: Attempt): Symptom | undefined =>
  symptoms.find((symptom) => symptom.bucket === bucket);

/** What counts as shown while a case is made smaller. */
export type Shows = (attempt: Attempt) => boolean;

/** Whether an attempt has the symptom; with `alone`, only if the case shows it without a probe of an oracle. */
export const showsIn =
  (bucket: string, alone: boolean): Shows =>
  (attempt) => {
    const symptom = showing(bucket, attempt);
    return symptom !== undefined && !(alone && symptom.case !== undefined);
  };

/** Smaller differences do not count, ms. */
const leastMs = 1000;

/** From the first request of an attempt to its last answer, ms. */
export function spanOf({ trace: { sent } }: Attempt): number {
  const times = sent.map(({ exchange: { startedAt, durationMs } }) => [startedAt, startedAt + durationMs] as const);
  return Math.max(0, ...times.map(([, to]) => to)) - Math.min(...times.map(([from]) => from));
}

/** `shows`, but not for an attempt that takes much longer than those before: no smaller case is worth a long wait. */
export function showsInTime(shows: Shows, before: readonly Attempt[]): Shows {
  const most = leastMs + 2 * Math.max(0, ...before.map(spanOf));
  return (attempt) => shows(attempt) && spanOf(attempt) <= most;
}
