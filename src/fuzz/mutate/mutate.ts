import { isCarried } from '../case/carried.js';
import type { CallStep, Case, Edit, Step, Value, WireMutation } from '../case/case.js';
import { renamedStep } from '../case/joined.js';
import { allNames, callsIn, freshName, namesBefore } from '../case/names.js';
import { valueAt } from '../case/pointer.js';
import { isMembers, mapValue } from '../case/values.js';
import type { GeneratorContext } from '../generate/generator-context.js';
import { hostileNumbers, hostileString } from '../generate/hostile.js';
import { objectsFor } from '../generate/objects.js';
import { paramsOf } from '../generate/places.js';
import type { RandomSource } from '../generate/random-source.js';
import { envelopeEdit } from './envelope.js';
import { createExtend } from './extend.js';
import { breaking, odd } from './schema-mutators.js';
import { anyWireMutation, isPaymentMutation, isSignedMutation, makeWireMutation } from './wire-mutations.js';

// Makes cases near a kept one, with one or a few small changes.

const mostSteps = 12;
const mostEdits = 4;
/** Share of cases that leave the parent unchanged, and add something beside it; see follow.ts. */
const followShare = 0.8;

type Change = (randomSource: RandomSource, parent: Case, other: Case | undefined) => Case | undefined;

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
  fresh: (randomSource: RandomSource) => Case,
): (randomSource: RandomSource, parent: Case, other: Case | undefined) => Case {
  const { options, maxBytes, valid, mutant, tricked, pickOperation } = workshop;
  const { dialect, dictionary } = options;

  /** Changes one call of a case. */
  const onCall =
    (change: (randomSource: RandomSource, step: CallStep, names: readonly string[]) => CallStep | undefined): Change =>
    (randomSource, parent) => {
      const calls = callsIn(parent.steps);
      if (calls.length === 0) return undefined;
      const at = randomSource.pick(calls);
      const step = parent.steps[at];
      if (step?.step !== 'call') return undefined;
      const made = change(randomSource, step, namesBefore(parent.steps, at));
      return made === undefined ? undefined : { ...parent, steps: parent.steps.with(at, made) };
    };

  function editFor(randomSource: RandomSource, step: CallStep): readonly Edit[] | undefined {
    const mutator = { randomSource, maxBytes };
    if (dialect.binding.requests === 'envelopes' && randomSource.chance(0.12))
      return [envelopeEdit(mutator, dialect.operations[step.operation]?.rpc ?? step.operation)];
    const params = paramsOf(dialect, step.operation);
    if (params === undefined) return undefined;
    const request: Value = { params: step.params ?? {} };
    // An optional member may be missing: then another place is tried.
    for (let tries = 0; tries < 8; tries++) {
      const chosen = randomSource.chance(0.5) ? randomSource.pick(params.breakables) : undefined;
      const place = chosen?.place ?? randomSource.pick(params.places);
      if (valueAt(request, place.pointer) === undefined) continue;
      const made = chosen === undefined ? odd(mutator, request, place) : breaking(mutator, request, chosen);
      if (made === undefined || made.length === 0) continue;
      if (isCarried(dialect, { ...step, edits: [...(step.edits ?? []), ...made] })) return made;
    }
    return undefined;
  }

  const moreEdits = onCall((randomSource, step) => {
    const made = editFor(randomSource, step);
    return made === undefined ? undefined : { ...step, edits: [...(step.edits ?? []), ...made].slice(-mostEdits) };
  });
  const moreMutations = onCall((randomSource, step) => {
    const tools = { randomSource, maxBytes, objects: objectsFor(dialect, step.params) };
    const own = step.tricks?.find((trick) => isSignedMutation(trick) || isPaymentMutation(trick));
    // New arguments for this wire mutation show more than another wire mutation beside it.
    if (own !== undefined && randomSource.chance(0.8))
      return { ...step, tricks: [{ ...makeWireMutation(own.trick, tools), ...forOf(own) }] };
    const sockets = options.rawSocket && dialect.signed === undefined;
    const trick = anyWireMutation(randomSource, tools, { dialect, operation: step.operation, sockets });
    const isCostly = trick.trick === 'batch' && Number(trick['count']) > 3;
    return { ...step, tricks: [...(step.tricks ?? []), isCostly ? { ...trick, count: 2 } : trick].slice(-2) };
  });
  const fewerChanges = onCall((randomSource, step) => {
    const { edits = [], tricks = [], ...rest } = step;
    if (edits.length + tricks.length === 0) return undefined;
    const at = randomSource.below(edits.length + tricks.length);
    return {
      ...rest,
      ...(edits.length === 0 ? {} : { edits: edits.filter((_, index) => index !== at) }),
      ...(tricks.length === 0 ? {} : { tricks: tricks.filter((_, index) => index !== at - edits.length) }),
    };
  });
  /** The same edit with another value, only where it still breaks the same keyword. */
  const otherValue = onCall((randomSource, step) => {
    const edits = step.edits ?? [];
    const found = edits.findIndex(
      ({ op, keyword }) => op === 'set' && (keyword === 'format' || keyword === 'bounds' || keyword === 'additional'),
    );
    const edit = edits[found];
    if (edit === undefined) return undefined;
    const value =
      typeof edit.value === 'number' ? randomSource.pick(hostileNumbers) : hostileString(randomSource, maxBytes);
    return { ...step, edits: edits.with(found, { ...edit, value }) };
  });
  const otherWords = onCall((randomSource, step) => {
    if (step.params === undefined) return undefined;
    const prompt = dictionary.prompt(randomSource).text;
    let changes = 0;
    const params = mapValue(step.params, (value) => {
      if (!isMembers(value) || typeof value['text'] !== 'string') return undefined;
      changes++;
      return { ...value, text: prompt };
    });
    return changes === 0 ? undefined : { ...step, params };
  });
  const otherParams = onCall((randomSource, step, names) => ({
    ...step,
    ...valid(randomSource, step.operation, names),
    ...(step.as === undefined ? {} : { as: step.as }),
  }));

  const moreSteps: Change = (randomSource, parent) => {
    if (parent.steps.length >= mostSteps) return undefined;
    const at = randomSource.chance(0.6) ? parent.steps.length : randomSource.below(parent.steps.length + 1);
    const names = namesBefore(parent.steps, at);
    const make = randomSource.pick([valid, valid, mutant, tricked]);
    const made = make(randomSource, pickOperation(randomSource), names);
    const begins = made.operation === 'send' || made.operation === 'stream';
    const step = begins ? { ...made, as: freshName(allNames(parent.steps)) } : made;
    return { ...parent, steps: parent.steps.toSpliced(at, 0, step) };
  };
  const fewerSteps: Change = (randomSource, parent) =>
    parent.steps.length < 2
      ? undefined
      : { ...parent, steps: parent.steps.toSpliced(randomSource.below(parent.steps.length), 1) };
  const repeated: Change = (randomSource, parent) => {
    const calls = callsIn(parent.steps);
    if (calls.length === 0 || parent.steps.length >= mostSteps) return undefined;
    const step = parent.steps[randomSource.pick(calls)];
    if (step?.step !== 'call') return undefined;
    const { as: _, ...again } = step;
    return { ...parent, steps: [...parent.steps, again] };
  };
  const atOnce: Change = (randomSource, parent) => {
    const at = randomSource.below(Math.max(1, parent.steps.length - 1));
    const [first, second] = parent.steps.slice(at, at + 2);
    if (first?.step !== 'call' || second?.step !== 'call') return undefined;
    return { ...parent, steps: parent.steps.toSpliced(at, 2, { step: 'together', calls: [first, second] }) };
  };
  const spliced: Change = (randomSource, parent, other) => {
    if (other === undefined || other.dialect !== parent.dialect) return undefined;
    const head = parent.steps.slice(0, 1 + randomSource.below(parent.steps.length));
    const tail = renamed(other.steps, allNames(head));
    return { ...parent, steps: [...head, ...tail].slice(0, mostSteps) };
  };

  // A change that is listed twice is chosen twice as often.
  const changes: readonly Change[] = [
    moreEdits,
    moreEdits,
    moreMutations,
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
  return (randomSource, parent, other) => {
    if (parent.steps.length === 0) return fresh(randomSource);
    const followed = randomSource.chance(followShare) ? follow(randomSource, parent) : undefined;
    if (followed !== undefined) return followed;
    let made: Case | undefined;
    for (let count = randomSource.pick([1, 1, 1, 2, 3]), tries = 8; count > 0 && tries > 0; tries--) {
      const next = randomSource.pick(changes)(randomSource, made ?? parent, other);
      if (next === undefined) continue;
      made = next;
      count--;
    }
    return made ?? fresh(randomSource);
  };
}
