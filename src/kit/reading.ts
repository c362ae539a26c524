import { type Outcome, readOutcome, repliesOf } from '../client/index.js';
import type { Dialect } from '../dialect/index.js';
import { isObject, type Operation } from '../model/index.js';
import { bodyText, type Exchange, excerpt, header, mediaType } from '../wire/index.js';
import type { Inspection, Inspector } from './inspection.js';
import { readStream, type StreamReading } from './streamed.js';
import { declarationIn, paymentsIn } from './x402-reading.js';

/** A JSON value that came back in a place where the schemas know what must stand there. */
export interface Document {
  readonly of: 'card' | 'result' | 'extended-card' | 'error' | 'payment' | 'payment-card';
  /** For people: "card", "result of send". */
  readonly name: string;
  readonly value: unknown;
  readonly inspection: Inspection;
}

/** One JSON-RPC response object, or what stood in its place. */
export interface Envelope {
  /** The JSON value; undefined when the text was no JSON. */
  readonly value: unknown;
  readonly problem: string | undefined;
  readonly text: string;
}

/** An exchange as laws see it: parsed once, lazily. */
export interface Reading {
  readonly exchange: Exchange;
  /** undefined for the card and other plain requests. */
  readonly operation: Operation | undefined;
  /** It went to the JSON-RPC endpoint, as a POST or as bytes of our own: what refuses other methods is HTTP. */
  readonly isCall: boolean;
  /** The request was valid by the specification. */
  readonly valid: boolean;
  /** The JSON-RPC id that was sent; `undefined` also when none was. */
  readonly rpcId: unknown;
  readonly sentId: boolean;
  readonly envelopes: readonly Envelope[];
  readonly outcome: Outcome<unknown>;
  readonly documents: readonly Document[];
  /** The updates of a streamed answer; undefined for all others. */
  readonly stream: StreamReading | undefined;
  /** The body as text, decoded strictly; undefined when it is no UTF-8. */
  readonly utf8: string | undefined;
}

const strict = new TextDecoder('utf-8', { fatal: true });

/** Reads one exchange. `isCard` tells the exchange that brought the card. */
export function readExchange(
  exchange: Exchange,
  dialect: Dialect,
  inspector: Inspector,
  isCard: boolean,
  payments?: Inspector,
): Reading {
  const { method } = exchange.request;
  const operation = exchange.call?.operation;
  // What is read of a large answer is not kept: see repliesOf.
  const isLarge = (exchange.response?.body.length ?? 0) > 256 * 1024;
  const lazy = <T>(make: () => T): (() => T) => {
    if (isLarge) return make;
    let made: { readonly value: T } | undefined;
    return () => {
      made ??= { value: make() };
      return made.value;
    };
  };
  const envelopes = lazy((): readonly Envelope[] =>
    exchange.call === undefined
      ? []
      : repliesOf(exchange).map((reply) =>
          reply.type === 'json'
            ? { value: reply.value, problem: undefined, text: reply.text }
            : { value: undefined, problem: reply.problem, text: reply.text },
        ),
  );
  const outcome = lazy(() => {
    const codec = operation === undefined ? undefined : dialect.operations[operation]?.result;
    return readOutcome<unknown>(exchange, dialect, (wire) =>
      codec === undefined ? (wire ?? null) : codec.decode(wire),
    );
  });
  const documents = lazy((): readonly Document[] => {
    if (isCard) {
      const value = repliesOf(exchange)[0];
      if (value?.type !== 'json') return [];
      const inspection = inspector.inspect('agent-card.schema.json', value.value);
      return [
        { of: 'card', name: 'card', value: value.value, inspection },
        ...(payments === undefined ? [] : [declarationIn(value.value, payments)]),
      ];
    }
    if (exchange.fetches === 'extendedCard') {
      const value = repliesOf(exchange)[0];
      if (value?.type !== 'json' || exchange.response?.status !== 200) return [];
      const inspection = inspector.inspect('agent-card.schema.json', value.value);
      return [{ of: 'extended-card', name: 'extended card', value: value.value, inspection }];
    }
    const ref = operation === undefined ? undefined : `rpc.schema.json#/$defs/${operation}.result`;
    // A call that names no version, or another one, may be answered as in that one.
    const isOurs = dialect.headers.every(([name, value]) => header(exchange.request.headers, name) === value);
    const knowsErrors = inspector.has('error.schema.json') && isOurs && exchange.purpose !== 'detection';
    return envelopes().flatMap(({ value }): readonly Document[] => {
      if (!isObject(value)) return [];
      if (Object.hasOwn(value, 'error')) {
        const { error } = value;
        if (!knowsErrors || !isObject(error)) return [];
        const inspection = inspector.inspect('error.schema.json', error);
        return [{ of: 'error', name: `error of ${operation ?? 'a call'}`, value: error, inspection }];
      }
      if (ref === undefined || !inspector.has(ref) || !Object.hasOwn(value, 'result')) return [];
      const result = value['result'];
      const of = operation === 'extendedCard' ? 'extended-card' : 'result';
      return [
        { of, name: `result of ${operation}`, value: result, inspection: inspector.inspect(ref, result) },
        ...(payments === undefined ? [] : paymentsIn(result, `result of ${operation}`, payments)),
      ] as const;
    });
  });
  const stream = lazy(() => readStream(exchange, dialect, envelopes()));
  const utf8 = lazy(() => {
    try {
      return strict.decode(exchange.response?.body ?? new Uint8Array());
    } catch {
      return undefined;
    }
  });
  return {
    exchange,
    operation,
    isCall: exchange.call !== undefined && (method === 'POST' || method === 'RAW'),
    valid: exchange.call?.valid ?? true,
    rpcId: exchange.call?.rpcId,
    sentId: exchange.call !== undefined && Object.hasOwn(exchange.call, 'rpcId'),
    get envelopes() {
      return envelopes();
    },
    get outcome() {
      return outcome();
    },
    get documents() {
      return documents();
    },
    get stream() {
      return stream();
    },
    get utf8() {
      return utf8();
    },
  };
}

/** One line of evidence: status, type and the first bytes. */
export function evidence(exchange: Exchange): string {
  if (exchange.failure !== undefined) return `${exchange.failure.kind}: ${exchange.failure.detail}`;
  if (exchange.response === undefined) return 'no answer';
  const { status, headers, body } = exchange.response;
  const text = bodyText(body.subarray(0, 300)).replace(/\s+/g, ' ').trim();
  return `HTTP ${status} ${mediaType(headers) ?? 'without content type'}${text === '' ? ', empty body' : `: ${excerpt(body.length > 300 ? `${text}…` : text, 160)}`}`;
}
