import { readFileSync } from 'node:fs';

// Documents for the tests of the 0.3.0 schemas: full samples, and what becomes of them when one place is changed. The table
// of places says by hand which row each belongs to; it is not read from the schemas, so that it can contradict them.

export interface Valid {
  readonly ref: string;
  readonly name: string;
  readonly document: unknown;
}
export interface Invalid extends Valid {
  readonly rule: string;
  readonly path: string;
}
type Type = 'string' | 'boolean' | 'integer' | 'object' | 'array' | 'strings' | 'word';
/** A pointer into the sample; `!` in front: required. */
type Place = readonly [pointer: string, type: Type, rule: string];
interface Sample extends Valid {
  readonly places: readonly Place[];
}

const load = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/a2a/0.3.0/${name}.json`, import.meta.url), 'utf8'));

const sample = (ref: string, name: string, places: readonly Place[] = []): Sample => ({
  ref,
  name: `the sample ${name}`,
  document: load(name),
  places,
});
const rpc = (form: string) => `rpc.schema.json#/$defs/${form}`;

const cardPlaces: readonly Place[] = [
  ['!/name', 'string', 'card.name'],
  ['!/description', 'string', 'card.description'],
  ['!/version', 'string', 'card.version'],
  ['!/protocolVersion', 'string', 'card.protocol-version'],
  ['!/url', 'string', 'card.url'],
  ['!/preferredTransport', 'string', 'card.preferred-transport'],
  ['!/capabilities', 'object', 'card.capabilities'],
  ['!/defaultInputModes', 'strings', 'card.default-modes'],
  ['!/defaultOutputModes', 'strings', 'card.default-modes'],
  ['!/skills', 'array', 'card.skills'],
  ['/additionalInterfaces', 'array', 'card.interface-members'],
  ['!/additionalInterfaces/0/url', 'string', 'card.interface-members'],
  ['!/additionalInterfaces/1/transport', 'string', 'card.interface-members'],
  ['/provider', 'object', 'card.provider'],
  ['!/provider/organization', 'string', 'card.provider'],
  ['!/provider/url', 'string', 'card.provider'],
  ['/documentationUrl', 'string', 'card.links'],
  ['/iconUrl', 'string', 'card.links'],
  ['/capabilities/streaming', 'boolean', 'card.capability-flags'],
  ['/capabilities/pushNotifications', 'boolean', 'card.capability-flags'],
  ['/capabilities/stateTransitionHistory', 'boolean', 'card.capability-flags'],
  ['/capabilities/extensions', 'array', 'ext.uri'],
  ['!/capabilities/extensions/0/uri', 'string', 'ext.uri'],
  ['/capabilities/extensions/0/required', 'boolean', 'ext.members'],
  ['/capabilities/extensions/0/description', 'string', 'ext.members'],
  ['/capabilities/extensions/0/params', 'object', 'ext.members'],
  ['!/skills/0/id', 'string', 'card.skill-id'],
  ['!/skills/1/name', 'string', 'card.skill-texts'],
  ['!/skills/0/description', 'string', 'card.skill-texts'],
  ['!/skills/0/tags', 'strings', 'card.skill-tags'],
  ['/skills/0/examples', 'strings', 'card.skill-lists'],
  ['/skills/0/inputModes', 'strings', 'card.skill-lists'],
  ['/skills/0/outputModes', 'strings', 'card.skill-lists'],
  ['/skills/0/security', 'array', 'card.security-shape'],
  ['/security', 'array', 'card.security-shape'],
  ['/security/0/clerk-login', 'strings', 'card.security-shape'],
  ['/supportsAuthenticatedExtendedCard', 'boolean', 'card.extended-flag'],
  ['/securitySchemes', 'object', 'card.scheme-type'],
  ['!/securitySchemes/key/type', 'word', 'card.scheme-type'],
  ['!/securitySchemes/key/in', 'word', 'card.scheme-members'],
  ['!/securitySchemes/key/name', 'string', 'card.scheme-members'],
  ['!/securitySchemes/token/scheme', 'string', 'card.scheme-members'],
  ['/securitySchemes/token/bearerFormat', 'string', 'card.scheme-members'],
  ['!/securitySchemes/oidc/openIdConnectUrl', 'string', 'card.scheme-members'],
  ['/securitySchemes/ship/description', 'string', 'card.scheme-members'],
  ['!/securitySchemes/clerk-login/flows', 'object', 'card.scheme-members'],
  ['/securitySchemes/clerk-login/oauth2MetadataUrl', 'string', 'card.scheme-members'],
  ...['authorizationUrl', 'tokenUrl', 'scopes'].map((name) => flow('authorizationCode', name)),
  ...['authorizationUrl', 'scopes'].map((name) => flow('implicit', name)),
  ...['tokenUrl', 'scopes'].map((name) => flow('password', name)),
  ...['tokenUrl', 'scopes'].map((name) => flow('clientCredentials', name)),
  ['/securitySchemes/clerk-login/flows/authorizationCode/refreshUrl', 'string', 'card.oauth-flows'],
  ['/signatures', 'array', 'sig.members'],
  ['!/signatures/0/protected', 'string', 'sig.members'],
  ['!/signatures/0/signature', 'string', 'sig.members'],
  ['/signatures/0/header', 'object', 'sig.header'],
];

