import type { Reply } from '../calls.js';
import { carry } from '../carrier.js';
import { methodIn } from '../http.js';
import { impostor } from '../impostor.js';
import { aMessage, aTask, echo, error, everywhere, json, result, text } from './answers.js';

const page =
  '<!doctype html><html><head><title>Welcome</title></head><body><script>alert("agent")</script><h1>It works!</h1></body></html>\n';
const nothing: Reply = { status: 200, headers: [], body: '' };
const fated = (fate: 'hang' | 'reset' | 'cut', reply: Reply = nothing) => everywhere(() => ({ ...reply, fate }));

/** Servers that have no card. */
export const strangers = [
  impostor('empty-200', { about: 'HTTP 200 without a body.', carrier: everywhere(() => nothing) }),
  impostor('empty-204', {
    about: 'HTTP 204 for everything.',
    carrier: everywhere(() => ({ status: 204, headers: [], body: '' })),
  }),
  impostor('html-page', { about: 'A web page.', carrier: everywhere(() => text(200, page, 'text/html')) }),
  impostor('echo', { about: 'Sends back what it gets.', carrier: everywhere(echo) }),
  impostor('not-found', { about: 'Always 404.', carrier: everywhere(() => text(404, 'Not found\n')) }),
  impostor('server-error', {
    about: 'Always 500.',
    carrier: everywhere(() => text(500, '<h1>Internal Server Error</h1>\n', 'text/html')),
  }),
  impostor('hang', { about: 'Never answers.', carrier: fated('hang') }),
  impostor('reset', { about: 'Drops every connection.', carrier: fated('reset') }),
  impostor('half-a-body', {
    about: 'Drops every connection in the middle of the body.',
    carrier: fated('cut', json({ jsonrpc: '2.0', id: 1, result: { name: 'agent', kind: 'task' } })),
  }),
  impostor('json-null', { about: 'JSON null.', carrier: everywhere(() => json(null)) }),
  impostor('json-empty-array', { about: 'An empty JSON array.', carrier: everywhere(() => json([])) }),
  impostor('json-empty-object', { about: 'An empty JSON object.', carrier: everywhere(() => json({})) }),
  impostor('plain-ok', { about: 'The text OK.', carrier: everywhere(() => text(200, 'OK')) }),
  impostor('redirect-loop', {
    about: 'Redirects to itself forever.',
    carrier: everywhere(({ url }) => ({ status: 301, headers: [['location', url]], body: '' })),
  }),
  impostor('unauthorized', {
    about: '401 for everything.',
    carrier: everywhere(() => ({
      ...text(401, 'Unauthorized\n'),
      headers: [
        ['www-authenticate', 'Bearer'],
        ['content-type', 'text/plain'],
      ],
    })),
  }),
  impostor('too-many-requests', {
    about: '429 for everything.',
    carrier: everywhere(() => ({ ...text(429, 'Too many requests\n'), headers: [['retry-after', '1']] })),
  }),
  impostor('refuses-by-method', {
    about: 'Refuses each method with the code that suits it, and serves no card.',
    carrier: everywhere((request) => {
      const method = methodIn(request) ?? '';
      if (/push/i.test(method)) return error(request, -32003, 'Push Notification is not supported');
      if (/get|cancel/i.test(method)) return error(request, -32001, 'Task not found');
      return error(request, -32602, 'Invalid method parameters');
    }),
  }),
  impostor('one-task', {
    about: 'Answers everything, the card included, with one completed task under the right id.',
    carrier: everywhere((request, context) => result(request, aTask(context))),
  }),
  impostor('one-message', {
    about: 'Answers everything, the card included, with one message under the right id.',
    carrier: everywhere((request) => result(request, aMessage())),
  }),
  impostor('mcp-server', {
    about: 'A JSON-RPC 2.0 server of another protocol.',
    carrier: everywhere((request) => {
      if (request.method !== 'POST') return text(405, 'Method not allowed\n');
      const serverInfo = { name: 'files', version: '1.0.0' };
      return methodIn(request) === 'initialize'
        ? result(request, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo })
        : error(request, -32601, 'Method not found');
    }),
  }),
  impostor('graphql', {
    about: 'A GraphQL server.',
    carrier: everywhere(() => json({ errors: [{ message: 'Must provide query string.' }], data: null }, 400)),
  }),
  impostor('sse-for-everything', {
    about: 'An event stream with one completed task, and then silence.',
    carrier: ({ clock }) =>
      carry(async ({ signal }) => ({
        status: 200,
        headers: [['content-type', 'text/event-stream']],
        body: (async function* () {
          const ping = new TextEncoder().encode(
            ': ping\n\ndata: {"jsonrpc":"2.0","id":1,"result":{"kind":"task"}}\n\n',
          );
          for (let sent = 0; sent < 100 && !signal.aborted; sent++) {
            yield ping;
            await new Promise<void>((resolve) => void clock.after(1000, resolve));
          }
        })(),
      })),
  }),
];
