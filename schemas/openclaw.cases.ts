import { rpc } from './samples.js';

// Documents for the tests of the OpenClaw schemas: the shapes of the dialect's own document, with other content.

const card = {
  name: 'Lobster',
  description: 'Keeps the pantry',
  url: 'https://lobster.example/a2a',
  version: '1.0.0',
  capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: true },
  defaultInputModes: ['text'],
  defaultOutputModes: ['text'],
  skills: [{ id: 'stock', name: 'Stock', description: 'Counts jars' }],
  authentication: { schemes: ['bearer'] },
};
const reply = { role: 'agent', parts: [{ type: 'text', text: 'Twelve jars.' }] };
const task = {
  id: 't-1',
  contextId: 'c-1',
  status: { state: 'completed', message: reply, timestamp: '2026-02-03T04:05:06.789Z' },
  history: [{ role: 'user', parts: [{ type: 'text', text: 'How many?' }] }, reply],
};
const { contextId: _, ...contextless } = task;
const { description: __, authentication: ___, ...bareCard } = card;
const { skills: ____, ...skillless } = card;
const status = { type: 'status', taskId: 't-1', status: { state: 'working', message: reply } };
const artifact = {
  type: 'artifact',
  taskId: 't-1',
  artifact: { name: 'count', parts: [{ type: 'text', text: '12' }] },
};
const file = {
  type: 'file',
  file: { uri: 'https://lobster.example/jars.png', mimeType: 'image/png', name: 'jars.png' },
};

export const accepted: readonly (readonly [name: string, ref: string, document: unknown])[] = [
  ['a card', 'agent-card.schema.json', card],
  ['an open card without description', 'agent-card.schema.json', bareCard],
  ['a task', rpc('send.result'), task],
  ['a task as get result', rpc('get.result'), contextless],
  ['a canceled task', rpc('cancel.result'), { ...task, status: { state: 'canceled' } }],
  ['a file', 'part.schema.json', file],
  ['data', 'part.schema.json', { type: 'data', data: { jars: 12 } }],
  ['a message with id', 'message.schema.json', { ...reply, messageId: 'm' }],
  ['a list', rpc('list.result'), { tasks: [task] }],
  ['a bare list', rpc('list.result'), [task]],
  ['a list of its own', rpc('list.result'), { items: [task] }],
  ['a first event', rpc('stream.result'), { type: 'task', task }],
  ['a status', rpc('stream.result'), status],
  ['a last status', rpc('stream.result'), { ...status, status: { state: 'completed' }, final: true }],
  ['an artifact', rpc('subscribe.result'), artifact],
  [
    'a request without message id',
    rpc('send.request'),
    { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: { ...reply, role: 'user' } } },
  ],
];

export const filed: readonly (readonly [name: string, ref: string, document: unknown, rule: string, path: string])[] = [
  ['a card without skills', 'agent-card.schema.json', skillless, 'card.skills', '/skills'],
  ['a card as a list', 'agent-card.schema.json', [card], 'card.is-object', ''],
  [
    'a bare scheme',
    'agent-card.schema.json',
    { ...card, authentication: 'bearer' },
    'card.old-authentication',
    '/authentication',
  ],
  [
    'a flag in words',
    'agent-card.schema.json',
    { ...card, capabilities: { streaming: 'yes' } },
    'card.capability-flags',
    '/capabilities/streaming',
  ],
  ['the part of 0.3', 'part.schema.json', { kind: 'text', text: 'hi' }, 'data.part-kind', '/type'],
  ['a text of null', 'part.schema.json', { type: 'text', text: null }, 'data.text-part', '/text'],
  ['a file without place', 'part.schema.json', { type: 'file', file: { name: 'x' } }, 'data.file-part', '/file'],
  ['a message of nobody', 'message.schema.json', { parts: [] }, 'data.message-role', '/role'],
  ['an unknown state', rpc('get.result'), { ...task, status: { state: 'queued' } }, 'data.task-state', '/status/state'],
  ['a number as context', rpc('get.result'), { ...task, contextId: 1 }, 'send.context-id-made', '/contextId'],
  ['a kind', rpc('send.result'), { ...task, kind: 'task' }, 'data.no-unknown-members', '/kind'],
  ['a list as task', rpc('get.result'), [task], 'get.same-task', ''],
  ['true as task', rpc('cancel.result'), true, 'cancel.returns-task', ''],
  ['an empty answer', rpc('send.result'), {}, 'send.task-or-message', ''],
  ['a task in a bare list', rpc('list.result'), [{ ...task, kind: 'task' }], 'data.no-unknown-members', '/0/kind'],
  ['a bare task as event', rpc('stream.result'), task, 'stream.event-types', '/type'],
  ['an event of 0.3', rpc('stream.result'), { kind: 'status-update', taskId: 't' }, 'stream.event-types', '/type'],
  ['a first event without task', rpc('stream.result'), { type: 'task' }, 'stream.first-event', '/task'],
  [
    'a status without task',
    rpc('stream.result'),
    { type: 'status', status: { state: 'working' } },
    'stream.status-update',
    '/taskId',
  ],
  [
    'an artifact event without artifact',
    rpc('stream.result'),
    { type: 'artifact', taskId: 't' },
    'stream.artifact-update',
    '/artifact',
  ],
  ['an artifact without name', 'artifact.schema.json', { parts: [] }, 'data.artifact-name', '/name'],
];
