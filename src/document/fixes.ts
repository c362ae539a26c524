import { type Dialect, lineage } from '../dialect/index.js';
import { isObject, isString, member, stepsOf } from '../model/index.js';

// What to write instead, for what is wrong most often. Everything else has the advice of its check.

/** A fault whose fix is wanted. */
export interface Faulty {
  /** Keys of the requirement rows that it breaks. */
  readonly keys: readonly string[];
  readonly pointer: string;
  readonly problem: string;
}

interface FaultPlace {
  readonly value: unknown;
  readonly dialect: Dialect;
  readonly isMissing: boolean;
  /** The last step of the pointer, and what is there. */
  readonly name: string;
  readonly there: unknown;
  /** What holds it. */
  readonly holder: unknown;
}

function valueAt(document: unknown, steps: readonly string[]): unknown {
  let at = document;
  for (const step of steps) at = Array.isArray(at) ? at[Number(step)] : member(at, step);
  return at;
}

const mediaTypes: Readonly<Record<string, string>> = {
  text: 'text/plain',
  plain: 'text/plain',
  string: 'text/plain',
  markdown: 'text/markdown',
  md: 'text/markdown',
  html: 'text/html',
  json: 'application/json',
  data: 'application/json',
  pdf: 'application/pdf',
  file: 'application/octet-stream',
  image: 'image/png',
  audio: 'audio/wav',
  video: 'video/mp4',
};
const isYoung = (dialect: Dialect): boolean => lineage(dialect).includes('a2a-1.0');

/** Where a member of 0.3 went in 1.0 (§A.2). */
const moved: Readonly<Record<string, string>> = {
  url: 'the url of each interface in supportedInterfaces',
  preferredTransport: 'the protocolBinding of each interface in supportedInterfaces, the preferred one first',
  additionalInterfaces: 'supportedInterfaces',
  protocolVersion: 'the protocolVersion of each interface in supportedInterfaces',
  security: 'securityRequirements',
  supportsAuthenticatedExtendedCard: 'capabilities.extendedAgentCard',
};

const isTemplate = (there: unknown): boolean => isString(there) && /[<>{}]|REPLACE|YOUR_/.test(there);
const filled = 'Put the real URL in place of the placeholder.';

type Fix = (faultPlace: FaultPlace) => string | undefined;

const listed = '"supportedInterfaces": [{"url": "https://…", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]';

