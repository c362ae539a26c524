import { describe, member, type Outcome, type SendReply, type Task, Unreached } from '../../src/kit/index.js';

// Whose a task is, as far as answers tell. No rules: index.ts does not collect this file.

/** The answer shows the account that a task belongs to; published agents do, the document does not say so. */
export function ownerIn(outcome: Outcome<unknown>): string | undefined {
  const owner = outcome.kind === 'result' ? member(outcome.wire, 'owner') : undefined;
  return typeof owner === 'string' ? owner : undefined;
}

export function taskIn(outcome: Outcome<SendReply>): Task {
  if (outcome.kind === 'result' && outcome.value.type === 'task') return outcome.value.task;
  const exchange = outcome.kind === 'withheld' ? undefined : outcome.exchange;
  throw new Unreached(`no task was made: ${describe(outcome)}`, exchange);
}

export const isFound = (outcome: Outcome<unknown>): boolean => outcome.kind === 'result';
/** The agent knows no such task, or not for this caller. */
export const isHidden = (outcome: Outcome<unknown>): boolean => outcome.kind === 'refusal' || outcome.kind === 'denied';
