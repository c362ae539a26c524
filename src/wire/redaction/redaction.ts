import { canParseUrl, memo } from '../../model/index.js';
import type { Chunk, Exchange, Header } from '../exchange/exchange.js';
import { type FindSecrets, type Found, type LateSecret, merged, type Secret, secretSearch } from './secret-search.js';

export { isWord, type LateSecret, longestSecret, type Secret } from './secret-search.js';

/** Removes secrets from everything that the kit outputs. Redacting the output again changes nothing. */
export interface Redactor {
  /** A sentence of the kit, which may quote the target. */
  text(text: string): string;
  url(url: string): string;
  headers(headers: readonly Header[]): readonly Header[];
  redactExchange(exchange: Exchange): Exchange;
  /** Any JSON-like value with the texts in it redacted. */
  value<T>(value: T): T;
}

type Response = NonNullable<Exchange['response']>;

const hidden = '[hidden]';
/** Headers whose value is always a credential. `x-ratelimit-limit-tokens` is not one. */
const credentialHeader =
  /^(proxy-)?authorization$|^(set-)?cookie2?$|(^|[-_])(api[-_]?key|signature|token|secret|passw(or)?d|credentials?|session([-_]?id)?|auth)$/i;
/** Only the name of a known scheme stays visible: any other first word could be part of the credential. */
const scheme = /^(basic|bearer|digest|dpop|hoba|mutual|negotiate|ntlm|token|apikey|aws4-hmac-sha256|gnap)[ \t]+(?=\S)/i;
/** Names of query parameters that carry credentials. */
const parameterName =
  'api[-_]?key|key|(?:access|refresh|id|auth)[-_]?token|token|secret|client[-_]?secret|passw(?:or)?d|sig|signature|auth';
const credentialParameter = new RegExp(`([?&;](?:${parameterName})=)[^&;#\\s]+`, 'gi');
const userInfo = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;

/** The secrets in a URL: user and password, the password alone, and the values of parameters that carry credentials. */
export function secretsInUrl(text: string): readonly string[] {
  if (!canParseUrl(text)) return [];
  const { username, password, searchParams } = new URL(text);
  const user = [username, password].map(decodedUser);
  const isCredential = new RegExp(`^(?:${parameterName})$`, 'i');
  const found = [...searchParams].flatMap(([name, value]) => (isCredential.test(name) ? [value] : []));
  return [...(username + password === '' ? [] : [user.join(':'), ...user.slice(1)]), ...found];
}

function decodedUser(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The places of `…`, where excerpts end. */
const marksIn = (text: string): readonly number[] =>
  text.includes('…') ? Array.from(text.matchAll(/…/g), ({ index }) => index) : [];

function replaced(subject: string, found: readonly Found[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, by } of found) {
    result += subject.slice(at, start) + by;
    at = end;
  }
  return result + subject.slice(at);
}

/** The redacted bytes, and what was replaced in them. */
function redactedBytes(bytes: Uint8Array, find: FindSecrets, isCut: boolean): readonly [Uint8Array, readonly Found[]] {
  const subject = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const found = merged(find(subject, { cuts: isCut ? [subject.length] : [], isBytes: true, isSentence: false }));
  return [found.length === 0 ? bytes : Uint8Array.from(Buffer.from(replaced(subject, found), 'latin1')), found];
}

/** The chunks as views of the redacted body: a boundary inside a secret moves to the end of its replacement. */
function redactedChunks(chunks: readonly Chunk[], all: Uint8Array, found: readonly Found[]): readonly Chunk[] {
  let next = 0;
  let shift = 0;
  let before = 0;
  let start = 0;
  return chunks.map(({ atMs, bytes }) => {
    before += bytes.length;
    for (let here = found[next]; here !== undefined && here.start < before; here = found[next]) {
      shift += here.by.length - (here.end - here.start);
      next++;
    }
    const end = Math.max(before, found[next - 1]?.end ?? 0) + shift;
    const piece = { atMs, bytes: all.subarray(start, end) };
    start = end;
    return piece;
  });
}

function redactedResponse(response: Response, find: FindSecrets, isCut: boolean): Response {
  const [body, found] = redactedBytes(response.body, find, isCut);
  return found.length === 0 ? response : { ...response, body, chunks: redactedChunks(response.chunks, body, found) };
}

function redactedValue(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return value;
  const numbers = bytesIn(value);
  if (numbers !== undefined && text(numbers) !== numbers) return Array.isArray(value) ? [hidden] : { [hidden]: hidden };
  if (Array.isArray(value)) return value.map((item) => redactedValue(item, text));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [text(name), redactedValue(item, text)]));
}

