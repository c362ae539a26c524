import { stateIn, taskIdIn } from '../kit/index.js';
import { isObject, type TaskState } from '../model/index.js';
import { bodyText, mediaType } from '../wire/index.js';
import type { Sent, Trace } from './trace.js';

// What is new about an answer, as numbers: each stands for one thing that an answer can have. Guidance needs no more than
// to see that a thing was not there before, so that hashes do: a rare collision hides one input.

/** Values below one path, among all answers: a path with more of them is free text, and tells nothing. */
const mostTexts = 48;
const mostPaths = 4096;
/** JSON values that are looked at in one answer. */
const mostValues = 1500;
/** Features that are counted; past that nothing is new. */
const mostFeatures = 100_000;
/** Longer texts are not compared. */
const longestText = 300;
/** An answer has to take so long, ms, and so many times as long as usual, to count as slow. */
const slowMs = 500;
const slowTimes = 8;

const seeded = 0x811c9dc5 | 0;
function hash(text: string, seed = seeded): number {
  let mixed = seed;
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return mixed;
}
const blend = (one: number, other: number): number => Math.imul(one ^ (other + 0x9e3779b9), 0x85ebca6b);

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value === 'object' ? 'object' : typeof value;

/** Ids, times and numbers tell nothing that the next answer could tell again. */
const isNoise = (text: string): boolean => /^[\d\W]*$/.test(text) || /^[0-9a-f-]{16,}$|^\d{4}-\d\d-\d\dT/i.test(text);

/** The words of a text that were not in what we sent: without ids, numbers, echoes. */
function wordsOf(text: string, sent: string): string {
  if (isNoise(text)) return '';
  const words = text.toLowerCase().match(/[a-z]{2,}/g) ?? [];
  return words
    .slice(0, 24)
    .filter((word) => !sent.includes(word))
    .join(' ');
}

/** What the answers of one trace have, before it is known what is usual. */
export interface Traits {
  readonly features: readonly number[];
  /** Path and words, in turns. */
  readonly texts: readonly number[];
  /** Operation, milliseconds. */
  readonly times: readonly (readonly [operation: string, ms: number])[];
}

/** Paths and types of a JSON value, arrays merged, and the words of its texts. Not by recursion: it may be deep. */
function shapeOf(value: unknown, root: number, sent: () => string, texts: number[]): number {
  const values: unknown[] = [value];
  const places: number[] = [root];
  const seen = new Set<number>();
  let shape = 0;
  for (let looked = 0; looked < mostValues && places.length > 0; looked++) {
    const one = values.pop();
    const path = places.pop() ?? 0;
    const typed = hash(typeOf(one), path);
    if (!seen.has(typed)) {
      seen.add(typed);
      shape = (shape + Math.imul(typed, 0x9e3779b1)) | 0;
    }
    if (typeof one === 'string') {
      if (one.length <= longestText && !isNoise(one)) texts.push(path, hash(wordsOf(one, sent())));
    } else if (Array.isArray(one)) {
      const inner = blend(path, 7);
      for (let at = 0; at < one.length && at < 64; at++) {
        values.push(one[at]);
        places.push(inner);
      }
    } else if (isObject(one)) {
      let members = 0;
      for (const name of Object.keys(one)) {
        if (++members > 64) break;
        values.push(one[name]);
        places.push(hash(isNoise(name) ? '*' : name, path));
      }
    }
  }
  return shape;
}

function answer({ exchange, reading, step }: Sent, sent: () => string, found: Set<number>, texts: number[]): void {
  const { response, failure } = exchange;
  const type = response && mediaType(response.headers);
  const head = hash(`${step.operation} ${response?.status} ${failure?.kind} ${type}`);
  found.add(head);
  let shape = head;
  for (const { value } of reading.envelopes.slice(0, 32)) {
    if (value === undefined) shape = blend(shape, 1);
    else {
      const error = isObject(value) && isObject(value['error']) ? value['error']['code'] : undefined;
      if (error !== undefined) found.add(hash(`code ${String(error).slice(0, 20)}`, head));
      shape = (shape + shapeOf(value, hash(step.operation), sent, texts)) | 0;
    }
  }
  found.add(shape);
}

/** How tasks moved from answer to answer. */
function moves(trace: Trace, found: Set<number>): void {
  const last = new Map<string, TaskState>();
  const saw = (operation: string, id: unknown, state: TaskState | undefined): void => {
    if (typeof id !== 'string' || state === undefined) return;
    const from = last.get(id);
    last.set(id, state);
    if (from !== state) found.add(hash(`${operation} ${from} ${state}`));
  };
  for (const { reading, step } of trace.sent) {
    if (reading.stream !== undefined) {
      for (const event of reading.stream.events) saw(step.operation, taskIdIn(event), stateIn(event));
      continue;
    }
    const { outcome } = reading;
    if (outcome.kind !== 'result' || !isObject(outcome.value)) continue;
    const task = isObject(outcome.value['task']) ? outcome.value['task'] : outcome.value;
    const status = isObject(task['status']) ? task['status'] : undefined;
    saw(step.operation, task['id'], status?.['state'] as TaskState | undefined);
  }
}

/** Depends on the trace and on nothing else. */
export function traitsOf(trace: Trace): Traits {
  const found = new Set<number>();
  const texts: number[] = [];
  let text: string | undefined;
  const sent = (): string => {
    text ??= trace.sent.map(({ body }) => bodyText(body.subarray(0, 8192)).toLowerCase()).join('\n');
    return text;
  };
  for (const one of trace.sent) answer(one, sent, found, texts);
  moves(trace, found);
  const times = trace.sent.map(({ step, exchange }) => [step.operation, exchange.durationMs] as const);
  return { features: [...found], texts, times };
}

/** What was seen in all answers so far. */
export interface Novelty {
  /** Counts what an answer has; gives what was never counted before. */
  note(traits: Traits): readonly number[];
  /** How often it was counted. */
  countOf(feature: number): number;
  /** Different ones so far. */
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
      const all = new Set(features);
      for (let at = 0; at + 1 < texts.length; at += 2) {
        const [path = 0, words = 0] = [texts[at], texts[at + 1]];
        if (isTelling(path, words)) all.add(blend(path, words));
      }
      for (const [operation, ms] of times) {
        const slow = slowness(operation, ms);
        if (slow > 0) all.add(hash(`slow ${operation} ${slow}`));
      }
      const fresh: number[] = [];
      for (const feature of all) {
        const count = counts.get(feature);
        if (count === undefined && counts.size >= mostFeatures) continue;
        if (count === undefined) fresh.push(feature);
        counts.set(feature, (count ?? 0) + 1);
      }
      return fresh;
    },
    countOf: (feature) => counts.get(feature) ?? 0,
    get size() {
      return counts.size;
    },
  };
}
