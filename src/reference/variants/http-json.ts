import { grpcRequest, loadGrpc } from '../../binding/index.js';
import { resultTo } from '../../dialect/index.js';
import { isObject, type JsonObject, member, type Operation } from '../../model/index.js';
import { bodyText } from '../../wire/index.js';
import type { HttpReply, Incoming, Reply } from '../calls.js';
import { jsonHeaders, plainReply } from '../http.js';
import { streamReply } from '../http-json.js';
import { type Patch, together } from '../seams.js';
import { type Variant, variant } from '../variant.js';
import { able, declaring } from './declaring.js';

// What agents do over HTTP+JSON where the text leaves it open, mostly as the official libraries do it.

const binding = 'http+json';
const newer = ['a2a-1.0-rest'] as const;
const older = ['a2a-0.3-rest'] as const;

const pathOf = ({ url }: Incoming): string => new URL(url).pathname;

/** Statuses of results by operation; 204 has no body. */
const answersWith =
  (statuses: Readonly<Partial<Record<Operation, number>>>): Patch =>
  (inner) => ({
    httpResult(result, call) {
      const reply = inner.httpResult(result, call);
      const status = statuses[call.op] ?? reply.status;
      return { status, value: status === 204 ? undefined : reply.value };
    },
  });

const instead =
  (when: (reply: Reply, request: Incoming) => boolean, other: (request: Incoming) => Reply): Patch =>
  (inner) => ({
    async serveHttp(request) {
      const reply = await inner.serveHttp(request);
      return when(reply, request) ? other(request) : reply;
    },
  });

const inJson = (status: number, value: unknown): Reply => ({
  status,
  headers: jsonHeaders,
  body: JSON.stringify(value),
});

const onRefusals =
  (edit: (reply: HttpReply, error: JsonObject) => HttpReply): Patch =>
  (inner) => ({ httpRefusal: (error) => edit(inner.httpRefusal(error), error) });

const onError = (edit: (error: JsonObject) => unknown): Patch =>
  onRefusals(({ status, value }) => {
    const error = member(value, 'error');
    return { status, value: isObject(error) ? { error: edit(error) } : value };
  });

/** 1.0.0 §5.4 has other statuses than 1.0.1. */
const statuses100: Readonly<Record<string, number>> = {
  TASK_NOT_CANCELABLE: 409,
  CONTENT_TYPE_NOT_SUPPORTED: 415,
  INVALID_AGENT_RESPONSE: 502,
};
const reasonIn = (error: unknown): string => {
  const details = member(error, 'details');
  return String(member(Array.isArray(details) ? details[0] : undefined, 'reason'));
};

const inJsonOf = ({ body }: Incoming): unknown => {
  try {
    return JSON.parse(bodyText(body));
  } catch {
    return undefined;
  }
};
const messageIn = (request: Incoming): unknown => member(inJsonOf(request), 'message');
const refused = (message: string): Reply => ({
  status: 400,
  headers: [['content-type', 'application/json']],
  body: JSON.stringify({ message }),
});
/** Refuses messages that have this member: they are spelled in the other way. */
const unableToRead = (name: string): Patch =>
  instead(
    (_, request) => isObject(messageIn(request)) && Object.hasOwn(messageIn(request) as object, name),
    () => refused(`unknown field "${name}"`),
  );

/** Bodies are read as JSON, whatever their media type. */
export const readingAnyType: Patch = (inner) => ({
  serveHttp(request) {
    const others = request.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
    return inner.serveHttp({ ...request, headers: [...others, ...jsonHeaders] });
  },
});

/** The paths of 0.3 without /v1. */
const withoutPrefix: Patch = (inner) => ({
  serveHttp(request) {
    const { origin, pathname, search } = new URL(request.url);
    const path = pathname.startsWith('/v1/') ? `/none${pathname}` : `/v1${pathname}`;
    return inner.serveHttp({ ...request, url: `${origin}${path}${search}` });
  },
});