/** The numbers in a value that holds only numbers, four or more, as JSON has buffers; otherwise undefined. */
function bytesIn(value: object): string | undefined {
  const items: readonly unknown[] = Object.values(value);
  return items.length >= 4 && items.every((item) => typeof item === 'number') ? items.join(',') : undefined;
}

/** Hides nothing: for proofs, which have no secrets and read every byte. */
export const openly: Redactor = {
  text: (text) => text,
  url: (url) => url,
  headers: (headers) => headers,
  redactExchange: (exchange) => exchange,
  value: (value) => value,
};

const beyondAscii = /[^\0-\x7f]/;

/** Limits of what a redactor remembers: characters of a text, and texts of one kind. */
const longestRemembered = 256;
const mostRemembered = 4096;

/**
 * Replaces each secret by a stable token (`[secret-1]` is the first), in every spelling that `secretSearch` knows, and
 * also its beginning where a text was cut. Hides the values of headers and query parameters that carry credentials.
 * Secrets under four characters are ignored; credentials that are words stay in sentences of the kit (`isWord`).
 * `more`: secrets that are created during the run; the list only grows.
 */
export function createRedactor(secrets: readonly Secret[], more: () => readonly LateSecret[] = () => []): Redactor {
  let known = { late: 0, redactor: redactorOf(secretSearch(secrets, [])) };
  /** A new one for new secrets: whatever the old one remembers may hold them. */
  function refreshed(): Redactor {
    const late = more();
    if (late.length !== known.late) known = { late: late.length, redactor: redactorOf(secretSearch(secrets, late)) };
    return known.redactor;
  }
  return {
    text: (text) => refreshed().text(text),
    url: (url) => refreshed().url(url),
    headers: (headers) => refreshed().headers(headers),
    redactExchange: (exchange) => refreshed().redactExchange(exchange),
    value: (value) => refreshed().value(value),
  };
}

/** Names and values of headers, URLs and reasons are mostly the same. */
const remembering = (work: (text: string) => string): ((text: string) => string) =>
  memo((text) => (text.length > longestRemembered ? undefined : text), work, mostRemembered);

function redactorOf(find: FindSecrets): Redactor {
  /** Redacted exchanges: each is shown as an event, in the report, and where a check has failed. */
  const done = new WeakMap<Exchange, Exchange>();
  function without(subject: string, isSentence: boolean): string {
    const cuts = marksIn(subject);
    const once = replaced(subject, merged(find(subject, { cuts, isBytes: false, isSentence })));
    // Header values arrive as Latin-1, one character per byte: a secret beyond ASCII appears there as its UTF-8 bytes.
    if (!beyondAscii.test(once)) return once;
    return replaced(once, merged(find(once, { cuts: [], isBytes: true, isSentence })));
  }
  const sentence = remembering((subject) => without(subject, true));
  const text = remembering((subject) => without(subject, false));
  const url = remembering((subject) =>
    text(subject.replace(userInfo, `$1${hidden}@`).replace(credentialParameter, `$1${hidden}`)),
  );
  function headerValue(name: string, value: string): string {
    if (value === '' || !credentialHeader.test(name)) return url(value);
    return /authorization$/i.test(name) ? `${scheme.exec(value)?.[0] ?? ''}${hidden}` : hidden;
  }
  const headers = (list: readonly Header[]): readonly Header[] =>
    list.map(([name, value]) => [text(name), headerValue(name, value)]);
  function redactExchange(exchange: Exchange): Exchange {
    const ready = done.get(exchange);
    if (ready !== undefined) return ready;
    const made = redacted(exchange);
    done.set(exchange, made);
    return made;
  }
  function redacted(exchange: Exchange): Exchange {
    const { request, response, failure, call } = exchange;
    const isCut = response?.cut === true || failure !== undefined;
    return {
      ...exchange,
      purpose: text(exchange.purpose),
      request: {
        ...request,
        method: text(request.method),
        url: url(request.url),
        headers: headers(request.headers),
        ...(request.body === undefined ? {} : { body: redactedBytes(request.body, find, request.cut === true)[0] }),
      },
      ...(response === undefined
        ? {}
        : {
            response: {
              ...redactedResponse(response, find, isCut),
              headers: headers(response.headers),
              ...(response.trailers === undefined ? {} : { trailers: headers(response.trailers) }),
            },
          }),
      ...(failure === undefined ? {} : { failure: { kind: failure.kind, detail: url(failure.detail) } }),
      ...(call === undefined || call.rpcId === undefined
        ? {}
        : { call: { ...call, rpcId: redactedValue(call.rpcId, text) } }),
    };
  }
  return {
    text: sentence,
    url,
    headers,
    redactExchange,
    value: <T>(value: T): T => redactedValue(value, sentence) as T,
  };
}
