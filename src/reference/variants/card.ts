import { edited, onCard, onReply, set, without } from '../edits.js';
import { together } from '../seams.js';
import { a2a, type Variant, variant } from '../variant.js';
import { declaring } from './declaring.js';
import { bothBindings, rest } from './rest.js';

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const definitions: readonly Omit<Variant, 'profiles'>[] = [
  variant('card-without-preferred-transport', {
    about: 'The card names no transport, which means JSON-RPC (0.2 §5.5).',
    patch: onCard((card) => without(card, 'preferredTransport')),
  }),
  variant('two-interfaces', {
    about: 'Also speaks HTTP+JSON at another URL, and repeats the main pair (0.3 §5.6.2).',
    patch: bothBindings,
  }),
  variant('rest-preferred', {
    about: 'Names HTTP+JSON first, and JSON-RPC second: all transports are equal in status (0.3 §3.2, 1.0 §5.2).',
    patch: together(
      declaring(({ interfaces }) => ({
        interfaces: [
          ...interfaces.map((item) => ({ ...item, url: `${item.url}rest`, transport: 'HTTP+JSON' })),
          ...interfaces,
        ],
      })),
      rest('/rest'),
    ),
  }),
  variant('card-names-localhost', {
    about:
      'The card names the machine itself by another of its names than the one by which it is reached (RFC 6761 §6.3).',
    cardUrl: (baseUrl) => `http://127.0.0.1:4000${new URL(`${baseUrl}/.well-known/agent-card.json`).pathname}`,
    patch: together(
      declaring(({ interfaces }) => {
        const here = interfaces.map((item) => ({ ...item, url: 'http://localhost:4000/' }));
        return {
          interfaces: [...here, ...here.map((item) => ({ ...item, url: `${item.url}rest`, transport: 'HTTP+JSON' }))],
        };
      }),
      rest('/rest'),
    ),
  }),
  variant('one-url-two-transports', {
    about: 'Speaks JSON-RPC and HTTP+JSON at the same URL, and distinguishes them by the path below it (AMB03-24).',
    patch: together(
      declaring(({ interfaces }) => ({
        interfaces: [...interfaces, ...interfaces.map((item) => ({ ...item, transport: 'HTTP+JSON' }))],
      })),
      rest(''),
    ),
  }),
  variant('public-grpc', {
    about: 'Also speaks gRPC on a public host, under TLS, and a transport of its own (0.3 §3.2.2, §3.2.4).',
    patch: declaring(({ interfaces }) => ({
      interfaces: [
        ...interfaces,
        ...interfaces.map((item) => ({ ...item, url: 'https://agents.example.com:443', transport: 'GRPC' })),
        ...interfaces.map((item) => ({
          ...item,
          url: 'wss://agents.example.com/a2a',
          transport: 'https://vendor.example/transports/websocket',
        })),
      ],
    })),
  }),
  variant('optional-security', {
    about: 'Declares schemes of every type, and requires none: one alternative is empty (0.3 §5.5).',
    patch: (inner, world, whole) =>
      onCard((card) => ({
        ...card,
        security: [{}, { key: [] }, { bearer: [] }, { oauth: ['tasks.read'], key: [] }, { oidc: ['openid'] }],
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          oauth: {
            type: 'oauth2',
            description: 'Sign in with the house account.',
            flows: {
              authorizationCode: {
                authorizationUrl: 'https://id.example/authorize',
                tokenUrl: 'https://id.example/token',
                scopes: { 'tasks.read': 'Read tasks' },
              },
              clientCredentials: { tokenUrl: 'https://id.example/token', scopes: {} },
            },
          },
          oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/.well-known/openid-configuration' },
          // 0.2 does not have this type.
          ...(world.dialect.id === 'a2a-0.2' ? {} : { tls: { type: 'mutualTLS' } }),
        },
      }))(inner, world, whole),
  }),
  variant('signed-by-strangers', {
    about: 'The card carries signatures with unknown keys; 0.3 does not say over what (AMB03-27).',
    patch: onCard((card) => ({
      ...card,
      signatures: [
        {
          protected: base64url({ alg: 'ES256', typ: 'JOSE', kid: 'key-1', jku: 'https://vendor.example/jwks.json' }),
          signature: Buffer.from(Uint8Array.from({ length: 64 }, (_, at) => (at * 37 + 11) % 256)).toString(
            'base64url',
          ),
          header: { note: 'unprotected' },
        },
        { protected: base64url({ alg: 'EdDSA', kid: 'key-2' }), signature: Buffer.alloc(64, 7).toString('base64url') },
      ],
    })),
  }),
  variant('card-with-links', {
    about: 'The card names its provider, documentation and icon.',
    patch: onCard((card) => ({
      ...card,
      provider: { organization: 'Vendor', url: 'https://vendor.example' },
      documentationUrl: 'https://vendor.example/docs',
      iconUrl: 'https://vendor.example/icon.png',
    })),
  }),
  variant('rich-skills', {
    about: 'Skills have examples, modes, tags without end, and security of their own.',
    patch: onCard((card) => ({
      ...(edited(card, 'skills.*', (skill) => ({
        ...(skill as object),
        tags: [],
        examples: ['Do this.', 'Tu das! 🙂'],
        inputModes: ['text/plain', 'application/vnd.vendor+json', 'image/*'],
        security: [{ key: [] }, {}],
      })) as object),
      securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } },
    })),
  }),
  variant('bare-capabilities', {
    about: 'The object of capabilities is empty.',
    patch: onCard((card) => set(card, 'capabilities', {})),
  }),
  variant('state-history-flag', {
    about: 'Declares stateTransitionHistory, which has no form in 0.3, and an extended card flag that is false.',
    patch: onCard((card) => ({
      ...(edited(card, 'capabilities', (flags) => ({ ...(flags as object), stateTransitionHistory: true })) as object),
      supportsAuthenticatedExtendedCard: false,
    })),
  }),
  variant('version-without-patch', {
    about: 'protocolVersion is "0.3" (AMB03-29).',
    patch: onCard((card) => set(card, 'protocolVersion', '0.3')),
  }),
  variant('card-cached', {
    about: 'The card comes as a vendor JSON type, with an ETag and a maximal age.',
    patch: onReply('card', (reply) => ({
      ...reply,
      headers: [
        ['content-type', 'application/vnd.a2a.card+json'],
        ['cache-control', 'max-age=3600'],
        ['etag', '"1"'],
      ],
    })),
  }),
];

/** Ids of the variants that fit every A2A version; the others are spelled as in A2A 0.2 and 0.3. */
const neutral: ReadonlySet<string> = new Set([
  'two-interfaces',
  'rest-preferred',
  'card-names-localhost',
  'one-url-two-transports',
  'public-grpc',
  'card-with-links',
  'bare-capabilities',
]);

/** Those that fit one version alone. */
const ofOne: Readonly<Record<string, Variant['profiles']>> = {
  'version-without-patch': ['a2a-0.3'],
  'card-without-preferred-transport': ['a2a-0.2'],
};

export const cardVariants: readonly Variant[] = definitions.map((definition) => {
  if (neutral.has(definition.id)) return { ...definition, profiles: a2a };
  return { ...definition, profiles: ofOne[definition.id] ?? ['a2a-0.3', 'a2a-0.2'] };
});
