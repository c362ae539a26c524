import {
  type Card,
  type Interface,
  isObject,
  type JsonObject,
  member,
  type SecurityScheme,
  stringMember,
  strings,
  unknownCard,
} from '../model/index.js';
import { objects, readExtensions, readSkills } from './card-parts.js';
import { type Codec, mapped } from './codec.js';

// The card of A2A 0.3.0, §5.5.

/** §5.5.3: what a scheme of its type must have beside what the model knows of it. */
function encodeScheme(scheme: SecurityScheme): JsonObject {
  switch (scheme.type) {
    case 'oauth2':
      return {
        flows: { clientCredentials: { tokenUrl: 'https://auth.example/token', scopes: { read: 'Reading.' } } },
        ...scheme,
      };
    case 'openIdConnect':
      return { openIdConnectUrl: 'https://auth.example/.well-known/openid', ...scheme };
    default:
      return scheme;
  }
}

const mapValues = <From, To>(values: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]));

/** §5.5; members that cannot be read are left out, the schema judges them. */
export const card: Codec<Card> = mapped<Card>(
  (draft) => {
    if (!isObject(draft)) return draft;
    const value = draft as unknown as Partial<Card>;
    const [main, ...others] = value.interfaces ?? [];
    return {
      protocolVersion: value.protocolVersion,
      name: value.name,
      description: `${value.name}, an agent`,
      version: value.version,
      url: main?.url,
      preferredTransport: main?.transport,
      ...(others.length > 0
        ? { additionalInterfaces: [main, ...others].map((entry) => ({ url: entry?.url, transport: entry?.transport })) }
        : {}),
      capabilities: {
        streaming: value.capabilities?.streaming ?? false,
        pushNotifications: value.capabilities?.push ?? false,
        ...((value.capabilities?.extensions.length ?? 0) > 0 ? { extensions: value.capabilities?.extensions } : {}),
      },
      ...(value.capabilities?.extendedCard ? { supportsAuthenticatedExtendedCard: true } : {}),
      defaultInputModes: value.inputModes,
      defaultOutputModes: value.outputModes,
      skills: (value.skills ?? []).map((skill) => ({
        id: skill.id,
        name: skill.id,
        description: `What ${skill.id} does.`,
        tags: [skill.id],
        ...(skill.inputModes.length > 0 ? { inputModes: skill.inputModes } : {}),
        ...(skill.outputModes.length > 0 ? { outputModes: skill.outputModes } : {}),
      })),
      ...((value.security?.length ?? 0) > 0 ? { security: value.security } : {}),
      ...(Object.keys(value.securitySchemes ?? {}).length > 0
        ? { securitySchemes: mapValues(value.securitySchemes ?? {}, encodeScheme) }
        : {}),
      ...((value.signatures?.length ?? 0) > 0 ? { signatures: value.signatures } : {}),
    };
  },
  (wire) => (isObject(wire) ? readCard(wire) : undefined),
);

function readCard(wire: JsonObject): Card {
  const capabilities = member(wire, 'capabilities');
  const text = <Name extends string>(from: string, to: Name) => {
    const found = stringMember(wire, from);
    return found === undefined ? {} : ({ [to]: found } as { [Key in Name]: string });
  };
  return {
    ...unknownCard,
    ...text('name', 'name'),
    ...text('version', 'version'),
    ...text('protocolVersion', 'protocolVersion'),
    interfaces: readInterfaces(wire),
    capabilities: {
      streaming: member(capabilities, 'streaming') === true,
      push: member(capabilities, 'pushNotifications') === true,
      extendedCard: member(wire, 'supportsAuthenticatedExtendedCard') === true,
      extensions: readExtensions(member(capabilities, 'extensions')),
    },
    inputModes: strings(member(wire, 'defaultInputModes')),
    outputModes: strings(member(wire, 'defaultOutputModes')),
    skills: readSkills(member(wire, 'skills')),
    security: objects(member(wire, 'security')).map((option) =>
      Object.fromEntries(Object.entries(option).map(([name, scopes]) => [name, strings(scopes)])),
    ),
    securitySchemes: readSchemes(member(wire, 'securitySchemes')),
    signatures: objects(member(wire, 'signatures')),
  };
}

/** §5.6: the main pair first, then the entries that add to it. JSONRPC is the schema's default (AMB03-02). */
function readInterfaces(wire: unknown): readonly Interface[] {
  const url = stringMember(wire, 'url');
  const main = url === undefined ? [] : [{ url, transport: stringMember(wire, 'preferredTransport') ?? 'JSONRPC' }];
  const others = objects(member(wire, 'additionalInterfaces')).flatMap((entry) => {
    const at = stringMember(entry, 'url');
    const transport = stringMember(entry, 'transport');
    if (at === undefined || transport === undefined) return [];
    return main.some((listed) => listed.url === at && listed.transport === transport) ? [] : [{ url: at, transport }];
  });
  return [...main, ...others];
}

function readSchemes(wire: unknown): Record<string, SecurityScheme> {
  const found: Record<string, SecurityScheme> = Object.create(null);
  if (!isObject(wire)) return found;
  for (const [name, scheme] of Object.entries(wire)) {
    const type = stringMember(scheme, 'type');
    const at = stringMember(scheme, 'in');
    if (type === 'apiKey' && (at === 'header' || at === 'query' || at === 'cookie')) {
      found[name] = { type, in: at, name: stringMember(scheme, 'name') ?? '' };
    } else if (type === 'http') found[name] = { type, scheme: stringMember(scheme, 'scheme') ?? '' };
    else if (type === 'oauth2' || type === 'openIdConnect' || type === 'mutualTLS') found[name] = { type };
  }
  return found;
}
