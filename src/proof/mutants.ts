import type { MethodPlace } from '../binding/index.js';
import {
  type AnswerPlace,
  changesAt,
  messageChanges,
  placesOfValue,
  textChanges,
  type Value,
  withAt,
} from '../fuzz/index.js';
import { type Law, type Mutation, type Reading, readAgain, repliesOf, type Target } from '../kit/index.js';
import { isObject, isString } from '../model/index.js';
import { type Taped, verdictOf } from '../run/index.js';
import { type Exchange, type Header, mediaType } from '../wire/index.js';
import {
  type AnswerValue,
  blocksOf,
  eventsAmong,
  framesOf,
  grpcMethodOf,
  isEvents,
  toldIn,
  withBody,
  withFrames,
  withResponse,
} from './answers.js';

// Laws are proven on recorded answers: each answer of an agent is changed at each of its places, and a law that fails by
// it can fail. No agent has to run for that.

/** One recorded answer with one thing changed. */
interface Mutant {
  /** The same for the same change at the same place of the same kind of answer. */
  readonly id: string;
  /** Of the exchange on the tape. */
  readonly at: number;
  /** Undefined: the answer cannot have it. */
  make(): Exchange | undefined;
}

/** A kind of answers, for people: "get", "send refused as InvalidParams", "card". */
function kindOf({ exchange, operation, outcome, valid }: Reading, { cardExchange }: Target): string {
  if (exchange.id === cardExchange?.id) return 'card';
  if (exchange.fetches !== undefined) return `GET of ${exchange.fetches}`;
  const what = operation ?? (exchange.call === undefined ? exchange.request.method : 'call');
  const how = outcome.kind === 'refusal' ? ` refused as ${outcome.error ?? 'unknown'}` : ` ${outcome.kind}`;
  const came = outcome.kind === 'result' ? '' : how;
  return `${valid || outcome.kind === 'refusal' ? '' : 'broken '}${what}${came}`;
}

/** A word of an enum, which decides what a law says. */
const isWord = (value: unknown): value is string => isString(value) && /^[A-Za-z][A-Za-z_-]{2,40}$/.test(value);

const featureOf = ({ path, value }: AnswerPlace): string =>
  isWord(value)
    ? `${path} (${value})`
    : `${path} ${Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value}`;

/** Other values that are put in a place. */
const mostOthers = 6;
/** Answers that have the same place of the same kind, and are changed there. */
const mostAlike = 2;

interface Specimen {
  readonly reading: Reading;
  readonly at: number;
  readonly kind: string;
  readonly answerValues: readonly AnswerValue[];
}

const placeOf = (kind: string, { where }: AnswerValue): string => (where === '' ? kind : `${where} of ${kind}`);

/** Bytes of an answer that is changed: in a long one each change costs more, and shows the same. */
const longest = 8 * 1024;

/** The answers of a tape that can be changed. */
function specimensOf({ readings, target }: Taped): readonly Specimen[] {
  return readings.flatMap((reading, at): readonly Specimen[] => {
    const { exchange } = reading;
    const isCard = exchange.id === target.cardExchange?.id;
    if (exchange.response === undefined || (exchange.purpose === 'detection' && !isCard)) return [];
    if (exchange.response.body.length > longest && !isCard) return [];
    return [{ reading, at, kind: kindOf(reading, target), answerValues: toldIn(exchange) }];
  });
}

/** The values that answers have at each place. */
function valuesAt(specimens: readonly Specimen[]): ReadonlyMap<string, readonly Value[]> {
  const found = new Map<string, Map<string, Value>>();
  for (const { kind, answerValues } of specimens)
    for (const item of answerValues)
      for (const { path, value } of placesOfValue(item.value)) {
        if (isObject(value) || Array.isArray(value)) continue;
        const key = `${kind} ${path}`;
        const values = found.get(key) ?? new Map<string, Value>();
        found.set(key, values);
        if (values.size <= mostOthers) values.set(JSON.stringify(value), value);
      }
  return new Map([...found].map(([key, values]) => [key, [...values.values()]]));
}

