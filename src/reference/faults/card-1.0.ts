import { type ErrorName, isObject } from '../../model/index.js';
import { mistaking, onCard, onReply, set, without } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';

const each = (name: string, value: unknown): Patch =>
  onCard((card) => set(card, `supportedInterfaces.*.${name}`, value));
const member = (name: string, value: unknown): Patch => onCard((card) => set(card, name, value));
const oauth = (flows: object): Patch => member('securitySchemes', { main: { oauth2SecurityScheme: { flows } } });
const urls = { tokenUrl: 'https://id.example/token', scopes: {} };
const authorizationUrl = 'https://id.example/authorize';
const headers = (change: (name: string, value: string) => string | undefined): Patch =>
  onReply('card', (reply) => ({
    ...reply,
    headers: reply.headers.flatMap(([name, value]) => {
      const now = change(name.toLowerCase(), value);
      return now === undefined ? [] : [[name, now] as const];
    }),
  }));
const refusingTenant =
  (failure: ErrorName): Patch =>
  (inner) => ({
    problems(op, wire) {
      const found = inner.problems(op, wire);
      if (!isObject(wire) || wire['tenant'] === undefined) return found;
      return [{ path: 'tenant', about: 'no such tenant', failure }, ...found];
    },
  });

/** Defects of what only the card of 1.0 has. */
const definitions: readonly Fault[] = [
  fault('card-no-interfaces', {
    about: 'The card has no supportedInterfaces.',
    breaks: ['card.interfaces'],
    patch: onCard((card) => without(card, 'supportedInterfaces')),
  }),
  fault('card-interfaces-empty', {
    about: 'supportedInterfaces are empty.',
    breaks: ['card.interfaces'],
    patch: member('supportedInterfaces', []),
  }),
  fault('card-supported-interfaces-map', {
    about: 'supportedInterfaces are a map by binding.',
    breaks: ['card.interfaces'],
    patch: onCard((card) => ({ ...card, supportedInterfaces: { JSONRPC: card['supportedInterfaces'] } })),
  }),
  fault('card-binding-bare-word', {
    about: 'An interface has a binding of its own with a bare name.',
    breaks: ['card.custom-binding-uri'],
    patch: onCard((card) => ({
      ...card,
      supportedInterfaces: [
        ...(card['supportedInterfaces'] as readonly unknown[]),
        { url: 'wss://agents.example.com/a2a', protocolBinding: 'WEBSOCKET', protocolVersion: '1.0' },
      ],
    })),
  }),
  fault('card-protocol-version-word', {
    about: 'The version of an interface is v1.',
    breaks: ['card.protocol-version-format', 'card.protocol-version-line'],
    patch: each('protocolVersion', 'v1'),
  }),
  fault('card-protocol-version-major', {
    about: 'The version of an interface is 1.',
    breaks: ['card.protocol-version-format', 'card.protocol-version-line'],
    patch: each('protocolVersion', '1'),
  }),
  fault('card-protocol-version-patch', {
    about: 'The version of an interface has a patch number.',
    breaks: ['card.protocol-version-no-patch'],
    patch: each('protocolVersion', '1.0.1'),
  }),
  fault('card-with-old-url', {
    about: 'The card still has a url and a preferredTransport.',
    breaks: ['card.no-old-members'],
    patch: onCard((card) => ({ ...card, url: 'http://agent.test/', preferredTransport: 'JSONRPC' })),
  }),
  fault('card-with-old-extended-flag', {
    about: 'The card still says supportsAuthenticatedExtendedCard.',
    breaks: ['card.no-old-members'],
    patch: member('supportsAuthenticatedExtendedCard', false),
  }),
  fault('card-with-old-security', {
    about: 'The card still has security.',
    breaks: ['card.no-old-members'],
    patch: member('security', [{}]),
  }),
  fault('card-tenant-number', {
    about: 'The tenant of an interface is a number.',
    breaks: ['card.tenant'],
    patch: each('tenant', 7),
  }),
  fault('card-tenant-null', {
    about: 'The tenant of an interface is null.',
    breaks: ['data.no-nulls'],
    profiles: ['a2a-1.0'],
    patch: each('tenant', null),
  }),
  fault('card-tenant-refused', {
    about: 'The tenant that the card declares is invalid.',
    breaks: ['card.tenant-served'],
    on: 'tenant-declared',
    patch: refusingTenant('InvalidParams'),
  }),
  fault('card-tenant-unknown', {
    about: 'The tenant that the card declares does not exist.',
    breaks: ['card.tenant-served'],
    on: 'tenant-declared',
    patch: () => ({
      negotiate({ params }) {
        if (isObject(params) && params['tenant'] !== undefined) throw new RpcFailure('TaskNotFound', 'no such tenant');
      },
    }),
  }),
  fault('card-oauth-two-flows', {
    about: 'An OAuth scheme has two flows.',
    breaks: ['card.single-flow'],
    patch: oauth({ clientCredentials: urls, authorizationCode: { ...urls, authorizationUrl } }),
  }),
  fault('card-oauth-implicit-flow', {
    about: 'An OAuth scheme uses the implicit flow.',
    breaks: ['card.deprecated-flows'],
    patch: oauth({ implicit: { authorizationUrl, scopes: {} } }),
  }),
  fault('card-oauth-password-flow', {
    about: 'An OAuth scheme uses the password flow.',
    breaks: ['card.deprecated-flows'],
    patch: oauth({ password: urls }),
  }),
  fault('card-without-cache-control', {
    about: 'Nothing is said about keeping the card.',
    breaks: ['card.cache-control'],
    patch: headers((name, value) => (name === 'cache-control' ? undefined : value)),
  }),
  fault('card-without-max-age', {
    about: 'The card may be kept, and nobody knows for how long.',
    breaks: ['card.cache-control'],
    patch: headers((name, value) => (name === 'cache-control' ? 'public' : value)),
  }),
  fault('card-without-etag', {
    about: 'The card has no ETag.',
    breaks: ['card.etag'],
    patch: headers((name, value) => (name === 'etag' ? undefined : value)),
  }),
  fault('card-etag-unquoted', {
    about: 'The ETag of the card has no quotes.',
    breaks: ['card.etag'],
    patch: headers((name, value) => (name === 'etag' ? value.replaceAll('"', '') : value)),
  }),
  fault('card-ignores-etag', {
    about: 'The whole card is sent to those who have it.',
    breaks: ['card.not-modified'],
    patch: (inner) => ({ serveCard: (request) => inner.serveCard({ ...request, headers: [] }) }),
  }),
  fault('extended-card-as-unknown-method', {
    about: 'A request for an extended card that is not declared is answered with -32601.',
    breaks: ['card.extended-unsupported-code'],
    notOver: ['grpc'],
    patch: mistaking('UnsupportedOperation', 'MethodNotFound', 'extendedCard'),
  }),
  fault('extended-card-as-not-configured', {
    about: 'An extended card that is not declared is not configured.',
    breaks: ['card.extended-unsupported-code'],
    patch: mistaking('UnsupportedOperation', 'ExtendedCardNotConfigured', 'extendedCard'),
  }),
  fault('extended-card-unconfigured-as-unsupported', {
    about: 'An extended card that is declared and not configured is not supported.',
    breaks: ['card.extended-not-configured'],
    on: 'extended-card-unconfigured',
    patch: mistaking('ExtendedCardNotConfigured', 'UnsupportedOperation'),
  }),
];

export const card10Faults: readonly Fault[] = definitions.map((one) => ({ ...one, profiles: ['a2a-1.0'] }));
