import { rpc } from './samples.js';

// Documents for the tests of the Terminal Bench schemas: the shapes of the dialect's own document, with other content.

const card = {
  name: 'shell_agent',
  description: 'Solves puzzles at a shell prompt',
  url: 'http://localhost:8001',
  version: '1.0.0',
  provider: 'Shell Puzzles',
  skills: [
    {
      id: 'puzzles',
      name: 'Puzzles',
      description: 'Finds the command that does it',
      inputModes: ['text'],
      outputModes: ['text'],
      tags: ['shell'],
      examples: ['Which files are larger than 1 MB?'],
    },
  ],
  capabilities: { streaming: false, pushNotifications: false, longRunningTasks: true },
  metadata: { model: 'none', a2a_version: '1.0' },
};
const task = {
  id: 'task-1',
  kind: 'task',
  contextId: 'ctx-1',
  status: { state: 'completed', timestamp: '2025-01-01T12:00:00Z', message: { role: 'agent', parts: [] } },
  artifacts: [{ artifactId: 'a-1', name: 'answer', parts: [{ kind: 'text', text: 'find . -size +1M' }] }],
  messages: [{ role: 'user', parts: [{ kind: 'text', text: 'Large files?' }] }],
  createdAt: '2025-01-01T12:00:00Z',
  updatedAt: '2025-01-01T12:00:05Z',
};
const { provider: _provider, ...withoutProvider } = card;
const { skills: _skills, ...withoutSkills } = card;
const request = (method: string, params: object) => ({ jsonrpc: '2.0', id: 'r', method, params });

export const accepted: readonly (readonly [name: string, ref: string, document: unknown])[] = [
  ['the card', 'agent-card.schema.json', card],
  ['a card without provider', 'agent-card.schema.json', withoutProvider],
  [
    'a provider as in 0.3',
    'agent-card.schema.json',
    { ...card, provider: { organization: 'P', url: 'https://p.example' } },
  ],
  ['a task', rpc('send.result'), task],
  ['a message without kind and id', rpc('send.result'), { role: 'agent', parts: [{ kind: 'text', text: 'hi' }] }],
  ['a send without message id', rpc('send.request'), request('message.send', { message: { role: 'user', parts: [] } })],
  ['a get', rpc('get.request'), request('task.get', { taskId: 't' })],
  ['a cancel with a reason', rpc('cancel.request'), request('task.cancel', { taskId: 't', reason: 'late' })],
  ['a reply', rpc('get.response'), { jsonrpc: '2.0', id: 'r', result: task }],
];

export const filed: readonly (readonly [name: string, ref: string, document: unknown, rule: string, path: string])[] = [
  ['a card without skills', 'agent-card.schema.json', withoutSkills, 'card.skills', '/skills'],
  [
    'a skill without tags',
    'agent-card.schema.json',
    { ...card, skills: [{ id: 's', name: 's', description: 's' }] },
    'card.skill-tags',
    '/skills/0/tags',
  ],
  ['a number as provider', 'agent-card.schema.json', { ...card, provider: 1 }, 'card.provider', '/provider'],
  [
    'a flag in words',
    'agent-card.schema.json',
    { ...card, capabilities: { longRunningTasks: 'yes' } },
    'card.capability-flags',
    '/capabilities/longRunningTasks',
  ],
  ['an unknown state', rpc('get.result'), { ...task, status: { state: 'done' } }, 'data.task-state', '/status/state'],
  [
    'a message with another role',
    rpc('get.result'),
    { ...task, messages: [{ role: 'bot', parts: [] }] },
    'data.message-role',
    '/messages/0/role',
  ],
  ['a time in words', rpc('get.result'), { ...task, createdAt: 'noon' }, 'data.timestamp', '/createdAt'],
  ['an unknown member', rpc('get.result'), { ...task, owner: 'me' }, 'data.no-unknown-members', '/owner'],
  ['the parameter name of 0.3', rpc('get.request'), request('task.get', { id: 't' }), 'unruled', '/params/taskId'],
  ['the method of 0.3', rpc('get.request'), request('tasks/get', { taskId: 't' }), 'unruled', '/method'],
];
