import type { Incoming, Reply, Route } from '../calls.js';
import { chunksOf } from '../carrier.js';
import { onReply } from '../edits.js';
import { jsonHeaders, pathBelow, plainReply } from '../http.js';
import { pathBelowOne } from '../http-json.js';
import { type Patch, together } from '../seams.js';
import { a2a, allBut, signers, variant } from '../variant.js';
import { able } from './declaring.js';

/** Serves the card or the endpoint at other paths; the card names the new endpoint. */
const moved =
  (routes: Readonly<Record<string, Route>>, endpoint = '/'): Patch =>
  (inner, { baseUrl }, whole) => ({
    httpBases: () => inner.httpBases().map((base) => `${base}${endpoint}`.replace(/\/$/, '')),
    route(request) {
      const { search } = new URL(request.url);
      const path = pathBelow(new URL(baseUrl).pathname.replace(/\/$/, ''), request.url) || '/';
      const isBelow = pathBelowOne(whole.httpBases(), request.url) !== undefined;
      // gRPC has no path of its own.
      if (inner.route(request) === 'grpc') return 'grpc';
      return routes[`${path}${search}`] ?? routes[path] ?? (isBelow ? 'http-json' : 'nowhere');
    },
    card() {
      const card = inner.card();
      return { ...card, interfaces: card.interfaces.map((item) => ({ ...item, url: `${baseUrl}${endpoint}` })) };
    },
  });

async function* byteByByte(body: Reply['body']): AsyncIterable<Uint8Array> {
  for await (const chunk of chunksOf(body)) {
    // Single bytes up to 4096 are enough; the rest of a long body comes in larger pieces.
    for (let at = 0; at < chunk.byteLength; ) {
      const end = at < 4096 ? at + 1 : at + 1021;
      yield chunk.subarray(at, end);
      at = end;
    }
  }
}

/** Requests are answered one after the other; one that is given up by its sender is not begun, or is left. */
const oneWorker: Patch = (inner) => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async serveRpc(request) {
      const before = last;
      let end = (): void => {};
      const own = new Promise<void>((resolve) => {
        end = resolve;
      });
      last = before.then(() => own);
      request.signal.addEventListener('abort', () => end(), { once: true });
      await before;
      if (request.signal.aborted) end();
      const reply = await inner.serveRpc(request);
      if (typeof reply.body === 'string' || reply.body instanceof Uint8Array) {
        end();
        return reply;
      }
      return { ...reply, body: ending(reply.body, end) };
    },
  };
};

async function* ending(body: AsyncIterable<Uint8Array>, end: () => void): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } finally {
    end();
  }
}

/** Where callers sign, the document names the path of the endpoint: /a2a below the URL of the card. */
const atAnyPath = allBut(...signers);

const atRoot = (request: Incoming): Incoming => {
  const { origin, search } = new URL(request.url);
  return { ...request, url: `${origin}/${search}` };
};

