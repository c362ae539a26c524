import type { Goal } from '../../kit/index.js';
import type { Operation } from '../../model/index.js';
import type { CallStep, Case, Step } from '../case/case.js';
import { asking } from '../execute/asking.js';
import { oddId } from '../mutate/envelope.js';
import { createMutate } from '../mutate/mutate.js';
import type { Generator } from './generator.js';
import { begins, createGeneratorContext, type GeneratorOptions, onTask } from './generator-context.js';
import { astray } from './path-classics.js';
import type { RandomSource } from './random-source.js';
import { createWeightedChoice } from './weighted-choice.js';

export type { GeneratorOptions } from './generator-context.js';

/** Share of payment scripts among new cases, where the agent charges. */
const paymentShare = 0.4;
/** Share of classics among all cases, as long as some are left: other cases must not wait too long. */
const classicShare = 0.4;
/** Share of new cases in which a path, a verb or a header may lead to another operation on a task. */
const astrayShare = 0.06;
/** How many new cases are made before the first in which a field grows. */
const shortCampaign = 30;
/** Share of new cases in which a field grows, as long as there are such fields. */
const ladderShare = 0.12;

/** Makes cases for one target; see `Generator`. */
export function createGenerator(options: GeneratorOptions): Generator {
  const workshop = createGeneratorContext(options);
  const { operations, valid, mutant, tricked, pickOperation, probes } = workshop;
  const { dialect } = options;
  const caseOf = (steps: readonly Step[]): Case => ({ dialect: dialect.id, steps });
  const canSend = operations.includes('send');

  /** Steps that begin a task, if messages can be sent. Tasks that stay open show more of what goes wrong. */
  function beginning(randomSource: RandomSource): readonly Step[] {
    if (!canSend) return [];
    const goal = randomSource.pick<Goal | undefined>([
      'input-required',
      'input-required',
      'working',
      undefined,
      undefined,
      undefined,
    ]);
    const begin: Step = {
      ...(goal === undefined ? valid(randomSource, 'send', []) : asking(options, randomSource, goal)),
      as: 'a',
    };
    return goal !== 'working' && randomSource.chance(0.6) ? [begin, { step: 'wait', for: 'a' }] : [begin];
  }

  type Make = (randomSource: RandomSource, operation: Operation, names: readonly string[]) => CallStep | undefined;
  function around(randomSource: RandomSource, operation: Operation, wantsTask: boolean, make: Make): Case {
    const before = wantsTask ? beginning(randomSource) : [];
    const names = before.length > 0 ? ['a'] : [];
    const made = make(randomSource, operation, names) ?? mutant(randomSource, operation, names);
    if (before.length === 0) return caseOf([named(made, 'a')]);
    // Reads before and after show whether a refused request has changed anything.
    const look = randomSource.chance(0.5) ? [looking(randomSource, operation)] : [];
    return caseOf([...before, ...look, named(made, 'b'), ...look, ...others(randomSource)]);
  }

  /** Reads what an operation may have changed. */
  function looking(randomSource: RandomSource, operation: Operation): Step {
    const read = (['pushList', 'pushGet'] as const).find((text) => operations.includes(text));
    return valid(randomSource, operation.startsWith('push') && read !== undefined ? read : 'get', ['a']);
  }

  /** More probes on the same task, because beginning a task costs requests. */
  function others(randomSource: RandomSource): readonly Step[] {
    return Array.from({ length: randomSource.below(3) }, () => randomSource.pick(probes)).flatMap(
      (probe, at): readonly Step[] => {
        const operation = probe === undefined ? undefined : randomSource.pick(probe.operations);
        if (probe === undefined || operation === undefined || !onTask.has(operation)) return [];
        const made = probe.make(randomSource, operation, ['a']);
        return made === undefined ? [] : [named(made, `c${at}`)];
      },
    );
  }

  /** A case with one probe, mostly without a task: agents mostly refuse a bad request before they look for its task. */
  function probed(randomSource: RandomSource): Case {
    if (probes.length === 0) return around(randomSource, pickOperation(randomSource), false, mutant);
    const probe = randomSource.pick(probes);
    const operation = randomSource.pick(probe.operations);
    return around(randomSource, operation, randomSource.chance(onTask.has(operation) ? 0.3 : 0.2), (...drawn) => {
      const made = probe.make(...drawn);
      // A single change shows whether the right error is answered; many at once find more in fewer requests.
      return made !== undefined && randomSource.chance(0.5) ? workshop.loaded(randomSource, made) : made;
    });
  }

  /** A valid request, sometimes with an id that few clients send. */
  const usual: Make = (randomSource, operation, names) => {
    const step = valid(randomSource, operation, names);
    return dialect.binding.requests === 'envelopes' && randomSource.chance(0.3)
      ? { ...step, edits: [oddId(randomSource)] }
      : step;
  };
  function plain(randomSource: RandomSource): Case {
    const operation = pickOperation(randomSource);
    return around(
      randomSource,
      operation,
      onTask.has(operation) ? randomSource.chance(0.6) : randomSource.chance(0.2),
      usual,
    );
  }

  function simpleStory(randomSource: RandomSource): Case {
    const steps: Step[] = [...beginning(randomSource)];
    const names = steps.length > 0 ? ['a'] : [];
    for (let count = 1 + randomSource.below(5); count > 0; count--) {
      const step = valid(randomSource, pickOperation(randomSource), names);
      steps.push(named(step, `s${steps.length}`));
    }
    return caseOf(steps);
  }

  function simpleRace(randomSource: RandomSource): Case {
    const before = beginning(randomSource);
    const names = before.length > 0 ? ['a'] : [];
    const calls = Array.from({ length: 2 + randomSource.below(8) }, () =>
      valid(randomSource, pickOperation(randomSource), names),
    );
    const wait: readonly Step[] = names.length > 0 ? [{ step: 'wait', for: 'a' }] : [];
    return caseOf([...before, { step: 'together', calls }, ...wait, valid(randomSource, 'get', names)]);
  }

  const story = options.story ?? simpleStory;
  const ladders = [...workshop.ladders];
  let made = 0;
  /** A case in which a field grows: each field once in a campaign, and none in a short one. */
  function climbed(randomSource: RandomSource): Case | undefined {
    if (++made <= shortCampaign || ladders.length === 0 || !randomSource.chance(ladderShare)) return undefined;
    const [ladder] = ladders.splice(randomSource.below(ladders.length), 1);
    const steps = ladder?.(randomSource);
    return steps && caseOf(steps);
  }
  const classics = [...workshop.classics];
  /**
   * A classic: each once, among the first cases. A campaign begins with one: it is a single request, and the time may
   * be short.
   */
  function classic(randomSource: RandomSource): Case | undefined {
    const isBegun = classics.length < workshop.classics.length;
    if (classics.length === 0 || (isBegun && !randomSource.chance(classicShare))) return undefined;
    const [probe] = classics.splice(randomSource.below(classics.length), 1);
    const [operation] = probe?.operations ?? [];
    const made = operation && probe?.make(randomSource, operation, []);
    return made === undefined ? undefined : caseOf([named(made, 'a')]);
  }
  /** A task that waits, and requests about it that may lead to another operation. */
  const strayed = (randomSource: RandomSource): Case =>
    caseOf([
      { ...asking(options, randomSource, 'input-required'), as: 'a' },
      { step: 'wait', for: 'a' },
      ...astray(randomSource, operations, { dialect, maxBytes: workshop.maxBytes, valid }),
    ]);
  const fresh = (randomSource: RandomSource): Case => climbed(randomSource) ?? usualFresh(randomSource);
  const usualFresh = (randomSource: RandomSource): Case => {
    if (options.payments !== undefined && randomSource.chance(paymentShare)) return options.payments(randomSource);
    if (dialect.binding.requests !== 'envelopes' && canSend && randomSource.chance(astrayShare))
      return strayed(randomSource);
    const roll = randomSource.below(100);
    // A story takes as many requests as five other cases.
    if (roll < 8) return plain(randomSource);
    return roll < 88 ? probed(randomSource) : story(randomSource);
  };
  const near = createMutate(workshop, fresh);
  const race = options.race ?? simpleRace;
  const decked = createWeightedChoice();
  return {
    operations,
    valid: (randomSource, operation, names) => valid(decked(randomSource), operation, names),
    mutant: (randomSource, operation, names) => mutant(decked(randomSource), operation, names),
    tricked: (randomSource, operation, names) => tricked(decked(randomSource), operation, names),
    first: (randomSource) => classic(decked(randomSource)),
    fresh: (randomSource) => fresh(decked(randomSource)),
    near: (randomSource, parent, other) => near(decked(randomSource), parent, other),
    remember: options.dictionary.remember,
    story: (randomSource) => story(decked(randomSource)),
    race: (randomSource) => race(decked(randomSource)),
  };
}

const named = (step: CallStep, as: string): CallStep => (begins.has(step.operation) ? { ...step, as } : step);
