import { describe, member, type Outcome, PreconditionUnmet, type SendReply, type Task } from '../../src/kit/index.js';

// The owners of tasks, as far as answers show them. No rules: index.ts does not collect this file.

/** The owner that an answer shows for a task. Published agents show it; the document does not mention it. */
export function ownerIn(outcome: Outcome<unknown>): string | undefined {
  const owner = outcome.kind === 'result' ? member(outcome.wire, 'owner') : undefined;
  return typeof owner === 'string' ? owner : undefined;
}

export function taskIn(outcome: Outcome<SendReply>): Task {
  if (outcome.kind === 'result' && outcome.value.type === 'task') return outcome.value.task;
  const exchange = outcome.kind === 'not-sent' ? undefined : outcome.exchange;
  throw new PreconditionUnmet(`no task came: ${describe(outcome)}`, exchange);
}

export const isFound = (outcome: Outcome<unknown>): boolean => outcome.kind === 'result';
/** The agent does not know the task, or hides it from this caller. */
export const isHidden = (outcome: Outcome<unknown>): boolean => outcome.kind === 'refusal' || outcome.kind === 'denied';
