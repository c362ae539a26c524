import { stateIn, taskIdIn } from '../../kit/index.js';
import { isObject, memo, type TaskState } from '../../model/index.js';
import { bodyText, mediaType } from '../../wire/index.js';
import type { Sent, Trace } from '../execute/trace.js';

// Features of answers as numbers. Guidance only needs to know whether a feature was there before, so hashes are enough:
// a rare collision hides one case.

/** Different texts at one path, among all answers: a path with more of them is free text, and shows nothing. */
const mostTexts = 48;
const mostPaths = 4096;
/** JSON values that are looked at in one answer. */
const mostValues = 1500;
/** Features that are counted; past that nothing is new. */
const mostFeatures = 100_000;
/** Longer texts are not compared. */
const longestText = 300;
/** An answer is slow if it takes this long, ms, and this many times as long as usual. */
const slowMs = 500;
const slowTimes = 8;
/** A larger request takes as much time as a dozen others, at both ends. */
const bulkyBytes = 65_536;

const seeded = 0x811c9dc5 | 0;
function hash(text: string, seed = seeded): number {
  let mixed = seed;
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return mixed;
}
const blend = (first: number, second: number): number => Math.imul(first ^ (second + 0x9e3779b9), 0x85ebca6b);

const typeNumbers = {
  null: hash('null'),
  array: hash('array'),
  object: hash('object'),
  string: hash('string'),
  number: hash('number'),
  boolean: hash('boolean'),
};

/** The type of a JSON value. */
function typeOf(value: unknown): number {
  if (value === null) return typeNumbers.null;
  if (Array.isArray(value)) return typeNumbers.array;
  return typeNumbers[typeof value as keyof typeof typeNumbers];
}

/** Ids, times and numbers differ in each answer, so they show nothing. */
const isNoise = (text: string): boolean => /^[\d\W]*$/.test(text) || /^[0-9a-f-]{16,}$|^\d{4}-\d\d-\d\dT/i.test(text);

/** Hashes of member names, cached because they are mostly the same few; all ids among them count as one name. */
const nameNumber = memo(
  (name) => (name.length > longestText ? undefined : name),
  (name: string) => hash(isNoise(name) ? '*' : name),
  4096,
);

/** The words of a text, cached because agents mostly say the same. */
const wordsIn = memo(
  (text) => text,
  (text: string): readonly string[] => (text.toLowerCase().match(/[a-z]{2,}/g) ?? []).slice(0, 24),
  1024,
);

/** The words without ids and numbers, and without words that the kit sent: those would be echoes. */
function ownWords(text: string, sent: () => string): string {
  // Ids are new each time: they would push frequent texts out of the cache.
  if (isNoise(text)) return '';
  return wordsIn(text)
    .filter((word) => !sent().includes(word))
    .join(' ');
}

/** Where a feature was first seen in a trace. */
export interface Spot {
  /** Index of the step in its case. */
  readonly step: number;
  /** The answer was not a refusal: an accepted request leads on, a refused one has changed nothing. */
  readonly granted: boolean;
  /** The name of a member of metadata, if the feature is one. */
  readonly name?: string;
}

/** A feature that was never seen before. */
export interface Fresh extends Spot {
  readonly feature: number;
}

interface Text {
  readonly path: number;
  readonly words: number;
  readonly spot: Spot;
}

/** How long a step of a trace took. */
interface Taken {
  readonly step: number;
  readonly operation: string;
  readonly ms: number;
  /** No answer came in time, or the request is large. */
  readonly costly: boolean;
}

/** The features, texts and times of one trace, before it is known what is usual. */
export interface Traits {
  readonly features: ReadonlyMap<number, Spot>;
  readonly texts: readonly Text[];
  readonly times: readonly Taken[];
}

/** The features and texts found in one trace so far. */
interface Looking {
  readonly features: Map<number, Spot>;
  /** Each text once, at its first place. */
  readonly texts: Map<number, Text>;
  /** A hash of the words of a text that the kit did not send; undefined: there are none. */
  wordsOf(text: string): number | undefined;
  /** The kit sent a member of this name: in an answer it may be an echo. */
  isEcho(name: string): boolean;
}

