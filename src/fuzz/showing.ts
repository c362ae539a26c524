import type { Attempt } from './campaign-settings.js';
import type { Symptom } from './oracle.js';

/** The symptom of a bucket in an attempt. */
export const showing = (bucket: string, { symptoms }: Attempt): Symptom | undefined =>
  symptoms.find((one) => one.bucket === bucket);

/** What counts as shown while a case is made smaller. */
export type Shows = (attempt: Attempt) => boolean;

/** The symptom is there, and where `alone` is asked for the requests of the case show it, with no probe of an oracle. */
export const showsIn =
  (bucket: string, alone: boolean): Shows =>
  (attempt) => {
    const symptom = showing(bucket, attempt);
    return symptom !== undefined && !(alone && symptom.case !== undefined);
  };
