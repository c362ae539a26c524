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

// The card of A2A 1.0, §4.4 and the messages AgentCard to OAuthFlows of specification/a2a.proto.

function encodeScheme(scheme: SecurityScheme): JsonObject {
  switch (scheme.type) {
    case 'apiKey':
      return { apiKeySecurityScheme: { location: scheme.in, name: scheme.name } };
    case 'http':
      return { httpAuthSecurityScheme: { scheme: scheme.scheme } };
    case 'oauth2':
      return {
        oauth2SecurityScheme: {
          flows: { clientCredentials: { tokenUrl: 'https://auth.example/token', scopes: { read: 'Reading.' } } },
        },
      };
    case 'openIdConnect':
      return { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://auth.example/.well-known/openid' } };
    case 'mutualTLS':
      return { mtlsSecurityScheme: {} };
  }
}

/** The other members may be present as null: ProtoJSON reads them as not set. */
function decodeScheme(wire: unknown): SecurityScheme | undefined {
  const key = member(wire, 'apiKeySecurityScheme');
  const at = stringMember(key, 'location');
  if (at === 'header' || at === 'query' || at === 'cookie') {
    return { type: 'apiKey', in: at, name: stringMember(key, 'name') ?? '' };
  }
  const http = member(wire, 'httpAuthSecurityScheme');
  if (isObject(http)) return { type: 'http', scheme: stringMember(http, 'scheme') ?? '' };
  if (isObject(member(wire, 'oauth2SecurityScheme'))) return { type: 'oauth2' };
  if (isObject(member(wire, 'openIdConnectSecurityScheme'))) return { type: 'openIdConnect' };
  return isObject(member(wire, 'mtlsSecurityScheme')) ? { type: 'mutualTLS' } : undefined;
}

function encodeCard(value: Partial<Card>): JsonObject {
  const { capabilities, security = [], securitySchemes = {} } = value;
  return {
    name: value.name,
    description: `${value.name}, an agent`,
    version: value.version,
    supportedInterfaces: (value.interfaces ?? []).map(({ url, transport, version, tenant }) => ({
      url,
      protocolBinding: transport,
      protocolVersion: version ?? '1.0',
      ...(tenant === undefined ? {} : { tenant }),
    })),
    capabilities: {
      streaming: capabilities?.streaming ?? false,
      pushNotifications: capabilities?.push ?? false,
      ...(capabilities?.extendedCard ? { extendedAgentCard: true } : {}),
      ...((capabilities?.extensions.length ?? 0) > 0 ? { extensions: capabilities?.extensions } : {}),
    },
    defaultInputModes: value.inputModes,
    defaultOutputModes: value.outputModes,
    skills: (value.skills ?? []).map(({ id, inputModes, outputModes }) => ({
      id,
      name: id,
      description: `What ${id} does.`,
      tags: [id],
      ...(inputModes.length > 0 ? { inputModes } : {}),
      ...(outputModes.length > 0 ? { outputModes } : {}),
    })),
    ...(Object.keys(securitySchemes).length === 0
      ? {}
      : {
          securitySchemes: Object.fromEntries(
            Object.entries(securitySchemes).map(([name, scheme]) => [name, encodeScheme(scheme)]),
          ),
        }),
    ...(security.length === 0
      ? {}
      : {
          securityRequirements: security.map((option) => ({
            schemes: Object.fromEntries(Object.entries(option).map(([name, scopes]) => [name, { list: scopes }])),
          })),
        }),
    ...((value.signatures?.length ?? 0) > 0 ? { signatures: value.signatures } : {}),
  };
}

function readInterfaces(wire: unknown): readonly Interface[] {
  return objects(member(wire, 'supportedInterfaces')).flatMap((entry) => {
    const url = stringMember(entry, 'url');
    if (url === undefined) return [];
    const version = stringMember(entry, 'protocolVersion');
    const tenant = stringMember(entry, 'tenant');
    return [
      {
        url,
        transport: stringMember(entry, 'protocolBinding') ?? 'JSONRPC',
        ...(version === undefined ? {} : { version }),
        ...(tenant === undefined || tenant === '' ? {} : { tenant }),
      },
    ];
  });
}

/** Also the old form, `{ name: [scope] }` under `security`, which texts and samples of 1.0 still show (AMB10-22). */
function readSecurity(wire: unknown): Card['security'] {
  const current = objects(member(wire, 'securityRequirements')).map((option) => {
    const schemes = member(option, 'schemes');
    const named = isObject(schemes) ? Object.entries(schemes) : [];
    return Object.fromEntries(named.map(([name, scopes]) => [name, strings(member(scopes, 'list'))]));
  });
  const old = objects(member(wire, 'security')).map((option) =>
    Object.fromEntries(Object.entries(option).map(([name, scopes]) => [name, strings(scopes)])),
  );
  return current.length > 0 ? current : old;
}

function decodeCard(wire: JsonObject): Card {
  const capabilities = member(wire, 'capabilities');
  const name = stringMember(wire, 'name');
  const version = stringMember(wire, 'version');
  const interfaces = readInterfaces(wire);
  const protocolVersion = interfaces[0]?.version;
  const schemes = member(wire, 'securitySchemes');
  const securitySchemes: Record<string, SecurityScheme> = Object.create(null);
  for (const [id, scheme] of isObject(schemes) ? Object.entries(schemes) : []) {
    const read = decodeScheme(scheme);
    if (read !== undefined) securitySchemes[id] = read;
  }
  return {
    ...unknownCard,
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    interfaces,
    capabilities: {
      streaming: member(capabilities, 'streaming') === true,
      push: member(capabilities, 'pushNotifications') === true,
      extendedCard: member(capabilities, 'extendedAgentCard') === true,
      extensions: readExtensions(member(capabilities, 'extensions')),
    },
    inputModes: strings(member(wire, 'defaultInputModes')),
    outputModes: strings(member(wire, 'defaultOutputModes')),
    skills: readSkills(member(wire, 'skills')),
    security: readSecurity(wire),
    securitySchemes,
    signatures: objects(member(wire, 'signatures')),
  };
}

export const card: Codec<Card> = mapped<Card>(
  (draft) => (isObject(draft) ? encodeCard(draft as Partial<Card>) : draft),
  (wire) => (isObject(wire) ? decodeCard(wire) : undefined),
);
