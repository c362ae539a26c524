import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { a2a03 } from '../dialect/a2a-0.3.js';
import { type Carrier, realClock } from '../wire/index.js';
import { createAgent } from './agent.js';
import { impostors } from './impostors/index.js';
import { type Resident, type Served, serveAgent } from './node-port.js';
import type { Patch } from './seams.js';
import { variants } from './variants/index.js';

const resident =
  (...patches: readonly Patch[]): Resident =>
  (baseUrl) =>
    createAgent({ dialect: a2a03, clock: realClock, baseUrl, patches }).handle;
const fate = (fate: 'hang' | 'reset' | 'cut') =>
  resident((inner) => ({ serve: async (request) => ({ ...(await inner.serve(request)), fate }) }));

let host: Served;
beforeAll(async () => {
  host = await serveAgent({
    streaming: resident(variants.find(({ id }) => id === 'streaming')?.patch ?? (() => ({}))),
    plain: resident(),
    hang: fate('hang'),
    reset: fate('reset'),
    cut: fate('cut'),
  });
});
afterAll(() => host.close());

const post = (path: string, body: NonNullable<RequestInit['body']>, init: RequestInit = {}) =>
  fetch(`${host.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body, ...init });

test('an agent of several knows its own address', async () => {
  const card = (await (await fetch(`${host.url}/plain/.well-known/agent-card.json`)).json()) as { url: string };
  expect(card.url).toBe(`${host.url}/plain/`);
  const params = { message: { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Zoë 🙂' }] } };
  const response = await fetch(card.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params }),
  });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toMatchObject({ result: { artifacts: [{ parts: [{ text: 'You said: Zoë 🙂' }] }] } });
  expect((await fetch(`${host.url}/nobody/`)).status).toBe(404);
});

test('one agent alone has the root', async () => {
  const alone = await serveAgent(resident());
  const card = (await (await fetch(`${alone.url}/.well-known/agent-card.json`)).json()) as { url: string };
  expect(card.url).toBe(`${alone.url}/`);
  await alone.close();
});

test('a body that is too large is refused in words', async () => {
  const response = await post('/plain/', new Uint8Array(5 * 1024 * 1024).fill(0x20));
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ id: null, error: { code: -32600 } });
});

test('fates happen on the socket, and the server lives on', async () => {
  await expect(post('/reset/', '{}')).rejects.toThrow();
  await expect(post('/cut/', '{}').then((response) => response.text())).rejects.toThrow();
  const gone = new AbortController();
  const hanging = post('/hang/', '{}', { signal: gone.signal });
  expect((await post('/plain/', '{}')).status).toBe(200);
  gone.abort();
  await expect(hanging).rejects.toThrow();
  expect((await post('/plain/', '{}')).status).toBe(200);
});

test('a port that is taken is an error', async () => {
  const port = Number(new URL(host.url).port);
  await expect(serveAgent(resident(), { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('every variant and impostor can stand on a port', async () => {
  const residents: Record<string, Resident> = {};
  for (const { id, patch } of variants) residents[id] = resident(patch);
  // No client here stops reading.
  for (const { id, carrier } of impostors.filter((impostor) => impostor.id !== 'card-and-endless-messages')) {
    residents[id] = (baseUrl) => carrier({ dialect: a2a03, clock: realClock, baseUrl });
  }
  const zoo = await serveAgent(residents);
  const gone = new AbortController();
  const visit = async (id: string) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, signal: gone.signal, body: '{}', redirect: 'manual' } as const;
    return (await fetch(`${zoo.url}/${id}/`, init)).text();
  };
  const silent = [
    ...['hang', 'reset', 'half-a-body', 'sse-for-everything', 'card-and-hang'],
    ...['card-and-reset-streams', 'card-and-reset-after-headers'],
  ];
  const waiting = Promise.allSettled(silent.map(visit));
  await Promise.all(
    Object.keys(residents)
      .filter((id) => !silent.includes(id))
      .map(visit),
  );
  gone.abort();
  for (const { status } of await waiting) expect(status).toBe('rejected');
  await zoo.close();
});

test('a notification is answered with nothing', async () => {
  const response = await post('/plain/', '{"jsonrpc":"2.0","method":"tasks/get"}');
  expect([response.status, await response.text()]).toEqual([204, '']);
});

/** A call of the streaming agent by node:http, whose answer is not yet read. */
async function open(method: string, params: unknown): Promise<IncomingMessage> {
  const calling = request(`${host.url}/streaming/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  calling.on('error', () => undefined);
  calling.end(JSON.stringify({ jsonrpc: '2.0', id: 's', method, params }));
  const [response] = (await once(calling, 'response')) as [IncomingMessage];
  return response;
}
async function* eventsOf(response: IncomingMessage) {
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield JSON.parse(text.slice('data: '.length, end)).result;
      text = text.slice(end + 2);
    }
  }
}
const say = (text: string) => ({ message: { messageId: 'm', role: 'user', parts: [{ kind: 'text', text }] } });
const state = async (id: string): Promise<string> => {
  const response = await post(
    '/streaming/',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id } }),
  );
  return ((await response.json()) as { result: { status: { state: string } } }).result.status.state;
};

