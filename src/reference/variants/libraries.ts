import { resultTo } from '../../dialect/index.js';
import { isObject, isTerminal, type JsonObject, member } from '../../model/index.js';
import { type Header, mediaType } from '../../wire/index.js';
import type { HttpCall, HttpReply, Incoming, Reply } from '../calls.js';
import { plainReply } from '../replies.js';
import { type Patch, together } from '../seams.js';
import { type Variant, variant } from '../variant.js';
import { able } from './declaring.js';
import { readingAnyType } from './http-json.js';

// Whole agents over HTTP+JSON as the official libraries serve them: all at once what the variants of http-json.ts show
// one by one. What a library does against a sentence is left out: in 1.0 no agent may ignore A2A-Version (§3.6.2) or
// print artifacts for which the client did not ask (§3.1.4), and no agent should refuse members that it does not know
// (§5.7), take a state that does not exist (§3.3.2), or refuse a version for its patch number (§3.6).

const binding = 'http+json';
const newer = ['a2a-1.0-rest'] as const;
const older = ['a2a-0.3-rest'] as const;
const both = able({ streaming: true, push: true });

const infoType = 'type.googleapis.com/google.rpc.ErrorInfo';
const domain = 'a2a-protocol.org';
const streams = (request: Incoming): boolean => /:(stream|subscribe)$/.test(new URL(request.url).pathname);

type Query = readonly (readonly [name: string, value: string])[];

/** The query as the library reads it. */
const reading =
  (read: (query: Query) => Query): Patch =>
  (inner) => ({
    serveHttp(request) {
      const url = new URL(request.url);
      const query = read([...url.searchParams]).map(([name, value]): [string, string] => [name, value]);
      url.search = new URLSearchParams(query).toString();
      return inner.serveHttp({ ...request, url: url.href });
    },
  });

/** What the router of a web framework says before the library is asked; undefined: it asks the library. */
const routed =
  (answer: (request: Incoming, path: string) => Reply | undefined): Patch =>
  (inner) => ({
    async serveHttp(request) {
      return answer(request, new URL(request.url).pathname) ?? (await inner.serveHttp(request));
    },
  });

/** Instead of the answers to paths and verbs that are not there. */
const unrouted =
  (notFound: (request: Incoming) => Reply, notAllowed: (request: Incoming, allow: string) => Reply): Patch =>
  (inner) => ({
    async serveHttp(request) {
      const reply = await inner.serveHttp(request);
      const allow = reply.headers.find(([name]) => name === 'allow')?.[1] ?? '';
      if (reply.status === 405) return notAllowed(request, allow);
      return reply.status === 404 && String(reply.body).includes('No such resource') ? notFound(request) : reply;
    },
  });

/** Each error of the library, which has an ErrorInfo always. */
const telling =
  (reasonOf: (code: unknown) => string, details: (info: JsonObject, error: JsonObject) => readonly unknown[]): Patch =>
  (inner, { dialect }) => ({
    httpRefusal(failure) {
      const { status, value } = inner.httpRefusal(failure);
      const error = member(value, 'error');
      if (!isObject(error)) return { status, value };
      const known = Object.values(dialect.errors).find(({ rpc }) => rpc === failure['code'])?.http?.reason;
      const info = { '@type': infoType, reason: known ?? reasonOf(failure['code']), domain };
      return { status, value: { error: { ...error, details: details(info, error) } } };
    },
  });

const answeringWith =
  (answer: (reply: HttpReply, call: HttpCall) => HttpReply): Patch =>
  (inner) => ({ httpResult: (result, call) => answer(inner.httpResult(result, call), call) });

const withHeaders =
  (of: (reply: Reply, request: Incoming) => readonly Header[]): Patch =>
  (inner) => ({
    async serveHttp(request) {
      const reply = await inner.serveHttp(request);
      const more = of(reply, request);
      const names = new Set(more.map(([name]) => name));
      return { ...reply, headers: [...reply.headers.filter(([name]) => !names.has(name)), ...more] };
    },
  });

/** Each event with these lines before it. */
const framed =
  (before: (count: number) => string): Patch =>
  (inner) => {
    let count = 0;
    return {
      frame(text, call) {
        const made = inner.frame(text, call);
        return typeof made === 'string' ? `${before(++count)}${made}` : made;
      },
    };
  };

const anId = (count: number): string => `7c9e6679-7425-40de-944b-${count.toString(16).padStart(12, '0')}`;

// -- Go

