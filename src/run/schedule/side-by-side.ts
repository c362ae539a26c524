import type { Scene } from '../../kit/index.js';
import type { Semaphore } from '../../model/index.js';

/**
 * Runs jobs of one check, each in a place of its own, while the check lends out its place. Where there is one place
 * only, one job runs after the other. All jobs end before a failure is thrown: the first one in the order of the jobs.
 */
export const sideBySide =
  ({ withPermit, withoutPermit }: Pick<Semaphore, 'withPermit' | 'withoutPermit'>): Scene['sideBySide'] =>
  async (...jobs) => {
    const ends = await withoutPermit(Promise.allSettled(jobs.map((job) => withPermit(job, 'next'))));
    return ends.map((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    }) as never;
  };

/** The same, one job after the other, so that no other check sends anything in between. */
export const inTurn: Scene['sideBySide'] = async (...jobs) => {
  const values: unknown[] = [];
  for (const job of jobs) values.push(await job());
  return values as never;
};
