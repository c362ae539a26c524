import {
  brief,
  conforms,
  foundIn,
  inconclusive,
  isObject,
  isString,
  isUri,
  kindOf,
  law,
  member,
  placesOf,
  set,
  severally,
} from '../../src/kit/index.js';
import { filled, noCard, onCard, own, placesOnCard, unless } from '../shared/declared.js';

// A2A 0.3 §5.5 AgentCard, §5.5.1 AgentProvider, §5.5.2 AgentCapabilities. The schema of the card decides.

const always = { otherwise: noCard };

// In our words (1.0, 4.4.1 AgentCard): The card has a string `name`.
export const name = conforms('card/name', 'card.name', 'have a string `name`', {
  ...always,
  advice: 'A setting that is missing becomes null or is dropped: set the name, or give it a default.',
});
// In our words (1.0, 4.4.1 AgentCard): The card has a string `description`.
export const description = conforms('card/description', 'card.description', 'have a string `description`', {
  ...always,
  advice: 'Write one text, neither null nor a list of lines. Give it a default where the configuration sets none.',
});
// In our words (1.0, 4.4.1 AgentCard): The card has a string `version`.
export const version = conforms('card/version', 'card.version', 'state the version of the agent as a string', {
  ...always,
  advice:
    'This is the version of the agent, not of A2A. Write it in quotes: YAML reads 1.4 without quotes as a number.',
});
// In our words (1.0, 4.4.6 AgentInterface): Every interface has a string `protocolVersion`.
export const protocolVersion = conforms(
  'card/protocol-version',
  'card.protocol-version',
  'give the protocol version as a string `protocolVersion`',
  {
    ...always,
    advice:
      'Write it in quotes: "0.3.0" at the root of the card, since 1.0 "1.0" in each interface. YAML reads 1.0 without quotes as a number.',
  },
);
const versionLine = 'card.protocol-version-line';
/** A card that names another version is right if the agent speaks that version. */
export const protocolVersionLine = law(
  'card/protocol-version-line',
  versionLine,
  'name the tested version in `protocolVersion`',
  {
    otherwise: 'the card has no string protocolVersion',
    notes: [kindOf],
    advice: 'If the card is right, the wrong profile was chosen: run with --profile auto.',
    places: (document) => (document.of === 'card' ? foundIn(document, ({ rule }) => rule === versionLine) : []),
  },
  ({ documents }, _, tape) => {
    const found = documents.find(({ of }) => of === 'card');
    if (found === undefined || !found.inspection.visited.has(versionLine)) return 'not-concerned';
    const broken = found.inspection.findings.filter(({ rule }) => rule === versionLine);
    if (broken.length === 0) return 'holds';
    const isSpoken = tape.some(
      (recorded) => recorded.valid && recorded.operation !== undefined && kindOf(recorded) === 'result',
    );
    return isSpoken
      ? placesOf(found.name, broken)
      : inconclusive(`the agent accepted no call that shows which version it speaks; ${placesOf(found.name, broken)}`);
  },
);
// In our words (1.0, 4.4.6 AgentInterface): Every interface has a string `url`, absolute and https in production.
export const url = conforms('card/url', 'card.url', 'give the absolute URL of its endpoint', {
  ...always,
  advice:
    'Write scheme, host and path as clients see them from outside. Fill in what a template leaves open, and do not write a path alone.',
});
// AMB03-02: the prose requires it, the schema has a default. The row is lowered to a warning.
// In our words (0.3, 5.6.1 Main URL and Preferred Transport): The card states `preferredTransport`.
export const preferredTransport = conforms(
  'card/preferred-transport',
  'card.preferred-transport',
  'have a string `preferredTransport`',
  {
    ...always,
    // Where it may be left out, a card without it breaks nothing.
    unless: unless('the card has no preferredTransport, which means JSONRPC', own('preferredTransport')),
    advice: 'Write one text, "JSONRPC" for JSON-RPC. Further transports belong into additionalInterfaces.',
  },
);
// In our words (1.0, 4.4.1 AgentCard): The card has a `capabilities` object.
export const capabilities = conforms('card/capabilities', 'card.capabilities', 'have an object `capabilities`', {
  ...always,
  advice:
    'Serializers that drop empty objects drop this one: write `capabilities: {}` at least. It is an object, not a list of names.',
});
// In our words (1.0, 4.4.3 AgentCapabilities): Present flags streaming and pushNotifications are booleans.
export const capabilityFlags = conforms(
  'card/capability-flags',
  'card.capability-flags',
  'give its capability flags as booleans',
  {
    otherwise: noCard,
    unless: unless('the card declares no capability flag', (card) =>
      own('streaming', 'pushNotifications', 'stateTransitionHistory')(card['capabilities']),
    ),
    advice:
      'Write true or false without quotes, or leave the flag out. Values from environment variables are texts: convert them.',
  },
);
// In our words (1.0, 4.4.1 AgentCard): The card has `defaultInputModes` and `defaultOutputModes` as arrays of strings.
export const defaultModes = conforms(
  'card/default-modes',
  'card.default-modes',
  'list its default input and output modes',
  {
    ...always,
    advice:
      'Write both as lists, also for one mode: ["text/plain"], or ["text"] in XPR. Serializers that drop empty lists leave them out.',
  },
);
// In our words (1.0, 4.4.1 AgentCard): Default and skill-level modes are media types.
export const modesAreMediaTypes = conforms(
  'card/modes-are-media-types',
  'card.modes-are-media-types',
  'name its modes and those of its skills as media types',
  { otherwise: 'the card lists no mode', advice: 'Write text/plain for "text", application/json for "data".' },
);
// In our words (1.0, 4.4.2 AgentProvider): A present `provider` has string `url` and string `organization`.
export const provider = conforms(
  'card/provider',
  'card.provider',
  'name the organization and the URL of its provider',
  {
    otherwise: noCard,
    unless: unless('the card has no provider', own('provider')),
    advice: 'Write {"organization": "…", "url": "https://…"} with both members, or leave the provider out.',
  },
).mutants(set('provider', ['Vendor']));
// In our words (1.0, 4.4.1 AgentCard): Present `documentationUrl` and `iconUrl` are strings.
export const links = conforms('card/links', 'card.links', 'give its links as strings', {
  otherwise: noCard,
  unless: unless('the card has no documentationUrl and no iconUrl', own('documentationUrl', 'iconUrl')),
  advice:
    'Write documentationUrl and iconUrl as texts, or leave them out: a serializer that writes null for an unset member makes the card invalid.',
}).mutants(set('documentationUrl', { en: 'https://vendor.example/docs' }));
// In our words (1.0, 4.4.3 AgentCapabilities): A present flag extendedAgentCard is a boolean.
export const extendedFlag = conforms(
  'card/extended-flag',
  'card.extended-flag',
  'give its flag for the extended card as a boolean',
  {
    otherwise: noCard,
    unless: unless(
      'the card has no flag for an extended card, which means false',
      (card) => own('supportsAuthenticatedExtendedCard')(card) || own('extendedAgentCard')(card['capabilities']),
    ),
    advice:
      'Write true or false without quotes, or leave it out: supportsAuthenticatedExtendedCard before 1.0, capabilities.extendedAgentCard since.',
  },
);
// In our words (1.0, 4.4.6 AgentInterface): Every interface has a string `protocolBinding`.
export const interfaceMembers = conforms(
  'card/interface-members',
  'card.interface-members',
  'name the URL and the transport of each interface',
  {
    otherwise: 'the card lists no interface',
    unless: unless(
      'the card has no additionalInterfaces',
      (card) => filled(card['additionalInterfaces']) || own('supportedInterfaces')(card),
    ),
    advice:
      'Write a list of {"url": "https://…", "transport": "JSONRPC"}, not a map. In 1.0 the member is protocolBinding.',
  },
).mutants(set('additionalInterfaces', [{ url: '/rest', transport: 'HTTP+JSON' }]));