function flow(name: string, of: string): Place {
  const type = of === 'scopes' ? 'object' : 'string';
  return [`!/securitySchemes/clerk-login/flows/${name}/${of}`, type, 'card.oauth-flows'];
}

const messagePlaces = (at: string, kindRule: string, idRule: string): readonly Place[] => [
  [`!${at}/kind`, 'word', kindRule],
  [`!${at}/messageId`, 'string', idRule],
  [`!${at}/role`, 'word', 'data.message-role'],
  [`!${at}/parts`, 'array', 'data.message-parts'],
];

const taskPlaces: readonly Place[] = [
  ['!/kind', 'word', 'data.task-kind'],
  ['!/id', 'string', 'data.task-id'],
  ['!/contextId', 'string', 'data.task-context-id'],
  ['!/status', 'object', 'data.task-status'],
  ['!/status/state', 'word', 'data.task-state'],
  ['/status/message', 'object', 'data.status-message'],
  ['/status/timestamp', 'string', 'data.timestamp'],
  ['/artifacts', 'array', 'data.task-artifacts'],
  ['/history', 'array', 'data.task-history'],
  ['/metadata', 'object', 'data.task-metadata'],
  ...messagePlaces('/history/0', 'data.nested-message', 'data.nested-message'),
  ...messagePlaces('/status/message', 'data.nested-message', 'data.nested-message'),
  ['!/artifacts/0/artifactId', 'string', 'data.artifact-id'],
];

const eventPlaces: readonly Place[] = [
  ['!/kind', 'word', 'data.event-kinds'],
  ['!/taskId', 'string', 'unruled'],
  ['!/contextId', 'string', 'unruled'],
  ['/metadata', 'object', 'unruled'],
];

const pushPlaces: readonly Place[] = [
  ['!/taskId', 'string', 'data.push-config'],
  ['!/pushNotificationConfig', 'object', 'data.push-config'],
  ['!/pushNotificationConfig/url', 'string', 'data.push-config'],
  ['/pushNotificationConfig/id', 'string', 'data.push-config'],
  ['/pushNotificationConfig/token', 'string', 'data.push-config'],
  ['/pushNotificationConfig/authentication', 'object', 'data.push-config'],
  ['!/pushNotificationConfig/authentication/schemes', 'strings', 'data.push-config'],
  ['/pushNotificationConfig/authentication/credentials', 'string', 'data.push-config'],
];

