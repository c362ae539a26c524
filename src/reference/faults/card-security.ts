import { onCard, set } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { declaring } from '../variants/declaring.js';

const member = (path: string, value: unknown): Patch => onCard((card) => set(card, path, value));
const is10 = (card: object): boolean => 'supportedInterfaces' in card;
const scheme = (value: unknown): Patch => member('securitySchemes', { main: value });
/** One security scheme: `old` as spelled up to 0.3, `now` since 1.0. */
const schemes = (old: unknown, now: unknown): Patch =>
  onCard((card) => ({ ...card, securitySchemes: { main: is10(card) ? now : old } }));
const flow = (name: string, value: unknown): Patch =>
  schemes({ type: 'oauth2', flows: { [name]: value } }, { oauth2SecurityScheme: { flows: { [name]: value } } });
const keyOf = (card: object): object => ({
  key: is10(card)
    ? { apiKeySecurityScheme: { location: 'header', name: 'X-Api-Key' } }
    : { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
});
const demanding = (card: object, old: unknown, now: unknown): object => ({
  ...card,
  securitySchemes: keyOf(card),
  ...(is10(card) ? { securityRequirements: now } : { security: old }),
});

/** Security schemes, security requirements, and what should not be public. */
export const cardSecurityFaults: readonly Fault[] = [
  fault('card-scheme-without-type', {
    about: 'A security scheme has no type.',
    breaks: ['card.scheme-type'],
    patch: scheme({ in: 'header', name: 'X-Api-Key' }),
  }),
  fault('card-scheme-type-unknown', {
    about: 'A security scheme has the type bearer.',
    breaks: ['card.scheme-type'],
    patch: scheme({ type: 'bearer' }),
  }),
  fault('card-schemes-list', {
    about: 'Security schemes are a list.',
    breaks: ['card.scheme-type'],
    patch: member('securitySchemes', [{ type: 'http', scheme: 'bearer' }]),
  }),
  fault('card-api-key-without-name', {
    about: 'An API key scheme does not say which header it is.',
    breaks: ['card.scheme-members'],
    patch: schemes({ type: 'apiKey', in: 'header' }, { apiKeySecurityScheme: { location: 'header' } }),
  }),
  fault('card-api-key-in-body', {
    about: 'An API key is to be sent in the body.',
    breaks: ['card.scheme-members'],
    patch: schemes(
      { type: 'apiKey', in: 'body', name: 'key' },
      { apiKeySecurityScheme: { location: 'body', name: 'key' } },
    ),
  }),
  fault('card-http-without-scheme', {
    about: 'An HTTP scheme does not say which.',
    breaks: ['card.scheme-members'],
    patch: schemes({ type: 'http', bearerFormat: 'JWT' }, { httpAuthSecurityScheme: { bearerFormat: 'JWT' } }),
  }),
  fault('card-oauth-without-flows', {
    about: 'An OAuth scheme has no flows.',
    breaks: ['card.scheme-members'],
    patch: schemes(
      { type: 'oauth2', oauth2MetadataUrl: 'https://id.example/oauth' },
      { oauth2SecurityScheme: { oauth2MetadataUrl: 'https://id.example/oauth' } },
    ),
  }),
  fault('card-oidc-without-url', {
    about: 'An OpenID Connect scheme has no URL.',
    breaks: ['card.scheme-members'],
    patch: schemes({ type: 'openIdConnect' }, { openIdConnectSecurityScheme: {} }),
  }),
  fault('card-oauth-code-without-token-url', {
    about: 'The authorization code flow has no token URL.',
    breaks: ['card.oauth-flows'],
    patch: flow('authorizationCode', { authorizationUrl: 'https://id.example/authorize', scopes: {} }),
  }),
  fault('card-oauth-scopes-list', {
    about: 'The scopes of a flow are a list.',
    breaks: ['card.oauth-flows'],
    patch: flow('clientCredentials', { tokenUrl: 'https://id.example/token', scopes: ['read'] }),
  }),
  fault('card-oauth-implicit-without-scopes', {
    about: 'The implicit flow has no scopes.',
    breaks: ['card.oauth-flows'],
    profiles: ['a2a-0.3', 'a2a-0.2'],
    patch: flow('implicit', { authorizationUrl: 'https://id.example/authorize' }),
  }),
  fault('card-security-map', {
    about: 'security is one map.',
    breaks: ['card.security-shape'],
    patch: onCard((card) => demanding(card, { key: [] }, { schemes: { key: {} } })),
  }),
  fault('card-security-scopes-text', {
    about: 'Scopes in security are a text.',
    breaks: ['card.security-shape'],
    patch: onCard((card) => demanding(card, [{}, { key: 'read' }], [{}, { schemes: { key: { list: 'read' } } }])),
  }),
  fault('card-skill-security-map', {
    about: 'security of skills is one map.',
    breaks: ['card.security-shape'],
    patch: onCard((card) =>
      is10(card)
        ? set({ ...card, securitySchemes: keyOf(card) }, 'skills.*.securityRequirements', { schemes: { key: {} } })
        : set({ ...card, securitySchemes: keyOf(card) }, 'skills.*.security', { key: [] }),
    ),
  }),
  fault('card-security-name-unknown', {
    about: 'security names a scheme that is not declared.',
    breaks: ['card.security-names'],
    patch: onCard((card) => demanding(card, [{}, { token: [] }], [{}, { schemes: { token: {} } }])),
  }),
  fault('card-skill-security-name-unknown', {
    about: 'security of skills names a scheme where none is declared.',
    breaks: ['card.security-names'],
    patch: onCard((card) =>
      is10(card)
        ? set(card, 'skills.*.securityRequirements', [{ schemes: { token: {} } }])
        : set(card, 'skills.*.security', [{ token: [] }]),
    ),
  }),
  fault('card-url-without-tls', {
    about: 'A public interface has no TLS.',
    breaks: ['sec.https'],
    patch: declaring(({ interfaces }) => ({
      interfaces: [...interfaces, ...interfaces.map((one) => ({ ...one, url: 'http://agents.example.com/a2a' }))],
    })),
  }),
  fault('card-with-api-key', {
    about: 'The description gives an API key away.',
    breaks: ['card.no-secrets'],
    patch: member('description', `Call me with ${'sk-'}${'a1B2c3D4e5'.repeat(3)}.`),
  }),
  fault('card-with-password-url', {
    about: 'A link carries a password.',
    breaks: ['card.no-secrets'],
    patch: member('documentationUrl', `https://guest:${'letmein'}@vendor.example/docs`),
  }),
  fault('card-with-secret-member', {
    about: 'The params of an extension hold a client secret.',
    breaks: ['card.no-secrets'],
    patch: member('capabilities.extensions', [
      { uri: 'https://vendor.example/pay', params: { clientSecret: '9f8e7d6c5b4a3210' } },
    ]),
  }),
  fault('card-extension-without-uri', {
    about: 'A declared extension has no URI.',
    breaks: ['ext.uri'],
    patch: member('capabilities.extensions', [{ description: 'Tracing' }]),
  }),
  fault('card-extension-uri-number', {
    about: 'The URI of an extension is a number.',
    breaks: ['ext.uri'],
    patch: member('capabilities.extensions', [{ uri: 1 }]),
  }),
  fault('card-extensions-map', {
    about: 'Extensions are a map by URI.',
    breaks: ['ext.uri'],
    patch: member('capabilities.extensions', { 'https://vendor.example/trace': {} }),
  }),
  fault('card-extension-required-text', {
    about: 'required of an extension is a text.',
    breaks: ['ext.members'],
    patch: member('capabilities.extensions', [{ uri: 'https://vendor.example/trace', required: 'no' }]),
  }),
  fault('card-extension-description-number', {
    about: 'The description of an extension is a number.',
    breaks: ['ext.members'],
    patch: member('capabilities.extensions', [{ uri: 'https://vendor.example/trace', description: 3 }]),
  }),
  fault('card-extension-params-list', {
    about: 'The params of an extension are a list.',
    breaks: ['ext.members'],
    patch: member('capabilities.extensions', [{ uri: 'https://vendor.example/trace', params: ['depth'] }]),
  }),
];
