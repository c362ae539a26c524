import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadLedger } from '../src/ledger/requirements.js';
import { createInspector } from '../src/ledger/schemas.js';
import { rpc, samplesIn } from './samples.js';

// 0.2.6 is 0.3.0 without some members: the samples of 0.3.0 hold but for the card.

const inspector = createInspector('a2a/0.2.6');
const { load } = samplesIn('0.3.0');
const { preferredTransport: _, signatures: __, ...rest } = load('agent-card') as Record<string, unknown>;
const { ship: ___, ...securitySchemes } = rest['securitySchemes'] as Record<string, unknown>;
const card: Record<string, unknown> = { ...rest, protocolVersion: '0.2.6', securitySchemes };
const { name: ____, ...nameless } = card;

describe('the 0.2.6 schemas', () => {
  it.each<[string, string, unknown]>([
    ['a card', 'agent-card.schema.json', card],
    ['a card that names its transport', 'agent-card.schema.json', { ...card, preferredTransport: 'JSONRPC' }],
    ['the line as version', 'agent-card.schema.json', { ...card, protocolVersion: '0.2' }],
    ['a gRPC target', 'agent-card.schema.json', { ...card, preferredTransport: 'GRPC', url: 'clerk.example:50051' }],
    ['signatures, which mean nothing yet', 'agent-card.schema.json', { ...card, signatures: 'none' }],
    ['a task', 'task.schema.json', load('task')],
    ['a message', 'message.schema.json', load('message')],
    ['an artifact', 'artifact.schema.json', load('artifact')],
    ['a status update', 'events.schema.json', load('status-update')],
    ['an artifact update', rpc('stream.result'), load('artifact-update')],
    ['a task as result', rpc('send.result'), load('task')],
    ['a push config', rpc('pushSet.result'), load('task-push-config')],
    ['a request', rpc('send.request'), load('send-request')],
    ['an error', rpc('get.response'), load('error-response')],
  ])('accept %s', (_name, ref, document) => {
    expect(inspector.inspect(ref, document).findings).toEqual([]);
  });

  it.each<[string, string, unknown, string, string]>([
    ['a card without name', 'agent-card.schema.json', nameless, 'card.name', '/name'],
    [
      'the version of 0.3',
      'agent-card.schema.json',
      { ...card, protocolVersion: '0.3.0' },
      'card.protocol-version-line',
      '/protocolVersion',
    ],
    [
      'a transport of null',
      'agent-card.schema.json',
      { ...card, preferredTransport: null },
      'card.preferred-transport',
      '/preferredTransport',
    ],
    [
      'a scheme of 0.3',
      'agent-card.schema.json',
      { ...card, securitySchemes: { ship: { type: 'mutualTLS' } } },
      'card.scheme-type',
      '/securitySchemes/ship/type',
    ],
    [
      'a scheme without name',
      'agent-card.schema.json',
      { ...card, securitySchemes: { key: { type: 'apiKey', in: 'header' } } },
      'card.scheme-members',
      '/securitySchemes/key/name',
    ],
    [
      'schemes in a list',
      'agent-card.schema.json',
      { ...card, securitySchemes: [] },
      'card.scheme-type',
      '/securitySchemes',
    ],
    [
      'a text as skill tags',
      'agent-card.schema.json',
      { ...card, skills: [{ id: 'a', name: 'a', description: '', tags: 'x' }] },
      'card.skill-tags',
      '/skills/0/tags',
    ],
    ['a path as url', 'agent-card.schema.json', { ...card, url: '/a2a' }, 'card.url', '/url'],
    [
      'a task without context',
      'task.schema.json',
      { kind: 'task', id: 't', status: { state: 'working' } },
      'data.task-context-id',
      '/contextId',
    ],
    [
      'an event without end mark',
      rpc('stream.result'),
      { kind: 'status-update', taskId: 't', contextId: 'c', status: { state: 'working' } },
      'stream.status-update',
      '/final',
    ],
    ['an object as answer to a delete', rpc('pushDelete.result'), {}, 'push.delete-null', ''],
  ])('file %s', (_name, ref, document, rule, path) => {
    const { findings } = inspector.inspect(ref, document);
    expect(findings.map((finding) => [finding.rule, finding.path])).toEqual([[rule, path]]);
  });

  it('have no extended card over JSON-RPC', () => {
    expect(inspector.has(rpc('send.result'))).toBe(true);
    expect(inspector.has(rpc('extendedCard.result'))).toBe(false);
  });

  it('compile as a whole', () => {
    const names = readdirSync(new URL('./a2a/0.3.0/', import.meta.url));
    expect(names.length).toBe(9);
    for (const name of names) expect(() => inspector.inspect(name, {}), name).not.toThrow();
  });
});

describe('the ledger of 0.2', () => {
  const ledger = loadLedger('a2a-0.2');
  const later = loadLedger('a2a-0.3');

  it('has no signatures and none of the chapters that 0.3 brought', () => {
    const keys = ledger.rows.flatMap(({ key }) => key ?? []);
    expect(keys.filter((key) => key.startsWith('sig.'))).toEqual([]);
    expect(ledger.rows.filter(({ section }) => /^(3\.[45]|3\.[123]\.\d|5\.6\.|11\.)/.test(section))).toEqual([]);
    expect(keys.length).toBeGreaterThan(250);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('differs from 0.3 where the text differs', () => {
    expect(later.row('card.well-known-path')?.statement).toContain('agent-card.json');
    expect(ledger.row('card.well-known-path')?.statement).toContain('agent.json');
    expect(ledger.row('card.extended-returned')?.statement).toContain('HTTP GET');
    expect(ledger.row('get.implemented')?.level).toBe('should');
  });

  it('has a row for each rule of the card', () => {
    const { visited } = inspector.inspect('agent-card.schema.json', card);
    expect(visited.size).toBeGreaterThan(20);
    expect([...visited].filter((key) => ledger.row(key as never) === undefined)).toEqual([]);
  });
});

it.each(['a2a-0.2', 'terminal-bench', 'openclaw'])('%s leaves out only what 0.3 has', (id) => {
  const text = readFileSync(new URL(`requirements/${id}.yaml`, import.meta.url), 'utf8');
  const without: readonly string[] = parse(text).meta.without;
  const known = new Set<string>(loadLedger('a2a-0.3').rows.flatMap((row) => [row.id, row.key ?? row.id]));
  expect(without.length).toBeGreaterThan(20);
  expect(without.filter((name) => !known.has(name))).toEqual([]);
});
