import { isObject, type JsonObject } from '../model/index.js';

// The card of A2A 0.3 in ProtoJSON (specification/grpc/a2a.proto), and in the spelling of the schema (§5.5). Only its
// security differs: the schema has a tag where the proto has a member for each kind of scheme.

/** Members of SecurityScheme, by the tag of the schema. */
const schemes = {
  apiKey: 'apiKeySecurityScheme',
  http: 'httpAuthSecurityScheme',
  oauth2: 'oauth2SecurityScheme',
  openIdConnect: 'openIdConnectSecurityScheme',
  mutualTLS: 'mtlsSecurityScheme',
} as const;

function schemeTo(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { type, ...rest } = value;
  if (typeof type !== 'string' || !Object.hasOwn(schemes, type)) return value;
  const { in: location, ...others } = rest;
  return { [schemes[type as keyof typeof schemes]]: location === undefined ? others : { location, ...others } };
}

function schemeFrom(value: unknown): unknown {
  if (!isObject(value)) return value;
  const found = Object.entries(schemes).find(([, name]) => isObject(value[name]));
  if (found === undefined) return value;
  const [type, name] = found;
  const { location, ...others } = value[name] as JsonObject;
  return { type, ...(location === undefined ? {} : { in: location }), ...others };
}

const onValues =
  (change: (value: unknown) => unknown) =>
  (value: unknown): unknown =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)])) : value;
const onItems =
  (change: (value: unknown) => unknown) =>
  (value: unknown): unknown =>
    Array.isArray(value) ? value.map(change) : value;

const demandTo = (value: unknown): unknown =>
  isObject(value) ? { schemes: onValues((list) => ({ list }))(value) } : value;
const demandFrom = (value: unknown): unknown =>
  isObject(value) && isObject(value['schemes'])
    ? onValues((scheme) => (isObject(scheme) ? (scheme['list'] ?? []) : scheme))(value['schemes'])
    : value;

function changed(card: JsonObject, scheme: (value: unknown) => unknown, demand: (value: unknown) => unknown) {
  const { securitySchemes, security } = card;
  return {
    ...card,
    ...(securitySchemes === undefined ? {} : { securitySchemes: onValues(scheme)(securitySchemes) }),
    ...(security === undefined ? {} : { security: onItems(demand)(security) }),
  };
}

/** A card of the schema in ProtoJSON. */
export const cardTo = (wire: unknown): unknown => (isObject(wire) ? changed(wire, schemeTo, demandTo) : wire);

/** A card of either spelling in that of the schema. */
export const cardFrom = (wire: unknown): unknown => (isObject(wire) ? changed(wire, schemeFrom, demandFrom) : wire);
