import type { Card, SecurityScheme } from '../../model/index.js';
import { type Account, alice, basicOf, bearerOf, bob } from '../accounts.js';
import { onEnvelope, onReply } from '../edits.js';
import { RpcFailure, Unauthorized } from '../failure.js';
import { jsonHeaders } from '../http.js';
import { type Patch, together } from '../seams.js';
import { a2a, type Variant, variant } from '../variant.js';
import { able, declaring } from './declaring.js';

const demanding = (scheme: SecurityScheme): Pick<Card, 'security' | 'securitySchemes'> => ({
  security: [{ main: [] }],
  securitySchemes: { main: scheme },
});
const bearer: SecurityScheme = { type: 'http', scheme: 'bearer' };
type Carrying = Pick<Variant, 'headers' | 'secondHeaders' | 'query' | 'secondQuery'>;
const inHeaders = (of: (account: Account) => readonly [string, string]): Carrying => ({
  headers: [of(alice)],
  secondHeaders: [of(bob)],
});

const guardedCard: Patch = (inner, _, whole) => ({
  async serveCard(request) {
    try {
      await whole.authenticate(request);
    } catch (cause) {
      if (!(cause instanceof Unauthorized)) throw cause;
      return whole.challenge();
    }
    return inner.serveCard(request);
  },
});

