import { isObject, type JsonObject } from '../../model/index.js';
import { onCard, onError, onNotification, onResult } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import { together } from '../seams.js';

/** The optional members of an object of A2A 1.0, and the objects inside it; for a list, those of each item. */
interface Shape {
  readonly optional: readonly string[];
  readonly inside?: { readonly [member: string]: Shape };
}

const part: Shape = { optional: ['text', 'raw', 'url', 'data', 'filename', 'mediaType', 'metadata'] };
const message: Shape = {
  optional: ['contextId', 'taskId', 'referenceTaskIds', 'extensions', 'metadata'],
  inside: { parts: part },
};
const status: Shape = { optional: ['message', 'timestamp'], inside: { message } };
const artifact: Shape = { optional: ['name', 'description', 'extensions', 'metadata'], inside: { parts: part } };
const task: Shape = {
  optional: ['artifacts', 'history', 'metadata'],
  inside: { status, artifacts: artifact, history: message },
};
/** §3.1.4: artifacts that are not asked for are not null either, so they stay as they are. */
const listed: Shape = { ...task, optional: ['history', 'metadata'] };
const reply: Shape = { optional: ['task', 'message'], inside: { task, message } };
const event: Shape = {
  optional: ['task', 'message', 'statusUpdate', 'artifactUpdate'],
  inside: {
    task,
    message,
    statusUpdate: { optional: ['metadata'], inside: { status } },
    artifactUpdate: { optional: ['append', 'lastChunk', 'metadata'], inside: { artifact } },
  },
};
const config: Shape = {
  optional: ['tenant', 'token', 'authentication'],
  inside: { authentication: { optional: ['credentials'] } },
};
const scheme: Shape = {
  optional: [
    'apiKeySecurityScheme',
    'httpAuthSecurityScheme',
    'oauth2SecurityScheme',
    'openIdConnectSecurityScheme',
    'mtlsSecurityScheme',
  ],
  inside: { httpAuthSecurityScheme: { optional: ['description', 'bearerFormat'] } },
};
const card: Shape = {
  optional: ['provider', 'documentationUrl', 'iconUrl', 'securitySchemes', 'securityRequirements', 'signatures'],
  inside: {
    supportedInterfaces: { optional: ['tenant'] },
    capabilities: {
      optional: ['streaming', 'pushNotifications', 'extendedAgentCard', 'extensions'],
      inside: { extensions: { optional: ['description', 'required', 'params'] } },
    },
    skills: { optional: ['examples', 'inputModes', 'outputModes', 'securityRequirements'] },
    signatures: { optional: ['header'] },
  },
};
const shapes: { readonly [Op: string]: Shape } = {
  send: reply,
  stream: event,
  subscribe: event,
  get: task,
  cancel: task,
  list: { optional: [], inside: { tasks: listed } },
  pushSet: config,
  pushGet: config,
  pushList: { optional: ['nextPageToken'], inside: { configs: config } },
  extendedCard: card,
};

function filled(value: unknown, shape: Shape | undefined): unknown {
  if (Array.isArray(value)) return value.map((one) => filled(one, shape));
  if (!isObject(value) || shape === undefined) return value;
  const inner = Object.entries(value).map(([name, one]) => [name, filled(one, shape.inside?.[name])]);
  return { ...Object.fromEntries(shape.optional.map((name) => [name, null])), ...Object.fromEntries(inner) };
}

function cardWithNulls(value: JsonObject): unknown {
  const { securitySchemes: schemes } = value;
  const named = isObject(schemes)
    ? Object.fromEntries(Object.entries(schemes).map(([name, one]) => [name, filled(one, scheme)]))
    : undefined;
  return filled(named === undefined ? value : { ...value, securitySchemes: named }, card);
}

/** Null members: readers of ProtoJSON take null for a member that is not set. */
export const nullFaults: readonly Fault[] = [
  fault('null-members', {
    about: 'Every optional member that has no value is null, on the card, in answers, in streams and in notifications.',
    breaks: ['data.no-nulls'],
    profiles: ['a2a-1.0'],
    patch: together(
      onCard(cardWithNulls),
      onResult('any', (wire, { op }) => filled(wire, shapes[op])),
      onError((error) => ({ data: null, ...error })),
      onNotification((request) => ({
        ...request,
        body: Buffer.from(JSON.stringify(filled(JSON.parse(Buffer.from(request.body ?? []).toString('utf8')), event))),
      })),
    ),
  }),
];
