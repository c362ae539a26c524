import type { CallStep, Case, Edit, Step, Value, WireMutation } from '../case/case.js';
import { renamedStep } from '../case/joined.js';
import { allNames, callsIn, freshName, namesBefore } from '../case/names.js';
import { valueAt } from '../case/pointer.js';
import { isMembers, mapValue } from '../case/values.js';
import type { GeneratorContext } from '../generate/generator-context.js';
import { hostileNumbers, hostileString } from '../generate/hostile.js';
import { objectsIn } from '../generate/objects.js';
import { paramsOf } from '../generate/places.js';
import type { RandomSource } from '../generate/random-source.js';
import { envelopeEdit } from './envelope.js';
import { createExtend } from './extend.js';
import { breaking, odd } from './mutants.js';
import { isPaymentTrick } from './payment.js';
import { isSignedTrick } from './signed.js';
import { anyTrick, makeTrick } from './wire-mutations.js';

// Makes cases near a kept one, with one or a few small changes.

const mostSteps = 12;
const mostEdits = 4;
/** Share of cases that leave the parent as it is, and add something beside it; see follow.ts. */
const followShare = 0.8;

type Change = (dice: RandomSource, parent: Case, other: Case | undefined) => Case | undefined;

/** The steps with new names where theirs are taken. */
function renamed(steps: readonly Step[], taken: ReadonlySet<string>): readonly Step[] {
  const used = new Set(taken);
  const names = new Map<string, string>();
  for (const name of allNames(steps)) {
    const made = used.has(name) ? freshName(used) : name;
    names.set(name, made);
    used.add(made);
  }
  return steps.map((step) => renamedStep(step, (name) => names.get(name) ?? name));
}

/** A changed payment stays a payment for the same task. */
const forOf = ({ for: name }: WireMutation): { readonly for?: Value } => (name === undefined ? {} : { for: name });