const samples: readonly Sample[] = [
  sample('agent-card.schema.json', 'agent-card', cardPlaces),
  sample('agent-card.schema.json', 'agent-card-minimal'),
  sample(rpc('extendedCard.result'), 'agent-card'),
  sample('message.schema.json', 'message', [
    ...messagePlaces('', 'data.message-kind', 'data.message-id'),
    ['/contextId', 'string', 'data.message-optional'],
    ['/taskId', 'string', 'data.message-optional'],
    ['/referenceTaskIds', 'strings', 'data.message-optional'],
    ['/extensions', 'strings', 'data.message-optional'],
    ['/metadata', 'object', 'data.message-optional'],
    ['!/parts/0/kind', 'word', 'data.part-kind'],
    ['!/parts/0/text', 'string', 'data.text-part'],
    ['/parts/0/metadata', 'object', 'data.part-metadata'],
    ['!/parts/1/file', 'object', 'data.file-part'],
    ['/parts/1/file/name', 'string', 'data.file-texts'],
    ['/parts/2/file/mimeType', 'string', 'data.file-texts'],
    ['!/parts/3/data', 'object', 'data.data-part'],
  ]),
  sample(rpc('send.result'), 'message'),
  sample('artifact.schema.json', 'artifact', [
    ['!/artifactId', 'string', 'data.artifact-id'],
    ['!/parts', 'array', 'data.artifact-parts'],
    ['/name', 'string', 'data.artifact-optional'],
    ['/description', 'string', 'data.artifact-optional'],
    ['/metadata', 'object', 'data.artifact-optional'],
    ['/extensions', 'strings', 'data.artifact-optional'],
  ]),
  sample('task.schema.json', 'task', taskPlaces),
  sample(rpc('send.result'), 'task', taskPlaces),
  sample(rpc('get.result'), 'task'),
  sample(rpc('cancel.result'), 'task-minimal'),
  sample('task.schema.json', 'task-minimal'),
  sample(rpc('stream.result'), 'task'),
  sample(rpc('stream.result'), 'message'),
  sample('events.schema.json', 'status-update'),
  sample('events.schema.json', 'artifact-update'),
  sample(rpc('stream.result'), 'status-update', [
    ...eventPlaces,
    ['!/status', 'object', 'unruled'],
    ['!/status/state', 'word', 'data.task-state'],
    ['!/final', 'boolean', 'unruled'],
  ]),
  sample(rpc('subscribe.result'), 'artifact-update', [
    ...eventPlaces,
    ['!/artifact', 'object', 'unruled'],
    ['!/artifact/parts', 'array', 'data.artifact-parts'],
    ['/append', 'boolean', 'unruled'],
    ['/lastChunk', 'boolean', 'unruled'],
  ]),
  sample(rpc('pushSet.result'), 'task-push-config', pushPlaces),
  sample(rpc('pushGet.result'), 'task-push-config'),
  sample(rpc('send.request'), 'send-request', [
    ['!/jsonrpc', 'word', 'unruled'],
    ['!/id', 'string', 'unruled'],
    ['!/method', 'word', 'unruled'],
    ['!/params', 'object', 'unruled'],
    ['!/params/message', 'object', 'unruled'],
    ['!/params/message/messageId', 'string', 'data.message-id'],
    ['/params/configuration', 'object', 'unruled'],
    ['/params/configuration/acceptedOutputModes', 'strings', 'unruled'],
    ['/params/configuration/historyLength', 'integer', 'unruled'],
    ['/params/configuration/blocking', 'boolean', 'unruled'],
    ['/params/metadata', 'object', 'unruled'],
  ]),
  sample(rpc('send.response'), 'error-response', [
    ['!/jsonrpc', 'word', 'rpc.version-member'],
    ['!/error/code', 'integer', 'rpc.error-object'],
    ['!/error/message', 'string', 'rpc.error-object'],
  ]),
];

export const valid: readonly Valid[] = samples;

/** Values that the place must not hold. No numbers for strings: the id of a request may be one. */
function wrong(type: Type): readonly unknown[] {
  if (type === 'word') return ['no-such-word', null];
  if (type === 'strings') return [[1], 'x', null];
  if (type === 'string') return [true, null];
  if (type === 'boolean') return ['true', null];
  if (type === 'integer') return [1.5, '1', null];
  if (type === 'array') return [{}, null];
  return ['x', [], null];
}

