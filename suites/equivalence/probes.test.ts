import { expect, test } from 'vitest';
import type { Client, Message, Outcome, Task } from '../../src/kit/index.js';
import { keptAlike, type Probe } from './probes.js';

const pair = {
  own: { client: {} as Client, title: 'JSON-RPC' },
  peer: { client: {} as Client, title: 'GRPC' },
};

const message: Message = { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Zürich' }] };
const showing = (text: string): Outcome<Task> => ({
  kind: 'result',
  value: {
    id: 't',
    status: { state: 'completed' },
    history: [{ ...message, parts: [{ kind: 'text', text }] }],
  },
  wire: {},
  exchange: {} as never,
});

/** What was sent over one interface, and how each reader shows it. */
const probe = (sender: string, shown: Readonly<Record<string, string>>): Probe => ({
  sender,
  message,
  sent: showing('') as never,
  before: [],
  taskId: 't',
  reads: Object.entries(shown).map(([reader, text]) => ({ reader, outcome: showing(text) })),
});

const kept = (...probes: readonly Probe[]) => keptAlike(probes, pair, ({ parts }) => parts);
const [right, wrong] = ['Zürich', 'Z?rich'];

test('the interface that changes a message is named', () => {
  const fine = probe('JSON-RPC', { 'JSON-RPC': right, GRPC: right });
  expect(kept(fine, probe('GRPC', { GRPC: right, 'JSON-RPC': right }))).toBeUndefined();
  // Everything that is sent over it is changed, or everything that is read over it.
  expect(kept(fine, probe('GRPC', { GRPC: wrong, 'JSON-RPC': wrong }))).toMatch(/^GRPC does not keep it/);
  expect(
    kept(probe('JSON-RPC', { 'JSON-RPC': right, GRPC: wrong }), probe('GRPC', { GRPC: wrong, 'JSON-RPC': right })),
  ).toMatch(/^GRPC does not show it/);
  expect(kept(probe('JSON-RPC', { 'JSON-RPC': right, GRPC: wrong }))).toMatch(/^GRPC does not show it/);
  expect(kept(probe('JSON-RPC', { GRPC: wrong }), probe('GRPC', { GRPC: right, 'JSON-RPC': right }))).toMatch(
    /^JSON-RPC does not keep it/,
  );
});

test('neither is named where each keeps and shows what is its own', () => {
  const own = probe('JSON-RPC', { 'JSON-RPC': right, GRPC: wrong });
  expect(kept(own, probe('GRPC', { GRPC: right, 'JSON-RPC': right }))).toMatch(/^JSON-RPC or GRPC changes it/);
  expect(kept(own, probe('GRPC', { GRPC: right, 'JSON-RPC': wrong }))).toMatch(/^JSON-RPC or GRPC changes it/);
});
