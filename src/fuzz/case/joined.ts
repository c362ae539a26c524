import { withFreshIds } from '../execute/fresh-ids.js';
import { isPaymentMutation } from '../mutate/wire-mutations.js';
import {
  type CallStep,
  type Case,
  callsOf,
  isFollowing,
  type Step,
  type Value,
  type WireMutation,
  withCalls,
} from './case.js';
import { mapValue, specialOf } from './values.js';

type Rename = (name: string) => string;

const renamedValue = (value: Value, rename: Rename): Value =>
  mapValue(value, (item) => {
    const special = specialOf(item);
    if (special?.is !== 'ref') return undefined;
    const dot = special.ref.lastIndexOf('.');
    return dot < 0 ? undefined : { $ref: rename(special.ref.slice(0, dot)) + special.ref.slice(dot) };
  });

/** A payment wire mutation names the step whose task it pays. */
function renamedMutation(trick: WireMutation, rename: Rename): WireMutation {
  const renamed = { ...(renamedValue(trick, rename) as typeof trick), trick: trick.trick };
  const { for: name } = trick;
  return isPaymentMutation(trick) && typeof name === 'string' ? { ...renamed, for: rename(name) } : renamed;
}

function renamedCall(call: CallStep, rename: Rename): CallStep {
  const { params, edits, tricks, as } = call;
  return {
    ...call,
    ...(params === undefined ? {} : { params: renamedValue(params, rename) }),
    ...(edits === undefined
      ? {}
      : {
          edits: edits.map((edit) =>
            edit.value === undefined ? edit : { ...edit, value: renamedValue(edit.value, rename) },
          ),
        }),
    ...(tricks === undefined ? {} : { tricks: tricks.map((trick) => renamedMutation(trick, rename)) }),
    ...(as === undefined ? {} : { as: rename(as) }),
  };
}

/** The step with all names of steps in it replaced. */
export function renamedStep(step: Step, rename: Rename): Step {
  if (step.step === 'wait') return { ...step, for: rename(step.for) };
  if (step.step === 'call') return renamedCall(step, rename);
  return { ...step, calls: step.calls.map((call) => renamedCall(call, rename)) };
}

/** The steps of another case, with new names and new ids of messages. */
function stepsOfOther(fuzzCase: Case, at: number): readonly Step[] {
  const { steps } = withCalls(fuzzCase, (call) =>
    call.params === undefined ? call : { ...call, params: withFreshIds(call.params, `c${at}`) },
  );
  return steps.map((step) => renamedStep(step, (name) => `c${at}-${name}`));
}

/** Several cases of one dialect as one, in order. */
export const joined = (cases: readonly Case[], last: Case): Case => ({
  dialect: last.dialect,
  steps: [...cases.flatMap(stepsOfOther), ...last.steps],
});

/**
 * The case with `call` sent at once with calls of other cases of its dialect that refer to no earlier step: half of
 * them before it. At most `most` at once. undefined: the case has no such call, or there is nothing to send with it.
 */
export function raced(own: Case, call: CallStep, others: readonly Case[], most: number): Case | undefined {
  const at = own.steps.findIndex((step) => step === call || (step.step === 'together' && step.calls.includes(call)));
  const step = own.steps[at];
  if (step === undefined || step.step === 'wait') return undefined;
  const mine = step.step === 'together' ? step.calls : [step];
  const steps = others.flatMap(stepsOfOther).filter((step) => !isFollowing(step));
  const room = most - mine.length;
  const beside = room > 0 ? callsOf({ steps }).slice(-room) : [];
  if (beside.length === 0) return undefined;
  const half = Math.floor(beside.length / 2);
  const calls = [...beside.slice(0, half), ...mine, ...beside.slice(half)];
  return { ...own, steps: own.steps.with(at, { step: 'together', calls }) };
}

/** How many requests a case sends at least. */
export const requestsOf = (fuzzCase: Case): number =>
  callsOf(fuzzCase).length + fuzzCase.steps.filter(({ step }) => step === 'wait').length;