function see({ features }: Looking, feature: number, spot: Spot): void {
  if (!features.has(feature)) features.set(feature, spot);
}

/**
 * Collects paths and types of a JSON value, arrays merged, and the words of its texts. Without recursion: it may be
 * deep.
 */
function look(value: unknown, root: number, spot: Spot, looking: Looking): void {
  const values: unknown[] = [value];
  const places: number[] = [root];
  const names: string[] = [''];
  for (let looked = 0; looked < mostValues && places.length > 0; looked++) {
    const item = values.pop();
    const path = places.pop() ?? 0;
    const own = names.pop();
    if (typeof item === 'string') {
      const words = item.length > longestText ? undefined : looking.wordsOf(item);
      if (words === undefined) continue;
      // A word by itself names something, such as a state. Sentences are new each time.
      const text = blend(path, words);
      if (looking.texts.has(text)) continue;
      const leads = !spot.granted || /^\S{1,40}$/.test(item);
      looking.texts.set(text, { path, words, spot: leads ? spot : { ...spot, granted: false } });
    } else if (Array.isArray(item)) {
      const inner = blend(path, 7);
      for (let at = 0; at < item.length && at < 64; at++) {
        values.push(item[at]);
        places.push(inner);
        names.push('');
      }
    } else if (isObject(item)) {
      let members = 0;
      for (const name of Object.keys(item)) {
        if (++members > 64) break;
        const value = item[name];
        const inner = blend(path, nameNumber(name));
        values.push(value);
        places.push(inner);
        names.push(name);
        const feature = blend(inner, typeOf(value));
        if (looking.features.has(feature) || looking.isEcho(name)) continue;
        looking.features.set(feature, own === 'metadata' ? { ...spot, name } : spot);
      }
    }
  }
}

function answer({ exchange, reading, step, place }: Sent, looking: Looking): void {
  const { response, failure } = exchange;
  const type = response && mediaType(response.headers);
  const head = hash(`${step.operation} ${response?.status} ${failure?.kind} ${type}`);
  const granted = failure === undefined && response !== undefined && response.status < 300;
  see(looking, head, { step: place[0], granted });
  for (const { value } of reading.replies.slice(0, 32)) {
    const isEnd = isObject(value) && Object.hasOwn(value, 'grpc-status');
    const error = isEnd
      ? value['grpc-status']
      : isObject(value) && isObject(value['error'])
        ? value['error']['code']
        : undefined;
    const isMessage = exchange.request.http2 === true && !isEnd;
    const isResult = granted && isObject(value) && (isMessage || Object.hasOwn(value, 'result'));
    const spot = { step: place[0], granted: isResult };
    if (error !== undefined) see(looking, hash(`code ${String(error).slice(0, 20)}`, head), spot);
    if (value === undefined) see(looking, blend(head, 1), spot);
    // A result counts the same, whichever operation returned it.
    else look(value, hash(isResult ? 'result' : step.operation), spot, looking);
  }
}

/** Collects how tasks changed their state from answer to answer. */
function moves(trace: Trace, looking: Looking): void {
  const last = new Map<string, TaskState>();
  const saw = ({ step: { operation }, place }: Sent, id: unknown, state: TaskState | undefined): void => {
    if (typeof id !== 'string' || state === undefined) return;
    const from = last.get(id);
    last.set(id, state);
    if (from !== state) see(looking, hash(`${operation} ${from} ${state}`), { step: place[0], granted: true });
  };
  for (const sent of trace.sent) {
    const { reading } = sent;
    if (reading.stream !== undefined) {
      for (const event of reading.stream.events) saw(sent, taskIdIn(event), stateIn(event));
      continue;
    }
    const { outcome } = reading;
    if (outcome.kind !== 'result' || !isObject(outcome.value)) continue;
    const task = isObject(outcome.value['task']) ? outcome.value['task'] : outcome.value;
    const status = isObject(task['status']) ? task['status'] : undefined;
    saw(sent, task['id'], status?.['state'] as TaskState | undefined);
  }
}

