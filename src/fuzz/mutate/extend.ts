import { placesOf } from '../case/canonical.js';
import type { CallStep, Case, Edit, Value } from '../case/case.js';
import { allNames, callsIn, freshName, namesBefore } from '../case/names.js';
import { isMembers } from '../case/values.js';
import { begins, type GeneratorContext, onTask } from '../generate/generator-context.js';
import { paramsOf } from '../generate/places.js';
import type { Probe } from '../generate/probes.js';
import type { RandomSource } from '../generate/random-source.js';

// Cases that go on from a parent whose requests were accepted. The parent stays unchanged: a fault may need a second
// condition beside the one that the parent meets.

const mostSteps = 12;
const sentBackShare = 0.12;
const givenValues: readonly Value[] = [true, 1, 'tck', null, {}];
/** Members whose own members are merged as well. */
const containers = ['message', 'configuration'];

export function createExtend(
  workshop: GeneratorContext,
): (randomSource: RandomSource, parent: Case) => Case | undefined {
  const { options, operations, probes, about, loaded } = workshop;
  const { dialect } = options;
  const further = operations.filter(
    (operation) => onTask.has(operation) || operation === 'send' || operation === 'stream',
  );
  const places = new Map(
    further.map((text) => [text, (paramsOf(dialect, text)?.places ?? []).filter(({ path }) => path !== '')]),
  );

  /** Operations on a task of the case, one after the other. */
  function tour(randomSource: RandomSource, { steps }: Case): readonly CallStep[] {
    const names = namesBefore(steps, steps.length);
    if (names.length === 0 || further.length === 0) return [];
    const name = randomSource.pick(names);
    return Array.from({ length: 1 + randomSource.below(4) }, (): CallStep => {
      const operation = randomSource.pick(further);
      const known = places.get(operation) ?? [];
      return about(
        randomSource,
        operation,
        name,
        known.length > 0 && randomSource.chance(0.5) ? randomSource.pick(known) : undefined,
      );
    });
  }

  /** Sends names of the agent's own metadata back in a message: some agents take them for theirs. */
  function sentBack(randomSource: RandomSource, { operation }: CallStep): readonly Edit[] {
    const { seen } = options.dictionary;
    const [place] = placesOf(dialect, operation).spelled.get('/message/metadata') ?? [];
    if (place === undefined || seen.length === 0) return [];
    const value = randomSource.pick(givenValues);
    const names = randomSource.chance(0.75) ? seen : [randomSource.pick(seen)];
    const metadata = Object.fromEntries(names.map((name) => [name, value]));
    // Whether it is refused is up to the agent.
    return [{ at: `/params${place}`, op: 'set', value: metadata, keyword: 'additional' }];
  }

  /** The case up to one of its calls, with a mutation added to that call. */
  function crossed(randomSource: RandomSource, parent: Case, probe: Probe): Case | undefined {
    const calls = callsIn(parent.steps).filter((at) => {
      const step = parent.steps[at];
      return step?.step === 'call' && probe.operations.includes(step.operation);
    });
    if (calls.length === 0) return undefined;
    const at = randomSource.pick(calls);
    const step = parent.steps[at];
    const probed = step?.step === 'call' && probe.make(randomSource, step.operation, namesBefore(parent.steps, at));
    if (step?.step !== 'call' || !probed) return undefined;
    const both: CallStep = {
      ...step,
      ...(probed.params === undefined ? {} : { params: filledUp(randomSource, step.params ?? {}, probed.params, 0) }),
      edits: [
        ...(step.edits ?? []),
        ...(probed.edits ?? []),
        ...(randomSource.chance(sentBackShare) ? sentBack(randomSource, step) : []),
      ],
      ...(probed.tricks === undefined ? {} : { tricks: probed.tricks }),
    };
    return {
      ...parent,
      steps: [...parent.steps.slice(0, at), randomSource.chance(0.5) ? loaded(randomSource, both) : both],
    };
  }

  return (randomSource, parent) => {
    // Uses the same deck as fresh cases, so that following leaves no probe out.
    const probe = randomSource.pick(probes);
    const made = randomSource.chance(0.5) ? crossed(randomSource, parent, probe) : undefined;
    if (made !== undefined) return made;
    const after = tour(randomSource, parent);
    const names = namesBefore(parent.steps, parent.steps.length);
    const last = probe.make(randomSource, randomSource.pick(probe.operations), names);
    const taken = new Set(allNames(parent.steps));
    const steps = [...after, ...(last === undefined ? [] : [last])].map((step) => {
      if (!begins.has(step.operation)) return step;
      const as = freshName(taken);
      taken.add(as);
      return { ...step, as };
    });
    if (steps.length === 0) return undefined;
    return { ...parent, steps: [...parent.steps, ...steps].slice(0, mostSteps) };
  };
}

/** `own` with members that only `other` has, each with probability 0.5. */
function filledUp(randomSource: RandomSource, own: Value, other: Value, depth: number): Value {
  if (!isMembers(own) || !isMembers(other)) return own;
  const made: Record<string, Value> = { ...own };
  for (const [name, value] of Object.entries(other)) {
    const mine = own[name];
    if (mine === undefined) {
      if (randomSource.chance(0.5)) made[name] = value;
    } else if (depth === 0 && containers.includes(name)) made[name] = filledUp(randomSource, mine, value, 1);
  }
  return made;
}
