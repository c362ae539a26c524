import type { ProfileId } from '../../dialect/index.js';
import { type ErrorName, isObject, type JsonObject, member, type Operation } from '../../model/index.js';
import { bodyText, header, mediaType } from '../../wire/index.js';
import type { HttpCall, Incoming, Reply } from '../calls.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import { plainReply } from '../replies.js';
import { type Patch, together } from '../seams.js';
import { declaring } from '../variants/declaring.js';

const profiles: readonly ProfileId[] = ['a2a-1.0-rest', 'a2a-0.3-rest'];
const newer: readonly ProfileId[] = ['a2a-1.0-rest'];

const pathOf = ({ url }: Incoming): string => new URL(url).pathname;
const sentIn = ({ body }: Incoming): unknown => {
  try {
    return JSON.parse(bodyText(body));
  } catch {
    return undefined;
  }
};
const isSend = (request: Incoming): boolean => request.method === 'POST' && pathOf(request).endsWith('/message:send');
const isCancel = (request: Incoming): boolean => request.method === 'POST' && pathOf(request).endsWith(':cancel');
const crash = plainReply(500, 'Internal Server Error');

/** Another answer to some requests. */
const answering =
  (when: (request: Incoming) => boolean, reply: Reply): Patch =>
  (inner) => ({ serveHttp: async (request) => (when(request) ? reply : inner.serveHttp(request)) });

const crashing = (when: (request: Incoming) => boolean): Patch => answering(when, crash);

/** Another request in the place of some. */
const reading =
  (as: (request: Incoming) => Incoming): Patch =>
  (inner) => ({ serveHttp: (request) => inner.serveHttp(as(request)) });

const refusing =
  (when: (request: Incoming) => boolean): Patch =>
  (inner) => ({
    httpCall(request) {
      if (when(request)) throw new RpcFailure('InvalidRequest');
      return inner.httpCall(request);
    },
  });

const onCalls =
  (edit: (call: HttpCall, request: Incoming) => HttpCall): Patch =>
  (inner) => ({
    httpCall(request) {
      const call = inner.httpCall(request);
      return call === undefined ? undefined : edit(call, request);
    },
  });

const guessed: JsonObject = {
  message: { messageId: 'guessed', role: 'ROLE_USER', parts: [{ text: 'Hello' }] },
};
const encoder = new TextEncoder();
const withBody = (request: Incoming, value: unknown): Incoming => ({
  ...request,
  body: encoder.encode(JSON.stringify(value)),
});
/** A message in the place of bodies that are none. */
const guessing = (when: (sent: unknown) => boolean): Patch =>
  reading((request) => (isSend(request) && when(sentIn(request)) ? withBody(request, guessed) : request));

const lacksMessage = (sent: unknown): boolean => isObject(sent) && !Object.hasOwn(sent, 'message');
const hasOddParts = (sent: unknown): boolean => {
  const message = member(sent, 'message');
  return isObject(message) && message['parts'] !== undefined && !Array.isArray(message['parts']);
};
const typeOf = ({ headers }: Incoming): string | undefined => mediaType(headers);
const isScalar = (sent: unknown): boolean => sent !== undefined && !isObject(sent) && !Array.isArray(sent);

/** The last segment of a path as it was sent. */
const rawId = (request: Incoming): string => pathOf(request).split('/').at(-1) ?? '';
const usual: ReadonlySet<string> = new Set([
  'historyLength',
  'pageSize',
  'pageToken',
  'contextId',
  'status',
  'statusTimestampAfter',
  'includeArtifacts',
  'tenant',
  'A2A-Version',
]);
const hasUnknown = ({ url }: Incoming): boolean =>
  [...new URL(url).searchParams.keys()].some((name) => !usual.has(name));
const timeIn = ({ url }: Incoming): string | null => new URL(url).searchParams.get('statusTimestampAfter');
const hasBadTime = (request: Incoming): boolean => {
  const time = timeIn(request);
  return time !== null && Number.isNaN(Date.parse(time));
};
const isPushRead = (request: Incoming): boolean =>
  request.method === 'GET' && /\/pushNotificationConfigs\/[^/]+$/.test(pathOf(request));

/** The path without the operation: the agent does not have it. */
const lacks =
  (op: Operation): Patch =>
  (inner) => ({
    httpCall(request) {
      const call = inner.httpCall(request);
      return call?.op === op ? undefined : call;
    },
  });

