import { type Client, type NativeRequest, type SubmitOptions, weightOf } from '../../client/index.js';
import { type Inspector, isSettled, readExchange } from '../../kit/index.js';
import { type Operation, writingOperations } from '../../model/index.js';
import { type Clock, type Exchange, sleep } from '../../wire/index.js';
import { type CallStep, type Case, isFollowing, type WaitStep } from '../case/case.js';
import type { Spell, Spelled } from '../case/spelled.js';
import { excessOf } from '../case/weight.js';
import { capturedIds, withNote } from './captured-ids.js';
import type { Begun, Sent, Trace } from './trace.js';

export interface ExecutorOptions {
  readonly client: Client;
  readonly inspector: Inspector;
  readonly clock: Clock;
  readonly spell: Spell;
  /** How long a wait step reads a task that does not settle, ms. */
  readonly patienceMs: number;
  /** How long a stream is listened to without an event, where the step does not say, ms. */
  readonly listenMs: number;
  /** Limit of one exchange, ms; a stream may take longer. */
  readonly timeoutMs: number;
  readonly readOnly: boolean;
  readonly signal?: AbortSignal;
  /** Awaits a promise and lets others send meanwhile. Default: only awaits it. */
  readonly lend?: <T>(waiting: Promise<T>) => Promise<T>;
  /** The same for an answer, once it is late. */
  readonly lendLate?: <T>(answer: Promise<T>) => Promise<T>;
}

/** Runs cases on the target. Never throws for what the target does. */
export interface Executor {
  /**
   * `label`: a short text for this run, used in the ids of its requests; always of the same length. `again`: letters
   * and digits that make the ids of its messages new; left out: the ids are not changed.
   */
  perform(next: Case, label: string, again?: string, how?: PerformOptions): Promise<Trace>;
}

export interface PerformOptions {
  /**
   * Awaited once in each wait step, after the first read of the task, whatever it showed: other cases go on meanwhile.
   */
  readonly aside?: () => Promise<void>;
  /** Pause before each step that refers to an earlier step, ms; default 0. */
  readonly apartMs?: number;
  /** Awaits an answer for a few times as long as the slowest answer so far took: enough to know silence from it. */
  readonly briefly?: boolean;
}

/** How long the agent may take to end a stream on which nothing can follow, ms. */
const graceMs = 500;
/** A brief wait takes so many times as long as the slowest answer, and at least so many ms. */
const slowestTimes = 4;
const leastBriefMs = 1000;
const firstPauseMs = 20;
const longestPauseMs = 1000;
/** A task that is open for this long, and twice as long as any took to settle, is mostly meant to stay open, ms. */
const leastPatienceMs = 250;
/** After so many exchanges in a row without an answer the case ends: the rest would only wait. */
const mostSilent = 2;

/** Limit of all answers of a case, bytes: they are kept until the case is judged. */
const mostAnswered = 24 * 1024 * 1024;

const silent = new Set(['reset', 'timeout', 'malformed', 'tls', 'dns']);

const isStreamed = ({ operation }: CallStep): boolean => operation === 'stream' || operation === 'subscribe';

/** Why nothing more can be sent after this exchange. */
function endIn({ id, failure }: Exchange): string | undefined {
  if (failure === undefined) return undefined;
  if (failure.kind === 'budget') return failure.detail;
  if (failure.kind === 'refused') return 'the agent does not accept connections';
  return id === 'unsent' ? failure.detail : undefined;
}

/** A class: object literals with getters share no shape in the engine, which makes each access slow. */
class SentCall implements Sent {
  readonly step: CallStep;
  readonly place: Sent['place'];
  readonly body: Uint8Array;
  readonly text: string | undefined;
  readonly demand: Sent['demand'];
  readonly exchange: Exchange;
  readonly reading: Sent['reading'];
  readonly sentAt: number;
  readonly endedAt: number;
  readonly unresolved: readonly string[];
  readonly #spelled: Spelled;
  constructor(
    step: CallStep,
    place: Sent['place'],
    spelled: Spelled,
    reading: Sent['reading'],
    [sentAt, endedAt]: readonly [number, number],
  ) {
    const { exchange } = reading;
    this.step = step;
    this.place = place;
    this.body = spelled.raw !== undefined && exchange.request.method === 'RAW' ? spelled.raw : spelled.body;
    this.text = spelled.text;
    this.demand = spelled.demand;
    this.exchange = exchange;
    this.reading = reading;
    this.sentAt = sentAt;
    this.endedAt = endedAt;
    this.unresolved = spelled.unresolved;
    this.#spelled = spelled;
  }
  get request(): unknown {
    return this.#spelled.request();
  }
}

