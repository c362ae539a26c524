import type { Dialect } from '../../dialect/index.js';
import { operations as allOperations, type Card, type Operation, writingOperations } from '../../model/index.js';
import { placesOf } from '../case/canonical.js';
import type { CallStep, Case, Edit, Value } from '../case/case.js';
import { valueAt, withAt } from '../case/pointer.js';
import { isMembers, type Members } from '../case/values.js';
import { trust } from '../confirm/trust.js';
import { envelopeEdit } from '../mutate/envelope.js';
import type { Mutator } from '../mutate/mutants.js';
import { type SizeSeries, sizeSeriesOf } from '../mutate/size-series.js';
import { anyTrick } from '../mutate/wire-mutations.js';
import { classicsOf } from './classics.js';
import type { Dictionary } from './dictionary.js';
import { objectsIn } from './objects.js';
import { type Place, paramsOf } from './places.js';
import { brokenAt, loaded, oddAt, type Probe, type ProbeTools, probesOf, withTrick } from './probes.js';
import type { RandomSource } from './random-source.js';
import { createRecipes } from './valid.js';

export interface GeneratorOptions {
  readonly dialect: Dialect;
  readonly card: Card;
  readonly dictionary: Dictionary;
  readonly readOnly: boolean;
  /** Exact bytes can be sent. */
  readonly rawSocket: boolean;
  /** Limit of one request; the few large requests have about this size. */
  readonly maxBytes?: number;
  /** Operations that must not be called, for whatever reason. */
  readonly withheld?: ReadonlySet<Operation>;
  /** Scripts over tasks; default: short ones. */
  readonly story?: (dice: RandomSource) => Case;
  readonly race?: (dice: RandomSource) => Case;
  /** Scripts about payments, where the agent charges. */
  readonly payments?: (dice: RandomSource) => Case;
  /** Requests are signed, so that signatures can be wrong. */
  readonly signs?: boolean;
}

const isClaimed = ({ capabilities }: Card, operation: Operation): boolean => {
  if (operation === 'stream' || operation === 'subscribe') return capabilities.streaming;
  if (operation.startsWith('push')) return capabilities.push;
  return operation !== 'extendedCard' || capabilities.extendedCard;
};

/** Operations that the dialect has as methods, the agent claims, and nothing forbids. */
function usableOperations({ dialect, card, readOnly, withheld }: GeneratorOptions): readonly Operation[] {
  return allOperations.filter((operation) => {
    const codec = dialect.operations[operation];
    if (codec === undefined || codec.url !== undefined || withheld?.has(operation) === true) return false;
    if (paramsOf(dialect, operation) === undefined || !isClaimed(card, operation)) return false;
    return !readOnly || !writingOperations.has(operation);
  });
}

/** How often an operation is chosen; sends are most of what agents do. */
const weights: Readonly<Record<Operation, number>> = {
  send: 10,
  stream: 4,
  get: 6,
  list: 2,
  cancel: 4,
  subscribe: 2,
  pushSet: 3,
  pushGet: 2,
  pushList: 2,
  pushDelete: 2,
  extendedCard: 1,
};
/** Operations that need a task to be of use. */
export const onTask: ReadonlySet<Operation> = new Set([
  'get',
  'cancel',
  'subscribe',
  'pushSet',
  'pushGet',
  'pushList',
  'pushDelete',
]);
export const begins: ReadonlySet<Operation> = new Set(['send', 'stream', 'pushSet']);

/** The tools of the parts of a generator. */
export interface GeneratorContext {
  readonly options: GeneratorOptions;
  readonly operations: readonly Operation[];
  readonly maxBytes: number;
  valid(dice: RandomSource, operation: Operation, names: readonly string[], wanted?: Place): CallStep;
  /** The same for the task of the step `name`; messages are sent to this task. */
  about(dice: RandomSource, operation: Operation, name: string, wanted?: Place): CallStep;
  mutant(dice: RandomSource, operation: Operation, names: readonly string[]): CallStep;
  tricked(dice: RandomSource, operation: Operation, names: readonly string[]): CallStep;
  pickOperation(dice: RandomSource): Operation;
  /** All kinds of mutations, one kind each. */
  readonly probes: readonly Probe[];
  /** Probes that are tried first, in any order. */
  readonly classics: readonly Probe[];
  /** Requests that grow in one field; none where requests are signed, because signed requests keep to a rate. */
  readonly ladders: readonly SizeSeries[];
  /** The same request with more changes at once. */
  loaded(dice: RandomSource, step: CallStep): CallStep;
}

/** A message to a task names the context of that task, not of another one. */
function coherent(params: Value): Value {
  if (!isMembers(params)) return params;
  const inner = params['message'];
  const message = inner === undefined ? params : { ...params, message: coherent(inner) };
  const task = taskName(message['taskId'] ?? message['id']);
  const context = message['contextId'];
  if (context === undefined) return message;
  if (task === undefined) return message['taskId'] === undefined ? message : without(message, 'contextId');
  return { ...message, contextId: { $ref: `${task}.context` } };
}
const without = (members: Members, name: string): Value =>
  Object.fromEntries(Object.entries(members).filter(([one]) => one !== name));
