import type { Document, Reading } from '../../kit/index.js';
import { isObject, isString, member, type Operation, weakMemo } from '../../model/index.js';
import type { CallStep, Edit } from '../case/case.js';
import { parentOf, stepsOf } from '../case/pointer.js';
import type { Sent, Trace } from '../execute/trace.js';
import type { OracleContext } from './oracle.js';
import { saidIn } from './symptom.js';
import { mayTakeEffect } from './task-observations.js';

// Answers as the laws should see them. The suites send few broken requests and know each of them; a fuzzer sends little
// else, so what an agent repeats of them must not be taken for its own words.

/** The operation that was answered; undefined where another method was sent than that of the step. */
function operationOf({ step, request, reading }: Sent, oracleContext: OracleContext): Operation | undefined {
  const method = member(request, 'method');
  if (request !== undefined && method !== oracleContext.dialect.operations[step.operation]?.rpc) return undefined;
  return reading.operation;
}

/** The id that the answer must carry; undefined where it is unknown. */
function idOf({ step, request, demand }: Sent): { readonly rpcId: unknown } | undefined {
  // Wire mutations may send two ids, or none that can be read.
  if ((demand !== 'valid' && (step.tricks ?? []).length > 0) || !isObject(request) || !Object.hasOwn(request, 'id'))
    return undefined;
  const rpcId = request['id'];
  // UTF-8 has no lone surrogates (RFC 3629 §3): an agent that reads one may not be able to return it.
  return isString(rpcId) && /\p{Cs}/u.test(rpcId) ? undefined : { rpcId };
}

/** A number in another notation, such as 1e-400, may be an integer for the kit only. */
const isWrittenOut = ({ value }: Edit): boolean => {
  const raw = member(value, '$raw');
  return raw === undefined || (isString(raw) && /^(-?\d+|".*")$/s.test(raw));
};

/** Strings and integers are ids, however odd they look (JSON-RPC 2.0 §4). */
const hasOddId = ({ step: { edits = [], tricks = [] }, request }: Sent): boolean => {
  if (edits.length === 0 || tricks.length > 0 || edits.some(({ at }) => at !== '/id')) return false;
  if (!edits.every(isWrittenOut)) return false;
  const id = member(request, 'id');
  return isString(id) || Number.isSafeInteger(id);
};

/**
 * Whether the request counts as valid, also where any answer is right because an agent may lack the method: the content
 * of its answer is its own.
 */
export const isValid = (sent: Sent): boolean =>
  sent.unresolved.length === 0 && (sent.demand === 'valid' || sent.reading.valid || hasOddId(sent));

type RequestFacts = Pick<Reading, 'operation' | 'valid' | 'rpcId' | 'sentId'>;

/** A reading with more knowledge of its request. The answer is still parsed lazily. */
class View implements Reading {
  readonly exchange: Reading['exchange'];
  readonly isCall: boolean;
  readonly operation: Operation | undefined;
  readonly valid: boolean;
  readonly rpcId: unknown;
  readonly sentId: boolean;
  protected readonly base: Reading;
  constructor(base: Reading, { operation, valid, rpcId, sentId }: RequestFacts) {
    this.exchange = base.exchange;
    this.isCall = base.isCall;
    this.operation = operation;
    this.valid = valid;
    this.rpcId = rpcId;
    this.sentId = sentId;
    this.base = base;
  }
  get replies(): Reading['replies'] {
    return this.base.replies;
  }
  get outcome(): Reading['outcome'] {
    return this.base.outcome;
  }
  get documents(): Reading['documents'] {
    return this.base.documents;
  }
  get stream(): Reading['stream'] {
    return this.base.stream;
  }
  get utf8(): Reading['utf8'] {
    return this.base.utf8;
  }
}

/** The reading, corrected by what was really sent. */
export function viewOf(sent: Sent, oracleContext: OracleContext): Reading {
  const { reading } = sent;
  const id = idOf(sent);
  const [operation, valid] = [operationOf(sent, oracleContext), isValid(sent)];
  const isSame =
    operation === reading.operation &&
    valid === reading.valid &&
    (id !== undefined) === reading.sentId &&
    id?.rpcId === reading.rpcId;
  if (isSame) return reading;
  return new View(reading, { operation, valid, rpcId: id?.rpcId, sentId: id !== undefined });
}

/** Whether all ids that the request names come from this trace. */
const namesOwn = weakMemo(({ operation, params = null }: CallStep): boolean => {
  if (operation === 'list') return false;
  const names = JSON.stringify(params);
  return !/"(id|taskId|contextId|name)":"/.test(names) && !/"referenceTaskIds":\["/.test(names);
});

/** AMB03-26, AMB10-11: a message that names a task and another context may be refused, or taken unchanged. */
function isAskew({ step }: Sent): boolean {
  const message = member(step.params, 'message');
  const [task, context] = [member(message, 'taskId'), member(message, 'contextId')];
  if (task === undefined || context === undefined) return false;
  const nameOf = (id: unknown) => String(member(id, '$ref')).split('.')[0];
  return !isObject(task) || !isObject(context) || nameOf(task) !== nameOf(context);
}

/** Whether the answer shows the message of a request, which an agent may keep although it refused it. */
function isShown({ step, request }: Sent, { exchange }: Sent): boolean {
  if (step.operation !== 'send' && step.operation !== 'stream') return false;
  const id = member(member(member(request, 'params'), 'message'), 'messageId');
  return isString(id) && id.length > 3 && Buffer.from(exchange.response?.body ?? []).includes(id);
}

