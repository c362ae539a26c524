import { dialectById } from '../../dialect/index.js';
import { isObject } from '../../model/index.js';
import { type Header, header } from '../../wire/index.js';
import { alice, bearerOf } from '../accounts.js';
import { createAgent } from '../agent.js';
import { onCard, onReply, set } from '../edits.js';
import { jsonHeaders } from '../replies.js';
import { type Patch, together } from '../seams.js';
import { variant } from '../variant.js';
import { able, declaring } from './declaring.js';
import { messagesOnly } from './tasks.js';

/** A whole agent of 0.3 at the same URL, for calls that name 0.3 or no version (1.0 §3.6.2). */
const speaking03: Patch = (inner, { baseUrl, clock }) => {
  const dialect = dialectById('a2a-0.3');
  const older = dialect && createAgent({ dialect, clock, baseUrl, seed: 3 });
  return {
    async serveRpc(request) {
      const asked = header(request.headers, 'a2a-version') ?? new URL(request.url).searchParams.get('A2A-Version');
      if (older === undefined || !['', '0.3'].includes((asked ?? '').trim())) return inner.serveRpc(request);
      return older.seams.serveRpc(request);
    },
  };
};

/** The version is read in the header only (1.0 §9.2: names of service parameters are header fields). */
const readingHeaderOnly: Patch = (inner) => ({
  serveRpc(request) {
    const url = new URL(request.url);
    url.searchParams.delete('A2A-Version');
    return inner.serveRpc({ ...request, url: url.href });
  },
});

/** Serves the card of 0.3, which declares less, to clients that do not name 1.0 (1.0 §3.6.2). */
const cardByVersion: Patch = (inner, _, whole) => ({
  serveCard(request) {
    const vary: Header = ['vary', 'A2A-Version'];
    if (header(request.headers, 'a2a-version') === '1.0') {
      const reply = inner.serveCard(request);
      return reply instanceof Promise ? reply : { ...reply, headers: [...reply.headers, vary] };
    }
    const { interfaces, ...card } = whole.card();
    const older = dialectById('a2a-0.3')?.card.encode({
      ...card,
      protocolVersion: '0.3.0',
      capabilities: { ...card.capabilities, extendedCard: false },
      interfaces: interfaces.map(({ url, transport }) => ({ url, transport })),
    });
    const body = whole.print(older);
    return { status: 200, headers: [...jsonHeaders, vary, ['cache-control', 'max-age=60'], ['etag', '"old"']], body };
  },
});

const inTwoVersions: Patch = together(
  declaring(({ interfaces }) => ({
    interfaces: [...interfaces, ...interfaces.map((item) => ({ ...item, version: '0.3' }))],
  })),
  (inner, world, whole) =>
    onCard((card) => ({
      ...card,
      url: `${world.baseUrl}/`,
      preferredTransport: 'JSONRPC',
      protocolVersion: '0.3.0',
    }))(inner, world, whole),
  speaking03,
);

