import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Patch } from '../../src/reference/index.js';
import { agentAt, bodyOf, evilText } from './hostile-agents.js';
import { type Behaviour, wireHarms } from './hostile-wire.js';

// Harm over HTTP+JSON: the reference agent of 1.0, which streams, until one path answers with harm. There all verbs but
// POST bring harm too, so a target chooses by path.

const json = { 'content-type': 'application/a2a+json' };
const events = { 'content-type': 'text/event-stream' };

export const streaming: Patch = (inner) => ({
  card() {
    const card = inner.card();
    return { ...card, capabilities: { ...card.capabilities, streaming: true } };
  },
});

/** Where harm is done; everything else is answered by the agent. */
type Place = (path: string, request: IncomingMessage) => boolean;
const isSend: Place = (path) => path === '/message:send';
const isStream: Place = (path) => /:(stream|subscribe)$/.test(path);
const isList: Place = (path) => path === '/tasks';
const isTask: Place = (path, { method }) => method === 'GET' && path.startsWith('/tasks/');
const isUnknownTask: Place = (path) => /^\/tasks\/[0-9a-f]{8}-/.test(path) && !path.startsWith('/tasks/0000');
const isOperation: Place = (path) => path.startsWith('/message:') || path.startsWith('/tasks');

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?')[0] ?? '/';

async function relay(request: IncomingMessage, response: ServerResponse, base: string): Promise<void> {
  const body = request.method === 'POST' ? await bodyOf(request) : undefined;
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  const url = `${base}${request.url?.startsWith('/') ? request.url : '/'}`;
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const asked = { method: request.method ?? 'GET', url, headers, ...(body === undefined ? {} : { body }) };
  const reply = await agentAt(base, 'a2a-1.0-rest', [streaming])(asked, gone.signal);
  response.writeHead(reply.status, reply.headers.flat());
  for await (const chunk of reply.body) response.write(chunk);
  response.end();
}

/** The agent, and this harm at one place. */
const harmAt =
  (place: Place, harm: Behaviour): Behaviour =>
  (request, response, base, elsewhere) => {
    if (place(pathOf(request), request)) {
      request.resume();
      harm(request, response, base, elsewhere);
    } else relay(request, response, base).catch(() => response.destroy());
  };

