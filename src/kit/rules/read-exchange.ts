import { isLarge, type Outcome, placeOf, readOutcome, repliesOf, roomForLarge } from '../../client/index.js';
import type { Dialect } from '../../dialect/index.js';
import { lruMemo, type Operation } from '../../model/index.js';
import { bodyText, type Exchange, excerpt, header, mediaType } from '../../wire/index.js';
import { grpcIn, statusText } from '../packs/grpc.js';
import type { Inspector } from './inspection.js';
import { probesIn } from './probes.js';
import type { Document, MoreDocuments, Probes, Reading, ReadReply, StreamReading } from './reading.js';
import { readStream } from './streamed.js';

const strict = new TextDecoder('utf-8', { fatal: true });

/** Everything that readings are made with. */
interface Sources {
  readonly dialect: Dialect;
  readonly inspector: Inspector;
  /** The exchange brought the card. */
  readonly isCard: boolean;
  readonly more: MoreDocuments | undefined;
}

const readReplies = (exchange: Exchange, { binding, errors }: Dialect): readonly ReadReply[] =>
  exchange.call === undefined
    ? []
    : repliesOf(exchange).map((reply) =>
        reply.type === 'json'
          ? {
              value: reply.value,
              said: binding.said(reply.value, errors, placeOf(exchange)),
              problem: undefined,
              text: reply.text,
            }
          : { value: undefined, said: undefined, problem: reply.problem, text: reply.text },
      );

function outcomeOf({ exchange, operation }: Reading, dialect: Dialect): Outcome<unknown> {
  const codec = operation === undefined ? undefined : dialect.operations[operation]?.result;
  return readOutcome<unknown>(exchange, dialect, (wire) => (codec === undefined ? (wire ?? null) : codec.decode(wire)));
}

function documentsOf({ exchange, operation, replies }: Reading, sources: Sources): readonly Document[] {
  const { dialect, inspector, isCard, more } = sources;
  if (isCard) {
    const value = repliesOf(exchange)[0];
    if (value?.type !== 'json') return [];
    const inspection = inspector.inspect('agent-card.schema.json', value.value);
    return [{ of: 'card', name: 'card', value: value.value, inspection }, ...(more?.inCard(value.value) ?? [])];
  }
  if (exchange.fetches === 'extendedCard') {
    const value = repliesOf(exchange)[0];
    if (value?.type !== 'json' || exchange.response?.status !== 200) return [];
    const inspection = inspector.inspect('agent-card.schema.json', value.value);
    return [{ of: 'extended-card', name: 'extended card', value: value.value, inspection }];
  }
  const ref = operation === undefined ? undefined : `rpc.schema.json#/$defs/${operation}.result`;
  // A call that does not name this version may get an error in the form of another version.
  const isOurs = dialect.headers.every(([name, value]) => header(exchange.request.headers, name) === value);
  const name = `result of ${operation}`;
  const knowsErrors =
    dialect.binding.hasErrorSchema && inspector.has('error.schema.json') && isOurs && exchange.purpose !== 'detection';
  return replies.flatMap(({ said }): readonly Document[] => {
    if (said === undefined) return [];
    if (said.type === 'error') {
      if (!knowsErrors) return [];
      const error = said.error.wire;
      const inspection = inspector.inspect('error.schema.json', error);
      return [{ of: 'error', name: `error of ${operation ?? 'a call'}`, value: error, inspection }];
    }
    if (ref === undefined || !inspector.has(ref)) return [];
    const result = said.wire;
    const of = operation === 'extendedCard' ? 'extended-card' : 'result';
    return [
      { of, name, value: result, inspection: inspector.inspect(ref, result) },
      ...(more?.inResult(result, name) ?? []),
    ] as const;
  });
}

function utf8Of({ response }: Exchange): string | undefined {
  try {
    return strict.decode(response?.body ?? new Uint8Array());
  } catch {
    return undefined;
  }
}

/** The parts that were asked for so far. */
type Made = { -readonly [Name in 'replies' | 'outcome' | 'documents' | 'stream' | 'utf8']?: Reading[Name] };