function memoized<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const before = made.get(text);
    if (before !== undefined || made.has(text)) return before as T;
    const value = make(text);
    made.set(text, value);
    return value;
  };
}

/** The traits of a trace; they depend on nothing else. */
export function traitsOf(trace: Trace): Traits {
  let text: string | undefined;
  let quoted: ReadonlySet<string> | undefined;
  /** The request bodies in lower case, of each the first 8 KiB. */
  const sent = (): string => {
    text ??= trace.sent.map(({ body }) => bodyText(body.subarray(0, 8192)).toLowerCase()).join('\n');
    return text;
  };
  // The answers of one trace mostly repeat each other.
  const looking: Looking = {
    features: new Map(),
    texts: new Map(),
    wordsOf: memoized((found) => {
      const words = ownWords(found, sent);
      return words === '' ? undefined : hash(words);
    }),
    isEcho: memoized((name) => {
      // All texts between quotation marks, found once for all names.
      quoted ??= new Set(sent().split('"').slice(1, -1));
      return quoted.has(name.toLowerCase());
    }),
  };
  for (const request of trace.sent) answer(request, looking);
  moves(trace, looking);
  const times = trace.sent.map(
    ({ step: { operation }, place: [step], body, exchange: { durationMs: ms, failure } }) => ({
      operation,
      ms,
      costly: failure?.kind === 'timeout' || body.length > bulkyBytes,
      step,
    }),
  );
  return { features: looking.features, texts: [...looking.texts.values()], times };
}

/** What was new in one trace. */
export interface Noted {
  /** Features that were never counted before. */
  readonly fresh: readonly Fresh[];
  /** Index of the first step that took much longer than usual, was not answered at all, or is large. */
  readonly slowAt?: number;
}

/** Counts features of all answers so far. */
export interface Novelty {
  /** Counts the features of one trace. */
  note(traits: Traits): Noted;
  /** How often a feature was counted. */
  countOf(feature: number): number;
  /** Different features so far. */
  readonly size: number;
}

export function createNovelty(): Novelty {
  const counts = new Map<number, number>();
  const known = new Map<number, Set<number>>();
  const usual = new Map<string, number>();

  function isTelling(path: number, words: number): boolean {
    const texts = known.get(path);
    if (texts === undefined) {
      if (known.size >= mostPaths) return false;
      known.set(path, new Set([words]));
      return true;
    }
    if (texts.has(words)) return true;
    if (texts.size >= mostTexts) return false;
    texts.add(words);
    return true;
  }

  function slowness(operation: string, ms: number): number {
    const before = usual.get(operation);
    usual.set(operation, before === undefined ? ms : before + (ms - before) / 16);
    if (before === undefined || ms < slowMs || ms < slowTimes * Math.max(1, before)) return 0;
    return Math.ceil(Math.log2(ms / slowMs) / 2) + 1;
  }

  return {
    note({ features, texts, times }) {
      const more = new Map<number, Spot>();
      const add = (feature: number, spot: Spot): void => {
        if (!features.has(feature) && !more.has(feature)) more.set(feature, spot);
      };
      for (const { path, words, spot } of texts) if (isTelling(path, words)) add(blend(path, words), spot);
      let slowAt: number | undefined;
      for (const { operation, ms, costly, step } of times) {
        const slow = slowness(operation, ms);
        if (slow > 0 || costly) slowAt = Math.min(step, slowAt ?? step);
        // Not granted: a case that is followed because it is slow is slow each time, and waiting leads nowhere.
        if (slow > 0) add(hash(`slow ${operation} ${slow}`), { step, granted: false });
      }
      const fresh: Fresh[] = [];
      for (const all of [features, more]) {
        for (const [feature, { step, granted, name }] of all) {
          const count = counts.get(feature);
          if (count === undefined && counts.size >= mostFeatures) continue;
          if (count === undefined) fresh.push({ feature, step, granted, ...(name === undefined ? {} : { name }) });
          counts.set(feature, (count ?? 0) + 1);
        }
      }
      return { fresh, ...(slowAt === undefined ? {} : { slowAt }) };
    },
    countOf: (feature) => counts.get(feature) ?? 0,
    get size() {
      return counts.size;
    },
  };
}
