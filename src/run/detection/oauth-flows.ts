import { isObject, type JsonObject, member, stringMember, strings } from '../../model/index.js';

/** A flow of OAuth 2 that works without a browser of the kit (RFC 6749 §4.4, RFC 8628). */
export interface OAuthFlow {
  /** Name of the security scheme in the card. */
  readonly scheme: string;
  readonly grant: 'client-credentials' | 'device-code';
  /** As the card has them: not checked. */
  readonly tokenUrl: string;
  /** Of the device flow. */
  readonly deviceUrl?: string;
  /** Scopes that the card demands of every caller with this scheme. */
  readonly scopes: readonly string[];
}

/** Names in a card that are read at most. */
const mostSchemes = 100;

const entriesOf = (value: unknown): readonly [string, unknown][] =>
  isObject(value) ? Object.entries(value).slice(0, mostSchemes) : [];

/** The alternatives that a card demands, in any spelling: 0.3 §5.5 `security`, 1.0 §4.4.1 `securityRequirements`. */
function alternatives(card: JsonObject): readonly (readonly [string, readonly string[]])[][] {
  const found = [member(card, 'security'), member(card, 'securityRequirements')].find(Array.isArray) ?? [];
  return found
    .slice(0, mostSchemes)
    .map((scheme: unknown) =>
      entriesOf(member(scheme, 'schemes') ?? scheme).map(([name, scopes]) => [
        name,
        strings(isObject(scopes) ? member(scopes, 'list') : scopes),
      ]),
    );
}

function flowsOf(scheme: string, document: unknown, scopes: readonly string[]): readonly OAuthFlow[] {
  const wrapped = member(document, 'oauth2SecurityScheme');
  if (wrapped === undefined && stringMember(document, 'type') !== 'oauth2') return [];
  const flows = member(wrapped ?? document, 'flows');
  const client = stringMember(member(flows, 'clientCredentials'), 'tokenUrl');
  const device = member(flows, 'deviceCode');
  const deviceToken = stringMember(device, 'tokenUrl');
  const deviceUrl = stringMember(device, 'deviceAuthorizationUrl');
  return [
    ...(client === undefined ? [] : [{ scheme, grant: 'client-credentials' as const, tokenUrl: client, scopes }]),
    ...(deviceToken === undefined || deviceUrl === undefined
      ? []
      : [{ scheme, grant: 'device-code' as const, tokenUrl: deviceToken, deviceUrl, scopes }]),
  ];
}

/**
 * The flows that a card offers, in the spelling of any version; those of schemes that it demands come first. Reads
 * leniently: what cannot be read is left out.
 */
export function oauthFlows(card: unknown): readonly OAuthFlow[] {
  if (!isObject(card)) return [];
  const schemes = new Map(entriesOf(member(card, 'securitySchemes')));
  const demanded = new Map(alternatives(card).flat());
  const names = [...new Set([...demanded.keys(), ...schemes.keys()])];
  return names.flatMap((name) => flowsOf(name, schemes.get(name), demanded.get(name) ?? []));
}

/** What the security schemes of a card are, in its own words: for people who look for another. */
export const schemeKinds = (card: unknown): readonly string[] => [
  ...new Set(
    entriesOf(member(card, 'securitySchemes')).flatMap(
      ([, scheme]) =>
        stringMember(scheme, 'type') ?? entriesOf(scheme).map(([kind]) => kind.replace(/SecurityScheme$/, '')),
    ),
  ),
];