const fixes: Readonly<Record<string, Fix>> = {
  'card.preferred-transport': ({ isMissing }) =>
    isMissing ? 'Add "preferredTransport": "JSONRPC", or what the url speaks: GRPC, HTTP+JSON.' : undefined,
  'card.protocol-version': ({ isMissing, dialect }) =>
    isMissing
      ? `Add "protocolVersion": "${dialect.protocolVersion ?? '0.3.0'}", the version that the agent speaks.`
      : undefined,
  'card.default-modes': ({ isMissing, name }) =>
    isMissing ? `Add "${name}": ["text/plain"], or the media types that all skills share.` : undefined,
  'card.capabilities': ({ there, isMissing }) => {
    if (isMissing) return 'Add "capabilities": {"streaming": false}.';
    return Array.isArray(there)
      ? 'Write an object of flags: "capabilities": {"streaming": false}. What the agent can do for its users belongs in skills.'
      : undefined;
  },
  'card.modes-are-media-types': ({ there }) => {
    const meant = isString(there) ? mediaTypes[there.toLowerCase()] : undefined;
    return meant === undefined ? 'Write a media type, such as text/plain or application/json.' : `Write "${meant}".`;
  },
  'card.skills': ({ isMissing, there }) => {
    const text = '{"id": "…", "name": "…", "description": "…", "tags": ["…"]}';
    if (isMissing) return `Add "skills": [${text}], an object for each thing that the agent can do.`;
    return isObject(there) ? `Write a list of objects: [${text}].` : `Write an object for each skill: ${text}.`;
  },
  'card.skill-tags': ({ isMissing }) =>
    isMissing ? 'Add "tags": ["…"], words by which the skill can be found.' : undefined,
  'card.provider': ({ isMissing, name, holder }) => {
    if (!isMissing) return undefined;
    return name === 'organization' && isString(member(holder, 'name'))
      ? 'The name of the provider is called organization: rename it.'
      : `Add "${name}", or leave the provider out.`;
  },
  'card.url': ({ isMissing, there }) => {
    if (isMissing) return 'Add "url": "https://…", the endpoint that clients call.';
    return isTemplate(there) ? filled : 'Write the whole URL of the endpoint, with https:// and the host.';
  },
  'card.links-are-urls': ({ there }) =>
    isTemplate(there) ? filled : 'Write the whole URL, with https:// and the host.',
  'card.interfaces': ({ isMissing, value }) => {
    const isOld = isMissing && isString(member(value, 'url'));
    return isOld
      ? `The card has the form of 0.3 and names 1.0. If the agent speaks 1.0, write ${listed}; if it speaks 0.3, write "protocolVersion": "0.3.0".`
      : `Write ${listed}.`;
  },
  'card.interface-members': ({ isMissing, name, holder, dialect }) => {
    if (name === 'url') return 'Write the whole URL of the interface, with https:// and the host.';
    if (!isMissing) return undefined;
    if (name === 'protocolBinding')
      return isString(member(holder, 'transport'))
        ? 'Since 1.0 the transport is called protocolBinding: rename it.'
        : 'Add "protocolBinding": "JSONRPC", or what the url speaks: GRPC, HTTP+JSON.';
    if (name === 'protocolVersion') return 'Add "protocolVersion": "1.0", the version that this interface speaks.';
    return name === 'transport' && !isYoung(dialect)
      ? 'Add "transport": "JSONRPC", or what the url speaks: GRPC, HTTP+JSON.'
      : undefined;
  },
  'card.custom-binding-uri': ({ there }) => {
    const letters = (text: string): string => text.toUpperCase().replace(/[^A-Z]/g, '');
    const meant = isString(there)
      ? ['JSONRPC', 'GRPC', 'HTTP+JSON'].find((text) => letters(text) === letters(there))
      : undefined;
    return meant === undefined ? undefined : `Write "${meant}": names of bindings are compared letter by letter.`;
  },
  'card.no-old-members': ({ name, there }) => {
    if (isObject(there) && /^\d+$/.test(name)) return 'Since 1.0: {"schemes": {"bearer": {"list": []}}}.';
    const where = moved[name];
    return where === undefined
      ? undefined
      : `Since 1.0 this is ${where}: take it out, or also list an interface of version 0.3.`;
  },
  'card.scheme-type': ({ there, dialect }) => {
    if (Array.isArray(there)) return 'Write an object with a name for each scheme: "securitySchemes": {"bearer": {…}}.';
    return isYoung(dialect) && isString(member(there, 'type'))
      ? 'Since 1.0 a member names the type: {"httpAuthSecurityScheme": {"scheme": "bearer"}}.'
      : undefined;
  },
  'card.name': ({ isMissing }) => (isMissing ? 'Add "name": "…", the name of the agent.' : undefined),
  'card.description': ({ isMissing }) =>
    isMissing ? 'Add "description": "…", what the agent does for its users.' : undefined,
  'card.version': ({ isMissing }) =>
    isMissing ? 'Add "version": "1.0.0", the version of the agent itself.' : undefined,
  'data.message-role': ({ dialect }) =>
    `Write "${isYoung(dialect) ? 'ROLE_USER" or "ROLE_AGENT' : 'user" or "agent'}".`,
  'data.message-kind': ({ isMissing }) => (isMissing ? 'Add "kind": "message".' : undefined),
  'data.message-id': ({ isMissing }) => (isMissing ? 'Add "messageId": "…", a new one for each message.' : undefined),
  'data.message-parts': ({ isMissing, dialect }) =>
    isMissing ? `Add "parts": [{${isYoung(dialect) ? '' : '"kind": "text", '}"text": "…"}].` : undefined,
  'data.task-kind': ({ isMissing }) => (isMissing ? 'Add "kind": "task".' : undefined),
  'data.part-kind': ({ holder }) =>
    isString(member(holder, 'type')) ? 'Since 0.2 the type is called kind: rename it.' : undefined,
};

