import { isObject, type JsonObject } from '../model/index.js';

// Which members of a card stay in its canonical form though they hold a default value: A2A 1.0 §8.4.1 and §5.7, after
// specification/a2a.proto.

interface Shape {
  /** Members marked REQUIRED or `optional`. */
  readonly kept: readonly string[];
  readonly inside?: Readonly<Record<string, Shape>>;
  /** A map or a list: the shape of what it holds. */
  readonly each?: Shape;
}

const anything: Shape = { kept: [] };
const each = (shape: Shape): Shape => ({ kept: [], each: shape });
const requirements = each({ kept: [], inside: { schemes: each({ kept: [] }) } });
const flow: Shape = { kept: ['authorizationUrl', 'tokenUrl', 'deviceAuthorizationUrl', 'scopes'] };
const scheme: Shape = {
  kept: [],
  inside: {
    apiKeySecurityScheme: { kept: ['location', 'name'] },
    httpAuthSecurityScheme: { kept: ['scheme'] },
    oauth2SecurityScheme: { kept: ['flows'], inside: { flows: each(flow) } },
    openIdConnectSecurityScheme: { kept: ['openIdConnectUrl'] },
  },
};

const card: Shape = {
  kept: [
    'name',
    'description',
    'supportedInterfaces',
    'version',
    'documentationUrl',
    'capabilities',
    'defaultInputModes',
    'defaultOutputModes',
    'skills',
    'iconUrl',
  ],
  inside: {
    supportedInterfaces: each({ kept: ['url', 'protocolBinding', 'protocolVersion'] }),
    provider: { kept: ['url', 'organization'] },
    capabilities: {
      kept: ['streaming', 'pushNotifications', 'extendedAgentCard'],
      inside: { extensions: each({ kept: [] }) },
    },
    securitySchemes: each(scheme),
    securityRequirements: requirements,
    skills: each({
      kept: ['id', 'name', 'description', 'tags'],
      inside: { securityRequirements: requirements },
    }),
  },
};

/** Free-form contents (google.protobuf.Struct) have no defaults. */
const free = new Set(['params']);

const isDefault = (value: unknown): boolean =>
  value === null || value === '' || value === false || value === 0 || (Array.isArray(value) && value.length === 0);

function pruned(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item) => pruned(item, shape.each ?? anything));
  if (!isObject(value)) return value;
  const isMap = shape.each !== undefined;
  const out: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const inner = isMap ? shape.each : shape.inside?.[name];
    if (!isMap && !shape.kept.includes(name) && (isDefault(member) || isEmptyMap(member, inner))) continue;
    out[name] = free.has(name) ? member : pruned(member, inner ?? anything);
  }
  return out;
}

/** An empty message counts as set; an empty map does not. */
const isEmptyMap = (value: unknown, shape: Shape | undefined): boolean =>
  shape?.each !== undefined && isObject(value) && Object.keys(value).length === 0;

/** The card without the members that §8.4.1 leaves out. */
export const withPresence = (document: JsonObject): unknown => pruned(document, card);
