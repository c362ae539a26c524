import {
  accepted,
  describe,
  type ErrorName,
  inconclusive,
  isSameError,
  type Judgement,
  lacksOperation,
  type Outcome,
  type Task,
  type TaskState,
  worst,
} from '../../src/kit/index.js';

/** Judges a task that came back; other checks judge why none came. */
export const ofTask =
  <More>(judge: (task: Task, more: More) => Judgement) =>
  (outcome: Outcome<Task>, more: More): Judgement =>
    outcome.kind === 'result'
      ? judge(outcome.value, more)
      : inconclusive(`the agent did not show the task: ${describe(outcome)}`);

/** §8.2: a finished task may be purged ("already completed and purged"). */
export const isGone = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refusal' && outcome.error === 'TaskNotFound';

/** `unknown` also stands for a state that cannot be read; the schema judges its spelling. */
export const sameState = (before: TaskState, after: TaskState): Judgement => {
  if (before === after) return undefined;
  return after === 'unknown'
    ? inconclusive('the agent did not show the state')
    : `the task went from ${before} to ${after}`;
};

/** §8.2, 1.0 §3.3.2: either error says that the operation does not exist. */
export const saysMissing = (outcome: Outcome<unknown>): boolean =>
  lacksOperation(outcome) || (outcome.kind === 'refusal' && outcome.error === 'UnsupportedOperation');

/** Any answer except "no such method" shows that the method exists. */
export function methodKnown(outcome: Outcome<unknown>): Judgement {
  if (saysMissing(outcome)) return describe(outcome);
  const said = outcome.kind === 'result' || (outcome.kind === 'refusal' && outcome.inForm);
  return said ? undefined : inconclusive(`the answer does not show it: ${describe(outcome)}`);
}

/**
 * The metadata caused no refusal: with and without them the answer is the same. Only errors that blame the request
 * count, and only where the plain request got another answer.
 */
export function metadataTaken(plain: Outcome<unknown>, outcome: Outcome<unknown>): Judgement {
  if (outcome.kind !== 'refusal') return accepted(outcome);
  const asWell = plain.kind === 'refusal' && isSameError(plain, outcome);
  if (outcome.error !== undefined && !shapeErrors.has(outcome.error) && asWell) return undefined;
  const blames = !outcome.inForm || (outcome.error !== undefined && shapeErrors.has(outcome.error));
  const answeredPlain = plain.kind === 'result' || plain.kind === 'refusal';
  return blames && answeredPlain && !asWell
    ? describe(outcome)
    : inconclusive(
        `the agent refused the request with metadata (${describe(outcome)}), and without: ${describe(plain)}`,
      );
}
const shapeErrors: ReadonlySet<ErrorName> = new Set(['InvalidParams', 'InvalidRequest', 'InternalError']);

/** The worst judgement of several answers. */
export function eachOf<T>(outcomes: readonly Outcome<T>[], judge: (outcome: Outcome<T>) => Judgement): Judgement {
  return worst(outcomes.map(judge));
}