function derived(one: Sample): { valid: Valid[]; invalid: Invalid[] } {
  const found = { valid: [] as Valid[], invalid: [] as Invalid[] };
  for (const [place, type, rule] of one.places) {
    const required = place.startsWith('!');
    const path = required ? place.slice(1) : place;
    const without = { ref: one.ref, name: `${one.name} without ${path}`, document: changed(one.document, path) };
    if (required) found.invalid.push({ ...without, rule, path });
    else found.valid.push(without);
    for (const value of wrong(type)) {
      // A list with one bad item is wrong at the item.
      const at = Array.isArray(value) && value.length === 1 ? `${path}/0` : path;
      const name = `${one.name} with ${path} ${JSON.stringify(value)}`;
      found.invalid.push({ ref: one.ref, name, document: changed(one.document, path, value), rule, path: at });
    }
  }
  return found;
}

/** A copy in which the place holds another value, or nothing. */
function changed(document: unknown, pointer: string, value?: unknown): unknown {
  const copy: unknown = structuredClone(document);
  const steps = pointer.split('/').slice(1);
  const last = steps.pop() ?? '';
  let at = copy as Record<string, unknown>;
  for (const step of steps) at = at[step] as Record<string, unknown>;
  if (!Object.hasOwn(at, last)) throw new Error(`the sample has no ${pointer}`);
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

const task = load('task-minimal') as Record<string, unknown>;
const card = load('agent-card-minimal') as Record<string, unknown>;
const message = { kind: 'message', messageId: 'm', role: 'agent', parts: [] };
const status = (timestamp: unknown) => ({ ...task, status: { state: 'working', timestamp } });
const file = (members: Record<string, unknown>) => ({ kind: 'file', file: members });

const moreValid: readonly Valid[] = [
  ...[
    '2025-03-04T18:02:11Z',
    '2025-03-04T18:02:11.5+01:00',
    '2025-03-04T18:02',
    '20250304T180211Z',
    '2025-03-04T18:02:11,123456-0530',
  ].map((text) => ({ ref: 'task.schema.json', name: `the time ${text}`, document: status(text) })),
  ...[
    'submitted',
    'working',
    'input-required',
    'completed',
    'canceled',
    'failed',
    'rejected',
    'auth-required',
    'unknown',
  ].map((state) => ({ ref: 'task.schema.json', name: `the state ${state}`, document: { ...task, status: { state } } })),
  { ref: rpc('send.result'), name: 'a message without parts in its list', document: message },
  { ref: 'task.schema.json', name: 'empty lists', document: { ...task, history: [], artifacts: [], metadata: {} } },
  { ref: 'part.schema.json', name: 'an empty file', document: file({ bytes: '' }) },
  { ref: 'part.schema.json', name: 'free data', document: { kind: 'data', data: { kind: 'odd', list: [null, [1]] } } },
  { ref: 'agent-card.schema.json', name: 'members of its own', document: { ...card, 'x-port': { berths: 12 } } },
  {
    ref: 'agent-card.schema.json',
    name: 'a gRPC target',
    document: { ...card, preferredTransport: 'GRPC', url: 'clerk.example:50051' },
  },
  {
    ref: 'agent-card.schema.json',
    name: 'a mode with parameters',
    document: { ...card, defaultInputModes: ['text/plain; charset=utf-8', 'image/*'] },
  },
  { ref: rpc('pushList.result'), name: 'no configs', document: [] },
  { ref: rpc('pushList.result'), name: 'one config', document: [load('task-push-config')] },
  { ref: rpc('pushDelete.result'), name: 'null', document: null },
  { ref: rpc('pushDelete.response'), name: 'a result of null', document: { jsonrpc: '2.0', id: 1, result: null } },
  { ref: rpc('get.params'), name: 'an id alone', document: { id: 't' } },
  { ref: rpc('get.params'), name: 'a history length', document: { id: 't', historyLength: 0, metadata: {} } },
  { ref: rpc('cancel.params'), name: 'an unknown member', document: { id: 't', reason: 'late' } },
  { ref: rpc('pushGet.params'), name: 'no config id', document: { id: 't' } },
  { ref: rpc('pushDelete.params'), name: 'both ids', document: { id: 't', pushNotificationConfigId: 'p' } },
  {
    ref: rpc('extendedCard.request'),
    name: 'no params',
    document: { jsonrpc: '2.0', id: 1, method: 'agent/getAuthenticatedExtendedCard' },
  },
  { ref: rpc('get.response'), name: 'a task', document: { jsonrpc: '2.0', id: 'g', result: task } },
  {
    ref: rpc('get.response'),
    name: 'an error for an unreadable id',
    document: { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } },
  },
];

