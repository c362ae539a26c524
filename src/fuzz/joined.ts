import { type CallStep, type Case, callsOf, type Step, type Trick, type Value, withCalls } from './case.js';
import { renewedParams } from './renewal.js';
import { isPaymentTrick } from './tricks-payment.js';
import { mapValue, specialOf } from './values.js';

type Rename = (name: string) => string;

const renamedValue = (value: Value, rename: Rename): Value =>
  mapValue(value, (one) => {
    const special = specialOf(one);
    if (special?.is !== 'ref') return undefined;
    const dot = special.ref.lastIndexOf('.');
    return dot < 0 ? undefined : { $ref: rename(special.ref.slice(0, dot)) + special.ref.slice(dot) };
  });

/** A payment names the step whose task it is for. */
function renamedTrick(trick: Trick, rename: Rename): Trick {
  const renamed = { ...(renamedValue(trick, rename) as typeof trick), trick: trick.trick };
  const { for: name } = trick;
  return isPaymentTrick(trick) && typeof name === 'string' ? { ...renamed, for: rename(name) } : renamed;
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
    ...(tricks === undefined ? {} : { tricks: tricks.map((trick) => renamedTrick(trick, rename)) }),
    ...(as === undefined ? {} : { as: rename(as) }),
  };
}

/** The step with other names for what is begun, wherever they stand. */
export function renamedStep(step: Step, rename: Rename): Step {
  if (step.step === 'wait') return { ...step, for: rename(step.for) };
  if (step.step === 'call') return renamedCall(step, rename);
  return { ...step, calls: step.calls.map((call) => renamedCall(call, rename)) };
}

/** Several cases of one dialect as one, in order. Each keeps names of its own, and ids of messages. */
export function joined(cases: readonly Case[], last: Case): Case {
  const earlier = cases.flatMap((one, at) => {
    const { steps } = withCalls(one, (call) =>
      call.params === undefined ? call : { ...call, params: renewedParams(call.params, `c${at}`) },
    );
    return steps.map((step) => renamedStep(step, (name) => `c${at}-${name}`));
  });
  return { dialect: last.dialect, steps: [...earlier, ...last.steps] };
}

/** How many requests a case sends at least. */
export const requestsOf = (one: Case): number =>
  callsOf(one).length + one.steps.filter(({ step }) => step === 'wait').length;