/** Calls that come over JSON-RPC, and not from the paths, are refused. */
const overRpc =
  (when: (command: { readonly op: Operation }) => boolean, failure: ErrorName): Patch =>
  (inner) => ({
    execute: async (command, call) => {
      if (pathOf(call.request).endsWith('/rpc') && when(command)) throw new RpcFailure(failure);
      return inner.execute(command, call);
    },
  });

export const restRequestsFaults = [
  fault('rest-malformed-crashes', {
    about: 'Malformed JSON is answered with 500.',
    breaks: ['rest.malformed', 'rest.malformed-json'],
    profiles,
    patch: crashing((request) => isSend(request) && sentIn(request) === undefined && request.body?.length !== 0),
  }),
  fault('rest-malformed-accepted', {
    about: 'Malformed JSON counts as a message.',
    breaks: ['rest.malformed', 'rest.malformed-json'],
    profiles: newer,
    patch: guessing((sent) => sent === undefined),
  }),
  fault('rest-missing-message-crashes', {
    about: 'A body without message is answered with 500.',
    breaks: ['rest.malformed', 'rest.invalid-fields'],
    profiles,
    patch: crashing((request) => isSend(request) && lacksMessage(sentIn(request))),
  }),
  fault('rest-missing-message-accepted', {
    about: 'A body without message counts as a greeting.',
    breaks: ['rest.malformed', 'rest.invalid-fields'],
    profiles: newer,
    patch: guessing(lacksMessage),
  }),
  fault('rest-scalar-crashes', {
    about: 'A body that is a number or a text is answered with 500.',
    breaks: ['rest.not-an-object'],
    profiles: newer,
    patch: crashing((request) => isSend(request) && isScalar(sentIn(request))),
  }),
  fault('rest-list-accepted', {
    about: 'A body that is a list counts as a message.',
    breaks: ['rest.not-an-object'],
    profiles: newer,
    patch: guessing(Array.isArray),
  }),
  fault('rest-wrong-types-crash', {
    about: 'A message whose parts are no list is answered with 500.',
    breaks: ['rest.wrong-types'],
    profiles: newer,
    patch: crashing((request) => isSend(request) && hasOddParts(sentIn(request))),
  }),
  fault('rest-wrong-types-accepted', {
    about: 'A message whose parts are no list is taken.',
    breaks: ['rest.wrong-types'],
    profiles: newer,
    patch: guessing(hasOddParts),
  }),
  fault('rest-a2a-json-refused', {
    about: 'Takes only application/json.',
    breaks: ['rest.request-types'],
    profiles: newer,
    patch: answering((request) => typeOf(request) === 'application/a2a+json', plainReply(415, 'Unsupported')),
  }),
  fault('rest-charset-refused', {
    about: 'A content type with a charset is refused.',
    breaks: ['rest.type-parameters'],
    profiles: newer,
    patch: answering(
      (request) => header(request.headers, 'content-type')?.includes('charset') === true,
      plainReply(415, 'Unsupported'),
    ),
  }),
  fault('rest-other-type-crashes', {
    about: 'A body of another media type is answered with 500.',
    breaks: ['rest.other-media-type'],
    profiles: newer,
    patch: crashing((request) => typeOf(request) === 'text/plain'),
  }),
  fault('rest-not-acceptable', {
    about: 'Answers only clients that ask for application/json by name.',
    breaks: ['rest.accept'],
    profiles: newer,
    patch: answering(
      (request) => header(request.headers, 'accept')?.includes('application/json') === false,
      plainReply(406, 'Not acceptable'),
    ),
  }),
  fault('rest-cancel-wants-body', {
    about: 'A cancelation without a body is refused.',
    breaks: ['rest.cancel-bodies'],
    profiles,
    patch: refusing((request) => isCancel(request) && (request.body?.length ?? 0) === 0),
  }),
  fault('rest-cancel-refuses-object', {
    about: 'A cancelation with an empty object as its body is refused.',
    breaks: ['rest.cancel-bodies'],
    profiles,
    patch: refusing((request) => isCancel(request) && bodyText(request.body) === '{}'),
  }),
  fault('rest-any-verb', {
    about: 'Looks at the path only: any verb does what it names.',
    breaks: ['rest.cancel-verb'],
    profiles: newer,
    patch: reading((request) => (pathOf(request).includes(':') ? { ...request, method: 'POST' } : request)),
  }),
  fault('rest-wrong-verb-answered', {
    about: 'A message by GET is answered with 200.',
    breaks: ['rest.wrong-verb'],
    profiles,
    patch: answering((request) => request.method === 'GET' && pathOf(request).endsWith('/message:send'), {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: '{"message":{"messageId":"1","role":"ROLE_AGENT","parts":[{"text":"Hello"}]}}',
    }),
  }),
  fault('rest-wrong-verb-crashes', {
    about: 'A message by GET is answered with 500.',
    breaks: ['rest.wrong-verb'],
    profiles,
    patch: crashing((request) => request.method === 'GET' && pathOf(request).endsWith('/message:send')),
  }),
  fault('rest-path-not-decoded', {
    about: 'Ids in paths are taken as they are sent, not decoded.',
    breaks: ['rest.decodes'],
    profiles: newer,
    patch: onCalls((call, request) =>
      call.op === 'get' ? { ...call, params: { ...call.params, id: rawId(request) } } : call,
    ),
  }),
  fault('rest-decodes-before-routing', {
    about: 'Decodes the whole path before it looks for the operation.',
    breaks: ['rest.reserved-in-id'],
    profiles: newer,
    patch: reading((request) => {
      const { origin, pathname, search } = new URL(request.url);
      return pathname.includes('%2F') || pathname.includes('%2E')
        ? { ...request, url: `${origin}${decodeURIComponent(pathname)}${search}` }
        : request;
    }),
  }),
  fault('rest-reserved-crash', {
    about: 'An encoded slash in an id is answered with 500.',
    breaks: ['rest.reserved-in-id'],
    profiles: newer,
    patch: crashing((request) => pathOf(request).includes('%2F')),
  }),
  fault('rest-bad-escape-crashes', {
    about: 'A path that cannot be decoded is answered with 500.',
    breaks: ['rest.bad-escape'],
    profiles: newer,
    patch: crashing((request) => pathOf(request).endsWith('%zz')),
  }),
  fault('rest-slashes-crash', {
    about: 'A slash too many is answered with 500.',
    breaks: ['rest.slashes'],
    profiles: newer,
    patch: crashing((request) => /\/\/|.\/$/.test(pathOf(request))),
  }),
  fault('rest-unknown-task-found', {
    about: 'A task that does not exist is found all the same.',
    breaks: ['rest.not-found'],
    profiles: ['a2a-0.3-rest'],
    patch: (inner) => ({
      async serveHttp(request) {
        const reply = await inner.serveHttp(request);
        return request.method === 'GET' && reply.status === 404 ? { ...reply, status: 200, body: '{"id":"1"}' } : reply;
      },
    }),
  }),
  fault('rest-bad-timestamp-ignored', {
    about: 'A time that is none is ignored.',
    breaks: ['rest.bad-timestamp'],
    profiles: newer,
    patch: onCalls((call, request) => {
      const { statusTimestampAfter: _, ...params } = call.params;
      return hasBadTime(request) ? { ...call, params } : call;
    }),
  }),
  fault('rest-bad-timestamp-crashes', {
    about: 'A time that is none is answered with 500.',
    breaks: ['rest.bad-timestamp'],
    profiles: newer,
    patch: crashing(hasBadTime),
  }),
  fault('rest-unknown-query-refused', {
    about: 'A parameter that it does not know is refused.',
    breaks: ['rest.unknown-query'],
    profiles: newer,
    patch: refusing(hasUnknown),
  }),
  fault('rest-unknown-query-crashes', {
    about: 'A parameter that it does not know is answered with 500.',
    breaks: ['rest.unknown-query'],
    profiles: newer,
    patch: crashing(hasUnknown),
  }),
  fault('rest-push-body-wins', {
    about: 'The task that the body names gets the config, not that of the path.',
    breaks: ['rest.push-path-wins'],
    on: 'push',
    profiles: newer,
    patch: onCalls((call, request) => {
      const taskId = member(sentIn(request), 'taskId');
      return call.op === 'pushSet' && taskId !== undefined ? { ...call, params: { ...call.params, taskId } } : call;
    }),
  }),
  fault('rest-unknown-config-crashes', {
    about: 'A config that does not exist is answered with 500.',
    breaks: ['rest.deleted-unknown'],
    on: 'push',
    profiles: ['a2a-0.3-rest'],
    patch: (inner) => ({
      async serveHttp(request) {
        const reply = await inner.serveHttp(request);
        return isPushRead(request) && reply.status === 404 ? crash : reply;
      },
    }),
  }),
  fault('rest-interface-dead', {
    about: 'Nothing stands at the URL of a second interface.',
    breaks: ['card.interfaces-answer'],
    profiles,
    patch: together(
      declaring(({ interfaces }) => ({
        interfaces: [...interfaces, ...interfaces.map((one) => ({ ...one, url: `${one.url}gone` }))],
      })),
      answering((request) => pathOf(request).startsWith('/gone'), plainReply(404, 'Not found')),
    ),
  }),
  fault('rest-tasks-not-shared', {
    about: 'Tasks are not known over the other binding.',
    breaks: ['rest.same-task'],
    on: 'rest-beside-rpc',
    profiles,
    patch: overRpc(({ op }) => op === 'get', 'TaskNotFound'),
  }),
  fault('rest-cancel-over-rpc-only', {
    about: 'POST /tasks/{id}:cancel is not there, though JSON-RPC has the operation.',
    breaks: ['rest.every-operation'],
    on: 'rest-beside-rpc',
    profiles: ['a2a-0.3-rest'],
    patch: lacks('cancel'),
  }),
  fault('rest-interface-conflict', {
    about: 'The card declares JSON-RPC at the URL of HTTP+JSON, and it is not there.',
    breaks: ['card.no-transport-conflict'],
    profiles,
    patch: declaring(({ interfaces }) => ({
      interfaces: [...interfaces, ...interfaces.map((one) => ({ ...one, transport: 'JSONRPC' }))],
    })),
  }),
  fault('rest-old-interface-refuses', {
    about: 'The interface of version 0.3 takes no calls of 0.3.',
    breaks: ['ver.old-interface'],
    profiles: newer,
    patch: together(
      declaring(({ interfaces }) => ({
        interfaces: [...interfaces, ...interfaces.map((one) => ({ ...one, url: `${one.url}old`, version: '0.3' }))],
      })),
      (inner, _, whole) => ({
        async serveHttp(request) {
          if (!pathOf(request).startsWith('/old')) return inner.serveHttp(request);
          const { status, value } = whole.httpRefusal(whole.error(new RpcFailure('VersionNotSupported'), undefined));
          return { status, headers: [['content-type', whole.httpType()]], body: whole.print(value) };
        },
      }),
    ),
  }),
  fault('rest-file-uri-crashes', {
    about: 'A file with a URL is answered with 500.',
    breaks: ['send.part-forms'],
    profiles,
    patch: crashing((request) => isSend(request) && /"(url|uri|fileWithUri)":"http/.test(bodyText(request.body))),
  }),
  fault('rest-no-list-path', {
    about: 'GET /tasks is not there.',
    breaks: ['list.implemented'],
    profiles: newer,
    patch: lacks('list'),
  }),
  fault('rest-no-cancel-path', {
    about: 'POST /tasks/{id}:cancel is not there.',
    breaks: ['cancel.implemented'],
    profiles,
    patch: lacks('cancel'),
  }),
  fault('rest-no-push-delete-path', {
    about: 'DELETE of a push config is not there.',
    breaks: ['push.deleted-gone'],
    profiles: newer,
    on: 'push',
    patch: lacks('pushDelete'),
  }),
  fault('rest-query-in-snake-case', {
    about: 'Reads the parameters of a query in snake_case only.',
    breaks: ['get.history-length', 'list.context-filter'],
    profiles: newer,
    patch: reading((request) => {
      const at = new URL(request.url);
      const read = [...at.searchParams].filter(([name]) => !/[A-Z]/.test(name) || name === 'A2A-Version');
      const query = new URLSearchParams();
      for (const [name, value] of read) {
        query.append(
          name.replaceAll(/_(\w)/g, (_, one: string) => one.toUpperCase()),
          value,
        );
      }
      return { ...request, url: `${at.origin}${at.pathname}${query.size === 0 ? '' : `?${query}`}` };
    }),
  }),
];
