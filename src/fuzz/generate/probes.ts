import type { Dialect } from '../../dialect/index.js';
import type { Operation } from '../../model/index.js';
import { isCarried } from '../case/carried.js';
import type { CallStep, Edit, WireMutation } from '../case/case.js';
import { valueAt } from '../case/pointer.js';
import { trust } from '../confirm/trust.js';
import { envelopeEdits } from '../mutate/envelope.js';
import { breaking, type Flavour, flavoursOf, odd, wrongTypes } from '../mutate/schema-mutators.js';
import { isUsable, kindOf, makeWireMutation, namesFor, signedMutationNames } from '../mutate/wire-mutations.js';
import type { JsonType } from './hostile.js';
import { objectsFor } from './objects.js';
import { type Breakable, type Place, paramsOf } from './places.js';
import { createRandomSource, type RandomSource } from './random-source.js';
import { createWeightedChoice } from './weighted-choice.js';

/** Makes one kind of mutation of a request; the rest of the request is random. */
export interface Probe {
  /** Operations that it can mutate; one is chosen. */
  readonly operations: readonly Operation[];
  /** Undefined: the drawn request has no place for it. */
  make(randomSource: RandomSource, operation: Operation, names: readonly string[]): CallStep | undefined;
}

export interface ProbeTools {
  readonly dialect: Dialect;
  readonly maxBytes: number;
  readonly sockets: boolean;
  /** The agent sends push notifications. */
  readonly pushes: boolean;
  /** Requests are signed. */
  readonly signs: boolean;
  valid(randomSource: RandomSource, operation: Operation, names: readonly string[], wanted?: Place): CallStep;
}

type Names = readonly string[];

/** Undefined also where the binding has no form for it. */
const edited = (dialect: Dialect, step: CallStep, edits: readonly Edit[] | undefined): CallStep | undefined => {
  if (edits === undefined || edits.length === 0) return undefined;
  trust(edits);
  const made = { ...step, edits };
  return isCarried(dialect, made) ? made : undefined;
};

const wantedOf = (place: Place): Place | undefined => (place.path === '' ? undefined : place);

/** A request with one keyword broken. */
export function brokenAt(
  { dialect, maxBytes, valid }: ProbeTools,
  randomSource: RandomSource,
  operation: Operation,
  names: Names,
  chosen: Breakable,
  type?: JsonType,
): CallStep | undefined {
  const step = valid(randomSource, operation, names, wantedOf(chosen.place));
  return edited(dialect, step, breaking({ randomSource, maxBytes }, { params: step.params ?? {} }, chosen, type));
}

/** A request with an odd value in one place. */
export function oddAt(
  { dialect, maxBytes, valid }: ProbeTools,
  randomSource: RandomSource,
  operation: Operation,
  names: Names,
  place: Place,
  flavour?: Flavour,
): CallStep | undefined {
  const step = valid(randomSource, operation, names, wantedOf(place));
  return edited(dialect, step, odd({ randomSource, maxBytes }, { params: step.params ?? {} }, place, flavour));
}

const costly: ReadonlySet<Operation> = new Set(['send', 'stream', 'pushSet']);

/** The step with a wire mutation. A large batch of calls that each begin a task would cost too much. */
export function withWireMutation(step: CallStep, trick: WireMutation): CallStep {
  const isCostly = trick.trick === 'batch' && costly.has(step.operation) && Number(trick['count']) > 3;
  return { ...step, tricks: [isCostly ? { ...trick, count: 2 } : trick] };
}

