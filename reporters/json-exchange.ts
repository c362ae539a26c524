import type { RunEvent } from '../src/run/index.js';
import { exactText } from '../src/wire/index.js';

type Exchange = Extract<RunEvent, { type: 'exchange' }>['exchange'];
type Header = readonly [name: string, value: string];

/** A body as a member of JSON: text where it is UTF-8, base64 where it is not, or hardly text at all. */
export interface JsonBody {
  readonly body?: string;
  readonly bodyEncoding?: 'base64';
  /** Only the beginning is given. */
  readonly bodyCut?: true;
}

export interface JsonExchange {
  readonly id: string;
  readonly purpose: string;
  readonly request: { readonly method: string; readonly url: string; readonly headers: readonly Header[] } & JsonBody;
  readonly response?: { readonly status: number; readonly headers: readonly Header[] } & JsonBody;
  readonly error?: { readonly kind: string; readonly detail: string };
  /** The agent sent it to a webhook of the kit. */
  readonly toWebhook?: true;
  /** ISO date. */
  readonly startedAt: string;
  readonly durationMs: number;
}

const mostBytes = 64 * 1024;
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** At most `mostBytes`, and no character of a text cut in two. */
function beginning(body: Uint8Array): Uint8Array {
  if (body.length <= mostBytes) return body;
  let end = mostBytes;
  while (end > mostBytes - 3 && isContinuation(body[end])) end--;
  return body.subarray(0, isContinuation(body[end]) ? mostBytes : end);
}

function jsonBody(body: Uint8Array | undefined, alreadyCut: boolean): JsonBody {
  if (body === undefined) return {};
  const kept = beginning(body);
  const bodyCut = alreadyCut || kept.length < body.length ? { bodyCut: true as const } : {};
  const text = isMostlyText(kept) ? exactText(kept) : undefined;
  if (text !== undefined) return { body: text, ...bodyCut };
  return { body: Buffer.from(kept).toString('base64'), bodyEncoding: 'base64', ...bodyCut };
}

/** A control character takes six of JSON, so many of them would make a report six times as long as what came. */
function isMostlyText(bytes: Uint8Array): boolean {
  let controls = 0;
  for (const byte of bytes) if (byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) controls++;
  return controls * 8 <= bytes.length + 64;
}

export function jsonExchange(exchange: Exchange): JsonExchange {
  const { id, purpose, request, response, failure, toWebhook, startedAt, durationMs } = exchange;
  const { method, url, headers } = request;
  return {
    id,
    purpose,
    request: { method, url, headers, ...jsonBody(request.body, request.cut === true) },
    ...(response === undefined
      ? {}
      : {
          response: {
            status: response.status,
            headers: response.headers,
            ...jsonBody(response.body, response.cut === true),
          },
        }),
    ...(failure === undefined ? {} : { error: failure }),
    ...(toWebhook === true ? { toWebhook } : {}),
    startedAt: new Date(startedAt).toISOString(),
    durationMs,
  };
}

const bytesOf = ({ body, bodyEncoding }: JsonBody): Uint8Array =>
  new Uint8Array(Buffer.from(body ?? '', bodyEncoding ?? 'utf8'));

/** The exchange again, without the times of its chunks, which the report does not hold. */
export function exchangeOf(stored: JsonExchange): Exchange {
  const { id, purpose, request, response, error, toWebhook, startedAt, durationMs } = stored;
  return {
    id,
    purpose,
    request: {
      method: request.method,
      url: request.url,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: bytesOf(request) }),
      ...(request.bodyCut === true ? { cut: true } : {}),
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
          },
        }),
    ...(error === undefined ? {} : { failure: error as NonNullable<Exchange['failure']> }),
    ...(toWebhook === true ? { toWebhook } : {}),
    startedAt: Date.parse(startedAt),
    durationMs,
  };
}
