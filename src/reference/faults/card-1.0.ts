import { mistaking, onCard, onReply, set } from '../edits.js';
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

/** Defects of what only the card of 1.0 has. */
const definitions: readonly Fault[] = [
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
  fault('card-oauth-two-flows', {
    about: 'An OAuth scheme has two flows.',
    breaks: ['card.single-flow'],
    patch: oauth({ clientCredentials: urls, authorizationCode: { ...urls, authorizationUrl } }),
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