function* inValues(specimens: readonly Specimen[], isWanted: (start: string) => boolean): Generator<Mutant, void> {
  let values: ReturnType<typeof valuesAt> | undefined;
  const seen = new Map<string, number>();
  for (const { kind, answerValues, at } of specimens)
    for (const item of answerValues) {
      const where = placeOf(kind, item);
      // From the inside out: what breaks one member shows most clearly which law judges it.
      for (const place of [...placesOfValue(item.value)].reverse()) {
        const called = isWord(place.value) ? `${place.path} (${place.value})` : place.path;
        const start = `${where} ${called === '' ? '/' : called}: `;
        if (!isWanted(start)) continue;
        const feature = `${where} ${featureOf(place)}`;
        const times = seen.get(feature) ?? 0;
        if (times >= mostAlike) continue;
        seen.set(feature, times + 1);
        values ??= valuesAt(specimens);
        const others = (values.get(`${kind} ${place.path}`) ?? []).filter((value) => value !== place.value);
        const was = JSON.stringify(item.value);
        for (const [change, make] of changesAt(place, others.slice(0, mostOthers))) {
          yield {
            id: `${start}${change.replace(/^as (?!"[A-Za-z][A-Za-z_-]{2,40}"$).*/, 'as another')}`,
            at,
            make() {
              const json = make(item.value);
              return json === undefined || json === was ? undefined : item.put(json);
            },
          };
        }
      }
    }
}

const statuses = [200, 202, 204, 302, 400, 401, 403, 404, 409, 415, 429, 500, 503];
const types = ['text/plain', 'application/json', 'text/event-stream', 'application/octet-stream'];

function* ofHeaders(
  headers: readonly Header[],
  put: (headers: readonly Header[]) => Exchange,
): Generator<readonly [string, () => Exchange | undefined], void> {
  for (const [index, [name, value]] of headers.entries()) {
    const others = headers.filter((_, at) => at !== index);
    const as = (other: string) => put(headers.with(index, [name, other]));
    yield [`${name}: missing`, () => put(others)];
    yield [`${name}: empty`, () => as('')];
    yield [`${name}: longer`, () => as(`${value}x`)];
    yield [`${name}: tck`, () => as('tck')];
    yield [`${name}: without quotes`, () => as(value.replaceAll('"', ''))];
    yield [`${name}: with a percent sign`, () => as(`${value}, 100% sure`)];
    yield [`${name}: 0`, () => as('0')];
    yield [`${name}: 2`, () => as('2')];
    yield [`${name}: twice`, () => put([...headers, [name, value]])];
    if (name.toLowerCase() === 'content-type') for (const type of types) yield [`${name}: ${type}`, () => as(type)];
  }
}

function* ofStream(exchange: Exchange): Generator<readonly [string, () => Exchange | undefined], void> {
  const blocks = isEvents(exchange) ? blocksOf(exchange) : framesOf(exchange);
  const put = (made: readonly (string | Uint8Array)[]) =>
    withBody(exchange, new Uint8Array(Buffer.concat(made.map((item) => Buffer.from(item)))));
  const events = isEvents(exchange) ? eventsAmong(blocks as readonly string[]) : blocks.map((_, at) => at);
  const order = events.flatMap((at) => blocks[at] ?? []);
  if (order.length > 1) {
    yield ['without the first event', () => put(order.slice(1))];
    yield ['without the last event', () => put(order.slice(0, -1))];
    yield ['the first event again', () => put([...order, order[0] ?? ''])];
    yield ['each event twice', () => put(order.flatMap((item) => [item, item]))];
    yield ['events backwards', () => put([...order].reverse())];
    yield ['the last event first', () => put([order.at(-1) ?? '', ...order.slice(0, -1)])];
    for (let at = 1; at < order.length - 1; at++) yield ['without an event', () => put(order.toSpliced(at, 1))];
    yield ['no event', () => put([])];
  }
  if (!isEvents(exchange)) return;
  const text = (order as readonly string[]).join('');
  const lines = (change: (text: string) => string) => put([change(text)]);
  yield ['data without its name', () => lines((all) => all.replaceAll('data: ', ''))];
  yield ['Data', () => lines((all) => all.replaceAll('data:', 'Data:'))];
  yield ['one line end between events', () => lines((all) => all.replaceAll('\n\n', '\n'))];
  yield ['no end', () => lines((all) => all.trimEnd())];
  yield ['data over two lines', () => lines((all) => all.replaceAll(/^(data: .{20})/gm, '$1\n'))];
  yield [
    'plain JSON',
    () => put([(order as readonly string[]).map((text) => text.replace(/^data: ?/gm, '')).join('')]),
  ];
}

