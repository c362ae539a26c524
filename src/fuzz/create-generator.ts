import type { Goal } from '../kit/index.js';
import type { Operation } from '../model/index.js';
import { asking } from './asking.js';
import type { CallStep, Case, Step } from './case.js';
import { createDeck } from './deck.js';
import type { Dice } from './dice.js';
import { oddId } from './envelope.js';
import type { Generator } from './generator.js';
import { createNear } from './near.js';
import { begins, createWorkshop, type GeneratorOptions, onTask } from './workshop.js';

export type { GeneratorOptions } from './workshop.js';

/** Of new cases, where the agent charges. */
const paymentShare = 0.4;
/** Of all cases, as long as there are some that are tried first: what others find waits less than half as long again. */
const classicShare = 0.4;
/** So many new cases are made before the first in which a field grows. */
const shortCampaign = 30;
/** Of new cases, as long as there are fields that have not grown. */
const ladderShare = 0.12;

/** Makes cases for one target; see `Generator`. */
export function createGenerator(options: GeneratorOptions): Generator {
  const workshop = createWorkshop(options);
  const { operations, valid, mutant, tricked, pickOperation, probes } = workshop;
  const { dialect } = options;
  const caseOf = (steps: readonly Step[]): Case => ({ dialect: dialect.id, steps });
  const canSend = operations.includes('send');

  /** A task to work on, where agents may be asked for one. Open ones show more of what goes wrong with them. */
  function beginning(dice: Dice): readonly Step[] {
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

  type Make = (dice: Dice, operation: Operation, names: readonly string[]) => CallStep | undefined;
  function around(dice: Dice, operation: Operation, wantsTask: boolean, make: Make): Case {
    const before = wantsTask ? beginning(dice) : [];
    const names = before.length > 0 ? ['a'] : [];
    const made = make(dice, operation, names) ?? mutant(dice, operation, names);
    if (before.length === 0) return caseOf([named(made, 'a')]);
    // A look before and after shows whether what was refused has changed anything.
    const look = dice.chance(0.5) ? [looking(dice, operation)] : [];
    return caseOf([...before, ...look, named(made, 'b'), ...look, ...others(dice)]);
  }

  /** Reads what an operation may have changed. */
  function looking(dice: Dice, operation: Operation): Step {
    const read = (['pushList', 'pushGet'] as const).find((one) => operations.includes(one));
    return valid(dice, operation.startsWith('push') && read !== undefined ? read : 'get', ['a']);
  }

  /** A task costs requests, so that it serves for more than one of them. */
  function others(dice: Dice): readonly Step[] {
    return Array.from({ length: dice.below(3) }, () => dice.pick(probes)).flatMap((probe, at): readonly Step[] => {
      const operation = probe === undefined ? undefined : dice.pick(probe.operations);
      if (probe === undefined || operation === undefined || !onTask.has(operation)) return [];
      const made = probe.make(dice, operation, ['a']);
      return made === undefined ? [] : [named(made, `c${at}`)];
    });
  }

  /** What is wrong with a request is mostly seen before anybody looks for the task. */
  function probed(dice: Dice): Case {
    if (probes.length === 0) return around(dice, pickOperation(dice), false, mutant);
    const probe = dice.pick(probes);
    const operation = dice.pick(probe.operations);
    return around(dice, operation, dice.chance(onTask.has(operation) ? 0.3 : 0.2), (...drawn) => {
      const made = probe.make(...drawn);
      // One change alone tells whether it is refused as what it is; many at once find more in fewer requests.
      return made !== undefined && dice.chance(0.5) ? workshop.loaded(dice, made) : made;
    });
  }

  /** Valid in all that matters, now and then under an id as few clients give. */
  const usual: Make = (dice, operation, names) => {
    const step = valid(dice, operation, names);
    return dice.chance(0.3) ? { ...step, edits: [oddId(dice)] } : step;
  };
  function plain(dice: Dice): Case {
    const operation = pickOperation(dice);
    return around(dice, operation, onTask.has(operation) ? dice.chance(0.6) : dice.chance(0.2), usual);
  }

  function simpleStory(dice: Dice): Case {
    const steps: Step[] = [...beginning(dice)];
    const names = steps.length > 0 ? ['a'] : [];
    for (let count = 1 + dice.below(5); count > 0; count--) {
      const step = valid(dice, pickOperation(dice), names);
      steps.push(named(step, `s${steps.length}`));
    }
    return caseOf(steps);
  }

  function simpleRace(dice: Dice): Case {
    const before = beginning(dice);
    const names = before.length > 0 ? ['a'] : [];
    const calls = Array.from({ length: 2 + dice.below(8) }, () => valid(dice, pickOperation(dice), names));
    const wait: readonly Step[] = names.length > 0 ? [{ step: 'wait', for: 'a' }] : [];
    return caseOf([...before, { step: 'together', calls }, ...wait, valid(dice, 'get', names)]);
  }

  const story = options.story ?? simpleStory;
  const ladders = [...workshop.ladders];
  let made = 0;
  /** Each field is grown once in a campaign, and none in a short one. */
  function climbed(dice: Dice): Case | undefined {
    if (++made <= shortCampaign || ladders.length === 0 || !dice.chance(ladderShare)) return undefined;
    const [ladder] = ladders.splice(dice.below(ladders.length), 1);
    const steps = ladder?.(dice);
    return steps && caseOf(steps);
  }
  const classics = [...workshop.classics];
  /** Each once, among the first cases. A campaign begins with one: it is a single request, and the time may be short. */
  function classic(dice: Dice): Case | undefined {
    const isBegun = classics.length < workshop.classics.length;
    if (classics.length === 0 || (isBegun && !dice.chance(classicShare))) return undefined;
    const [probe] = classics.splice(dice.below(classics.length), 1);
    const [operation] = probe?.operations ?? [];
    const made = operation && probe?.make(dice, operation, []);
    return made === undefined ? undefined : caseOf([named(made, 'a')]);
  }
  const fresh = (dice: Dice): Case => climbed(dice) ?? usualFresh(dice);
  const usualFresh = (dice: Dice): Case => {
    if (options.payments !== undefined && dice.chance(paymentShare)) return options.payments(dice);
    const roll = dice.below(100);
    // A story takes as many requests as five others.
    if (roll < 8) return plain(dice);
    return roll < 88 ? probed(dice) : story(dice);
  };
  const near = createNear(workshop, fresh);
  const race = options.race ?? simpleRace;
  const decked = createDeck();
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
