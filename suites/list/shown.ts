import {
  accepted,
  Inconclusive,
  inconclusive,
  type Judgement,
  type Outcome,
  type Result,
  type TaskPage,
} from '../../src/kit/index.js';
import type { Crowd, Listing } from './crowd.js';

/** Judges a listing that came. list/implemented judges why none came. */
export const ofPage =
  (judge: (page: TaskPage, crowd: Crowd, result: Result<TaskPage>, lost: Judgement) => Judgement) =>
  ({ outcome, crowd, lost }: Listing): Judgement => {
    if (outcome.kind === 'result') return judge(outcome.value, crowd, outcome, lost);
    return inconclusive(notListed(outcome));
  };

export function notListed(outcome: Outcome<TaskPage>): string {
  const why = accepted(outcome);
  return `the tasks were not listed: ${why instanceof Inconclusive ? why.reason : why}`;
}

/** No task is missing from the listing. */
export const nothingLost = (listed: Listing): Judgement => ofPage(() => listed.lost)(listed);

export const idsOf = (page: TaskPage): readonly string[] => page.tasks.map(({ id }) => id);
