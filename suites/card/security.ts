import {
  type BrokenPlace,
  brief,
  canParseUrl,
  conforms,
  findSecret,
  isObject,
  isPublicHost,
  isString,
  type JsonObject,
  law,
  type Mutation,
  member,
  set,
  severally,
  type Target,
} from '../../src/kit/index.js';
import { filled, noCard, objectsIn, onCard, own, placesOnCard, unless } from '../shared/declared.js';

// A2A 1.0 §4.5; 0.3 §5.5.3 SecurityScheme, §5.5 security, §5.4 secrets, §4.1 transport security.

const schemesOf = (card: JsonObject): readonly (readonly [string, unknown])[] =>
  isObject(card['securitySchemes']) ? Object.entries(card['securitySchemes']) : [];

const declared = {
  otherwise: noCard,
  unless: unless('the card has no securitySchemes', (card) => filled(card['securitySchemes'])),
};

const tokenUrl = 'https://id.example/token';
/** A card with these flows, as 1.0 spells them. */
const flowsSince10 = (flows: object): Mutation => set('securitySchemes', { main: { oauth2SecurityScheme: { flows } } });
/** The same, and as the versions before spell them. */
const oauth = (flows: object): readonly Mutation[] => [
  flowsSince10(flows),
  set('securitySchemes', { main: { type: 'oauth2', flows } }),
];

// In our words (1.0, 4.5.1 SecurityScheme): Every securitySchemes value holds exactly one of apiKeySecurityScheme,
//   httpAuthSecurityScheme, oauth2SecurityScheme, openIdConnectSecurityScheme, mtlsSecurityScheme.
export const schemeType = conforms(
  'card/scheme-type',
  'card.scheme-type',
  'give each security scheme one of the five types',
  {
    ...declared,
    advice:
      'Write a map by name. A bearer token is {"type": "http", "scheme": "bearer"}, in 1.0 {"httpAuthSecurityScheme": {"scheme": "Bearer"}}.',
  },
);
// In our words (1.0, 4.5.1 SecurityScheme): Each scheme carries its required members (API key: location, name; HTTP:
//   scheme; OAuth2: flows; OpenID Connect: openIdConnectUrl).
export const schemeMembers = conforms(
  'card/scheme-members',
  'card.scheme-members',
  'give each security scheme the members of its type',
  {
    otherwise: 'no scheme of the card has a type with members',
    unless: unless('the card has no scheme with members of its own', (card) =>
      schemesOf(card).some(
        ([, scheme]) => !isObject(scheme) || (scheme['type'] !== 'mutualTLS' && !own('mtlsSecurityScheme')(scheme)),
      ),
    ),
    advice:
      'An API key needs name and in (1.0: location), which is query, header or cookie. HTTP needs scheme, OAuth2 flows, OpenID Connect openIdConnectUrl.',
  },
);
/** Since 1.0 a scheme is wrapped in a member that names its type. */
const flowsOf = (scheme: unknown): unknown => member(member(scheme, 'oauth2SecurityScheme') ?? scheme, 'flows');
const withFlows = {
  otherwise: 'the card declares no OAuth flow',
  unless: unless('the card declares no OAuth flow', (card) =>
    schemesOf(card).some(([, scheme]) => filled(flowsOf(scheme))),
  ),
};
// In our words (1.0, 4.5.7 OAuthFlows): Each OAuth flow carries its required members (authorizationCode:
//   authorizationUrl, tokenUrl, scopes; clientCredentials: tokenUrl, scopes; deviceCode: deviceAuthorizationUrl,
//   tokenUrl, scopes).
export const oauthFlows = conforms('card/oauth-flows', 'card.oauth-flows', 'give each OAuth flow its members', {
  ...withFlows,
  advice:
    'authorizationCode needs authorizationUrl, tokenUrl and scopes; clientCredentials needs tokenUrl and scopes. Write scopes as a map from name to text, {} for none.',
}).mutants(...oauth({ clientCredentials: { tokenUrl, scopes: ['read'] } }));

const everywhere = (card: JsonObject, name: string): readonly unknown[] =>
  [card, ...objectsIn(card['skills'])]
    .map((holder) => holder[name] ?? undefined)
    .filter((value) => value !== undefined);
const demands = (card: JsonObject): readonly unknown[] => [
  ...everywhere(card, 'security'),
  ...everywhere(card, 'securityRequirements'),
];
/** Since 1.0 the schemes of an alternative are in its member `schemes`. */
const namedIn = (card: JsonObject): readonly string[] => [
  ...everywhere(card, 'security').flatMap(objectsIn).flatMap(Object.keys),
  ...everywhere(card, 'securityRequirements')
    .flatMap(objectsIn)
    .flatMap(({ schemes }) => (isObject(schemes) ? Object.keys(schemes) : [])),
];

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The places at which security names a scheme that the card does not declare. */
function lostNames(card: JsonObject): readonly BrokenPlace[] {
  const known = new Set(schemesOf(card).map(([name]) => name));
  const { skills } = card;
  const holders: readonly (readonly [at: string, holder: unknown])[] = [
    ['', card],
    ...(Array.isArray(skills) ? skills : []).map((skill, at) => [`/skills/${at}`, skill] as const),
  ];
  const inList = (at: string, list: unknown, inner: string): readonly BrokenPlace[] =>
    (Array.isArray(list) ? list : []).flatMap((requirement, index) => {
      const named = inner === '' ? requirement : member(requirement, inner.slice(1));
      const names = isObject(named) ? Object.keys(named).filter((name) => !known.has(name)) : [];
      const problem = 'names a scheme that is not in securitySchemes';
      return names.map((name) => ({ path: `${at}/${index}${inner}/${escaped(name)}`, problem }));
    });
  return holders.flatMap(([at, holder]) => [
    ...inList(`${at}/security`, member(holder, 'security'), ''),
    ...inList(`${at}/securityRequirements`, member(holder, 'securityRequirements'), '/schemes'),
  ]);
}