export function createExecutor(options: ExecutorOptions): Executor {
  const held = <T>(waiting: Promise<T>): Promise<T> => waiting;
  const { client, clock, inspector, spell, readOnly, lend = held, lendLate = held } = options;
  const { dialect } = client;
  const methods = [...writingOperations].flatMap((operation) => dialect.operations[operation]?.rpc.toLowerCase() ?? []);

  /** The longest wait for a task that settled, ms. */
  let longest: number | undefined;

  /** Edits and wire mutations may put a writing method into a request that only reads, anywhere in its bytes. */
  const mayWrite = (step: CallStep, { request, body, raw, text = '', native, astray }: Spelled): boolean => {
    if (writingOperations.has(step.operation)) return true;
    if (native !== undefined && dialect.binding.requests === 'messages') return astray === true;
    if (native !== undefined)
      return !safe.has(native.method) || (astray === true && mayLead(`${native.url} ${text}`)) || overrides(step);
    const said = [JSON.stringify(request()) ?? '', text, latin(body), latin(raw)].map(unescaped).join('\n');
    return methods.some((method) => said.includes(method));
  };

  /** The slowest answers so far, ms; streams last as long as they may. */
  const slowest = new Map<Operation, number>();
  const noteTime = ({ operation }: CallStep, { failure, durationMs }: Exchange): void => {
    if (failure === undefined) slowest.set(operation, Math.max(slowest.get(operation) ?? 0, durationMs));
  };
  /** Where nothing was answered yet, nothing is known about the time that an answer takes. */
  function briefMs({ operation }: CallStep): number {
    const known = slowest.get(operation) ?? (slowest.size === 0 ? options.timeoutMs : Math.max(...slowest.values()));
    return Math.min(options.timeoutMs, Math.max(leastBriefMs, slowestTimes * known));
  }

  /** For how long the kit waits for the end of an answer, ms. */
  function limitOf(step: CallStep, briefly: boolean): number {
    const answerMs = briefly ? briefMs(step) : options.timeoutMs;
    return isStreamed(step) ? 2 * answerMs + (step.listenMs ?? options.listenMs) + (step.graceMs ?? graceMs) : answerMs;
  }

  async function transmit(step: CallStep, spelled: Spelled, timeoutMs: number): Promise<Exchange | string> {
    const identified = Object.hasOwn(spelled, 'rpcId') ? { id: spelled.rpcId } : {};
    if (spelled.raw !== undefined) {
      const { rpcId } = spelled;
      const call = {
        ...(spelled.astray === true ? {} : { operation: step.operation }),
        valid: spelled.valid,
        ...('id' in identified ? { rpcId } : {}),
      };
      const sent = client.raw(spelled.raw, call);
      const exchange = await (isStreamed(step) ? lend(sent) : lendLate(sent));
      if (exchange !== undefined) return exchange;
    }
    const streams = isStreamed(step);
    const listenMs = step.listenMs ?? options.listenMs;
    const grace = step.graceMs ?? graceMs;
    const submission: SubmitOptions = {
      operation: step.operation,
      invalid: !spelled.valid,
      timeoutMs,
      ...identified,
      ...(step.caller === undefined ? {} : { credentials: step.caller }),
      ...(spelled.method === undefined ? {} : { method: spelled.method }),
      ...(spelled.headers === undefined ? {} : { headers: spelled.headers }),
      ...(spelled.without === undefined ? {} : { without: spelled.without }),
      ...(spelled.contentType === undefined ? {} : { contentType: spelled.contentType }),
      ...(spelled.url === undefined ? {} : { url: spelled.url }),
      ...(spelled.tamper === undefined ? {} : { tamper: spelled.tamper }),
      ...(spelled.native === undefined ? {} : { native: () => spelled.native as NativeRequest }),
      ...(spelled.astray === undefined ? {} : { astray: spelled.astray }),
      ...(streams
        ? {
            readingLimits: {
              listenMs,
              graceMs: grace,
              lend,
              ...(step.events === undefined ? {} : { events: step.events }),
            },
          }
        : {}),
    };
    const submitted = client.submit(spelled.body, submission);
    const came = await (streams ? submitted : lendLate(submitted));
    return 'kind' in came ? came.reason : came;
  }

  async function perform(
    run: Case,
    label: string,
    again?: string,
    { aside, apartMs = 0, briefly = false }: PerformOptions = {},
  ): Promise<Trace> {
    const sent: Sent[] = [];
    const begun = new Map<string, Begun>();
    let order = 0;
    let quiet = 0;
    let answered = 0;
    let cut: string | undefined;
    let isWithheld = false;
    let unsent: string | undefined;

    function withhold(why: string): undefined {
      cut ??= why;
      isWithheld = true;
    }

    async function call(step: CallStep, at: number, among?: number): Promise<Sent | undefined> {
      const timeoutMs = limitOf(step, briefly);
      const spelled = spell(step, {
        dialect,
        rpcId: `f${label}${digits(at)}${digits(among ?? 0)}`,
        resolve: (reference) => resolved(begun, reference),
        noted: (name) => begun.get(name)?.noted,
        endpoint: client.endpoint,
        credentials: client.own.headers,
        form: (operation, params) => client.form(operation, params, undefined, timeoutMs),
        ...(again === undefined ? {} : { again }),
      });
      if (spelled.unsent !== undefined) {
        // The binding has no form for this request: the case goes on without it.
        isWithheld = true;
        unsent ??= `${dialect.binding.title} cannot carry ${step.operation}: ${spelled.unsent}`;
        return undefined;
      }
      if (readOnly && mayWrite(step, spelled))
        return withhold('--read-only: a request could create work or change a task');
      const sentAt = order++;
      const exchange = await transmit(step, spelled, timeoutMs);
      const endedAt = order++;
      if (typeof exchange === 'string') return withhold(exchange);
      if (!isStreamed(step)) noteTime(step, exchange);
      const ended = endIn(exchange);
      if (ended !== undefined) cut ??= ended;
      if (exchange.id === 'unsent') return withhold(cut ?? 'the request was not sent');
      quiet = silent.has(exchange.failure?.kind ?? '') ? quiet + 1 : 0;
      if (quiet >= mostSilent) cut ??= `${quiet} requests in a row were not answered`;
      answered += weightOf(exchange);
      if (answered > mostAnswered) cut ??= 'the answers to the case are too large in total';
      const reading = readExchange(exchange, dialect, inspector, false);
      const place = among === undefined ? ([at] as const) : ([at, among] as const);
      const request: Sent = new SentCall(step, place, spelled, reading, [sentAt, endedAt]);
      sent.push(request);
      const found = step.as === undefined ? undefined : capturedIds(request.reading);
      if (step.as !== undefined && found !== undefined) begun.set(step.as, found);
      withNote(begun, request.reading);
      return request;
    }

    /** Reads the task until it no longer changes by itself, or the patience is over. */
    async function wait(step: WaitStep, at: number): Promise<void> {
      if (begun.get(step.for)?.task === undefined) return;
      const params = dialect.operations.get.params.encode({ id: { $ref: `${step.for}.task` } } as never);
      const read = { step: 'call', operation: 'get', params } as CallStep;
      const known = longest === undefined ? options.patienceMs : Math.max(leastPatienceMs, 2 * longest);
      const patience = Math.min(options.patienceMs, known);
      let waited = 0;
      for (let [times, pause] = [0, firstPauseMs]; ; times++, pause = Math.min(2 * pause, longestPauseMs)) {
        const request = await call(read, at, times);
        const looked = clock.now();
        if (times === 0 && aside !== undefined) await lend(aside());
        if (request === undefined || cut !== undefined) return;
        if (!isOpen(request)) {
          if (request.reading.outcome.kind === 'result') longest = Math.max(longest ?? 0, waited);
          return;
        }
        waited += pause;
        if (waited > patience || options.signal?.aborted === true) return;
        // Other cases may have used up the pause since the last read.
        const left = looked + pause - clock.now();
        if (left > 0) await lend(sleep(clock, left, options.signal));
      }
    }

    const excess = excessOf(run);
    if (excess !== undefined) withhold(excess);
    for (const [at, step] of run.steps.entries()) {
      if (options.signal?.aborted === true) cut ??= 'the run had ended';
      if (cut !== undefined) break;
      if (apartMs > 0 && isFollowing(step)) await lend(sleep(clock, apartMs, options.signal));
      if (step.step === 'call') await call(step, at);
      else if (step.step === 'wait') await wait(step, at);
      else await Promise.all(step.calls.map((callStep, among) => call(callStep, at, among)));
    }
    sent.sort((a, b) => a.sentAt - b.sentAt);
    return {
      case: run,
      sent,
      begun,
      isWithheld,
      ...(cut === undefined ? {} : { cut }),
      ...(unsent === undefined ? {} : { unsent }),
    };
  }
  return { perform };
}