/** Whether the answer shows only what valid requests of this trace, or the agent, have said. */
export function isOurs(trace: Trace, sent: Sent): boolean {
  if (!namesOwn(sent.step)) return false;
  return trace.sent.every((request) => {
    if (request !== sent && request.sentAt > sent.endedAt) return true;
    if (request !== sent && !mayTakeEffect(request) && !isShown(request, sent)) return true;
    return (request === sent || isValid(request)) && !isAskew(request);
  });
}

/** Members that the agent itself writes, whatever was sent to it. */
const agentsOwn =
  /^(\/tasks\/\d+|\/task|\/statusUpdate|\/artifactUpdate)?(\/(id|kind|taskId|status|status\/state|status\/timestamp|artifacts|history|nextPageToken|totalSize|pageSize|tasks|final|append|lastChunk))?$/;

function at(document: unknown, path: string): unknown {
  let found: unknown = document;
  for (const step of stepsOf(path)) found = Array.isArray(found) ? found[Number(step)] : member(found, step);
  return found;
}

/** JSON text; undefined: nested too deeply for the stack, which only the kit sends. */
function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Whether the JSON text is certainly longer than `most`. Reads no more of the value than this needs. */
function isLonger(value: unknown, most: number): boolean {
  let least = 0;
  const waiting: unknown[] = [value];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    // At least this long: a text and its quotes, one character for anything else; a comma or a bracket follows.
    least += typeof item === 'string' ? item.length + 2 : 1;
    if (least > most) return true;
    if (typeof item !== 'object' || item === null) continue;
    for (const name in item) {
      const inner: unknown = (item as Readonly<Record<string, unknown>>)[name];
      if (!Array.isArray(item)) least += name.length + 3;
      waiting.push(inner);
      if (least + waiting.length > most) return true;
    }
  }
  return false;
}

/** The texts that were sent in a trace, which an answer may repeat. */
class SentTexts {
  readonly #texts: readonly string[];
  readonly #longest: number;
  /** Results so far: many findings of one document have one parent. */
  readonly #known = new Map<unknown, boolean>();
  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  }
  /** Whether a request of the trace contains the literal value. */
  repeats(value: unknown): boolean {
    if (value === undefined || value === null || value === '' || typeof value === 'boolean') return false;
    const before = this.#known.get(value);
    if (before !== undefined) return before;
    const is = !isLonger(value, this.#longest) && this.#holds(written(value));
    this.#known.set(value, is);
    return is;
  }
  #holds(text: string | undefined): boolean {
    return text === undefined || (text.length > 3 && this.#texts.some((value) => value.includes(text)));
  }
}

function withoutEchoes(document: Document, isOwn: boolean, texts: () => SentTexts): Document {
  const { inspection } = document;
  const { findings } = inspection;
  if (findings.length === 0 || document.of === 'error') return document;
  const kept = findings.filter(({ path }) => {
    if (agentsOwn.test(path)) return true;
    if (!isOwn) return false;
    // A missing member is named by its place: the object that lacks it may come from the kit.
    return !texts().repeats(at(document.value, path)) && !texts().repeats(at(document.value, parentOf(path)));
  });
  return kept.length === findings.length ? document : { ...document, inspection: { ...inspection, findings: kept } };
}

/** Each request both as it was sent and as JSON.stringify writes it again. */
const textsOf = ({ sent }: Trace): readonly string[] =>
  sent.flatMap((request) => [saidIn(request), written(request.request ?? null) ?? '']);

/** Whether the message continues an existing task. */
const continues = ({ step, request }: Sent): boolean =>
  (step.operation === 'send' || step.operation === 'stream') &&
  member(member(member(request, 'params'), 'message'), 'taskId') !== undefined;

/** A resumed stream may repeat what the task has had (0.3 §7.9), also what happens at that moment. */
function withoutRepeats({ operation, stream }: Reading, { sent }: Trace): Reading['stream'] {
  if (operation !== 'subscribe' || stream === undefined) return stream;
  // The end of one turn may be repeated before the next turn.
  if (sent.some(continues)) return undefined;
  const had = new Set<string>();
  const events = stream.events.filter((event) => {
    const text = written(event);
    if (text === undefined) return true;
    const isNew = !had.has(text);
    had.add(text);
    return isNew;
  });
  return events.length === stream.events.length ? stream : { ...stream, events };
}

class ContentView extends View {
  readonly #trace: Trace;
  readonly #isOwn: boolean;
  #documents: readonly Document[] | undefined;
  /** undefined: not computed yet. */
  #stream: { readonly is: Reading['stream'] } | undefined;
  constructor(view: Reading, trace: Trace, sent: Sent) {
    super(view, view);
    this.#trace = trace;
    this.#isOwn = isOurs(trace, sent);
  }
  override get outcome(): Reading['outcome'] {
    if (this.#isOwn) return this.base.outcome;
    return { kind: 'not-sent', reason: 'what is shown may have been broken by the fuzzer' };
  }
  override get documents(): readonly Document[] {
    let texts: SentTexts | undefined;
    this.#documents ??= this.base.documents.map((document) =>
      withoutEchoes(document, this.#isOwn, () => {
        texts ??= new SentTexts(textsOf(this.#trace));
        return texts;
      }),
    );
    return this.#documents;
  }
  override get stream(): Reading['stream'] {
    if (!this.#isOwn) return undefined;
    this.#stream ??= { is: withoutRepeats(this.base, this.#trace) };
    return this.#stream.is;
  }
}

/**
 * The view for laws of content: only findings in what the agent itself wrote, and after broken requests nothing but
 * such findings.
 */
export const contentView = (view: Reading, trace: Trace, sent: Sent): Reading => new ContentView(view, trace, sent);