const goReasons: Readonly<Record<string, string>> = { '-32700': 'PARSE_ERROR', '-32600': 'INVALID_REQUEST' };
const goBooleans: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, 'true'])),
  ...Object.fromEntries(['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, 'false'])),
};
/** The first of each name counts, an empty value is none, and 0 is not a page size. */
const goQuery = reading((query) =>
  query
    .filter(([name, value], at) => value !== '' && query.findIndex(([other]) => other === name) === at)
    .filter(([name, value]) => !(name === 'pageSize' && value === '0'))
    .map(([name, value]) => [name, name === 'includeArtifacts' ? (goBooleans[value] ?? value) : value] as const),
);

/** net/http cleans paths by a redirect, and knows no path that is not percent-encoded. */
const goMux: Patch = routed((request, path) => {
  if (/%(?![0-9a-f]{2})/i.test(path)) return plainReply(400, '400 Bad Request');
  if (!path.includes('//')) return undefined;
  const to = `${path.replaceAll(/\/{2,}/g, '/')}${new URL(request.url).search}`;
  return {
    status: request.method === 'GET' ? 301 : 307,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['location', to],
    ],
    body: request.method === 'GET' ? `<a href="${to}">Moved Permanently</a>.\n\n` : '',
  };
});

/** Every outcome of a stream comes in it, a refusal too; the agent refuses only a body that is not JSON before. */
const goStreams: Patch = (inner) => {
  let count = 0;
  return {
    async serveHttp(request) {
      const reply = await inner.serveHttp(request);
      const { body } = reply;
      if (!streams(request) || reply.status < 400 || typeof body !== 'string' || !body.startsWith('{"error"'))
        return reply;
      const isUnread = body.includes('"PARSE_ERROR"');
      return isUnread ? reply : { ...reply, status: 200, body: `id: ${anId(++count)}\ndata: ${body}\n\n` };
    },
  };
};

const nosniff: Header = ['x-content-type-options', 'nosniff'];

const likeGo = together(
  both,
  telling(
    (code) => goReasons[String(code)] ?? (code === -32602 ? 'INVALID_PARAMS' : 'INTERNAL_ERROR'),
    (info, error) => [
      ...(Array.isArray(error['details']) ? error['details'] : []).filter((item) => member(item, '@type') !== infoType),
      { ...info, metadata: { timestamp: '2026-01-01T00:00:00Z' } },
    ],
  ),
  () => ({ httpType: () => 'application/json' }),
  answeringWith(({ status, value }, { op }) => ({ status, value: op === 'pushDelete' ? undefined : value })),
  framed((count) => `: keep-alive\n\nid: ${anId(count)}\n`),
  goStreams,
  unrouted(
    () => plainReply(404, '404 page not found', [nosniff]),
    (_, allow) => plainReply(405, 'Method Not Allowed', [['allow', allow.replace('GET', 'GET, HEAD')], nosniff]),
  ),
  goQuery,
  goMux,
  readingAnyType,
  withHeaders((_, request) =>
    streams(request)
      ? [
          ['content-type', 'text/event-stream'],
          ['cache-control', 'no-cache'],
          ['x-accel-buffering', 'no'],
        ]
      : [],
  ),
);

// -- Python

/** What protobuf does not print: empty texts and lists, false, zero. Structs and values stay unchanged. */
function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      if (name === 'metadata' || name === 'data') return [[name, member]];
      const isDefault =
        member === '' || member === false || member === 0 || (Array.isArray(member) && member.length === 0);
      return isDefault ? [] : [[name, withoutDefaults(member)]];
    }),
  );
}

const pythonReasons: Readonly<Record<string, string>> = {
  '-32700': 'INVALID_REQUEST',
  '-32600': 'INVALID_REQUEST',
  '-32601': 'METHOD_NOT_FOUND',
  '-32602': 'INVALID_PARAMS',
};

/** The last of each name counts, states may be numbers, and booleans are `true` in any case or false. */
const pythonQuery = reading((query) =>
  query
    .filter(([name], at) => query.findLastIndex(([other]) => other === name) === at)
    .map(([name, value]) => {
      if (name === 'includeArtifacts') return [name, String(value.toLowerCase() === 'true')] as const;
      return [name, name === 'status' && value === '3' ? 'TASK_STATE_COMPLETED' : value] as const;
    }),
);

/** Starlette decodes a path before it looks for a route, and leads paths with a slash at the end to those without. */
const starlette: Patch = routed((request, path) => {
  if (/%2f/i.test(path)) return plainReply(404, 'Not Found');
  if (!path.endsWith('/') || path.length < 2) return undefined;
  const { origin, search } = new URL(request.url);
  return { status: 307, headers: [['location', `${origin}${path.replace(/\/+$/, '')}${search}`]], body: '' };
});