/** Verbs that change nothing (RFC 9110 §9.2.1). */
const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Whether a path or a query may lead to an operation that writes. */
const mayLead = (said: string): boolean => /:(?!\/\/)|%3a|%25|_method/i.test(said);
/** A header that asks for another verb. */
const overrides = ({ tricks = [] }: CallStep): boolean =>
  tricks.some(({ trick, name }) => trick === 'override' || (trick === 'header' && /method/i.test(String(name))));

const latin = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('latin1');

/** The text as a lenient JSON parser may read it, in lower case. */
const unescaped = (text: string): string =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/')
    .toLowerCase();

const digits = (number: number): string => (number % 1296).toString(36).padStart(2, '0');

/** Whether the task may still change by itself. */
function isOpen({ reading }: Sent): boolean {
  const { outcome } = reading;
  if (outcome.kind !== 'result') return false;
  const { status } = outcome.value as { readonly status: { readonly state: Parameters<typeof isSettled>[0] } };
  return !isSettled(status.state);
}

function resolved(begun: ReadonlyMap<string, Begun>, reference: string): string | undefined {
  const dot = reference.lastIndexOf('.');
  const found = begun.get(reference.slice(0, dot));
  switch (reference.slice(dot + 1)) {
    case 'task':
      return found?.task;
    case 'context':
      return found?.context;
    case 'config':
      return found?.config;
    case 'token':
      return found?.token;
    default:
      return undefined;
  }
}