/** Of large answers, only the last few are kept: see repliesOf. */
const madeOfLarge = lruMemo<Reading, Made>(
  { ...roomForLarge, weightOf: ({ exchange }) => roomForLarge.weightOf(exchange) },
  () => ({}),
);

/** A class, because there are many: objects with getters of their own share no shape, which makes each access slow. */
class LazyReading implements Reading {
  readonly exchange: Exchange;
  readonly operation: Operation | undefined;
  readonly isCall: boolean;
  readonly valid: boolean;
  readonly rpcId: unknown;
  readonly sentId: boolean;
  probes: Probes | undefined;
  readonly #sources: Sources;
  /** Undefined for a large answer. */
  #kept: Made | undefined;

  constructor(exchange: Exchange, sources: Sources) {
    const { call, request } = exchange;
    this.exchange = exchange;
    this.operation = call?.operation;
    this.isCall = call !== undefined && (sources.dialect.binding.verbs.has(request.method) || request.method === 'RAW');
    this.valid = call?.valid ?? true;
    this.rpcId = call?.rpcId;
    this.sentId = call !== undefined && Object.hasOwn(call, 'rpcId');
    this.#sources = sources;
  }
  /** The same exchange with another answer. */
  with(exchange: Exchange): Reading {
    const made = new LazyReading(exchange, this.#sources);
    made.probes = this.probes;
    return made;
  }
  get #made(): Made {
    this.#kept ??= isLarge(this.exchange) ? undefined : {};
    return this.#kept ?? madeOfLarge(this);
  }
  get replies(): readonly ReadReply[] {
    const made = this.#made;
    made.replies ??= readReplies(this.exchange, this.#sources.dialect);
    return made.replies;
  }
  get outcome(): Outcome<unknown> {
    const made = this.#made;
    made.outcome ??= outcomeOf(this, this.#sources.dialect);
    return made.outcome;
  }
  get documents(): readonly Document[] {
    const made = this.#made;
    made.documents ??= documentsOf(this, this.#sources);
    return made.documents;
  }
  get stream(): StreamReading | undefined {
    const made = this.#made;
    made.stream ??= readStream(this.exchange, this.#sources.dialect, this.replies);
    return made.stream;
  }
  get utf8(): string | undefined {
    const made = this.#made;
    made.utf8 ??= utf8Of(this.exchange);
    return made.utf8;
  }
}

/** Reads one exchange. `isCard` recognizes the exchange that brought the card. */
export const readExchange = (
  exchange: Exchange,
  dialect: Dialect,
  inspector: Inspector,
  isCard: boolean,
  more?: MoreDocuments,
): Reading => new LazyReading(exchange, { dialect, inspector, isCard, more });

/** Reads a recorded exchange again, with another answer than came. */
export const readAgain = (reading: Reading, exchange: Exchange): Reading =>
  reading instanceof LazyReading ? reading.with(exchange) : reading;

/** The same readings, each with the traces of broken requests of the whole tape, of which `leftBy` took notes. */
export function knowingProbes(tape: readonly Reading[]): readonly Reading[] {
  const probes = probesIn(tape);
  for (const reading of tape) if (reading instanceof LazyReading) reading.probes = probes;
  return tape;
}

/** One line of evidence: status, type and the first bytes. */
export function evidence(exchange: Exchange): string {
  if (exchange.failure !== undefined) return `${exchange.failure.kind}: ${exchange.failure.detail}`;
  if (exchange.response === undefined) return 'no answer';
  const { status, headers, body } = exchange.response;
  const called = grpcIn(exchange);
  if (called !== undefined) {
    const { code, rawStatus, message } = called.end;
    const end =
      code === undefined ? (rawStatus === undefined ? 'no grpc-status' : `grpc-status ${rawStatus}`) : statusText(code);
    return `HTTP ${status} ${mediaType(headers)}, ${end}${message === '' ? '' : `: ${excerpt(message, 160)}`}`;
  }
  const text = bodyText(body.subarray(0, 300)).replace(/\s+/g, ' ').trim();
  return `HTTP ${status} ${mediaType(headers) ?? 'without content type'}${text === '' ? ', empty body' : `: ${excerpt(body.length > 300 ? `${text}…` : text, 160)}`}`;
}