test('a stream flows over a socket, and ends', async () => {
  const response = await open('message/stream', say('hello'));
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream']);
  const kinds: string[] = [];
  for await (const { kind } of eventsOf(response)) kinds.push(kind);
  expect(kinds).toEqual(['task', 'status-update', 'artifact-update', 'status-update']);
  expect(response.complete).toBe(true);
});

test('a client that hangs up leaves the task and the other streams alone', async () => {
  const first = await open('message/stream', say('tck-long-running'));
  const events = eventsOf(first);
  const { value: task } = await events.next();
  const second = await open('tasks/resubscribe', { id: task.id });
  first.destroy();
  const states: string[] = [];
  for await (const { status } of eventsOf(second)) if (status !== undefined) states.push(status.state);
  expect(states.at(-1)).toBe('completed');
  expect(await state(task.id)).toBe('completed');
});

test('notifications go out by the carrier that the agent was given', async () => {
  const got: string[] = [];
  const hook = createServer((incoming, outgoing) => {
    void (async () => {
      let text = '';
      for await (const chunk of incoming) text += String(chunk);
      got.push(JSON.parse(text).status.state);
      outgoing.writeHead(302, { location: '/elsewhere' }).end();
    })();
  });
  hook.listen(0, '127.0.0.1');
  await once(hook, 'listening');
  const address = hook.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  const outbound: Carrier = async ({ method, url, headers, body }) => {
    const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) };
    const response = await fetch(url, { ...init, body: body ?? null, redirect: 'manual' });
    return { status: response.status, headers: [], body: (async function* () {})() };
  };
  const patch = variants.find(({ id }) => id === 'push')?.patch ?? (() => ({}));
  const alone = await serveAgent(
    (baseUrl) => createAgent({ dialect: a2a03, clock: realClock, baseUrl, patches: [patch], outbound }).handle,
  );
  const params = { ...say('hello'), configuration: { pushNotificationConfig: { url } } };
  await fetch(`${alone.url}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params }),
  });
  await expect.poll(() => got).toEqual(['working', 'completed']);
  await alone.close();
  hook.close();
  hook.closeAllConnections();
});

/** A connection that says this much and no more, and when the agent has closed it. */
async function silent(port: number, said: string) {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  const closed = once(socket.resume(), 'close');
  const ended = once(socket, 'end');
  await once(socket, 'connect');
  socket.write(said);
  return { socket, closed, ended };
}

test.each([
  ['nothing', ''],
  ['half a head', 'GET / HTTP/1.1\r\nHost: a'],
  ['half a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{'],
  ['a request and no other', 'GET /.well-known/agent-card.json HTTP/1.1\r\nHost: a\r\n\r\n'],
])('who says %s is not waited for without end', { timeout: 10_000 }, async (_, said) => {
  const limits = { headMs: 200, requestMs: 300, idleMs: 200 };
  const alone = await serveAgent(resident(), { limits });
  const { socket, ended } = await silent(Number(new URL(alone.url).port), said);
  await ended;
  socket.destroy();
  await alone.close();
});

test('so many connections are held and no more', async () => {
  const alone = await serveAgent(resident(), { limits: { connections: 3 } });
  const port = Number(new URL(alone.url).port);
  const held = [];
  for (let count = 0; count < 3; count++) held.push(await silent(port, ''));
  const beyond = connect({ port, host: '127.0.0.1' });
  beyond.on('error', () => {});
  await once(beyond.resume(), 'close');
  for (const { socket } of held) socket.destroy();
  await Promise.all(held.map(({ closed }) => closed));
  // Who went makes room.
  await expect
    .poll(() =>
      fetch(`${alone.url}/.well-known/agent-card.json`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  await alone.close();
});