/** Agents that authenticate callers as the card declares. Each caller sees only its own tasks; the card is public. */
export const securityVariants = [
  variant('bearer-required', {
    about: 'Calls need a bearer token; without one they are answered with 401. The card is public.',
    ...inHeaders(bearerOf),
    patch: declaring(demanding(bearer)),
    profiles: [...a2a, 'openclaw'],
  }),
  variant('lists-for-nobody', {
    about:
      'Knows its callers by a bearer token, and lets none of them list tasks: an error of its own says so (1.0 §7.5).',
    ...inHeaders(bearerOf),
    binding: 'jsonrpc',
    patch: together(
      declaring(demanding(bearer)),
      onEnvelope((response, call) =>
        call?.method === 'ListTasks'
          ? { jsonrpc: '2.0', id: call.id ?? null, error: { code: -31403, message: 'Permission denied' } }
          : response,
      ),
    ),
    profiles: ['a2a-1.0'],
  }),
  variant('api-key-header', {
    about: 'Calls need an API key in a header.',
    ...inHeaders(({ secret }) => ['X-Api-Key', secret]),
    patch: declaring(demanding({ type: 'apiKey', in: 'header', name: 'X-Api-Key' })),
    profiles: [...a2a, 'openclaw'],
  }),
  variant('api-key-query', {
    about: 'Calls need an API key in the query.',
    query: [['api_key', alice.secret]],
    secondQuery: [['api_key', bob.secret]],
    patch: declaring(demanding({ type: 'apiKey', in: 'query', name: 'api_key' })),
    profiles: a2a,
  }),
  variant('api-key-cookie', {
    about: 'Calls need an API key in a cookie.',
    ...inHeaders(({ secret }) => ['Cookie', `session=${secret}`]),
    patch: declaring(demanding({ type: 'apiKey', in: 'cookie', name: 'session' })),
    profiles: a2a,
  }),
  variant('basic-auth', {
    about: 'Calls need a name and a password (RFC 7617).',
    ...inHeaders(basicOf),
    patch: declaring(demanding({ type: 'http', scheme: 'basic' })),
    profiles: a2a,
  }),
  variant('bearer-or-api-key', {
    about: 'Either of two schemes is enough; the kit is given one of them (0.3 §5.5, AUTH-007).',
    ...inHeaders(bearerOf),
    patch: declaring({
      security: [{ key: [] }, { bearer: [] }],
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' }, bearer },
    }),
    profiles: a2a,
  }),
  variant('bearer-required-everywhere', {
    about: 'Everything at once: streams, push notifications, an extended card, and a bearer token for all of it.',
    ...inHeaders(bearerOf),
    patch: together(declaring(demanding(bearer)), able({ streaming: true, push: true, extendedCard: true })),
    profiles: a2a,
  }),
  variant('bearer-not-given', {
    about: 'Calls need a bearer token, and the kit has none: nothing may be held against the agent.',
    patch: declaring(demanding(bearer)),
    profiles: [...a2a, 'openclaw'],
  }),
  variant('bearer-refused-in-json-rpc', {
    about: 'Refuses an unknown caller with a custom error of JSON-RPC (AMB10-35).',
    notOver: ['grpc'],
    ...inHeaders(bearerOf),
    patch: together(declaring(demanding(bearer)), () => ({
      challenge: () => ({
        status: 200,
        headers: jsonHeaders,
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: null,
          error: { code: -32090, message: 'A bearer token is needed' },
        }),
      }),
    })),
    profiles: ['a2a-1.0'],
  }),
  variant('bearer-two-endpoints', {
    about: 'Calls need a bearer token, at each of two endpoints.',
    ...inHeaders(bearerOf),
    patch: together(
      declaring(demanding(bearer)),
      declaring(({ interfaces }) => ({
        interfaces: [...interfaces, ...interfaces.map((item) => ({ ...item, url: `${item.url}second` }))],
      })),
      (inner) => ({
        route: (request) => (new URL(request.url).pathname.endsWith('/second') ? 'endpoint' : inner.route(request)),
        httpBases: () => inner.httpBases().flatMap((base) => [`${base}/second`, base]),
      }),
    ),
    profiles: a2a,
  }),
  variant('card-guarded', {
    about: 'The card needs a bearer token too (0.3 §5.4).',
    ...inHeaders(bearerOf),
    patch: together(declaring(demanding(bearer)), guardedCard),
    profiles: a2a,
  }),
  variant('behind-tls', {
    about: 'TLS ends at a proxy before it, which says that clients are to stay with it (1.0 §13.4).',
    patch: together(
      declaring(({ interfaces }) => ({
        interfaces: interfaces.map((item) => ({
          ...item,
          url: item.url.replace('http://agent.test', 'https://agent.test'),
        })),
      })),
      onReply('any', (reply) => ({
        ...reply,
        headers: [...reply.headers, ['strict-transport-security', 'max-age=31536000']],
      })),
    ),
    // The reference agent has no TLS on a socket, so this variant runs in memory only.
    cardUrl: (baseUrl) => `${baseUrl.replace('http://agent.test', 'https://agent.test')}/.well-known/agent-card.json`,
    profiles: ['a2a-1.0'],
  }),
  variant('extended-card', {
    about: 'Has another skill for those who show a bearer token (0.3 §7.10, 1.0 §3.1.11).',
    ...inHeaders(bearerOf),
    patch: together(
      declaring({ security: [{}, { bearer: [] }], securitySchemes: { bearer } }),
      able({ extendedCard: true }),
    ),
    profiles: a2a,
  }),
  variant('extended-card-for-everybody', {
    about: 'Declares no scheme, and gives every client an extended card with another skill (AMB03-35).',
    patch: together(able({ extendedCard: true }), (inner) => ({
      async execute(command, call) {
        const card = command.op === 'extendedCard' ? inner.extendedCard('nobody') : undefined;
        return card === undefined ? inner.execute(command, call) : { op: 'extendedCard', result: card };
      },
    })),
    profiles: ['a2a-0.3', 'a2a-0.2'],
  }),
  variant('extended-card-not-given', {
    about:
      'The extended card wants credentials that the kit has not, and its refusal has no code of its own (1.0 §13.3).',
    patch: together(
      declaring({ security: [{}, { bearer: [] }], securitySchemes: { bearer } }),
      able({ extendedCard: true }),
      (inner) => ({
        execute(command, call) {
          if (command.op === 'extendedCard') throw new RpcFailure('InvalidRequest', 'Authentication is required');
          return inner.execute(command, call);
        },
      }),
    ),
    profiles: a2a.filter((id) => id !== 'a2a-0.2'),
  }),
  variant('extended-card-refused-with-400', {
    about: 'Refuses a client without credentials the extended card with HTTP 400 and an error of JSON-RPC (AMB03-14).',
    ...inHeaders(bearerOf),
    patch: together(
      declaring({ security: [{}, { bearer: [] }], securitySchemes: { bearer } }),
      able({ extendedCard: true }),
      () => ({
        challenge: () => ({
          status: 400,
          headers: jsonHeaders,
          body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32007, message: 'Sign in first' } }),
        }),
      }),
    ),
    profiles: ['a2a-0.3'],
  }),
];
