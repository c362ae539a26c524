import {
  accepted,
  type Judgement,
  type Outcome,
  type Result,
  type TaskPage,
  Unproven,
  unproven,
} from '../../src/kit/index.js';
import type { Crowd, Listing } from './crowd.js';

/** Judges a listing that came; why none came is the matter of list/implemented. */
export const ofPage =
  (judge: (page: TaskPage, crowd: Crowd, result: Result<TaskPage>) => Judgement) =>
  ({ outcome, crowd }: Listing): Judgement => {
    if (outcome.kind === 'result') return judge(outcome.value, crowd, outcome);
    return unproven(notListed(outcome));
  };

export function notListed(outcome: Outcome<TaskPage>): string {
  const why = accepted(outcome);
  return `the tasks were not listed: ${why instanceof Unproven ? why.reason : why}`;
}

export const idsOf = (page: TaskPage): readonly string[] => page.tasks.map(({ id }) => id);

/** The first of these tasks that a page does not show. */
export const missingFrom = (page: TaskPage, wanted: readonly { readonly id: string }[]): string | undefined =>
  wanted.find(({ id }) => !idsOf(page).includes(id))?.id;