/** Probes per wire mutation whose arguments make much of a difference; default one. */
const shares: Readonly<Record<string, number>> = {
  'hostile-member': 12,
  'duplicate-member': 4,
  'resembling-member': 6,
  'deep-member': 3,
  truncated: 3,
  tail: 4,
  head: 2,
  body: 8,
  batch: 9,
  bom: 2,
  'no-utf8': 4,
  'raw-control': 2,
  encoding: 4,
  charset: 4,
  'content-type': 6,
  compressed: 2,
  header: 7,
  'long-header': 2,
  accept: 2,
  method: 4,
  query: 4,
  path: 40,
  'path-spelling': 7,
  parameters: 40,
  verb: 14,
  override: 6,
  'media-type': 6,
  'unasked-body': 3,
  'message-end': 24,
  'message-cut': 4,
  'message-random': 6,
  'field-type': 14,
  'bad-utf8': 10,
  'unknown-fields': 8,
  'field-repeated': 8,
  'field-again': 8,
  'deep-struct': 10,
  'frame-flag': 6,
  'frame-length': 7,
  'frame-count': 4,
  'frame-tail': 3,
  'frame-cut': 4,
  metadata: 20,
  'grpc-timeout': 12,
  'grpc-type': 10,
  'grpc-method': 14,
  resets: 4,
  window: 3,
  pieces: 3,
  'header-line': 6,
};

/** Probes per place and keyword; default one. */
const perKeyword: Readonly<Partial<Record<Breakable['keyword'], number>>> = {
  enum: 3,
  const: 2,
  additional: 2,
  shape: 2,
};

/** Agents that send no notifications do not read what is below a webhook. */
export const isRead = (tools: ProbeTools, { path }: Place): boolean =>
  tools.pushes || !/ushNotificationConfig\/./.test(path);

/** Members that every agent reads get all kinds of probes, the others a few. */
export const isMain = ({ path }: Place): boolean =>
  path.split('/').length <= 3 || (/^\/message\/parts/.test(path) && !path.endsWith('metadata'));
const mostElsewhere = 1;

const extra = ({ path }: Place): readonly Flavour[] => {
  if (path.endsWith('/text')) return ['longest'];
  if (/(?:\/i|I)d$/.test(path)) return ['key'];
  return path.endsWith('/parts') ? ['many'] : [];
};

function schemaProbes(tools: ProbeTools, operations: readonly Operation[], operation: Operation): readonly Probe[] {
  const params = paramsOf(tools.dialect, operation);
  if (params === undefined) return [];
  const probe = (make: Probe['make']): Probe => ({ operations, make });
  const broken = params.breakables.flatMap((chosen): readonly Probe[] => {
    if (!isRead(tools, chosen.place)) return [];
    if (chosen.keyword === 'type') {
      const types = wrongTypes(chosen.place.shape);
      return isMain(chosen.place)
        ? types.map((type) =>
            probe((randomSource, op, names) => brokenAt(tools, randomSource, op, names, chosen, type)),
          )
        : Array.from({ length: mostElsewhere }, () =>
            probe((randomSource, op, names) => brokenAt(tools, randomSource, op, names, chosen)),
          );
    }
    return Array.from({ length: perKeyword[chosen.keyword] ?? 1 }, () =>
      probe((randomSource, op, names) => brokenAt(tools, randomSource, op, names, chosen)),
    );
  });
  const strange = params.places
    .filter((place) => place.path !== '' && isRead(tools, place))
    .flatMap((place) => {
      const all = flavoursOf(place.shape);
      const chosen = isMain(place) ? [...all, ...extra(place)] : all.slice(0, mostElsewhere).map(() => undefined);
      return chosen.map((flavour) =>
        probe((randomSource, op, names) => oddAt(tools, randomSource, op, names, place, flavour)),
      );
    });
  return [...broken, ...strange, ...inherited(tools, operations, params.places)];
}

/** Wire mutations that try to add a member to what all objects inherit from: see oracles/polluted.ts. */
const ancestors: readonly WireMutation[] = [
  { trick: 'hostile-member', name: '__proto__', value: '{"polluted":true}', where: 'first' },
  { trick: 'hostile-member', name: '__proto__', value: '{"polluted":true}', where: 'last' },
  { trick: 'hostile-member', name: 'constructor', value: '{"prototype":{"polluted":true}}', where: 'last' },
];

/** Agents copy and merge metadata of messages. Few requests have any, so it is added. */
const inherited = (tools: ProbeTools, operations: readonly Operation[], places: readonly Place[]): readonly Probe[] =>
  places
    .filter(({ path }) => operations.includes('send') && (path === '/metadata' || path === '/message/metadata'))
    .flatMap((place) =>
      ancestors.map(
        (trick): Probe => ({
          operations,
          make: (randomSource, operation, names) =>
            withWireMutation(tools.valid(randomSource, operation, names, wantedOf(place)), {
              ...trick,
              at: place.pointer,
            }),
        }),
      ),
    );

