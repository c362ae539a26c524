import { callsOf, type Step } from './case.js';

// Which steps of a case are calls, and which names they give.

export const callsIn = (steps: readonly Step[]): readonly number[] =>
  steps.flatMap((step, at) => (step.step === 'call' ? [at] : []));

/** Names of the steps before this one, except those that set configurations. */
export const namesBefore = (steps: readonly Step[], end: number): readonly string[] =>
  callsOf({ steps: steps.slice(0, end) }).flatMap(({ as, operation }) =>
    as === undefined || operation === 'pushSet' ? [] : [as],
  );

export const allNames = (steps: readonly Step[]): ReadonlySet<string> =>
  new Set(callsOf({ steps }).flatMap(({ as }) => (as === undefined ? [] : [as])));

export function freshName(taken: ReadonlySet<string>): string {
  for (let number = 0; ; number++) if (!taken.has(`n${number}`)) return `n${number}`;
}