export const httpVariants = [
  variant('redirects', {
    about: 'The endpoint that the card names redirects to the one that answers (RFC 9110 §15.4.8; A2A speaks of none).',
    profiles: a2a,
    binding: 'jsonrpc',
    patch: (inner) => {
      const isMoved = ({ url }: Incoming): boolean => new URL(url).pathname === '/v9/';
      return {
        route: (request) => inner.route(isMoved(request) ? atRoot(request) : request),
        async serveRpc(request) {
          if (isMoved(request)) return inner.serveRpc(atRoot(request));
          return { status: 308, headers: [['location', `/v9/${new URL(request.url).search}`]], body: '' };
        },
      };
    },
  }),
  variant('one-at-a-time', {
    about: 'Each answer takes a second, and other calls wait in a queue.',
    // Where callers sign, so many calls are taken in a minute; a queue a minute long breaks that.
    profiles: atAnyPath,
    patch: (inner, { clock }) => {
      let last: Promise<unknown> = Promise.resolve();
      return {
        serveRpc(request) {
          const turn = last.then(() => new Promise<void>((resolve) => void clock.after(1000, resolve)));
          last = turn;
          return turn.then(() => inner.serveRpc(request));
        },
      };
    },
  }),
  variant('one-worker', {
    about: 'A single worker answers each call, to the end of its stream, before it looks at the next one.',
    profiles: a2a,
    patch: together(able({ streaming: true, push: true }), oneWorker),
  }),
  variant('slow', {
    about: 'Every answer takes 3 seconds.',
    patch: (inner, { clock }) => ({
      async serve(request) {
        await new Promise<void>((resolve) => void clock.after(3000, resolve));
        return inner.serve(request);
      },
    }),
  }),
  variant('content-type-with-charset', {
    about: 'The content type has a parameter, and odd case.',
    patch: onReply('any', (reply) => ({
      ...reply,
      headers: reply.headers.map(([name, value]) => [
        name === 'content-type' ? 'Content-Type' : name,
        value === 'application/json' ? 'Application/JSON; charset=UTF-8' : value,
      ]),
    })),
  }),
  variant('byte-by-byte', {
    about: 'Bodies arrive one byte at a time, so that characters are torn apart.',
    patch: onReply('any', (reply) => ({ ...reply, body: byteByByte(reply.body) })),
  }),
  variant('pretty-json', {
    about: 'JSON is indented, and all that is not ASCII is escaped.',
    patch: () => ({
      print: (value) =>
        `${JSON.stringify(value, null, 2).replace(
          /[\u007f-\uffff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )}\r\n`,
    }),
  }),
  variant('many-headers', {
    about: 'Answers carry cookies, repeated and unknown headers.',
    patch: onReply('any', (reply) => ({
      ...reply,
      headers: [
        ...reply.headers,
        ['Set-Cookie', 'a=1; Path=/'],
        ['Set-Cookie', 'b=2; Path=/'],
        ['Vary', 'Accept'],
        ['X-Vendor', 'x'.repeat(500)],
      ],
    })),
  }),
  variant('landing-page', {
    about: 'A GET of the endpoint shows a page for people.',
    patch: (inner) => ({
      serveRpc: async (request) =>
        request.method === 'GET'
          ? { status: 200, headers: [['content-type', 'text/html']], body: '<!doctype html><title>Agent</title>\n' }
          : inner.serveRpc(request),
    }),
  }),
  variant('any-content-type', {
    about: 'Accepts calls under any content type (rpc.other-content-type).',
    patch: (inner) => ({
      serveRpc(request) {
        const others = request.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
        return inner.serveRpc({ ...request, headers: [...others, ...jsonHeaders] });
      },
    }),
  }),
  variant('accepts-notifications-202', {
    about: 'Answers a notification with 202 and no body.',
    patch: onReply('endpoint', (reply) => (reply.status === 204 ? { ...reply, status: 202 } : reply)),
  }),
  variant('refuses-content-type-bare', {
    about: 'Refuses a call that is not JSON with 415 and a plain text (rpc.other-content-type).',
    patch: onReply('endpoint', (reply) => (reply.status === 415 ? plainReply(415, 'JSON only') : reply)),
  }),
  variant('endpoint-elsewhere', {
    about: 'The endpoint stands at another path than the card.',
    profiles: atAnyPath,
    patch: (inner, world, whole) => {
      const cards = Object.fromEntries(world.spelling.cardPaths.map((path) => [path, 'card' as const]));
      return moved({ ...cards, '/rpc/v1': 'endpoint' }, '/rpc/v1')(inner, world, whole);
    },
  }),
  variant('card-with-query', {
    about: 'The card has a URL with a query, which the kit knows (0.3 §5.2, direct configuration).',
    profiles: atAnyPath,
    cardUrl: (baseUrl) => `${baseUrl}/agent?card=1`,
    patch: moved({ '/agent?card=1': 'card', '/': 'endpoint' }),
  }),
  variant('card-at-old-path', {
    about: 'The card stands only where 0.2 looked for it, which the kit knows (0.3 §5.2).',
    profiles: atAnyPath,
    cardUrl: (baseUrl) => `${baseUrl}/.well-known/agent.json`,
    patch: moved({ '/.well-known/agent.json': 'card', '/': 'endpoint' }),
  }),
  variant('closes-connections', {
    about: 'Every answer ends the connection.',
    patch: onReply('any', (reply) => ({ ...reply, headers: [...reply.headers, ['connection', 'close']] })),
  }),
];