function taskName(value: Value | undefined): string | undefined {
  const ref = isMembers(value) ? value['$ref'] : undefined;
  return typeof ref === 'string' && ref.endsWith('.task') ? ref.slice(0, -'.task'.length) : undefined;
}

export function createGeneratorContext(options: GeneratorOptions): GeneratorContext {
  const { dialect, card, dictionary } = options;
  const operations = usableOperations(options);
  const recipes = createRecipes(dialect, card.capabilities.push);
  const maxBytes = options.maxBytes ?? 1024 * 1024;
  const lots = operations.flatMap((operation) => Array.from({ length: weights[operation] }, () => operation));
  const mutatorOf = (dice: RandomSource): Mutator => ({ dice, maxBytes });

  const valid: GeneratorContext['valid'] = (dice, operation, names, wanted) => {
    const drawn = recipes.draw(operation, { dice, dictionary, names }, wanted);
    return stepWith(dice, operation, drawn && joining(dice, operation, names, drawn));
  };

  function stepWith(dice: RandomSource, operation: Operation, joined: Value | undefined): CallStep {
    const params = joined === undefined ? undefined : coherent(joined);
    if (typeof params === 'object') trust(params);
    const streams = operation === 'stream' || operation === 'subscribe';
    const isBare = params !== undefined && isEmpty(params) && operation === 'extendedCard';
    return {
      step: 'call',
      operation,
      ...(params === undefined || isBare ? {} : { params }),
      ...(streams && dice.chance(0.3) ? { events: 1 + dice.below(3) } : {}),
    };
  }

  function about(dice: RandomSource, operation: Operation, name: string, wanted?: Place): CallStep {
    const drawn = recipes.draw(operation, { dice, dictionary, names: [name] }, wanted);
    const [at] = placesOf(dialect, operation).spelled.get('/message/taskId') ?? [];
    const set = drawn === undefined || at === undefined ? drawn : withAt(drawn, at, { $ref: `${name}.task` });
    return stepWith(dice, operation, set ?? drawn);
  }

  /** If there is a task, messages are often sent to it. */
  function joining(dice: RandomSource, operation: Operation, names: readonly string[], params: Value): Value {
    const [at] = placesOf(dialect, operation).spelled.get('/message/taskId') ?? [];
    if (at === undefined || names.length === 0 || valueAt(params, at) !== undefined || !dice.chance(0.5)) return params;
    return withAt(params, at, { $ref: `${dice.pick(names)}.task` }) ?? params;
  }

  const signs = options.signs === true && dialect.signed !== undefined;
  const tools: ProbeTools = {
    dialect,
    maxBytes,
    sockets: options.rawSocket && dialect.signed === undefined,
    pushes: card.capabilities.push,
    signs,
    valid,
  };
  const probes = probesOf(operations, tools);

  function broken(dice: RandomSource, operation: Operation, names: readonly string[]): CallStep | undefined {
    const breakables = paramsOf(dialect, operation)?.breakables ?? [];
    return breakables.length === 0 ? undefined : brokenAt(tools, dice, operation, names, dice.pick(breakables));
  }

  function strange(dice: RandomSource, operation: Operation, names: readonly string[]): CallStep | undefined {
    const places = (paramsOf(dialect, operation)?.places ?? []).filter(({ path }) => path !== '');
    return places.length === 0 ? undefined : oddAt(tools, dice, operation, names, dice.pick(places));
  }

  const mutant: GeneratorContext['mutant'] = (dice, operation, names) => {
    const roll = dice.below(100);
    const made = roll < 15 ? undefined : roll < 70 ? broken(dice, operation, names) : strange(dice, operation, names);
    const step = made ?? valid(dice, operation, names);
    const more: readonly Edit[] =
      made === undefined || dice.chance(0.08)
        ? [envelopeEdit(mutatorOf(dice), dialect.operations[operation]?.rpc ?? operation)]
        : [];
    const edits = [...(step.edits ?? []), ...more];
    trust(edits);
    return { ...step, edits };
  };

  return {
    options,
    operations,
    maxBytes,
    valid,
    about,
    mutant,
    tricked(dice, operation, names) {
      const step = dice.chance(0.85) ? valid(dice, operation, names) : mutant(dice, operation, names);
      const trick = anyTrick(dice, { dice, maxBytes, objects: objectsIn(step.params) }, tools.sockets);
      return withTrick(step, trick);
    },
    probes,
    classics: classicsOf(operations, tools),
    ladders: dialect.signed === undefined ? sizeSeriesOf(operations, tools) : [],
    loaded: (dice, step) => loaded(tools, dice, step),
    pickOperation: (dice) => dice.pick(lots),
  };
}

const isEmpty = (value: Value): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