export function createMutate(
  workshop: GeneratorContext,
  fresh: (dice: RandomSource) => Case,
): (dice: RandomSource, parent: Case, other: Case | undefined) => Case {
  const { options, maxBytes, valid, mutant, tricked, pickOperation } = workshop;
  const { dialect, dictionary } = options;

  /** Changes one call of a case. */
  const onCall =
    (change: (dice: RandomSource, step: CallStep, names: readonly string[]) => CallStep | undefined): Change =>
    (dice, parent) => {
      const calls = callsIn(parent.steps);
      if (calls.length === 0) return undefined;
      const at = dice.pick(calls);
      const step = parent.steps[at];
      if (step?.step !== 'call') return undefined;
      const made = change(dice, step, namesBefore(parent.steps, at));
      return made === undefined ? undefined : { ...parent, steps: parent.steps.with(at, made) };
    };

  function editFor(dice: RandomSource, step: CallStep): readonly Edit[] | undefined {
    const mutator = { dice, maxBytes };
    if (dice.chance(0.12)) return [envelopeEdit(mutator, dialect.operations[step.operation]?.rpc ?? step.operation)];
    const params = paramsOf(dialect, step.operation);
    if (params === undefined) return undefined;
    const request: Value = { params: step.params ?? {} };
    // An optional member may be missing: then another place is tried.
    for (let tries = 0; tries < 8; tries++) {
      const chosen = dice.chance(0.5) ? dice.pick(params.breakables) : undefined;
      const place = chosen?.place ?? dice.pick(params.places);
      if (valueAt(request, place.pointer) === undefined) continue;
      const made = chosen === undefined ? odd(mutator, request, place) : breaking(mutator, request, chosen);
      if (made !== undefined && made.length > 0) return made;
    }
    return undefined;
  }

  const moreEdits = onCall((dice, step) => {
    const made = editFor(dice, step);
    return made === undefined ? undefined : { ...step, edits: [...(step.edits ?? []), ...made].slice(-mostEdits) };
  });
  const moreTricks = onCall((dice, step) => {
    const tools = { dice, maxBytes, objects: objectsIn(step.params) };
    const own = step.tricks?.find((trick) => isSignedTrick(trick) || isPaymentTrick(trick));
    // New arguments for this trick tell more than another trick beside it.
    if (own !== undefined && dice.chance(0.8))
      return { ...step, tricks: [{ ...makeTrick(own.trick, tools), ...forOf(own) }] };
    const trick = anyTrick(dice, tools, options.rawSocket && dialect.signed === undefined);
    const isCostly = trick.trick === 'batch' && Number(trick['count']) > 3;
    return { ...step, tricks: [...(step.tricks ?? []), isCostly ? { ...trick, count: 2 } : trick].slice(-2) };
  });
  const fewerChanges = onCall((dice, step) => {
    const { edits = [], tricks = [], ...rest } = step;
    if (edits.length + tricks.length === 0) return undefined;
    const at = dice.below(edits.length + tricks.length);
    return {
      ...rest,
      ...(edits.length === 0 ? {} : { edits: edits.filter((_, index) => index !== at) }),
      ...(tricks.length === 0 ? {} : { tricks: tricks.filter((_, index) => index !== at - edits.length) }),
    };
  });
  /** The same edit with another value, only where it still breaks the same keyword. */
  const otherValue = onCall((dice, step) => {
    const edits = step.edits ?? [];
    const found = edits.findIndex(
      ({ op, keyword }) => op === 'set' && (keyword === 'format' || keyword === 'bounds' || keyword === 'additional'),
    );
    const edit = edits[found];
    if (edit === undefined) return undefined;
    const value = typeof edit.value === 'number' ? dice.pick(hostileNumbers) : hostileString(dice, maxBytes);
    return { ...step, edits: edits.with(found, { ...edit, value }) };
  });
  const otherWords = onCall((dice, step) => {
    if (step.params === undefined) return undefined;
    const prompt = dictionary.prompt(dice).text;
    let changes = 0;
    const params = mapValue(step.params, (value) => {
      if (!isMembers(value) || typeof value['text'] !== 'string') return undefined;
      changes++;
      return { ...value, text: prompt };
    });
    return changes === 0 ? undefined : { ...step, params };
  });
  const otherParams = onCall((dice, step, names) => ({
    ...step,
    ...valid(dice, step.operation, names),
    ...(step.as === undefined ? {} : { as: step.as }),
  }));

  const moreSteps: Change = (dice, parent) => {
    if (parent.steps.length >= mostSteps) return undefined;
    const at = dice.chance(0.6) ? parent.steps.length : dice.below(parent.steps.length + 1);
    const names = namesBefore(parent.steps, at);
    const make = dice.pick([valid, valid, mutant, tricked]);
    const made = make(dice, pickOperation(dice), names);
    const begins = made.operation === 'send' || made.operation === 'stream';
    const step = begins ? { ...made, as: freshName(allNames(parent.steps)) } : made;
    return { ...parent, steps: parent.steps.toSpliced(at, 0, step) };
  };
  const fewerSteps: Change = (dice, parent) =>
    parent.steps.length < 2
      ? undefined
      : { ...parent, steps: parent.steps.toSpliced(dice.below(parent.steps.length), 1) };
  const repeated: Change = (dice, parent) => {
    const calls = callsIn(parent.steps);
    if (calls.length === 0 || parent.steps.length >= mostSteps) return undefined;
    const step = parent.steps[dice.pick(calls)];
    if (step?.step !== 'call') return undefined;
    const { as: _, ...again } = step;
    return { ...parent, steps: [...parent.steps, again] };
  };
  const atOnce: Change = (dice, parent) => {
    const at = dice.below(Math.max(1, parent.steps.length - 1));
    const [first, second] = parent.steps.slice(at, at + 2);
    if (first?.step !== 'call' || second?.step !== 'call') return undefined;
    return { ...parent, steps: parent.steps.toSpliced(at, 2, { step: 'together', calls: [first, second] }) };
  };
  const spliced: Change = (dice, parent, other) => {
    if (other === undefined || other.dialect !== parent.dialect) return undefined;
    const head = parent.steps.slice(0, 1 + dice.below(parent.steps.length));
    const tail = renamed(other.steps, allNames(head));
    return { ...parent, steps: [...head, ...tail].slice(0, mostSteps) };
  };

  // A change that is listed twice is chosen twice as often.
  const changes: readonly Change[] = [
    moreEdits,
    moreEdits,
    moreTricks,
    fewerChanges,
    otherValue,
    otherWords,
    otherParams,
    otherParams,
    moreSteps,
    moreSteps,
    moreSteps,
    fewerSteps,
    repeated,
    atOnce,
    spliced,
    spliced,
  ];
  const follow = createExtend(workshop);
  return (dice, parent, other) => {
    if (parent.steps.length === 0) return fresh(dice);
    const followed = dice.chance(followShare) ? follow(dice, parent) : undefined;
    if (followed !== undefined) return followed;
    let made: Case | undefined;
    for (let count = dice.pick([1, 1, 1, 2, 3]), tries = 8; count > 0 && tries > 0; tries--) {
      const next = dice.pick(changes)(dice, made ?? parent, other);
      if (next === undefined) continue;
      made = next;
      count--;
    }
    return made ?? fresh(dice);
  };
}