const moreInvalid: readonly Invalid[] = [
  ...['yesterday', '2025-13-01T00:00:00Z', '2025-03-04', '1741111331', '2025-03-04 18:02:11'].map((text) => ({
    ref: 'task.schema.json',
    name: `the time ${text}`,
    document: status(text),
    rule: 'data.timestamp',
    path: '/status/timestamp',
  })),
  ...['cancelled', 'TASK_STATE_WORKING', 'Working', ''].map((state) => ({
    ref: 'task.schema.json',
    name: `the state "${state}"`,
    document: { ...task, status: { state } },
    rule: 'data.task-state',
    path: '/status/state',
  })),
  bad(
    'task.schema.json',
    'a string in the history',
    { ...task, history: ['hello'] },
    'data.task-history',
    '/history/0',
  ),
  bad('task.schema.json', 'a part as artifact', { ...task, artifacts: ['x'] }, 'data.task-artifacts', '/artifacts/0'),
  bad('message.schema.json', 'a bare text as part', { ...message, parts: ['hello'] }, 'data.message-parts', '/parts/0'),
  bad('part.schema.json', 'a type instead of a kind', { type: 'text', text: 'hello' }, 'data.part-kind', '/kind'),
  bad('part.schema.json', 'an unknown kind', { kind: 'image', image: 'x' }, 'data.part-kind', '/kind'),
  bad(
    'part.schema.json',
    'bytes and a uri',
    file({ bytes: '', uri: 'https://ship.example' }),
    'data.file-part',
    '/file',
  ),
  bad('part.schema.json', 'neither bytes nor a uri', file({ name: 'a' }), 'data.file-part', '/file'),
  bad('part.schema.json', 'bytes of another alphabet', file({ bytes: 'a-_b' }), 'data.file-bytes', '/file/bytes'),
  bad('part.schema.json', 'bytes without padding', file({ bytes: 'YQ' }), 'data.file-bytes', '/file/bytes'),
  bad('part.schema.json', 'bytes as a list', file({ bytes: [1, 2] }), 'data.file-bytes', '/file/bytes'),
  bad('part.schema.json', 'a uri as an object', file({ uri: {} }), 'data.file-uri', '/file/uri'),
  bad('part.schema.json', 'a list as data', { kind: 'data', data: [1] }, 'data.data-part', '/data'),
  bad(
    'task.schema.json',
    'a member of a later version',
    { ...task, state: 'working' },
    'data.no-unknown-members',
    '/state',
  ),
  bad(
    'message.schema.json',
    'a name in snake case',
    { ...message, context_id: 'c' },
    'data.no-unknown-members',
    '/context_id',
  ),
  bad(
    'part.schema.json',
    'a type beside the kind',
    { kind: 'text', text: '', type: 'text' },
    'data.no-unknown-members',
    '/type',
  ),
  bad('agent-card.schema.json', 'a list', [card], 'card.is-object', ''),
  bad('agent-card.schema.json', 'a path as url', { ...card, url: '/a2a' }, 'card.url', '/url'),
  bad(
    'agent-card.schema.json',
    'a gRPC target for JSON-RPC',
    { ...card, url: 'clerk.example:50051' },
    'card.url',
    '/url',
  ),
  bad(
    'agent-card.schema.json',
    'another version line',
    { ...card, protocolVersion: '0.2.6' },
    'card.protocol-version-line',
    '/protocolVersion',
  ),
  bad(
    'agent-card.schema.json',
    'a bare word as mode',
    { ...card, defaultOutputModes: ['text'] },
    'card.modes-are-media-types',
    '/defaultOutputModes/0',
  ),
  bad(
    'agent-card.schema.json',
    'a name as provider',
    { ...card, provider: 'Harbour Office' },
    'card.provider',
    '/provider',
  ),
  bad(
    'agent-card.schema.json',
    'a uri as extension',
    { ...card, capabilities: { extensions: ['https://x.example'] } },
    'ext.uri',
    '/capabilities/extensions/0',
  ),
  bad(
    'agent-card.schema.json',
    'a name as scheme',
    { ...card, securitySchemes: { a: 'bearer' } },
    'card.scheme-type',
    '/securitySchemes/a',
  ),
  bad(
    'agent-card.schema.json',
    'names as security',
    { ...card, security: ['a'] },
    'card.security-shape',
    '/security/0',
  ),
  bad(
    'agent-card.schema.json',
    'scopes that are no strings',
    { ...card, security: [{ a: [1] }] },
    'card.security-shape',
    '/security/0/a/0',
  ),
  bad(
    'agent-card.schema.json',
    'a padded signature',
    { ...card, signatures: [{ protected: 'e30', signature: 'YQ==' }] },
    'sig.base64url',
    '/signatures/0/signature',
  ),
  bad(rpc('send.result'), 'neither a task nor a message', { answer: 42 }, 'send.task-or-message', '/kind'),
  bad(rpc('send.result'), 'a text', 'done', 'send.task-or-message', ''),
  bad(rpc('send.result'), 'a message without kind', { ...message, kind: undefined }, 'data.message-kind', '/kind'),
  bad(rpc('send.result'), 'a wrapped task', { task }, 'send.task-or-message', '/kind'),
  bad(rpc('get.result'), 'a list of tasks', [task], 'get.same-task', ''),
  bad(rpc('cancel.result'), 'true', true, 'cancel.returns-task', ''),
  bad(rpc('stream.result'), 'an event named in camel case', { kind: 'statusUpdate' }, 'data.event-kinds', '/kind'),
  bad(rpc('stream.result'), 'null', null, 'unruled', ''),
  bad(rpc('extendedCard.result'), 'a list', [card], 'card.is-object', ''),
  bad(rpc('pushList.result'), 'an object', { configs: [] }, 'data.push-config', ''),
  bad(rpc('pushDelete.result'), 'an object', {}, 'unruled', ''),
  bad(
    rpc('get.response'),
    'a result and an error',
    { jsonrpc: '2.0', id: 1, result: task, error: { code: 1, message: '' } },
    'rpc.result-xor-error',
    '',
  ),
  bad(rpc('get.response'), 'neither', { jsonrpc: '2.0', id: 1 }, 'rpc.result-xor-error', ''),
  bad(
    rpc('get.response'),
    'a defect in the task',
    { jsonrpc: '2.0', id: 1, result: { ...task, id: 7 } },
    'data.task-id',
    '/result/id',
  ),
  bad(rpc('get.response'), 'no id', { jsonrpc: '2.0', result: task }, 'unruled', '/id'),
  bad(rpc('get.response'), 'an id that is an object', { jsonrpc: '2.0', id: {}, result: task }, 'unruled', '/id'),
  bad(rpc('get.params'), 'no id', {}, 'unruled', '/id'),
  bad(
    rpc('get.params'),
    'a history length of one and a half',
    { id: 't', historyLength: 1.5 },
    'unruled',
    '/historyLength',
  ),
  bad(rpc('pushDelete.params'), 'no config id', { id: 't' }, 'unruled', '/pushNotificationConfigId'),
  bad(
    rpc('get.request'),
    'the method of another version',
    { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't' } },
    'unruled',
    '/method',
  ),
  bad(
    rpc('get.request'),
    'an id of null',
    { jsonrpc: '2.0', id: null, method: 'tasks/get', params: { id: 't' } },
    'unruled',
    '/id',
  ),
];

function bad(ref: string, name: string, document: unknown, rule: string, path: string): Invalid {
  return { ref, name, document: document === undefined ? undefined : JSON.parse(JSON.stringify(document)), rule, path };
}

export function cases(): { readonly valid: readonly Valid[]; readonly invalid: readonly Invalid[] } {
  const all = samples.map(derived);
  return {
    valid: [...samples, ...all.flatMap((one) => one.valid), ...moreValid],
    invalid: [...all.flatMap((one) => one.invalid), ...moreInvalid],
  };
}
