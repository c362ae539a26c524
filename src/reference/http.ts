import { stringMember } from '../model/index.js';
import { bodyText, type Header, mediaType, type WireRequest } from '../wire/index.js';
import { bodyLimit } from './body-limit.js';
import type { Incoming, Reply } from './calls.js';
import { keysPath } from './card.js';
import { RpcFailure, Unauthorized } from './failure.js';
import { pathBelowOne } from './http-json.js';
import { jsonHeaders, notAllowed, plainReply } from './replies.js';
import type { Seams, World } from './seams.js';
import { Streamed } from './streams.js';

export { bodyLimit, jsonHeaders, plainReply };

/** WHATWG HTML §9.2; no intermediary may keep or gather events. */
const streamHeaders: readonly Header[] = [
  ['content-type', 'text/event-stream'],
  ['cache-control', 'no-store'],
];

export type HttpSeams = Pick<
  Seams,
  'serve' | 'route' | 'rpcPaths' | 'serveRpc' | 'serveExtendedCard' | 'httpStatus' | 'print'
>;

/** The way to the card and to the endpoint: methods, paths, content types, sizes. */
export function http(world: World, whole: Seams): HttpSeams {
  const { baseUrl, clock, dialect, spelling } = world;
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const { extendedCard } = dialect.operations;
  const extendedUrl = extendedCard?.url?.(`${baseUrl}${dialect.endpointPath || '/'}`);
  const extendedPath = extendedUrl === undefined ? undefined : pathBelow(base, extendedUrl);

  const refuse = (status: number, detail: string): Reply => {
    const failure = whole.error(new RpcFailure('InvalidRequest', detail), undefined);
    const body = whole.print(whole.envelope({ jsonrpc: '2.0', id: null, error: failure }, undefined));
    return { status, headers: jsonHeaders, body };
  };

  async function replyTo(request: Incoming): Promise<Reply> {
    const route = whole.route(request);
    if (route === 'card') return whole.serveCard(request);
    if (route === 'endpoint') return whole.serveRpc(request);
    if (route === 'http-json') return whole.serveHttp(request);
    if (route === 'grpc') return whole.serveGrpc(request);
    if (route === 'extended-card') return whole.serveExtendedCard(request);
    if (route === 'keys') return whole.serveKeys(request);
    return plainReply(404, 'Not found');
  }

  async function call(request: Incoming): Promise<Reply> {
    // 0.3 §7: the content type of a call is application/json; parameters do not matter.
    if (mediaType(request.headers) !== 'application/json') {
      return refuse(415, 'the content type must be application/json');
    }
    const body = request.body ?? new Uint8Array();
    if (body.byteLength > bodyLimit) return refuse(413, `the body is larger than ${bodyLimit} bytes`);
    let response: unknown;
    try {
      response = await whole.answer(whole.parse(body), request);
    } catch (cause) {
      if (!(cause instanceof RpcFailure)) throw cause;
      response = whole.envelope({ jsonrpc: '2.0', id: null, error: whole.error(cause, undefined) }, undefined);
    }
    if (response === undefined) return { status: 204, headers: [], body: '' };
    const activated = whole.activated(request);
    const named: readonly Header[] = activated.length > 0 ? [[dialect.extensionHeader, activated.join(', ')]] : [];
    if (response instanceof Streamed) {
      return { status: 200, headers: [...streamHeaders, ...named], body: response.body };
    }
    return {
      status: whole.httpStatus(response),
      headers: [...jsonHeaders, ...named],
      body: whole.print(response),
    };
  }

  return {
    async serve(request) {
      const reply = await replyTo(request);
      // RFC 9110 §6.6.1: a server with a clock sends its time.
      return { ...reply, headers: [...reply.headers, ['date', new Date(clock.now()).toUTCString()]] };
    },
    route(request) {
      if (/^application\/grpc\b/.test(mediaType(request.headers) ?? '') && whole.grpcServed()) return 'grpc';
      const path = pathBelow(base, request.url);
      if (path !== undefined && spelling.cardPaths.includes(path)) return 'card';
      if (path === keysPath) return 'keys';
      if (path !== undefined && path === extendedPath) return 'extended-card';
      if (path !== undefined && whole.rpcPaths().includes(path)) return 'endpoint';
      return pathBelowOne(whole.httpBases(), request.url) === undefined ? 'nowhere' : 'http-json';
    },
    rpcPaths: () => (dialect.binding.requests === 'envelopes' ? [dialect.endpointPath || '/', ''] : []),
    async serveRpc(request) {
      if (request.method !== 'POST') return notAllowed('POST');
      try {
        const caller = spelling.authenticates === 'requests' ? await whole.authenticate(request) : undefined;
        return await call({ ...request, caller });
      } catch (cause) {
        if (!(cause instanceof Unauthorized)) throw cause;
        return whole.challenge();
      }
    },
    async serveExtendedCard(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed('GET, HEAD');
      try {
        const method = extendedCard?.rpc ?? '';
        const call = {
          id: null,
          method,
          params: undefined,
          request: { ...request, caller: await whole.authenticate(request) },
        };
        whole.operation(method);
        const card = whole.encode(await whole.execute({ op: 'extendedCard', params: {} }, call), call);
        return { status: 200, headers: jsonHeaders, body: request.method === 'HEAD' ? '' : whole.print(card) };
      } catch (cause) {
        if (cause instanceof Unauthorized) return whole.challenge();
        if (!(cause instanceof RpcFailure)) throw cause;
        // 0.2 §7.10: standard HTTP errors.
        return plainReply(404, cause.message);
      }
    },
    httpStatus: () => 200,
    print: (value) => JSON.stringify(value),
  };
}

/** The JSON of a body; undefined when it is none. */
export function peek(request: WireRequest): unknown {
  try {
    return JSON.parse(bodyText(request.body));
  } catch {
    return undefined;
  }
}

/** The method that a call names; undefined where it names none. */
export const methodIn = (request: WireRequest): string | undefined => stringMember(peek(request), 'method');

/** The path of a URL below the agent's own; undefined when it is not below it. */
export function pathBelow(base: string, url: string): string | undefined {
  const { pathname } = new URL(url);
  if (pathname === base) return '';
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined;
}
