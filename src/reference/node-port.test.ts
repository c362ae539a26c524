import { afterAll, beforeAll, expect, test } from 'vitest';
import { a2a03 } from '../dialect/a2a-0.3.js';
import { realClock } from '../wire/index.js';
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
  host = await serveAgent({ plain: resident(), hang: fate('hang'), reset: fate('reset'), cut: fate('cut') });
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
  for (const { id, carrier } of impostors) {
    residents[id] = (baseUrl) => carrier({ dialect: a2a03, clock: realClock, baseUrl });
  }
  const zoo = await serveAgent(residents);
  const visit = async (id: string) => {
    const signal = AbortSignal.timeout(500);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, signal, body: '{}' };
    const response = await fetch(`${zoo.url}/${id}/`, { ...init, redirect: 'manual' });
    return response.text();
  };
  const visits = await Promise.allSettled(Object.keys(residents).map(visit));
  const answered = Object.keys(residents).filter((_, at) => visits[at]?.status === 'fulfilled');
  const silent = Object.keys(residents).filter((id) => !answered.includes(id));
  expect(silent).toEqual(['slow', 'hang', 'reset', 'half-a-body', 'sse-for-everything', 'card-and-hang']);
  await zoo.close();
});

test('a notification is answered with nothing', async () => {
  const response = await post('/plain/', '{"jsonrpc":"2.0","method":"tasks/get"}');
  expect([response.status, await response.text()]).toEqual([204, '']);
});
