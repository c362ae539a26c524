import type { Step } from './case.js';

// What the steps of a case call, and what they name.

export const callsIn = (steps: readonly Step[]): readonly number[] =>
  steps.flatMap((step, at) => (step.step === 'call' ? [at] : []));

/** Names that steps before this one begin. */
export const namesBefore = (steps: readonly Step[], end: number): readonly string[] =>
  steps
    .slice(0, end)
    .flatMap((step) => (step.step === 'call' ? [step] : step.step === 'together' ? step.calls : []))
    .flatMap(({ as, operation }) => (as === undefined || operation === 'pushSet' ? [] : [as]));

export const allNames = (steps: readonly Step[]): ReadonlySet<string> =>
  new Set(
    steps
      .flatMap((step) => (step.step === 'call' ? [step] : step.step === 'together' ? step.calls : []))
      .flatMap(({ as }) => (as === undefined ? [] : [as])),
  );

export function freshName(taken: ReadonlySet<string>, like = 'n'): string {
  for (let number = 0; ; number++) if (!taken.has(`${like}${number}`)) return `${like}${number}`;
}