function* ofMessages(exchange: Exchange, method: MethodPlace): Generator<readonly [string, () => Exchange], void> {
  const { table, method: names } = method;
  const asAnswer: MethodPlace = {
    table,
    method: [names[1], names[1], ...names.slice(2)] as unknown as MethodPlace['method'],
  };
  const frames = framesOf(exchange);
  const [first] = frames;
  if (first === undefined) return;
  for (const [name, change, part] of messageChanges(asAnswer)) {
    if (part === 'body') yield [name, () => withFrames(exchange, [change(first), ...frames.slice(1)])];
    else yield [name, () => withFrames(exchange, [prefixed(change(first.subarray(5))), ...frames.slice(1)])];
  }
}

const prefixed = (data: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(5 + data.length);
  new DataView(bytes.buffer).setUint32(1, data.length);
  bytes.set(data, 5);
  return bytes;
};

/** Changes to a whole answer: its status, headers, bytes and events. */
function* ofWhole(exchange: Exchange): Generator<readonly [string, () => Exchange | undefined], void> {
  const { response } = exchange;
  if (response === undefined) return;
  const { headers, trailers } = response;
  for (const status of statuses)
    if (status !== response.status) yield [`status ${status}`, () => withResponse(exchange, { status })];
  yield* ofHeaders(headers, (made) => withResponse(exchange, { headers: made }));
  if (trailers !== undefined) {
    yield ['without trailers', () => withResponse(exchange, { trailers: [] })];
    yield* ofHeaders(trailers, (made) => withResponse(exchange, { trailers: made }));
  }
  yield ['no body', () => withBody(exchange, new Uint8Array(0))];
  yield* ofStream(exchange);
  const method = grpcMethodOf(exchange);
  if (method !== undefined) yield* ofMessages(exchange, method);
  else if (response.body.length > 0)
    for (const [name, change] of textChanges)
      yield [name, () => withBody(exchange, new Uint8Array(change(response.body)))];
}

/** One refusal of each error on the tape. */
function refusalsIn(specimens: readonly Specimen[]): readonly Reading[] {
  const byName = new Map<string, Reading>();
  for (const { reading } of specimens)
    if (reading.outcome.kind === 'refusal' && reading.outcome.error !== undefined && !byName.has(reading.outcome.error))
      byName.set(reading.outcome.error, reading);
  return [...byName.values()];
}

/** The exchange with the answer to another request, under its own id. */
function answeredAs({ exchange, rpcId }: Reading, other: Reading): Exchange | undefined {
  const { response } = other.exchange;
  if (response === undefined || other.exchange === exchange) return undefined;
  const [was, own] = [JSON.stringify(other.rpcId), JSON.stringify(rpcId)];
  if (was === undefined || own === undefined) return { ...exchange, response };
  const body = Buffer.from(response.body).toString('utf8').replace(`"id":${was}`, `"id":${own}`);
  return withBody({ ...exchange, response }, new Uint8Array(Buffer.from(body)));
}

function* inWholes(specimens: readonly Specimen[], isWanted: (start: string) => boolean): Generator<Mutant, void> {
  const seen = new Map<string, number>();
  const refusals = refusalsIn(specimens);
  for (const { kind, reading, at, answerValues } of specimens) {
    if (!isWanted(`${kind}: `)) continue;
    const { response } = reading.exchange;
    // A stream has more to change than one event has.
    const size = Math.min(answerValues.length, 3);
    const feature = `${kind} ${size} ${response?.status} ${mediaType(response?.headers ?? [])}`;
    const times = seen.get(feature) ?? 0;
    if (times >= mostAlike) continue;
    seen.set(feature, times + 1);
    for (const [change, make] of ofWhole(reading.exchange)) yield { id: `${kind}: ${change}`, at, make };
    for (const other of refusals) {
      const name = other.outcome.kind === 'refusal' ? other.outcome.error : undefined;
      yield { id: `${kind}: refused as ${name}`, at, make: () => answeredAs(reading, other) };
    }
  }
}

