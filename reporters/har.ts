import type { Report } from '../src/report/index.js';
import { canParseUrl, header, printable } from '../src/wire/index.js';
import { type JsonBody, type JsonExchange, jsonExchanges } from './json-exchange.js';
import { jsonPieces } from './json-text.js';
import { fromReport, type Reporter } from './reporter.js';
import { scopeTexts } from './wording.js';

// HTTP Archive 1.2, http://www.softwareishard.com/blog/har-12-spec/: members with an underscore are our own.

type Headers = JsonExchange['request']['headers'];

const pairs = (headers: Headers) => headers.map(([name, value]) => ({ name, value }));

const sizeOf = ({ body = '', bodyEncoding }: JsonBody): number => Buffer.byteLength(body, bodyEncoding ?? 'utf8');

const cutNote = ({ bodyCut }: JsonBody) => (bodyCut === true ? { comment: 'only the beginning of the body' } : {});

/** Readers accept only a URI of RFC 3986. If the sent URL is none, `_url` has what was sent. */
function address(url: string): { readonly url: string; readonly _url?: string } {
  const parsed = canParseUrl(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return { url: 'about:invalid', _url: printable(url) };
  const { origin, pathname, search } = parsed;
  const rest = `${pathname}${search}`
    .replace(/[^\w\-.~:/?@!$&'()*+,;=%]/g, encodeURIComponent)
    .replace(/%(?![\da-f]{2})/gi, '%25');
  const uri = `${origin}${rest}`;
  return uri === url ? { url } : { url: uri, _url: printable(url) };
}

const queryOf = (url: string) =>
  canParseUrl(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];

const versionOf = ({ http2 }: JsonExchange['request']): string => (http2 === true ? 'HTTP/2' : 'HTTP/1.1');

function requestOf({ request }: JsonExchange) {
  const { method, headers, body, bodyEncoding } = request;
  const mimeType = header(headers, 'content-type') ?? '';
  // HAR has no encoding for request bodies, unlike for responses.
  const encoding = bodyEncoding === undefined ? {} : { _encoding: bodyEncoding };
  return {
    method,
    ...address(request.url),
    httpVersion: versionOf(request),
    cookies: [],
    headers: pairs(headers),
    queryString: queryOf(request.url),
    ...(body === undefined ? {} : { postData: { mimeType, text: body, ...encoding, ...cutNote(request) } }),
    headersSize: -1,
    bodySize: sizeOf(request),
  };
}

/** Status 0 without a response, as browsers write it. */
function responseOf({ request, response, error }: JsonExchange) {
  const { status, headers } = response ?? { status: 0, headers: [] };
  const body: JsonBody = response ?? {};
  const encoding = body.bodyEncoding === undefined ? {} : { encoding: body.bodyEncoding };
  const content = {
    size: sizeOf(body),
    mimeType: header(headers, 'content-type') ?? '',
    ...encoding,
    ...cutNote(body),
  };
  return {
    status,
    statusText: '',
    httpVersion: versionOf(request),
    cookies: [],
    headers: pairs(headers),
    ...(response?.trailers === undefined ? {} : { _trailers: pairs(response.trailers) }),
    content: body.body === undefined ? content : { ...content, text: body.body },
    redirectURL: header(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: response === undefined ? -1 : sizeOf(body),
    ...(error === undefined ? {} : { _error: `${error.kind}: ${error.detail}` }),
  };
}

function entryOf(exchange: JsonExchange) {
  const { id, purpose, error, toWebhook, startedAt, durationMs } = exchange;
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _id: id,
    _purpose: purpose,
    ...(error === undefined ? {} : { _failure: error }),
    ...(exchange.request.headersCut === true || exchange.response?.headersCut === true
      ? { comment: 'some headers are left out, or only the beginning of their values is given' }
      : {}),
    ...(toWebhook === true ? { _toWebhook: true } : {}),
  };
}

/** Entries are in the order in which they began, as readers expect. One after the other, so that only one is in memory. */
function* entriesOf({ exchanges }: Report): Generator<ReturnType<typeof entryOf>, void, undefined> {
  const json = jsonExchanges();
  for (const exchange of [...exchanges].sort((a, b) => a.startedAt - b.startedAt)) yield entryOf(json(exchange));
}

function* pieces(report: Report): Generator<string, void, undefined> {
  const { kit, run } = report;
  const lines = [
    ...scopeTexts(report).map((scopeText) => printable(scopeText, 600)),
    ...(run.cut === undefined ? [] : [`the run ended early: ${printable(run.cut)}`]),
  ];
  const comment = lines.length === 0 ? {} : { comment: lines.join('; ') };
  yield '{\n "log": ';
  yield* jsonPieces({ version: '1.2', creator: { ...kit }, ...comment }, ['entries', entriesOf(report)], 1, 1);
  yield '\n}\n';
}

export const har: Reporter = {
  id: 'har',
  readers: 'the exchanges, for browsers and proxies',
  begin: fromReport(pieces),
};
