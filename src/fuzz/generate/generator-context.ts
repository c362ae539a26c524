import { methodAt } from '../../binding/index.js';
import type { Dialect } from '../../dialect/index.js';
import { operations as allOperations, type Card, type Operation, writingOperations } from '../../model/index.js';
import { placesOf } from '../case/canonical.js';
import type { CallStep, Case, Edit, Value } from '../case/case.js';
import { valueAt, withAt } from '../case/pointer.js';
import { isMembers, type Members, specialOf } from '../case/values.js';
import { trust } from '../confirm/trust.js';
import { envelopeEdit } from '../mutate/envelope.js';
import type { Mutator } from '../mutate/schema-mutators.js';
import { type SizeSeries, sizeSeriesOf } from '../mutate/size-series.js';
import { anyWireMutation } from '../mutate/wire-mutations.js';
import { classicsOf } from './classics.js';
import type { Dictionary } from './dictionary.js';
import { messageClassics } from './message-classics.js';
import { objectsFor } from './objects.js';
import { pathClassics } from './path-classics.js';
import { type Place, paramsOf } from './places.js';
import { brokenAt, loaded, oddAt, type Probe, type ProbeTools, probesOf, withWireMutation } from './probes.js';
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
  readonly story?: (randomSource: RandomSource) => Case;
  readonly race?: (randomSource: RandomSource) => Case;
  /** Scripts about payments, where the agent charges. */
  readonly payments?: (randomSource: RandomSource) => Case;
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
    if (dialect.binding.nameOf(codec) === undefined) return false;
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
  valid(randomSource: RandomSource, operation: Operation, names: readonly string[], wanted?: Place): CallStep;
  /** The same for the task of the step `name`; messages are sent to this task. */
  about(randomSource: RandomSource, operation: Operation, name: string, wanted?: Place): CallStep;
  mutant(randomSource: RandomSource, operation: Operation, names: readonly string[]): CallStep;
  tricked(randomSource: RandomSource, operation: Operation, names: readonly string[]): CallStep;
  pickOperation(randomSource: RandomSource): Operation;
  /** All kinds of mutations, one kind each. */
  readonly probes: readonly Probe[];
  /** Probes that are tried first, in any order. */
  readonly classics: readonly Probe[];
  /** Requests that grow in one field; none where requests are signed, because signed requests keep to a rate. */
  readonly ladders: readonly SizeSeries[];
  /** The same request with more changes at once. */
  loaded(randomSource: RandomSource, step: CallStep): CallStep;
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
  Object.fromEntries(Object.entries(members).filter(([text]) => text !== name));
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
  const mutatorOf = (randomSource: RandomSource): Mutator => ({ randomSource, maxBytes });

  const valid: GeneratorContext['valid'] = (randomSource, operation, names, wanted) => {
    const drawn = recipes.draw(operation, { randomSource, dictionary, names }, wanted);
    return stepWith(randomSource, operation, drawn && joining(randomSource, operation, names, drawn), wanted);
  };

  function stepWith(
    randomSource: RandomSource,
    operation: Operation,
    joined: Value | undefined,
    wanted?: Place,
  ): CallStep {
    const params = joined === undefined ? undefined : carried(operation, coherent(joined), wanted);
    if (typeof params === 'object') trust(params);
    const streams = operation === 'stream' || operation === 'subscribe';
    const isBare = params !== undefined && isEmpty(params) && operation === 'extendedCard';
    return {
      step: 'call',
      operation,
      ...(params === undefined || isBare ? {} : { params }),
      ...(streams && randomSource.chance(0.3) ? { events: 1 + randomSource.below(3) } : {}),
    };
  }

  /**
   * A query has no form for objects, and most messages of 0.3 none for metadata, so clients leave such members out,
   * unless one is to be changed.
   */
  function carried(operation: Operation, params: Value, wanted?: Place): Value {
    const names = dialect.operations[operation];
    const method = methodAt(names?.grpc ?? '');
    if (dialect.binding.requests === 'messages' && method !== undefined && isMembers(params)) {
      const { metadata: _, ...rest } = params;
      return Object.hasOwn(method.table.messages[method.method[0]] ?? {}, 'metadata') ? params : rest;
    }
    if (names === undefined || dialect.binding.requests !== 'paths' || !isMembers(params)) return params;
    const isKept = (name: string, value: Value): boolean =>
      wanted?.path.split('/')[1] === name ||
      dialect.binding.typed(name, names) ||
      !(isMembers(value) || Array.isArray(value)) ||
      specialOf(value) !== undefined;
    return Object.fromEntries(Object.entries(params).filter(([name, value]) => isKept(name, value)));
  }

  function about(randomSource: RandomSource, operation: Operation, name: string, wanted?: Place): CallStep {
    const drawn = recipes.draw(operation, { randomSource, dictionary, names: [name] }, wanted);
    const [at] = placesOf(dialect, operation).spelled.get('/message/taskId') ?? [];
    const set = drawn === undefined || at === undefined ? drawn : withAt(drawn, at, { $ref: `${name}.task` });
    return stepWith(randomSource, operation, set ?? drawn, wanted);
  }

  /** If there is a task, messages are often sent to it. */
  function joining(randomSource: RandomSource, operation: Operation, names: readonly string[], params: Value): Value {
    const [at] = placesOf(dialect, operation).spelled.get('/message/taskId') ?? [];
    if (at === undefined || names.length === 0 || valueAt(params, at) !== undefined || !randomSource.chance(0.5))
      return params;
    return withAt(params, at, { $ref: `${randomSource.pick(names)}.task` }) ?? params;
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

  function broken(randomSource: RandomSource, operation: Operation, names: readonly string[]): CallStep | undefined {
    const breakables = paramsOf(dialect, operation)?.breakables ?? [];
    return breakables.length === 0
      ? undefined
      : brokenAt(tools, randomSource, operation, names, randomSource.pick(breakables));
  }

  function strange(randomSource: RandomSource, operation: Operation, names: readonly string[]): CallStep | undefined {
    const places = (paramsOf(dialect, operation)?.places ?? []).filter(({ path }) => path !== '');
    return places.length === 0 ? undefined : oddAt(tools, randomSource, operation, names, randomSource.pick(places));
  }

  const mutant: GeneratorContext['mutant'] = (randomSource, operation, names) => {
    const roll = randomSource.below(100);
    const made =
      roll < 15
        ? undefined
        : roll < 70
          ? broken(randomSource, operation, names)
          : strange(randomSource, operation, names);
    const step = made ?? valid(randomSource, operation, names);
    const more: readonly Edit[] =
      dialect.binding.requests === 'envelopes' && (made === undefined || randomSource.chance(0.08))
        ? [envelopeEdit(mutatorOf(randomSource), dialect.operations[operation]?.rpc ?? operation)]
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
    tricked(randomSource, operation, names) {
      const step = randomSource.chance(0.85)
        ? valid(randomSource, operation, names)
        : mutant(randomSource, operation, names);
      const trick = anyWireMutation(
        randomSource,
        { randomSource, maxBytes, objects: objectsFor(dialect, step.params) },
        { dialect, operation, sockets: tools.sockets },
      );
      return withWireMutation(step, trick);
    },
    probes,
    classics: [
      ...classicsOf(operations, tools),
      ...pathClassics(operations, tools),
      ...messageClassics(operations, tools),
    ],
    ladders: dialect.signed === undefined ? sizeSeriesOf(operations, tools) : [],
    loaded: (randomSource, step) => loaded(tools, randomSource, step),
    pickOperation: (randomSource) => randomSource.pick(lots),
  };
}

const isEmpty = (value: Value): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
