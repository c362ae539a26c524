import type { RunEvent } from '../src/report/index.js';
import { exactText, excerpt, shortHeaders } from '../src/wire/index.js';
import { jsonText } from './json-text.js';

type Exchange = Extract<RunEvent, { type: 'exchange' }>['exchange'];
type Header = readonly [name: string, value: string];

/** A body as a member of JSON: text if it is UTF-8 and mostly text, else base64. */
export interface JsonBody {
  readonly body?: string;
  readonly bodyEncoding?: 'base64';
  /** Only the beginning is given. */
  readonly bodyCut?: true;
}

interface JsonHeaders {
  readonly headers: readonly Header[];
  /** Values are shortened, and some headers may be left out. */
  readonly headersCut?: true;
}

export interface JsonExchange {
  readonly id: string;
  readonly purpose: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly http2?: true;
    readonly manner?: Exchange['request']['manner'];
  } & JsonHeaders &
    JsonBody;
  readonly response?: { readonly status: number; readonly trailers?: readonly Header[] } & JsonHeaders & JsonBody;
  readonly error?: { readonly kind: string; readonly detail: string };
  /** The agent sent it to a webhook of the kit. */
  readonly toWebhook?: true;
  /** ISO date. */
  readonly startedAt: string;
  readonly durationMs: number;
}

/** How much of an exchange is shown: bytes of each body, weight of the headers, characters of the URL and an error. */
export interface Sizes {
  readonly body: number;
  readonly headers: number;
  readonly text: number;
}

const usual: Sizes = { body: 64 * 1024, headers: 16 * 1024, text: 8192 };
/**
 * Sizes in the order of use: each until all exchanges together have `upTo` characters of JSON. Later ones are shorter.
 */
const ladder: readonly (readonly [sizes: Sizes, upTo: number])[] = [
  [usual, 8_000_000],
  [{ body: 2048, headers: 2048, text: 1024 }, 10_000_000],
];
const least: Sizes = { body: 128, headers: 512, text: 128 };

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** At most `most` bytes, without cutting a character of a text in two. */
function beginning(body: Uint8Array, most: number): Uint8Array {
  if (body.length <= most) return body;
  let end = most;
  while (end > most - 3 && isContinuation(body[end])) end--;
  return body.subarray(0, isContinuation(body[end]) ? most : end);
}

function jsonHeaders(headers: readonly Header[], alreadyCut: boolean, most: number): JsonHeaders {
  const kept = shortHeaders(headers, most);
  return { headers: kept, ...(alreadyCut || kept !== headers ? { headersCut: true } : {}) };
}

function jsonBody(body: Uint8Array | undefined, alreadyCut: boolean, most: number): JsonBody {
  if (body === undefined) return {};
  const kept = beginning(body, most);
  const bodyCut = alreadyCut || kept.length < body.length ? { bodyCut: true as const } : {};
  const text = isMostlyText(kept) ? exactText(kept) : undefined;
  if (text !== undefined) return { body: text, ...bodyCut };
  return { body: Buffer.from(kept).toString('base64'), bodyEncoding: 'base64', ...bodyCut };
}

/** A control character takes six characters of JSON: many of them would make a report six times as long as the body. */
function isMostlyText(bytes: Uint8Array): boolean {
  let controls = 0;
  for (const byte of bytes)
    if ((byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) || byte === 0x7f) controls++;
  return controls * 8 <= bytes.length + 64;
}

/** `…` ends a URL or an error that is cut. */
export function jsonExchange(exchange: Exchange, sizes = usual): JsonExchange {
  const { id, purpose, request, response, failure, toWebhook, startedAt, durationMs } = exchange;
  const { method, url } = request;
  return {
    id,
    purpose: excerpt(purpose, sizes.text),
    request: {
      method: excerpt(method, sizes.text),
      url: excerpt(url, sizes.text),
      ...(request.http2 === true ? { http2: true } : {}),
      ...(request.manner === undefined ? {} : { manner: request.manner }),
      ...jsonHeaders(request.headers, request.headersCut === true, sizes.headers),
      ...jsonBody(request.body, request.cut === true, sizes.body),
    },
    ...(response === undefined
      ? {}
      : {
          response: {
            status: response.status,
            ...jsonHeaders(response.headers, response.headersCut === true, sizes.headers),
            ...jsonBody(response.body, response.cut === true, sizes.body),
            ...(response.trailers === undefined ? {} : { trailers: shortHeaders(response.trailers, sizes.headers) }),
          },
        }),
    ...(failure === undefined ? {} : { error: { ...failure, detail: excerpt(failure.detail, sizes.text) } }),
    ...(toWebhook === true ? { toWebhook } : {}),
    startedAt: new Date(startedAt).toISOString(),
    durationMs,
  };
}

/** Extra characters for a header, which takes four lines of the report. */
const perHeader = 60;

const lengthOf = (exchange: JsonExchange): number =>
  jsonText(exchange).length +
  perHeader *
    (exchange.request.headers.length +
      (exchange.response?.headers.length ?? 0) +
      (exchange.response?.trailers?.length ?? 0)) +
  500;

/** Makes exchanges for one report: all of them together stay bounded, however large they are. */
export function jsonExchanges(): (exchange: Exchange) => JsonExchange {
  let length = 0;
  let rung = 0;
  return (exchange) => {
    // A size that did not fit once is not tried again: each try costs as much as what it renders.
    for (let step = ladder[rung]; step !== undefined; step = ladder[++rung]) {
      const [sizes, upTo] = step;
      const made = jsonExchange(exchange, sizes);
      const own = lengthOf(made);
      if (length + own > upTo) continue;
      length += own;
      return made;
    }
    return jsonExchange(exchange, least);
  };
}

const bytesOf = ({ body, bodyEncoding }: JsonBody): Uint8Array =>
  new Uint8Array(Buffer.from(body ?? '', bodyEncoding ?? 'utf8'));

/** The exchange of a stored one, without the times of its chunks, which the report does not hold. */
export function exchangeOf(stored: JsonExchange): Exchange {
  const { id, purpose, request, response, error, toWebhook, startedAt, durationMs } = stored;
  return {
    id,
    purpose,
    request: {
      method: request.method,
      url: request.url,
      headers: request.headers,
      ...(request.http2 === true ? { http2: true } : {}),
      ...(request.manner === undefined ? {} : { manner: request.manner }),
      ...(request.body === undefined ? {} : { body: bytesOf(request) }),
      ...(request.bodyCut === true ? { cut: true } : {}),
      ...(request.headersCut === true ? { headersCut: true } : {}),
    },
    ...(response === undefined
      ? {}
      : {
          response: {
            status: response.status,
            headers: response.headers,
            body: bytesOf(response),
            chunks: [],
            ...(response.bodyCut === true ? { cut: true } : {}),
            ...(response.headersCut === true ? { headersCut: true } : {}),
            ...(response.trailers === undefined ? {} : { trailers: response.trailers }),
          },
        }),
    ...(error === undefined ? {} : { failure: error as NonNullable<Exchange['failure']> }),
    ...(toWebhook === true ? { toWebhook } : {}),
    startedAt: Date.parse(startedAt),
    durationMs,
  };
}