/** URLs of the card with their JSON pointers, including those in security schemes and their flows. */
function urlsOf(card: unknown): readonly (readonly [string, unknown])[] {
  const found: (readonly [string, unknown])[] = [
    ['/documentationUrl', member(card, 'documentationUrl')],
    ['/iconUrl', member(card, 'iconUrl')],
    ['/provider/url', member(member(card, 'provider'), 'url')],
  ];
  // Searches a scheme, the member that names its type, its flows, and each flow.
  const look = (value: unknown, at: string, levels: number): void => {
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const place = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (schemeUrls.has(name)) found.push([place, inner]);
      else if (levels > 0) look(inner, place, levels - 1);
    }
  };
  look(member(card, 'securitySchemes'), '/securitySchemes', 4);
  return found;
}
const schemeUrls = new Set([
  'authorizationUrl',
  'tokenUrl',
  'refreshUrl',
  'deviceAuthorizationUrl',
  'oauth2MetadataUrl',
  'openIdConnectUrl',
]);

/** In ProtoJSON an empty string is the same as an absent one. */
const isThere = (link: unknown): link is string => isString(link) && link !== '';

const badLinks = (card: unknown) => urlsOf(card).filter(([, link]) => isThere(link) && !isUri(link));

// In our words (1.0, 4.4.1 AgentCard): Present `documentationUrl`, `iconUrl`, `provider.url` and the URLs of security
//   schemes are absolute URLs.
export const linksAreUrls = law(
  'card/links-are-urls',
  'card.links-are-urls',
  'give its links as absolute URLs',
  {
    otherwise: noCard,
    unless: unless('the card has no links', (card) => urlsOf(card).some(([, link]) => isThere(link))),
    advice:
      'Write the whole URL, https://… included: clients do not know on which host a path is meant. Fill in what a template leaves open.',
    places: placesOnCard((card) =>
      badLinks(card).map(([path, link]) => ({ path, problem: 'is not an absolute URL', seen: brief(link) })),
    ),
  },
  onCard((card) => {
    const bad = badLinks(card);
    if (bad.length === 0) return 'holds';
    return severally(bad.map(([place, link]) => `${place} is not an absolute URL: ${brief(link)}`));
  }),
).mutants(set('documentationUrl', '/docs'));