/** Most answers that are tried for one change of a law's own. */
const mostOwn = 60;

/** The mutants that a law lists beside itself. */
function* ownOf({ own }: Pick<Law, 'own'>, specimens: readonly Specimen[]): Generator<Mutant, void> {
  for (const mutation of own) {
    const count = new Map<string, number>();
    const isFull = (kind: string): boolean => {
      const times = count.get(kind) ?? 0;
      count.set(kind, times + 1);
      return times >= mostOwn;
    };
    for (const { kind, answerValues, at, reading } of specimens) {
      if (mutation.kind === 'member') {
        for (const value of answerValues) {
          const where = placeOf(kind, value);
          for (const [path, json] of setIn(mutation, value.value))
            if (!isFull(where)) yield { id: `${where} ${path}: ${mutation.about}`, at, make: () => value.put(json) };
        }
      } else if (!isFull(kind)) {
        const { exchange } = reading;
        yield { id: `${kind}: ${mutation.about}`, at, make: () => changedBy(mutation, exchange) };
      }
    }
  }
}

function changedBy(item: Exclude<Mutation, { kind: 'member' }>, exchange: Exchange): Exchange | undefined {
  const { response } = exchange;
  if (response === undefined) return undefined;
  if (item.kind === 'text') {
    const was = Buffer.from(response.body).toString('utf8');
    const made = item.make(was);
    return made === was ? undefined : withBody(exchange, new Uint8Array(Buffer.from(made)));
  }
  const { name, value } = item;
  const others = response.headers.filter(([found]) => found.toLowerCase() !== name);
  return withResponse(exchange, { headers: value === undefined ? others : [...others, [name, value]] });
}

/** The JSON texts of a value in which the member at a path of its own is changed, with the place. */
function* setIn(item: Extract<Mutation, { kind: 'member' }>, root: Value): Generator<readonly [string, string], void> {
  const name = item.path.at(-1) ?? '';
  const way = item.path.slice(0, -1);
  for (const { pointer, path, value } of placesOfValue(root)) {
    if (!isObject(value)) continue;
    const steps = path.split('/').filter((step) => step !== '' && step !== '*');
    if (way.some((step, index) => steps.at(index - way.length) !== step)) continue;
    const old = (value as { readonly [member: string]: Value })[name];
    const made = item.make(old);
    if (made === old) continue;
    const next = withAt(root, `${pointer}/${name}`, made as Value | undefined);
    if (next !== undefined) yield [`${path}/${name}`, JSON.stringify(next)];
  }
}

/** The verdict on a stored mutant; `absent`: no answer has its place. */
export type Replayed = 'killed' | 'survived' | 'absent';

/** What to do with a tape. It can be sent to another thread. */
export interface Tasks {
  /** By the law: the mutant by which it failed in the stored proof. */
  readonly replay: Readonly<Record<string, string>>;
  /** Laws of which nothing is known. */
  readonly search: readonly string[];
  /** Changes that laws list beside themselves, each of which must make its law fail, as `ownChanges` names them. */
  readonly own?: readonly string[];
}

/** What mutants of a tape have shown. */
export interface Shown {
  readonly replayed: Readonly<Record<string, Replayed>>;
  /** By the law: the first mutant by which it fails. */
  readonly found: Readonly<Record<string, string>>;
  /** Those of `Tasks.own` for which an answer has a place: whether they made their laws fail. */
  readonly own: Readonly<Record<string, boolean>>;
}

/** The changes that a law lists beside itself, each with its name. */
export const ownChanges = ({ id, own }: Pick<Law, 'id' | 'own'>): readonly (readonly [string, Mutation])[] =>
  own.map((mutation, at) => [`${at + 1} of law ${id} (${mutation.about})`, mutation]);