const likePython = together(
  both,
  telling(
    (code) => pythonReasons[String(code)] ?? 'INTERNAL_ERROR',
    (info, error) => [
      { ...info, metadata: {} },
      ...(Array.isArray(error['details']) ? error['details'] : []).filter(
        (item) => member(item, '@type') !== infoType && info['reason'] === 'INVALID_PARAMS',
      ),
    ],
  ),
  () => ({ httpType: () => 'application/json' }),
  answeringWith(({ status, value }, { op }) => ({
    status,
    value: op === 'pushDelete' ? {} : op === 'list' ? value : withoutDefaults(value),
  })),
  unrouted(
    () => plainReply(404, 'Not Found'),
    (_, allow) => plainReply(405, 'Method Not Allowed', [['allow', allow.replace('GET', 'GET, HEAD')]]),
  ),
  pythonQuery,
  starlette,
  readingAnyType,
  withHeaders((reply, request) =>
    streams(request) && reply.status === 200
      ? [
          ['content-type', 'text/event-stream; charset=utf-8'],
          ['cache-control', 'no-store'],
          ['x-accel-buffering', 'no'],
        ]
      : [['server', 'uvicorn']],
  ),
);

// -- JavaScript

const express = (request: Incoming): Reply => ({
  status: 404,
  headers: [
    ['content-type', 'text/html; charset=utf-8'],
    ['x-powered-by', 'Express'],
  ],
  body: `<!DOCTYPE html>\n<pre>Cannot ${request.method} ${encodeURI(new URL(request.url).pathname)}</pre>\n`,
});
/** Express refuses such a path itself. */
const expressPaths: Patch = routed((request, path) => {
  if (/%(?![0-9a-f]{2})/i.test(path)) return { ...express(request), status: 400 };
  // A slash at the end makes no other path.
  return undefined;
});

const likeJs = together(
  both,
  telling(
    (code) => (code === -32601 ? 'METHOD_NOT_FOUND' : code === -32603 ? 'INTERNAL_ERROR' : 'INVALID_PARAMS'),
    (info) => [info],
  ),
  () => ({ httpType: () => 'application/a2a+json; charset=utf-8' }),
  answeringWith(({ status, value }, { op }) => {
    if (op === 'pushDelete') return { status: 204, value: undefined };
    return { status: op === 'pushSet' ? 201 : status, value };
  }),
  (inner) => ({
    async serveHttp(request) {
      const reply = await inner.serveHttp(request);
      // Its refusal of a media type is an error of A2A like the others.
      if (reply.status !== 415 || typeof reply.body !== 'string') return reply;
      return { ...reply, status: 400, body: reply.body.replace('"code":415', '"code":400') };
    },
  }),
  unrouted(express, express),
  expressPaths,
  withHeaders((_, request) =>
    streams(request)
      ? [
          ['cache-control', 'no-cache'],
          ['x-accel-buffering', 'no'],
          ['x-powered-by', 'Express'],
        ]
      : [['x-powered-by', 'Express']],
  ),
);

const likeOldJs = together(
  both,
  (inner, { dialect }) => ({
    httpRefusal(error) {
      const { value } = inner.httpRefusal(error);
      const name = Object.entries(dialect.errors).find(([, { rpc }]) => rpc === error['code'])?.[0];
      const statuses: Readonly<Record<string, number>> = { TaskNotFound: 404, TaskNotCancelable: 409 };
      const isInternal = name === undefined || name === 'InternalError';
      return { status: statuses[name ?? ''] ?? (isInternal ? 500 : 400), value };
    },
    // A subscription to a task that has ended shows it, and ends (AMB03-10).
    closes: (event, call) => (event.type === 'task' ? isTerminal(event.task.status.state) : inner.closes(event, call)),
  }),
  answeringWith(({ status, value }, { op }) => {
    const statuses: Readonly<Record<string, number>> = { send: 201, cancel: 202, pushSet: 201, pushDelete: 204 };
    const own = statuses[op] ?? status;
    return { status: own, value: own === 204 ? undefined : resultTo(value, op) };
  }),
  unrouted(express, express),
  expressPaths,
  withHeaders((reply) => (mediaType(reply.headers) === undefined ? [] : [['x-powered-by', 'Express']])),
);

/** Agents that do at once what one library does. */
export const libraryVariants: readonly Variant[] = [
  variant('rest-like-go', {
    about:
      'As the library for Go serves it: errors of streams are events under 200, events have ids, texts of net/http, redirects to clean paths (AMB10-60, AMB10-64, AMB10-65).',
    binding,
    profiles: newer,
    patch: likeGo,
  }),
  variant('rest-like-python', {
    about:
      'As the library for Python serves it: ErrorInfo in every error, no members with default values, `{}` for what is deleted (AMB10-13, AMB10-61, AMB10-64).',
    binding,
    profiles: newer,
    patch: likePython,
  }),
  variant('rest-like-js', {
    about:
      'As the library for JavaScript serves it: 201 and 204, pages of Express for other paths and verbs, 400 for a media type (AMB10-05, AMB10-60, AMB10-61).',
    binding,
    profiles: newer,
    patch: likeJs,
  }),
  variant('rest-like-js-0-3', {
    about:
      'As the library for JavaScript serves 0.3: ProtoJSON, 201, 202, 204 and 409, codes of JSON-RPC in its errors (AMB03-15, AMB03-40).',
    binding,
    profiles: older,
    patch: likeOldJs,
  }),
];