/**
 * The same request with more changes, in places that it has. An agent that fails on any of them fails on all of them at
 * once; shrinking shows which of them it was.
 */
export function loaded({ dialect, maxBytes }: ProbeTools, randomSource: RandomSource, step: CallStep): CallStep {
  const params = paramsOf(dialect, step.operation);
  const request = { params: step.params ?? {} };
  if (params === undefined) return step;
  const edits: Edit[] = [...(step.edits ?? [])];
  for (let tries = 6; tries > 0 && edits.length < 5; tries--) {
    const chosen = randomSource.chance(0.5) ? randomSource.pick(params.breakables) : undefined;
    const place = chosen?.place ?? randomSource.pick(params.places);
    if (place.path === '' || valueAt(request, place.pointer) === undefined) continue;
    if (edits.some(({ at }) => at.startsWith(place.pointer) || place.pointer.startsWith(at))) continue;
    const mutator = { randomSource, maxBytes: Math.min(maxBytes, 4096) };
    const more = (chosen === undefined ? odd(mutator, request, place) : breaking(mutator, request, chosen)) ?? [];
    if (isCarried(dialect, { ...step, edits: [...edits, ...more] })) edits.push(...more);
  }
  trust(edits);
  return { ...step, edits };
}

/** All kinds of mutations of all operations. Streams take the same params as sends, so they share probes. */
export function probesOf(operations: readonly Operation[], tools: ProbeTools): readonly Probe[] {
  const sends = operations.filter((operation) => operation === 'send' || operation === 'stream');
  const groups = [
    ...(sends.length === 0 ? [] : [sends]),
    ...operations.filter((operation) => operation !== 'send' && operation !== 'stream').map((operation) => [operation]),
  ];
  const schemas = groups.flatMap((group) => (group[0] === undefined ? [] : schemaProbes(tools, group, group[0])));
  const { dialect, maxBytes, valid } = tools;
  // The list always has the same length: only its values are drawn.
  const hasEnvelope = dialect.binding.requests === 'envelopes';
  const envelopes = (hasEnvelope ? envelopeEdits({ randomSource: createRandomSource(0), maxBytes }, '') : []).map(
    (_, at): Probe => ({
      operations,
      make(randomSource, operation, names) {
        const edit = envelopeEdits({ randomSource, maxBytes }, dialect.operations[operation]?.rpc ?? operation)[at];
        return edited(dialect, valid(randomSource, operation, names), edit === undefined ? [] : [edit]);
      },
    }),
  );
  const all = namesFor(dialect);
  const names = tools.sockets ? [...all.portable, ...all.sockets] : all.portable;
  // Reads show whether the agent accepts such a signature, and start no work.
  const signed = tools.signs && operations.includes('get') ? signedProbes(tools) : [];
  const tricks = names.flatMap((name) => {
    const usable = hasEnvelope
      ? operations
      : operations.filter((operation) => isUsable({ trick: name }, dialect, operation));
    return usable.length === 0
      ? []
      : Array.from(
          { length: shares[name] ?? 1 },
          (): Probe => ({
            operations: usable,
            make(randomSource, operation, known) {
              const step = valid(randomSource, operation, known);
              return withWireMutation(
                step,
                makeWireMutation(name, { randomSource, maxBytes, objects: objectsFor(dialect, step.params) }),
              );
            },
          }),
        );
  });
  return [...schemas, ...envelopes, ...tricks, ...signed];
}

function signedProbes({ maxBytes, valid }: ProbeTools): readonly Probe[] {
  // A deck: every form comes once before any comes twice.
  const dealt = createWeightedChoice();
  return signedMutationNames().flatMap((name) =>
    Array.from(
      { length: kindOf({ trick: name })?.share ?? 1 },
      (): Probe => ({
        operations: ['get'],
        make: (randomSource) =>
          withWireMutation(
            valid(randomSource, 'get', []),
            makeWireMutation(name, { randomSource: dealt(randomSource), maxBytes, objects: [] }),
          ),
      }),
    ),
  );
}
