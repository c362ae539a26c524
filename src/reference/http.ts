import { bodyText, type Header, mediaType, type WireRequest } from '../wire/index.js';
import { RpcFailure } from './failure.js';
import type { Reply, Seams, World } from './seams.js';

/** Larger bodies are refused unread (0.3 §10.2). */
export const bodyLimit = 1024 * 1024;

export const jsonHeaders: readonly Header[] = [['content-type', 'application/json']];

export type HttpSeams = Pick<Seams, 'serve' | 'route' | 'serveCard' | 'serveRpc' | 'httpStatus' | 'print'>;

/** The way to the card and to the endpoint: methods, paths, content types, sizes. */
export function http(world: World, whole: Seams): HttpSeams {
  const { baseUrl, dialect, spelling } = world;
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');

  const refuse = (status: number, detail: string): Reply => {
    const failure = whole.error(new RpcFailure('InvalidRequest', detail), undefined);
    const body = whole.print(whole.envelope({ jsonrpc: '2.0', id: null, error: failure }, undefined));
    return { status, headers: jsonHeaders, body };
  };

  return {
    async serve(request) {
      const route = whole.route(request);
      if (route === 'card') return whole.serveCard(request);
      if (route === 'endpoint') return whole.serveRpc(request);
      return plainReply(404, 'Not found');
    },
    route(request) {
      const path = pathBelow(base, request.url);
      if (path !== undefined && spelling.cardPaths.includes(path)) return 'card';
      return path === (dialect.endpointPath || '/') || path === '' ? 'endpoint' : 'nowhere';
    },
    serveCard(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed('GET, HEAD');
      const body = whole.print(whole.cardDocument());
      return { status: 200, headers: jsonHeaders, body: request.method === 'HEAD' ? '' : body };
    },
    async serveRpc(request) {
      if (request.method !== 'POST') return notAllowed('POST');
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
      return { status: whole.httpStatus(response), headers: jsonHeaders, body: whole.print(response) };
    },
    httpStatus: () => 200,
    print: (value) => JSON.stringify(value),
  };
}

export const plainReply = (status: number, text: string, headers: readonly Header[] = []): Reply => ({
  status,
  headers: [['content-type', 'text/plain; charset=utf-8'], ...headers],
  body: `${text}\n`,
});

/** The JSON of a body, for those who only want to look; undefined when it is none. */
export function peek(request: WireRequest): unknown {
  try {
    return JSON.parse(bodyText(request.body));
  } catch {
    return undefined;
  }
}

const notAllowed = (methods: string): Reply => plainReply(405, 'Method not allowed', [['allow', methods]]);

/** The path of a URL below the agent's own; undefined when it is not below it. */
export function pathBelow(base: string, url: string): string | undefined {
  const { pathname } = new URL(url);
  if (pathname === base) return '';
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined;
}