export const httpJsonVariants: readonly Variant[] = [
  variant('rest-created-and-empty', {
    about: 'A config that is set comes with 201, one that is deleted with 204 and no body (AMB10-61).',
    binding,
    patch: together(able({ push: true }), answersWith({ pushSet: 201, pushDelete: 204 })),
  }),
  variant('rest-accepted', {
    about: 'Answers messages with 201, cancelations with 202 (AMB03-40).',
    binding,
    profiles: older,
    patch: answersWith({ send: 201, cancel: 202 }),
  }),
  variant('rest-subscribe-by-get', {
    about: 'A subscription is a GET, as in the proto (AMB10-04).',
    binding,
    patch: together(
      able({ streaming: true }),
      instead(
        (_, request) => request.method === 'POST' && pathOf(request).endsWith(':subscribe'),
        () => plainReply(405, 'Method not allowed', [['allow', 'GET']]),
      ),
    ),
  }),
  variant('rest-subscribe-by-post', {
    about: 'A subscription is a POST, as in §11.3.2 (AMB10-04).',
    binding,
    patch: together(
      able({ streaming: true }),
      instead(
        (_, request) => request.method === 'GET' && pathOf(request).endsWith(':subscribe'),
        () => plainReply(404, 'Not found'),
      ),
    ),
  }),
  variant('rest-stream-errors-of-java', {
    about: 'An error in a stream is the name of a class and a message, as the library for Java does it (AMB03-15).',
    binding,
    profiles: older,
    patch: together(able({ streaming: true }), (inner) => ({
      async serveHttp(request) {
        const reply = await inner.serveHttp(request);
        const streams = /:(stream|subscribe)$/.test(pathOf(request));
        if (!streams || reply.status < 400 || typeof reply.body !== 'string') return reply;
        const { message } = JSON.parse(reply.body) as { readonly message: string };
        return streamReply([{ error: 'io.a2a.spec.A2AError', message }]);
      },
    })),
  }),
  variant('rest-of-1-0-0', {
    about: 'Media type and statuses are those of 1.0.0 (AMB10-05, AMB10-07).',
    binding,
    profiles: newer,
    patch: together(
      () => ({ httpType: () => 'application/json' }),
      onRefusals(({ status, value }) => {
        const error = member(value, 'error');
        const other = statuses100[reasonIn(error)] ?? status;
        return { status: other, value: isObject(error) ? { error: { ...error, code: other } } : value };
      }),
    ),
  }),
  variant('rest-pages-for-unknown-paths', {
    about: 'The web framework answers paths and verbs that it does not have with a page, and without Allow (AMB10-60).',
    binding,
    patch: instead(
      (reply) => reply.status === 405 || (reply.status === 404 && String(reply.body).includes('No such resource')),
      () => ({ status: 404, headers: [['content-type', 'text/html']], body: '<!doctype html><pre>Cannot GET</pre>\n' }),
    ),
  }),
  variant('rest-info-on-all-errors', {
    about: 'Invalid params have an ErrorInfo with a reason of its own, and no BadRequest (AMB10-64).',
    binding,
    profiles: newer,
    patch: onError((error) =>
      error['status'] === 'INVALID_ARGUMENT' && !/^[A-Z]/.test(reasonIn(error))
        ? {
            ...error,
            details: [
              {
                '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
                reason: 'INVALID_PARAMS',
                domain: 'a2a-protocol.org',
              },
            ],
          }
        : error,
    ),
  }),
  variant('rest-any-media-type', {
    about: 'Reads bodies as JSON under any media type, as the libraries for Go and Python do (AMB10-60).',
    binding,
    profiles: newer,
    patch: readingAnyType,
  }),
  variant('rest-decodes-before-routing', {
    about:
      'The web framework decodes a path before it looks for its route, and answers ids with slashes itself (AMB10-60).',
    binding,
    patch: instead(
      (_, { url }) => /%2f/i.test(new URL(url).pathname),
      () => plainReply(404, 'Not Found'),
    ),
  }),
  variant('rest-refuses-escapes', {
    about: 'The server itself refuses encoded slashes, percent signs and control characters in paths (AMB10-60).',
    binding,
    patch: instead(
      (_, { url }) => /%(?:2f|5c|25|7f|[01][0-9a-f])/i.test(new URL(url).pathname),
      () => ({
        status: 400,
        headers: [['content-type', 'text/html']],
        body: '<h1>HTTP Status 400 – Bad Request</h1>\n',
      }),
    ),
  }),
  variant('rest-router-in-json', {
    about:
      'The router answers for itself, in JSON: 400 to escapes that it does not like, 404 to long ids, other paths and verbs (AMB10-60).',
    binding,
    patch: together(
      instead(
        ({ status, body }, request) =>
          status === 405 || String(body).includes('No such resource') || /[^/]{101}/.test(pathOf(request)),
        (request) =>
          inJson(404, {
            message: `Route ${request.method}:${pathOf(request)} not found`,
            error: 'Not Found',
            statusCode: 404,
          }),
      ),
      instead(
        (_, request) => /%(?![0-9a-f]{2})/i.test(pathOf(request)),
        () => inJson(400, { statusCode: 400, error: 'Bad Request', message: 'This is not a valid URL component' }),
      ),
      instead(
        (_, request) => /%(?:2f|5c|00|25)/i.test(pathOf(request)),
        () => inJson(400, { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'Path traversal', details: [] } }),
      ),
    ),
  }),
  variant('rest-tenant-in-path', {
    about: 'Serves its tenant below a path of that name only, as the proto has it (AMB10-29).',
    binding,
    profiles: newer,
    patch: together(
      declaring(({ interfaces }) => ({ interfaces: interfaces.map((item) => ({ ...item, tenant: 'acme' })) })),
      (inner) => ({
        serveHttp(request) {
          const { origin, pathname, search } = new URL(request.url);
          const path = pathname.startsWith('/acme/') ? pathname.slice('/acme'.length) : `/none${pathname}`;
          return inner.serveHttp({ ...request, url: `${origin}${path}${search}` });
        },
      }),
    ),
  }),
  variant('rest-beside-rpc', {
    about: 'Speaks JSON-RPC too, at another URL (0.3 §3.4.1, 1.0 §5.1).',
    binding,
    patch: together(
      declaring(({ interfaces }) => ({
        interfaces: [
          ...interfaces,
          ...interfaces.map((item) => ({ ...item, url: `${item.url}rpc`, transport: 'JSONRPC' })),
        ],
      })),
      (inner) => ({
        route: (request) => (pathOf(request).endsWith('/rpc') ? 'endpoint' : inner.route(request)),
      }),
    ),
  }),
  variant('rest-v1-in-base', {
    about: 'The URL of the card ends in /v1, which the paths have too (AMB03-40).',
    binding,
    profiles: older,
    patch: together(
      declaring(({ interfaces }) => ({ interfaces: interfaces.map((item) => ({ ...item, url: `${item.url}v1` })) })),
      (inner) => ({ httpBases: () => inner.httpBases().map((base) => `${base}/v1`) }),
    ),
  }),
  variant('rest-without-v1', {
    about: 'The paths stand below the base itself, without /v1 (AMB03-40).',
    binding,
    profiles: older,
    patch: withoutPrefix,
  }),
  variant('rest-in-proto', {
    about: 'Speaks ProtoJSON, and does not read the spelling of the schema (AMB03-15).',
    binding,
    profiles: older,
    patch: together(unableToRead('parts'), (inner) => ({
      httpResult(result, call) {
        const { status, value } = inner.httpResult(result, call);
        return { status, value: resultTo(value, call.op) };
      },
    })),
  }),
  variant('rest-in-strict-proto', {
    about: 'Reads ProtoJSON of the proto of 0.3.0 only, and refuses each member that it does not have (AMB03-15).',
    binding,
    profiles: older,
    patch: (inner) => ({
      async serveHttp(request) {
        await loadGrpc();
        const isSend = request.method === 'POST' && /\/message:(send|stream)$/.test(pathOf(request));
        const sent = isSend ? inJsonOf(request) : undefined;
        const read = sent === undefined ? undefined : grpcRequest('/a2a.v1.A2AService/SendMessage', sent);
        return read !== undefined && 'fault' in read
          ? { ...refused(read.fault), status: 422 }
          : inner.serveHttp(request);
      },
    }),
  }),
  variant('rest-in-schema', {
    about: 'Reads only the spelling of the schema (AMB03-15).',
    binding,
    profiles: older,
    patch: unableToRead('content'),
  }),
  variant('rest-bare-push-configs', {
    about: 'Reads a push config only by itself, as {"id": …, "url": …} (AMB03-16).',
    binding,
    profiles: older,
    patch: together(able({ push: true }), (inner) => ({
      async serveHttp(request) {
        if (request.method !== 'POST' || !pathOf(request).endsWith('/pushNotificationConfigs'))
          return inner.serveHttp(request);
        const sent = inJsonOf(request);
        if (!isObject(sent) || !Object.hasOwn(sent, 'url')) return refused('url is missing');
        const body = new TextEncoder().encode(JSON.stringify({ pushNotificationConfig: sent }));
        return inner.serveHttp({ ...request, body });
      },
    })),
  }),
  variant('rest-problem-details', {
    about: 'Errors are problem details (RFC 9457); 0.3 leaves their form open (AMB03-40).',
    binding,
    profiles: older,
    patch: onRefusals(({ status }, error) => ({
      status,
      value: { type: 'about:blank', title: error['message'], status },
    })),
  }),
  variant('rest-not-implemented', {
    about: 'What it does not support is refused with 501 (AMB03-40).',
    binding,
    profiles: older,
    patch: onRefusals((reply, { code }) => (code === -32003 || code === -32004 ? { ...reply, status: 501 } : reply)),
  }),
];
