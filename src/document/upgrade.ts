import { lineage } from '../dialect/index.js';
import { isObject, isString, type JsonObject, member, TckError } from '../model/index.js';
import { profileOfCard } from '../run/index.js';
import { kindOf } from './kinds.js';
import { readDocument } from './read.js';

/** How one place of a card changes. */
export interface CardChange {
  /** Changed: it is in the new card in another form. Lost: 1.0 has no place for it. To do: the kit cannot know it. */
  readonly kind: 'changed' | 'lost' | 'to-do';
  /** Place in the old card. */
  readonly pointer: string;
  readonly text: string;
}

export interface UpgradedCard {
  readonly card: JsonObject;
  readonly changes: readonly CardChange[];
}

type Note = (kind: CardChange['kind'], pointer: string, text: string) => void;

const without = (value: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Root members of 0.2 and 0.3 that 1.0 has elsewhere, or nowhere. */
const oldMembers = [
  'url',
  'preferredTransport',
  'additionalInterfaces',
  'protocolVersion',
  'security',
  'supportsAuthenticatedExtendedCard',
  'signatures',
  'authentication',
] as const;

/** §5.6 of 0.3: the main pair first; an entry that repeats it adds nothing. JSONRPC is what a missing name means. */
function interfacesOf(card: JsonObject, note: Note): readonly JsonObject[] {
  const { url, preferredTransport = 'JSONRPC', additionalInterfaces } = card;
  const pairs: { readonly url: unknown; readonly transport: unknown; readonly pointer: string }[] = [
    ...(url === undefined ? [] : [{ url, transport: preferredTransport ?? 'JSONRPC', pointer: '/url' }]),
    ...objectsIn(additionalInterfaces).map((members, at) => ({
      url: members['url'],
      transport: members['transport'],
      pointer: `/additionalInterfaces/${at}`,
    })),
  ];
  const first = pairs.filter(
    (pair, at) => pairs.findIndex((other) => other.url === pair.url && other.transport === pair.transport) === at,
  );
  for (const [at, { pointer, transport }] of first.entries()) {
    note('changed', pointer, `is /supportedInterfaces/${at}; the agent must speak 1.0 there`);
    if (transport === 'HTTP+JSON')
      note('to-do', pointer, 'paths of 1.0 begin at the URL of the interface, without the /v1 of 0.3');
  }
  return first.map(({ url: at, transport }) => ({ url: at, protocolBinding: transport, protocolVersion: '1.0' }));
}

/** In the order of preference: the last two are deprecated. */
const flowNames = ['authorizationCode', 'clientCredentials', 'implicit', 'password'] as const;

function flowsOf(flows: unknown, pointer: string, note: Note): unknown {
  if (!isObject(flows)) return flows;
  const [kept, ...others] = flowNames.filter((name) => isObject(flows[name]));
  if (kept === undefined) return flows;
  for (const name of others)
    note('lost', `${pointer}/${name}`, 'a scheme of 1.0 has one flow: declare another scheme for this one');
  if (kept === 'implicit' || kept === 'password')
    note('to-do', `${pointer}/${kept}`, 'this flow is deprecated: declare another one');
  return { [kept]: flows[kept] };
}

/** Undefined: 1.0 has no such scheme. */
function schemeOf(scheme: unknown, pointer: string, note: Note): JsonObject | undefined {
  if (!isObject(scheme)) return undefined;
  const rest = without(scheme, 'type');
  switch (scheme['type']) {
    case 'apiKey':
      return { apiKeySecurityScheme: { ...without(rest, 'in'), location: scheme['in'] } };
    case 'http':
      return { httpAuthSecurityScheme: rest };
    case 'oauth2':
      return { oauth2SecurityScheme: { ...rest, flows: flowsOf(scheme['flows'], `${pointer}/flows`, note) } };
    case 'openIdConnect':
      return { openIdConnectSecurityScheme: rest };
    case 'mutualTLS':
      return { mtlsSecurityScheme: rest };
    default:
      return undefined;
  }
}

function schemesOf(schemes: unknown, note: Note): JsonObject {
  const made = Object.entries(isObject(schemes) ? schemes : {}).flatMap(([name, scheme]) => {
    const pointer = `/securitySchemes/${escaped(name)}`;
    const members = schemeOf(scheme, pointer, note);
    if (members === undefined) note('lost', pointer, '1.0 has no such scheme');
    else note('changed', pointer, `is ${Object.keys(members)[0] ?? ''}`);
    return members === undefined ? [] : [[name, members] as const];
  });
  return Object.fromEntries(made);
}

const requirementsOf = (security: unknown): readonly JsonObject[] =>
  objectsIn(security).map((option) => ({
    schemes: Object.fromEntries(Object.entries(option).map(([name, list]) => [name, { list }])),
  }));

function skillOf(skill: unknown, at: number, note: Note): unknown {
  if (!isObject(skill) || skill['security'] === undefined) return skill;
  note('changed', `/skills/${at}/security`, `is /skills/${at}/securityRequirements`);
  return { ...without(skill, 'security'), securityRequirements: requirementsOf(skill['security']) };
}

function capabilitiesOf(card: JsonObject, note: Note): unknown {
  const { capabilities, supportsAuthenticatedExtendedCard: extended } = card;
  if (!isObject(capabilities)) return capabilities;
  if (capabilities['stateTransitionHistory'] !== undefined)
    note('lost', '/capabilities/stateTransitionHistory', '1.0 has no such capability');
  if (extended !== undefined)
    note('changed', '/supportsAuthenticatedExtendedCard', 'is /capabilities/extendedAgentCard');
  const kept = without(capabilities, 'stateTransitionHistory');
  return typeof extended === 'boolean' ? { ...kept, extendedAgentCard: extended } : kept;
}

/** The card of 1.0 that says what a card of 0.2 or 0.3 does. What the old one lacks or has wrong, the new one does too. */
export function cardFor10(card: JsonObject): UpgradedCard {
  const changes: CardChange[] = [];
  const note: Note = (kind, pointer, text) => {
    changes.push({ kind, pointer, text });
  };
  const { skills, security, securitySchemes, signatures, protocolVersion } = card;
  const supportedInterfaces = interfacesOf(card, note);
  if (protocolVersion !== undefined)
    note('changed', '/protocolVersion', 'is the protocolVersion of each interface, "1.0"');
  const capabilities = capabilitiesOf(card, note);
  const schemes = schemesOf(securitySchemes, note);
  if (security !== undefined) note('changed', '/security', 'is /securityRequirements');
  if (card['authentication'] !== undefined)
    note('lost', '/authentication', 'declare /securitySchemes and /securityRequirements in its place');
  const made: JsonObject = {
    ...without(card, ...oldMembers, 'securitySchemes'),
    supportedInterfaces,
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(Array.isArray(skills) ? { skills: skills.map((skill: unknown, at) => skillOf(skill, at, note)) } : {}),
    ...(Object.keys(schemes).length === 0 ? {} : { securitySchemes: schemes }),
    ...(security === undefined ? {} : { securityRequirements: requirementsOf(security) }),
  };
  if (signatures !== undefined) note('lost', '/signatures', 'they sign the old card: sign the new one');
  return { card: made, changes };
}

/**
 * Reads a card of 0.2 or 0.3, and makes one of 1.0. Throws `TckError('usage')` for what cannot be read, is not a card,
 * or is a card of another version.
 */
export function upgradeDocument(bytes: Uint8Array, source: string): UpgradedCard {
  const read = readDocument(bytes, source);
  if ('unreadable' in read) throw new TckError('usage', `${source} cannot be read: it is not JSON`);
  const found = kindOf(read.value);
  const steps = (found?.at ?? '').split('/').slice(1);
  const card = steps.reduce((item: unknown, step) => member(item, step), read.value);
  if (!isObject(card) || (found !== undefined && found.kind !== 'card'))
    throw new TckError('usage', `${source} is not an agent card`, '--to takes a card of 0.2 or 0.3');
  const { dialect } = profileOfCard(card);
  const isYoung = Array.isArray(card['supportedInterfaces']) || lineage(dialect).includes('a2a-1.0');
  if (isYoung || !(isString(card['url']) || objectsIn(card['additionalInterfaces']).length > 0)) {
    const what = isYoung ? 'is a card of 1.0 already' : 'names no url, so it is not a card of 0.2 or 0.3';
    throw new TckError('usage', `${source} ${what}`, 'a2a-tck validate without --to judges it');
  }
  return cardFor10(card);
}
