import { bad, changed, type Invalid, type Place, rpc, type Sample, samplesIn, type Valid, varied } from './samples.js';

// Documents for the tests of the XPR schemas, most of them examples of the document. The table of places says by hand
// which row each belongs to; it is not read from the schemas, so that it can contradict them.

const { load, sample } = samplesIn('xpr');

const cardPlaces: readonly Place[] = [
  ['!/name', 'string', 'card.name'],
  ['!/description', 'string', 'card.description'],
  ['!/url', 'string', 'card.url'],
  ['!/version', 'string', 'card.version'],
  ['!/capabilities', 'object', 'card.capabilities'],
  ['/capabilities/streaming', 'boolean', 'card.capability-flags'],
  ['/capabilities/pushNotifications', 'boolean', 'card.capability-flags'],
  ['/capabilities/stateTransitionHistory', 'boolean', 'card.capability-flags'],
  ['!/defaultInputModes', 'strings', 'card.default-modes'],
  ['!/defaultOutputModes', 'strings', 'card.default-modes'],
  ['!/skills', 'array', 'card.skills'],
  ['!/skills/0/id', 'string', 'card.skill-id'],
  ['!/skills/0/name', 'string', 'card.skill-texts'],
  ['!/skills/0/description', 'string', 'card.skill-texts'],
  ['!/skills/0/tags', 'strings', 'card.skill-tags'],
  ['!/xpr:account', 'string', 'card.xpr-account'],
  ['!/xpr:protocol', 'string', 'card.xpr-protocol'],
  ['/xpr:owner', 'string', 'card.xpr-owner'],
];

const taskPlaces: readonly Place[] = [
  ['!/id', 'string', 'data.task-id'],
  ['!/status', 'object', 'data.task-status'],
  ['!/status/state', 'word', 'data.task-state'],
  ['/status/timestamp', 'string', 'data.timestamp'],
  ['/status/message', 'object', 'data.status-message'],
  ['!/status/message/role', 'word', 'data.message-role'],
  ['!/status/message/parts', 'array', 'data.message-parts'],
  ['!/status/message/parts/0/type', 'word', 'data.part-kind'],
  ['!/status/message/parts/0/text', 'string', 'data.text-part'],
  ['/artifacts', 'array', 'data.task-artifacts'],
  ['!/artifacts/0/parts', 'array', 'data.artifact-parts'],
  ['/artifacts/0/index', 'integer', 'data.artifact-optional'],
  ['/artifacts/0/name', 'string', 'data.artifact-optional'],
  ['/artifacts/0/description', 'string', 'data.artifact-optional'],
  ['/artifacts/0/lastChunk', 'boolean', 'data.artifact-optional'],
  ['/artifacts/0/metadata', 'object', 'data.artifact-optional'],
  ['!/artifacts/0/parts/0/file', 'object', 'data.file-part'],
  ['/artifacts/0/parts/0/file/name', 'string', 'data.file-texts'],
  ['!/artifacts/0/parts/0/file/mimeType', 'string', 'data.file-texts'],
  ['!/artifacts/0/parts/2/data', 'object', 'data.data-part'],
];

const card = 'agent-card.schema.json';
const samples: readonly Sample[] = [
  sample(card, 'agent-card', cardPlaces),
  sample('task.schema.json', 'task', taskPlaces),
  sample(rpc('send.request'), 'send-request'),
  sample(rpc('send.response'), 'send-response', [['!/jsonrpc', 'string', 'rpc.version-member']]),
  sample(rpc('send.response'), 'authentication-error', [['!/error/message', 'string', 'rpc.error-object']]),
  sample(rpc('get.request'), 'get-request'),
  sample(rpc('get.response'), 'get-response'),
  sample(rpc('cancel.request'), 'cancel-request'),
  sample(rpc('cancel.response'), 'cancel-response'),
];

const document = load('agent-card');
const task = load('task') as object;
const request = load('send-request');
const file = (members: object) => ({ type: 'file', file: { mimeType: 'image/png', ...members } });
const cardWith = (name: string, value: unknown) => changed(document, `/xpr:${name}`, value);

const moreValid: readonly Valid[] = [
  ...['a', 'a.b', '.a', 'abcdefghijkl', '12345', 'z'].map((account) => ({
    ref: card,
    name: `the account ${account}`,
    document: cardWith('account', account),
  })),
  { ref: card, name: 'nobody as owner', document: cardWith('owner', '') },
  ...[0, 100, 40.5].map((score) => ({
    ref: card,
    name: `the score ${score}`,
    document: cardWith('trustScore', score),
  })),
  ...[0, 3].map((level) => ({ ref: card, name: `the level ${level}`, document: cardWith('kycLevel', level) })),
  { ref: card, name: 'no score', document: cardWith('trustScore', undefined) },
  { ref: card, name: 'no level', document: cardWith('kycLevel', undefined) },
  { ref: card, name: 'the beginning of time', document: cardWith('registeredAt', 0) },
  { ref: card, name: 'a member of its own', document: { ...(document as object), 'xpr:mood': 'good' } },
  { ref: 'part.schema.json', name: 'a file with both', document: file({ uri: 'https://a.example/', bytes: 'YQ==' }) },
  { ref: 'part.schema.json', name: 'a nameless file', document: file({ bytes: '' }) },
  ...['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled'].map((state) => ({
    ref: rpc('get.result'),
    name: `a task in ${state}`,
    document: { id: 't', status: { state } },
  })),
  { ref: rpc('send.result'), name: 'a bare task', document: { id: 't', status: { state: 'working' } } },
  {
    ref: rpc('send.params'),
    name: 'a message that continues a task',
    document: { id: 't', contextId: 'c', message: { role: 'user', parts: [{ type: 'text', text: 'blue' }] } },
  },
];