const demanded = {
  otherwise: noCard,
  unless: unless('neither the card nor a skill has security', (card) => demands(card).length > 0),
};

// In our words (1.0, 4.5.7 OAuthFlows): `flows` holds a single flow.
export const singleFlow = conforms('card/single-flow', 'card.single-flow', 'give one flow in each OAuth scheme', {
  ...withFlows,
  advice: 'The flows are a oneof since 1.0: give a scheme for each.',
}).mutants(
  flowsSince10({
    clientCredentials: { tokenUrl, scopes: {} },
    authorizationCode: { tokenUrl, authorizationUrl: 'https://id.example/authorize', scopes: {} },
  }),
);
// In our words (1.0, 4.5.7 OAuthFlows): The deprecated implicit and password flows are not used.
export const deprecatedFlows = conforms(
  'card/deprecated-flows',
  'card.deprecated-flows',
  'use neither the implicit nor the password flow',
  {
    ...withFlows,
    advice: 'Use authorizationCode with PKCE, or deviceCode, where people sign in, and clientCredentials for machines.',
  },
).mutants(flowsSince10({ password: { tokenUrl, scopes: {} } }));

// In our words (1.0, 4.4.1 AgentCard): `securityRequirements` entries have the shape {schemes: {name: {list:
//   [scope]}}}.
export const securityShape = conforms(
  'card/security-shape',
  'card.security-shape',
  'give security as a list of maps from scheme to scopes',
  {
    ...demanded,
    advice:
      'Write "security": [{"name": ["scope"]}], with [] for no scope. In 1.0 write "securityRequirements": [{"schemes": {"name": {"list": ["scope"]}}}].',
  },
);

// In our words (1.0, 4.4.1 AgentCard): Every scheme named in a requirement exists in securitySchemes.
export const securityNames = law(
  'card/security-names',
  'card.security-names',
  'declare every scheme that security names',
  {
    ...demanded,
    otherwise: 'security names no scheme',
    advice:
      'Declare the scheme in securitySchemes, or correct its name where the card or a skill requires it: clients compare letter by letter.',
    places: placesOnCard(lostNames),
  },
  onCard((card) => {
    const known = new Set(schemesOf(card).map(([name]) => name));
    const used = namedIn(card);
    const lost = [...new Set(used)].filter((name) => !known.has(name));
    if (lost.length > 0)
      return `not in securitySchemes, but named by security: ${severally(lost.map((scheme) => brief(scheme)))}`;
    return used.length > 0 ? 'holds' : 'not-concerned';
  }),
);

const urlsOf = ({ card, cardUrl, endpoint }: Target): readonly URL[] =>
  [cardUrl, endpoint, ...card.interfaces.map((entry) => entry.url)].flatMap((text) =>
    isString(text) && canParseUrl(text) ? [new URL(text)] : [],
  );
const publicUrls = (target: Target): readonly URL[] => urlsOf(target).filter((url) => isPublicHost(url.hostname));

/** The members of the card that name a public URL without TLS. */
const plainUrls = (card: JsonObject): readonly BrokenPlace[] =>
  ['', ...interfaceLists.flatMap((name) => placesIn(card, name))].flatMap((at) => {
    const url = at === '' ? card['url'] : member(member(card[at.split('/')[1] ?? ''], at.split('/')[2] ?? ''), 'url');
    if (!isString(url) || !canParseUrl(url)) return [];
    const { protocol, hostname } = new URL(url);
    if (protocol !== 'http:' || !isPublicHost(hostname)) return [];
    return [{ path: `${at}/url`, problem: 'is on a public host and has no https', seen: brief(url) }];
  });
const interfaceLists = ['additionalInterfaces', 'supportedInterfaces'];
const placesIn = (card: JsonObject, name: string): readonly string[] =>
  Array.isArray(card[name]) ? card[name].map((_, at) => `/${name}/${at}`) : [];

// In our words (1.0, 7.1 Protocol Security): Production endpoints use HTTPS or TLS.
export const https = law(
  'card/https',
  'sec.https',
  'name no public URL without TLS',
  {
    otherwise: noCard,
    unless: (target) =>
      publicUrls(target).length > 0 ? undefined : 'only private and test hosts are named, which need no TLS (§4.1)',
    advice: 'Production agents are reached over https; put TLS in front and correct the URLs in the card.',
    places: placesOnCard(plainUrls),
  },
  onCard((_, target) => {
    const plain = publicUrls(target).find((url) => url.protocol === 'http:');
    return plain === undefined ? 'holds' : `${plain.origin} is a public host without https`;
  }),
).mutants(set('url', 'http://agents.example.com/a2a'));

// In our words (1.0, 14.3 Well-Known URI Registration): The card holds no credentials or internal details.
export const noSecrets = law(
  'card/no-secrets',
  'card.no-secrets',
  'hold no secret',
  {
    otherwise: noCard,
    advice: 'Remove the secret from the card and replace it: every reader of the card has it.',
    places: placesOnCard((card) => {
      const found = findSecret(card) ?? '';
      const at = found.lastIndexOf(' looks like ');
      return at < 0 ? [] : [{ path: found.slice(0, at), problem: found.slice(at + 1) }];
    }),
  },
  onCard((card) => findSecret(card) ?? 'holds'),
).mutants(set('documentationUrl', `https://guest:${'letmein'}@vendor.example/docs`));
