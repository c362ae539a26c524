import { type CallStep, type Case, callsOf, type Step, type Value } from './case.js';

const renamedValue = (value: Value, rename: (name: string) => string): Value => {
  if (Array.isArray(value)) return value.map((one: Value) => renamedValue(one, rename));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { readonly $ref?: Value };
  if (typeof $ref === 'string') {
    const dot = $ref.indexOf('.');
    return { $ref: dot < 0 ? rename($ref) : rename($ref.slice(0, dot)) + $ref.slice(dot) };
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamedValue(one, rename)]));
};

function renamedCall(call: CallStep, rename: (name: string) => string): CallStep {
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
    ...(tricks === undefined
      ? {}
      : { tricks: tricks.map((one) => ({ ...(renamedValue(one, rename) as typeof one), trick: one.trick })) }),
    ...(as === undefined ? {} : { as: rename(as) }),
  };
}

function renamedStep(step: Step, rename: (name: string) => string): Step {
  if (step.step === 'wait') return { ...step, for: rename(step.for) };
  if (step.step === 'call') return renamedCall(step, rename);
  return { ...step, calls: step.calls.map((call) => renamedCall(call, rename)) };
}

/** Several cases of one dialect as one, in order. Each keeps names of its own. */
export function joined(cases: readonly Case[], last: Case): Case {
  const steps = [...cases, last].flatMap(({ steps: own }, at) =>
    own.map((step) => renamedStep(step, (name) => (at === cases.length ? name : `c${at}-${name}`))),
  );
  return { dialect: last.dialect, steps };
}

/** How many requests a case sends at least. */
export const requestsOf = (one: Case): number =>
  callsOf(one).length + one.steps.filter(({ step }) => step === 'wait').length;