const moreInvalid: readonly Invalid[] = [
  ...['', 'Alice', 'alice.', 'abcdefghijklm', 'al ice', 'al0', 'bob,eve', 'böb'].map((account) =>
    bad(card, `the account "${account}"`, cardWith('account', account), 'card.xpr-account', '/xpr:account'),
  ),
  ...['Alice Smith', 'alice.'].map((owner) =>
    bad(card, `the owner "${owner}"`, cardWith('owner', owner), 'card.xpr-owner', '/xpr:owner'),
  ),
  ...[-1, 101, '82', null].map((score) =>
    bad(
      card,
      `the score ${JSON.stringify(score)}`,
      cardWith('trustScore', score),
      'card.xpr-trust-score',
      '/xpr:trustScore',
    ),
  ),
  ...[-1, 4, '2', true].map((level) =>
    bad(card, `the level ${JSON.stringify(level)}`, cardWith('kycLevel', level), 'card.xpr-kyc-level', '/xpr:kycLevel'),
  ),
  ...[-1, '2024-01-01', null].map((time) =>
    bad(
      card,
      `the registration ${JSON.stringify(time)}`,
      cardWith('registeredAt', time),
      'card.xpr-registered-at',
      '/xpr:registeredAt',
    ),
  ),
  bad(card, 'no registration', cardWith('registeredAt', undefined), 'card.xpr-registered-at', '/xpr:registeredAt'),
  bad(card, 'a list of cards', [document], 'card.is-object', ''),
  bad(card, 'a path as URL', changed(document, '/url', '/a2a'), 'card.url', '/url'),
  bad('part.schema.json', 'the part of 0.3', { kind: 'text', text: 'hi' }, 'data.part-kind', '/type'),
  bad('part.schema.json', 'a file without place', file({}), 'data.file-part', '/file'),
  bad('part.schema.json', 'a file in base64url', file({ bytes: '-_==' }), 'data.file-bytes', '/file/bytes'),
  bad('part.schema.json', 'a file at nothing', file({ uri: null }), 'data.file-uri', '/file/uri'),
  bad('artifact.schema.json', 'a place before the first', { parts: [], index: -1 }, 'data.artifact-optional', '/index'),
  bad(
    'artifact.schema.json',
    'the id of 0.3',
    { parts: [], artifactId: 'a' },
    'data.no-unknown-members',
    '/artifactId',
  ),
  bad(rpc('send.result'), 'a kind', { ...task, kind: 'task' }, 'data.no-unknown-members', '/kind'),
  ...['rejected', 'auth-required', 'unknown', 'cancelled', 'TASK_STATE_WORKING'].map((state) =>
    bad(rpc('send.result'), `the state ${state}`, { id: 't', status: { state } }, 'data.task-state', '/status/state'),
  ),
  bad(rpc('send.result'), 'a message', { role: 'agent', parts: [] }, 'send.task-or-message', ''),
  bad(rpc('send.result'), 'nothing', {}, 'send.task-or-message', ''),
  bad(rpc('send.result'), 'a text', 'done', 'send.task-or-message', ''),
  bad(rpc('get.result'), 'a list', [task], 'get.same-task', ''),
  bad(rpc('cancel.result'), 'true', true, 'cancel.returns-task', ''),
  bad(
    rpc('send.request'),
    'a caller in capitals',
    changed(request, '/params/xpr:callerAccount', 'Alice'),
    'unruled',
    '/params/xpr:callerAccount',
  ),
  bad(
    rpc('send.request'),
    'a job in words',
    changed(request, '/params/metadata/xpr:jobId', '42'),
    'unruled',
    '/params/metadata/xpr:jobId',
  ),
];

export const cases = () => varied(samples, moreValid, moreInvalid);

const chain = (form: string): string => `chain.schema.json#/$defs/${form}`;

/** Answers of a chain node, and the places of each that must not be missing or hold null. */
export const chainSamples = [
  [
    'get_account',
    'account',
    [
      '/account_name',
      '/permissions',
      '/permissions/1/perm_name',
      '/permissions/1/parent',
      '/permissions/1/required_auth',
      '/permissions/1/required_auth/threshold',
      '/permissions/1/required_auth/keys/0/key',
      '/permissions/1/required_auth/keys/0/weight',
      '/permissions/1/required_auth/accounts/0/permission/actor',
      '/permissions/1/required_auth/waits',
    ],
  ],
  ['agents', 'agents', ['/rows', '/more', '/rows/0/account', '/rows/0/registered_at', '/rows/0/active']],
  ['usersinfo', 'usersinfo', ['/rows', '/rows/0/acc', '/rows/0/verified', '/rows/0/kyc', '/rows/0/kyc/1/kyc_level']],
  ['get_info', 'info', ['/chain_id', '/head_block_time']],
  ['error', 'chain-error', ['/code', '/message', '/error/details', '/error/details/0/message']],
].map(([form, name, places]) => ({
  ref: chain(form as string),
  name: name as string,
  document: load(name as string),
  places: places as readonly string[],
}));