export const card10Variants = [
  variant('card-by-version', {
    about:
      'Serves 0.3 at the same URL, and to clients that do not name 1.0 the card of 0.3, which declares no extended card.',
    patch: together(able({ extendedCard: true }), cardByVersion, speaking03),
    profiles: ['a2a-1.0'],
  }),
  variant('two-versions', {
    about: 'Serves 0.3 at the same URL, and its card keeps the members of 0.3 (1.0 §3.6.2, AMB10-31).',
    patch: inTwoVersions,
    profiles: ['a2a-1.0'],
  }),
  variant('reads-version-in-header-only', {
    about: 'A call that names its version in the URL is one without a version (1.0 §9.2, AMB10-09).',
    patch: readingHeaderOnly,
    profiles: ['a2a-1.0'],
  }),
  variant('two-versions-by-header-only', {
    about: 'Serves 0.3 at the same URL, also to clients that name 1.0 in the URL only (1.0 §9.2, AMB10-09).',
    patch: together(inTwoVersions, readingHeaderOnly),
    profiles: ['a2a-1.0'],
  }),
  variant('message-only-in-two-versions', {
    about: 'Serves 0.3 at the same URL, and answers with messages only (1.0 §3.6.2, life.message-only).',
    patch: together(messagesOnly, inTwoVersions),
    profiles: ['a2a-1.0'],
  }),
  variant('tenant-demanded', {
    about: 'Calls must name the tenant of the interface (1.0 §8.3.2).',
    patch: together(
      declaring(({ interfaces }) => ({ interfaces: interfaces.map((item) => ({ ...item, tenant: 'acme' })) })),
      (inner) => ({
        problems(op, wire) {
          const found = inner.problems(op, wire);
          if (isObject(wire) && wire['tenant'] === 'acme') return found;
          return [...found, { path: 'tenant', about: 'tenant must be acme', failure: 'InvalidParams' }];
        },
      }),
    ),
    profiles: ['a2a-1.0'],
  }),
  variant('security-of-all-types', {
    about: 'Declares schemes of every type, and requires none: one alternative is empty (1.0 §4.5).',
    patch: onCard((card) => ({
      ...card,
      securityRequirements: [
        {},
        { schemes: { key: {} } },
        { schemes: { bearer: { list: [] } } },
        { schemes: { oauth: { list: ['read'] }, key: {} } },
      ],
      securitySchemes: {
        key: { apiKeySecurityScheme: { location: 'header', name: 'X-Api-Key', description: 'A key.' } },
        bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
        oauth: {
          oauth2SecurityScheme: {
            flows: {
              authorizationCode: {
                authorizationUrl: 'https://id.example/authorize',
                tokenUrl: 'https://id.example/token',
                scopes: { read: 'Read tasks' },
                pkceRequired: true,
              },
            },
          },
        },
        device: {
          oauth2SecurityScheme: {
            flows: {
              deviceCode: {
                deviceAuthorizationUrl: 'https://id.example/device',
                tokenUrl: 'https://id.example/token',
                scopes: {},
              },
            },
          },
        },
        oidc: {
          openIdConnectSecurityScheme: { openIdConnectUrl: 'https://id.example/.well-known/openid-configuration' },
        },
        tls: { mtlsSecurityScheme: {} },
      },
    })),
    profiles: ['a2a-1.0'],
  }),
  variant('skills-with-security', {
    about: 'Skills have examples, modes, no tag at all, and security of their own (1.0 §4.4.5, AMB10-12).',
    patch: onCard((card) => {
      const key = { apiKeySecurityScheme: { location: 'query', name: 'key' } };
      const rich = set(set(card, 'skills.*.examples', ['Do this.']), 'skills.*.tags', []);
      const secured = set(rich, 'skills.*.securityRequirements', [{ schemes: { key: {} } }, {}]);
      return set(secured, 'securitySchemes', { key });
    }),
    profiles: ['a2a-1.0'],
  }),
  variant('card-not-cached', {
    about: 'No cache may keep the card: it has a maximal age of 0, and changes its tag each time (1.0 §8.6.1).',
    patch(inner, world, whole) {
      let count = 0;
      return onReply('card', (reply) => ({
        ...reply,
        headers: [
          ['content-type', 'application/a2a+json'],
          ['cache-control', 'no-cache, max-age=0'],
          ['etag', `W/"${++count}"`],
        ],
      }))(inner, world, whole);
    },
    profiles: ['a2a-1.0'],
  }),
  variant('extended-card-unconfigured', {
    about: 'Declares an extended card and has none: -32007 (1.0 §3.3.4).',
    headers: [bearerOf(alice)],
    patch: together(
      declaring({
        security: [{}, { bearer: [] }],
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      }),
      able({ extendedCard: true }),
      () => ({ extendedCard: () => undefined }),
    ),
    profiles: ['a2a-1.0'],
  }),
];
