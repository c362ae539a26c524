import type { Goal } from '../../kit/index.js';
import type { Operation } from '../../model/index.js';
import type { CallStep, Case, Step } from '../case/case.js';
import { asking } from '../execute/asking.js';
import { oddId } from '../mutate/envelope.js';
import { createMutate } from '../mutate/mutate.js';
import type { Generator } from './generator.js';
import { begins, createGeneratorContext, type GeneratorOptions, onTask } from './generator-context.js';
import type { RandomSource } from './random-source.js';
import { createWeightedChoice } from './weighted-choice.js';

export type { GeneratorOptions } from './generator-context.js';

/** Share of payment scripts among new cases, where the agent charges. */
const paymentShare = 0.4;
/** Share of classics among all cases, as long as some are left: other cases must not wait too long. */
const classicShare = 0.4;
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
  function beginning(dice: RandomSource): readonly Step[] {
    if (!canSend) return [];
    const goal = dice.pick<Goal | undefined>([
      'input-required',
      'input-required',
      'working',
      undefined,
      undefined,
      undefined,
    ]);
    const begin: Step = { ...(goal === undefined ? valid(dice, 'send', []) : asking(options, dice, goal)), as: 'a' };
    return goal !== 'working' && dice.chance(0.6) ? [begin, { step: 'wait', for: 'a' }] : [begin];
  }

  type Make = (dice: RandomSource, operation: Operation, names: readonly string[]) => CallStep | undefined;
  function around(dice: RandomSource, operation: Operation, wantsTask: boolean, make: Make): Case {
    const before = wantsTask ? beginning(dice) : [];
    const names = before.length > 0 ? ['a'] : [];
    const made = make(dice, operation, names) ?? mutant(dice, operation, names);
    if (before.length === 0) return caseOf([named(made, 'a')]);
    // Reads before and after show whether a refused request has changed anything.
    const look = dice.chance(0.5) ? [looking(dice, operation)] : [];
    return caseOf([...before, ...look, named(made, 'b'), ...look, ...others(dice)]);
  }

  /** Reads what an operation may have changed. */
  function looking(dice: RandomSource, operation: Operation): Step {
    const read = (['pushList', 'pushGet'] as const).find((one) => operations.includes(one));
    return valid(dice, operation.startsWith('push') && read !== undefined ? read : 'get', ['a']);
  }

  /** More probes on the same task, because beginning a task costs requests. */
  function others(dice: RandomSource): readonly Step[] {
    return Array.from({ length: dice.below(3) }, () => dice.pick(probes)).flatMap((probe, at): readonly Step[] => {
      const operation = probe === undefined ? undefined : dice.pick(probe.operations);
      if (probe === undefined || operation === undefined || !onTask.has(operation)) return [];
      const made = probe.make(dice, operation, ['a']);
      return made === undefined ? [] : [named(made, `c${at}`)];
    });
  }

  /** A case with one probe, mostly without a task: agents mostly refuse a bad request before they look for its task. */
  function probed(dice: RandomSource): Case {
    if (probes.length === 0) return around(dice, pickOperation(dice), false, mutant);
    const probe = dice.pick(probes);
    const operation = dice.pick(probe.operations);
    return around(dice, operation, dice.chance(onTask.has(operation) ? 0.3 : 0.2), (...drawn) => {
      const made = probe.make(...drawn);
      // A single change shows whether the right error is answered; many at once find more in fewer requests.
      return made !== undefined && dice.chance(0.5) ? workshop.loaded(dice, made) : made;
    });
  }

  /** A valid request, sometimes with an id that few clients send. */
  const usual: Make = (dice, operation, names) => {
    const step = valid(dice, operation, names);
    return dice.chance(0.3) ? { ...step, edits: [oddId(dice)] } : step;
  };
  function plain(dice: RandomSource): Case {
    const operation = pickOperation(dice);
    return around(dice, operation, onTask.has(operation) ? dice.chance(0.6) : dice.chance(0.2), usual);
  }

  function simpleStory(dice: RandomSource): Case {
    const steps: Step[] = [...beginning(dice)];
    const names = steps.length > 0 ? ['a'] : [];
    for (let count = 1 + dice.below(5); count > 0; count--) {
      const step = valid(dice, pickOperation(dice), names);
      steps.push(named(step, `s${steps.length}`));
    }
    return caseOf(steps);
  }

  function simpleRace(dice: RandomSource): Case {
    const before = beginning(dice);
    const names = before.length > 0 ? ['a'] : [];
    const calls = Array.from({ length: 2 + dice.below(8) }, () => valid(dice, pickOperation(dice), names));
    const wait: readonly Step[] = names.length > 0 ? [{ step: 'wait', for: 'a' }] : [];
    return caseOf([...before, { step: 'together', calls }, ...wait, valid(dice, 'get', names)]);
  }

  const story = options.story ?? simpleStory;
  const ladders = [...workshop.ladders];
  let made = 0;
  /** A case in which a field grows: each field once in a campaign, and none in a short one. */
  function climbed(dice: RandomSource): Case | undefined {
    if (++made <= shortCampaign || ladders.length === 0 || !dice.chance(ladderShare)) return undefined;
    const [ladder] = ladders.splice(dice.below(ladders.length), 1);
    const steps = ladder?.(dice);
    return steps && caseOf(steps);
  }
  const classics = [...workshop.classics];
  /**
   * A classic: each once, among the first cases. A campaign begins with one: it is a single request, and the time may
   * be short.
   */
  function classic(dice: RandomSource): Case | undefined {
    const isBegun = classics.length < workshop.classics.length;
    if (classics.length === 0 || (isBegun && !dice.chance(classicShare))) return undefined;
    const [probe] = classics.splice(dice.below(classics.length), 1);
    const [operation] = probe?.operations ?? [];
    const made = operation && probe?.make(dice, operation, []);
    return made === undefined ? undefined : caseOf([named(made, 'a')]);
  }
  const fresh = (dice: RandomSource): Case => climbed(dice) ?? usualFresh(dice);
  const usualFresh = (dice: RandomSource): Case => {
    if (options.payments !== undefined && dice.chance(paymentShare)) return options.payments(dice);
    const roll = dice.below(100);
    // A story takes as many requests as five other cases.
    if (roll < 8) return plain(dice);
    return roll < 88 ? probed(dice) : story(dice);
  };
  const near = createMutate(workshop, fresh);
  const race = options.race ?? simpleRace;
  const decked = createWeightedChoice();
  return {
    operations,
    valid: (dice, operation, names) => valid(decked(dice), operation, names),
    mutant: (dice, operation, names) => mutant(decked(dice), operation, names),
    tricked: (dice, operation, names) => tricked(decked(dice), operation, names),
    first: (dice) => classic(decked(dice)),
    fresh: (dice) => fresh(decked(dice)),
    near: (dice, parent, other) => near(decked(dice), parent, other),
    remember: options.dictionary.remember,
    story: (dice) => story(decked(dice)),
    race: (dice) => race(decked(dice)),
  };
}

const named = (step: CallStep, as: string): CallStep => (begins.has(step.operation) ? { ...step, as } : step);