/** What to write instead; undefined: nothing better is known than the advice of the check. */
export function fixFor({ keys, pointer, problem }: Faulty, value: unknown, dialect: Dialect): string | undefined {
  const steps = stepsOf(pointer);
  const faultPlace: FaultPlace = {
    value,
    dialect,
    isMissing: /^must be present/.test(problem),
    name: steps.at(-1) ?? '',
    there: valueAt(value, steps),
    holder: valueAt(value, steps.slice(0, -1)),
  };
  for (const key of keys) {
    const found = Object.hasOwn(fixes, key) ? fixes[key]?.(faultPlace) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An observation about a whole document that is not a fault by itself. */
export interface Observation {
  readonly pointer: string;
  readonly text: string;
}

const has = (value: unknown, name: string): boolean => member(value, name) !== undefined;

/** Other documents that are taken for a card, by what only they have. */
const others: readonly (readonly [is: (value: unknown) => boolean, text: string])[] = [
  [
    (value) => /eip-?8004/i.test(String(member(value, 'type'))) || member(value, 'supportedTrust') !== undefined,
    'This is the registration of an agent by EIP-8004, and no agent card. Publish a card too, and name its URL in the registration.',
  ],
  [
    (value) => member(value, 'schema_version') !== undefined && member(value, 'name_for_model') !== undefined,
    'This is the manifest of a plugin, and no agent card.',
  ],
  [(value) => isString(member(value, 'openapi')), 'This is a description by OpenAPI, and no agent card.'],
  [(value) => member(value, 'mcpServers') !== undefined, 'This is a configuration of MCP servers, and no agent card.'],
  [(value) => isString(member(value, 'ahp')), 'This is a document of another protocol (ahp), and no agent card.'],
  [
    (value) => member(value, '@context') !== undefined,
    'This is a document of linked data (@context), and no agent card as A2A knows it.',
  ],
];

/** What a card shows beside its faults. */
export function observationsOn(value: unknown, dialect: Dialect): readonly Observation[] {
  if (!isObject(value)) return [];
  const found: Observation[] = [];
  // A card that says more than A2A asks for is a card all the same.
  const isCard = ['url', 'supportedInterfaces'].some((name) => has(value, name)) && has(value, 'skills');
  const other = isCard ? undefined : others.find(([is]) => is(value))?.[1];
  if (other !== undefined) found.push({ pointer: '', text: other });
  const inner = Object.keys(value).find(
    (name) =>
      isObject(value[name]) && isString(member(value[name], 'name')) && isString(member(value[name], 'description')),
  );
  if (inner !== undefined && member(value, 'name') === undefined)
    found.push({
      pointer: `/${inner}`,
      text: `The members of a card stand below ${inner}: clients look for them at the root of the document.`,
    });
  if (member(value, 'authentication') !== undefined)
    found.push({
      pointer: '/authentication',
      text: `authentication is a member of A2A 0.1, which later clients do not read: declare securitySchemes, and ${
        isYoung(dialect) ? 'securityRequirements' : 'security'
      }.`,
    });
  if (Array.isArray(member(value, 'extensions')))
    found.push({
      pointer: '/extensions',
      text: 'Clients do not look for extensions at the root: they belong in capabilities.extensions.',
    });
  const isOldForm = !isYoung(dialect) && member(value, 'supportedInterfaces') === undefined;
  if (isOldForm && Array.isArray(member(value, 'securityRequirements')))
    found.push({
      pointer: '/securityRequirements',
      text: 'securityRequirements is a member of 1.0; in 0.3 it is called security.',
    });
  return found;
}