export function tryMutants(taped: Taped, { replay, search, own = [] }: Tasks): Shown {
  const { readings, target, dialect } = taped;
  const specimens = specimensOf(taped);
  const byId = new Map(taped.laws.map((planned) => [planned.rule.id, planned]));
  const replayed: Record<string, Replayed> = {};
  const found: Record<string, string> = {};

  /** The changed answer, and the card that it is. */
  function changed({ at, make }: Mutant) {
    const original = readings[at];
    const exchange = original === undefined ? undefined : make();
    if (original === undefined || exchange === undefined) return undefined;
    const reading = readAgain(original, exchange);
    const tape = readings.with(at, reading);
    if (exchange.id !== target.cardExchange?.id) return { reading, tape, target };
    const [card] = repliesOf(exchange);
    const document = card?.type === 'json' ? card.value : undefined;
    const read = document === undefined ? undefined : dialect.card.decode(document);
    return {
      reading,
      tape,
      target: {
        ...target,
        cardExchange: exchange,
        cardDocument: document,
        ...(read === undefined ? {} : { card: read }),
      },
    };
  }
  const isKilled = (law: string, made: NonNullable<ReturnType<typeof changed>>): boolean => {
    const planned = byId.get(law);
    const scene = { ...taped, target: made.target };
    return planned !== undefined && verdictOf(planned, scene, made.reading, made.tape) === 'broken';
  };

  const known = new Map<string, string[]>();
  for (const [law, id] of Object.entries(replay)) {
    if (!byId.has(law)) continue;
    known.set(id, [...(known.get(id) ?? []), law]);
    replayed[law] = 'absent';
  }
  function* ownOfAll(laws: Iterable<string>): Generator<Mutant & { readonly only: string }, void> {
    for (const law of laws) {
      const rule = byId.get(law)?.rule as Law | undefined;
      if (rule !== undefined && rule.own.length > 0)
        for (const mutant of ownOf(rule, specimens)) yield { ...mutant, only: law };
    }
  }
  const all = (
    laws: readonly string[],
    isWanted: (start: string) => boolean,
  ): readonly Iterable<Mutant & { readonly only?: string }>[] => [
    ownOfAll(laws),
    inValues(specimens, isWanted),
    inWholes(specimens, isWanted),
  ];
  const ids = [...known.keys()];
  if (known.size > 0) {
    for (const item of joined(all(Object.keys(replayed), (start) => ids.some((id) => id.startsWith(start))))) {
      const open = (known.get(item.id) ?? []).filter((law) => replayed[law] !== 'killed');
      if (open.length === 0) continue;
      const made = changed(item);
      for (const law of open) replayed[law] = made !== undefined && isKilled(law, made) ? 'killed' : 'survived';
    }
  }
  const missed = Object.keys(replayed).filter((law) => replayed[law] !== 'killed');
  const open = new Set([...search, ...missed].filter((law) => byId.has(law)));
  const held = open.size === 0 ? [] : heldBy(taped, [...open]);
  for (const some of open.size === 0 ? [] : all([...open], () => true)) {
    const tries = new Map<string, number>();
    for (const item of some) {
      if (open.size === 0) break;
      const tried = (item.only === undefined ? [...(held[item.at] ?? [])] : [item.only]).filter(
        (law) => open.has(law) && (tries.get(law) ?? 0) < mostTries,
      );
      const made = tried.length === 0 ? undefined : changed(item);
      if (made === undefined) continue;
      for (const law of tried) {
        tries.set(law, (tries.get(law) ?? 0) + 1);
        if (!isKilled(law, made)) continue;
        found[law] = item.id;
        open.delete(law);
      }
    }
  }
  const killing: Record<string, boolean> = {};
  for (const [law, { rule }] of byId)
    for (const [name, member] of ownChanges(rule as Law).filter(([name]) => own.includes(name)))
      for (const mutant of ownOf({ own: [member] }, specimens)) {
        const made = changed(mutant);
        if (made === undefined) continue;
        killing[name] = isKilled(law, made);
        if (killing[name]) break;
      }
  return { replayed, found, own: killing };
}

function* joined<T>(all: readonly Iterable<T>[]): Generator<T, void> {
  for (const some of all) yield* some;
}

/** Most changes of one sort by which a law is tried. */
const mostTries = 2000;

/** The laws that hold on each answer: on these they judge something. */
const heldBy = (taped: Taped, laws: readonly string[]): readonly ReadonlySet<string>[] => {
  const planned = taped.laws.filter(({ rule }) => laws.includes(rule.id));
  return taped.readings.map(
    (reading) =>
      new Set(
        planned
          .filter((plannedRule) => verdictOf(plannedRule, taped, reading, taped.readings) === 'holds')
          .map(({ rule }) => rule.id),
      ),
  );
};
