import { conforms, law, sentText, set } from '../../src/kit/index.js';
import { noCard, objectsIn, own, unless } from '../shared/declared.js';

// A2A 1.0 §4.4.6 AgentInterface, §5.8 Custom Binding Identification, §3.6 Versioning, §A.2.2. The schema decides.

const always = { otherwise: noCard };

// In our words (1.0, 4.4.1 AgentCard): The card has a non-empty `supportedInterfaces` array.
export const interfaces = conforms('card/interfaces', 'card.interfaces', 'list at least one supported interface', {
  ...always,
  advice: 'A card with `url` at its root is one of 0.3: run with --profile auto, or list supportedInterfaces.',
});
// In our words (1.0, 5.8 Custom Binding Identification): A protocolBinding other than JSONRPC, GRPC or HTTP+JSON is a
//   URI.
export const bindingUri = conforms(
  'card/custom-binding-uri',
  'card.custom-binding-uri',
  'name bindings of its own by URIs',
  {
    ...always,
    advice:
      'Name the binding by a URI under a domain of your own, such as https://example.com/bindings/v1, not by a bare word.',
  },
);
// In our words (1.0, 3.6 Versioning): protocolVersion starts with Major.Minor.
export const versionFormat = conforms(
  'card/protocol-version-format',
  'card.protocol-version-format',
  'give the version of each interface as Major.Minor',
  { ...always, advice: 'Write two numbers and a dot, "1.0": neither "1" nor "v1" is a version here.' },
);
// In our words (1.0, 3.6 Versioning): protocolVersion carries no patch number.
export const versionWithoutPatch = conforms(
  'card/protocol-version-no-patch',
  'card.protocol-version-no-patch',
  'give the version of each interface without a patch number',
  { ...always, advice: 'Write "1.0", not "1.0.1": patch numbers change nothing on the wire.' },
);
// In our words (1.0, A.2.2 Breaking Change: Extended Agent Card Field Relocated): 0.3-only members
//   (supportsAuthenticatedExtendedCard, supportsExtendedAgentCard, url, preferredTransport, additionalInterfaces,
//   protocolVersion and security at the root) are gone.
export const oldMembers = conforms('card/no-old-members', 'card.no-old-members', 'have no member of 0.3', {
  ...always,
  unless: ({ card }) =>
    card.interfaces.some(({ version }) => version?.startsWith('0.'))
      ? 'the card lists an interface of an earlier version, and may have its members'
      : undefined,
  advice: 'Members of 0.3 belong on cards that also list an interface of version 0.3.',
}).mutants(set('supportsAuthenticatedExtendedCard', false));
// In our words (1.0, 4.4.6 AgentInterface): A present interface `tenant` is a string.
export const tenant = conforms('card/tenant', 'card.tenant', 'give the tenant of each interface as a string', {
  ...always,
  unless: unless('no interface of the card has a tenant', (card) =>
    objectsIn(card['supportedInterfaces']).some(own('tenant')),
  ),
  advice: 'Write the tenant in quotes, "42" and not 42, or leave it out.',
});

// In our words (1.0, 8.3.2 Client Protocol Selection): Requests carrying the declared tenant value are served.
export const tenantServed = law(
  'card/tenant-served',
  'card.tenant-served',
  'name a tenant for which no call is refused',
  {
    otherwise: 'the agent answered no call with the declared tenant',
    advice:
      'Clients copy the tenant of the interface into each request. Serve the agent under that name, or take the tenant out of the card.',
  },
  ({ operation, valid, exchange, outcome }, target) => {
    if (!valid || operation === undefined || exchange.purpose === 'detection') return 'not-concerned';
    const sent = sentText(exchange);
    if (
      !target.card.interfaces.some((entry) => entry.tenant !== undefined && sent.includes(JSON.stringify(entry.tenant)))
    ) {
      return 'not-concerned';
    }
    if (outcome.kind === 'result') return 'holds';
    if (outcome.kind !== 'refusal') return 'not-concerned';
    const said = `${outcome.message} ${JSON.stringify(outcome.data)}`;
    return /tenant/i.test(said) ? `${operation} was refused: ${outcome.message}` : 'not-concerned';
  },
).mutants(set('error.message', 'the tenant is unknown'), set('grpc-message', 'the tenant is unknown'));