/** Writes all pieces as fast as the client reads them. */
const pouring =
  (status: number, headers: Readonly<Record<string, string>>, pieces: () => Iterator<string>): Behaviour =>
  (_, response) => {
    response.writeHead(status, headers);
    const rest = pieces();
    const more = (): void => {
      while (!response.destroyed) {
        const { value, done } = rest.next();
        if (done === true) {
          response.end();
          return;
        }
        if (!response.write(value)) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
  };

function* repeated(first: string, piece: string, times: number, last = ''): Generator<string> {
  yield first;
  const block = piece.repeat(Math.max(1, Math.floor(16_384 / piece.length)));
  for (let sent = 0; sent < times * piece.length; sent += block.length) yield block;
  yield last;
}

/** Sends a piece every `ms`, until the client has enough. */
const trickling =
  (headers: Readonly<Record<string, string>>, ms: number, piece: (count: number) => string): Behaviour =>
  (_, response) => {
    response.writeHead(200, headers);
    let count = 0;
    const timer = setInterval(() => response.write(piece(count++)), ms);
    response.on('close', () => clearInterval(timer));
  };

const wire = (id: string): Behaviour => {
  const [, behaviour] = wireHarms[id] ?? [];
  if (behaviour === undefined) throw new Error(`no harm ${id}`);
  return behaviour;
};

const aTask = (id: string): string =>
  `{"id":"${id}","contextId":"c","status":{"state":"TASK_STATE_COMPLETED","timestamp":"2026-01-01T00:00:00.000Z"}}`;
const update = (text: string): string =>
  `data: {"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"},"metadata":{"x":${JSON.stringify(text)}}}}\n\n`;
const never = Number.POSITIVE_INFINITY;

/** Each behind a good card of 1.0 that names HTTP+JSON alone. */
export const restHarms: Readonly<Record<string, readonly [string, Behaviour]>> = {
  'rest-endless-body': [
    'over HTTP+JSON a task whose text never ends',
    harmAt(
      isSend,
      pouring(200, json, () => repeated('{"task":{"id":"', 'a', never)),
    ),
  ],
  'rest-trickle': [
    'over HTTP+JSON a letter of a task every 30 ms, forever',
    harmAt(
      isOperation,
      trickling(json, 30, (count) => (count === 0 ? '{"task":{"id":"' : 'a')),
    ),
  ],
  'rest-nested': [
    'over HTTP+JSON a task with 100,000 levels of metadata',
    harmAt(isTask, (_, response) => {
      const depth = 100_000;
      const metadata = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
      response.writeHead(200, json).end(aTask('t').replace(/\}$/, `,"metadata":${metadata}}`));
    }),
  ],
  'rest-huge-page': [
    'over HTTP+JSON a page of 300,000 tasks, and another page forever',
    harmAt(
      isList,
      pouring(200, json, () =>
        repeated(
          '{"nextPageToken":"more","pageSize":50,"totalSize":9e99,"tasks":[',
          `${aTask('t')},`,
          300_000,
          `${aTask('t')}]}`,
        ),
      ),
    ),
  ],
  'rest-endless-pages': [
    'over HTTP+JSON one more page of tasks after each page',
    harmAt(isList, (_, response) => {
      const page = `{"tasks":[${aTask(`t${Math.random()}`)}],"nextPageToken":"${Math.random()}","pageSize":1,"totalSize":1}`;
      response.writeHead(200, json).end(page);
    }),
  ],
  'rest-sse-endless': [
    'over HTTP+JSON a stream of updates without ids that never ends',
    harmAt(
      isStream,
      pouring(200, events, () => repeated(`data: {"task":${aTask('t')}}\n\n`, update('x'), never)),
    ),
  ],
  'rest-sse-huge-event': [
    'over HTTP+JSON an event of a million data lines that never ends',
    harmAt(
      isStream,
      pouring(200, events, () => repeated('', 'data: {\n', never)),
    ),
  ],
  'rest-sse-evil-errors': [
    'over HTTP+JSON a stream of errors with markup and escapes, one every 20 ms',
    harmAt(
      isStream,
      trickling(events, 20, () => {
        const message = JSON.stringify(evilText);
        return `event: error\ndata: {"error":{"code":500,"status":"INTERNAL","message":${message}}}\n\n`;
      }),
    ),
  ],
  'rest-error-100-mb': [
    'over HTTP+JSON an error with a message of 100 MB',
    harmAt(
      isUnknownTask,
      pouring(404, json, () =>
        repeated('{"error":{"code":404,"status":"NOT_FOUND","message":"', 'a', 100 << 20, '"}}'),
      ),
    ),
  ],
  'rest-many-details': [
    'over HTTP+JSON an error with 200,000 details',
    harmAt(
      isUnknownTask,
      pouring(404, json, () => {
        const detail = `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":${JSON.stringify(evilText)},"domain":"x"}`;
        return repeated('{"error":{"code":404,"message":"x","details":[', `${detail},`, 200_000, `${detail}]}}`);
      }),
    ),
  ],
  'rest-redirect-loop': [
    'over HTTP+JSON two paths that redirect to each other',
    harmAt(isOperation, (request, response) => {
      const path = pathOf(request);
      const location = path.endsWith('/') ? path.replace(/\/+$/, '') : `${path}/`;
      response.writeHead(307, { location }).end();
    }),
  ],
  'rest-redirect-elsewhere': [
    'over HTTP+JSON a redirect of every operation to another server',
    harmAt(isOperation, (request, response, _, elsewhere) => {
      response.writeHead(308, { location: `${elsewhere}${request.url ?? ''}` }).end();
    }),
  ],
  'rest-length-too-long': [
    'over HTTP+JSON fewer bytes than Content-Length says',
    harmAt(isOperation, wire('length-too-long')),
  ],
  'rest-interim': ['over HTTP+JSON interim responses without end', harmAt(isOperation, wire('interim'))],
  'rest-204-with-body': [
    'over HTTP+JSON 204 for every operation, with the bytes of another answer behind it',
    harmAt(isOperation, (_, response) => {
      const second = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;
      response.socket?.end(`HTTP/1.1 204 No Content\r\n\r\n${second}`);
    }),
  ],
};
