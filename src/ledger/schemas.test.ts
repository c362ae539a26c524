import { describe, expect, it } from 'vitest';
import { createInspector } from './schemas.js';

const inspector = createInspector('a2a/0.3.0');
const message = { kind: 'message', messageId: 'm', role: 'agent', parts: [] as unknown[] };
const task = { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } };
const card = {
  protocolVersion: '0.3.0',
  name: 'n',
  description: 'd',
  version: '1',
  url: 'https://agent.example',
  preferredTransport: 'JSONRPC',
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
};
const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { in: value };
  return value;
};

it.each(['agent-card.schema.json', 'rpc.schema.json#/$defs/send.result'])('%s is known', (ref) => {
  expect(inspector.has(ref)).toBe(true);
  expect(() => inspector.inspect(ref, {})).not.toThrow();
});

it.each([
  'no-such.schema.json',
  'rpc.schema.json#/$defs/no-such.result',
  // A part of a schema that is not a definition.
  'task.schema.json#/properties/id',
  'task.schema.json#/$defs',
  '__proto__',
])('%s is not known', (ref) => {
  expect(inspector.has(ref)).toBe(false);
  expect(() => inspector.inspect(ref, {})).toThrow('no schema');
});

describe('a finding', () => {
  it('says where, what and in few words why', () => {
    expect(inspector.inspect('task.schema.json', { ...task, id: 7 }).findings).toEqual([
      { rule: 'data.task-id', path: '/id', message: 'must be string, is integer', seen: '7' },
    ]);
    expect(inspector.inspect('task.schema.json', { ...task, kind: 'Task' }).findings).toEqual([
      { rule: 'data.task-kind', path: '/kind', message: 'must be "task", is another string', seen: '"Task"' },
    ]);
    expect(inspector.inspect('part.schema.json', { kind: 'file', file: { bytes: '%' } }).findings).toEqual([
      { rule: 'data.file-bytes', path: '/file/bytes', message: 'must be base64 text', seen: '"%"' },
    ]);
  });

  it('names a missing member by its place', () => {
    const { contextId: _, ...without } = task;
    expect(inspector.inspect('task.schema.json', without).findings).toEqual([
      { rule: 'data.task-context-id', path: '/contextId', message: 'must be present, is missing', seen: 'nothing' },
    ]);
  });

  it('escapes names in its path', () => {
    const { findings } = inspector.inspect('agent-card.schema.json', { ...card, securitySchemes: { 'a/b~c': 1 } });
    expect(findings.map(({ path }) => path)).toEqual(['/securitySchemes/a~1b~0c']);
  });

  it('belongs to the innermost place when places nest', () => {
    const history = [{ ...message, parts: [{ kind: 'text', text: 1 }] }];
    const { findings } = inspector.inspect('rpc.schema.json#/$defs/get.response', {
      jsonrpc: '2.0',
      id: 1,
      result: { ...task, history },
    });
    expect(findings.map(({ rule, path }) => [rule, path])).toEqual([
      ['data.text-part', '/result/history/0/parts/0/text'],
    ]);
  });

  it('about a nested message is its own rule, about a message of its own another', () => {
    const { messageId: _, ...anonymous } = message;
    const rules = (ref: string, document: unknown) => inspector.inspect(ref, document).findings.map(({ rule }) => rule);
    expect(rules('rpc.schema.json#/$defs/send.result', anonymous)).toEqual(['data.message-id']);
    expect(rules('rpc.schema.json#/$defs/send.result', { ...anonymous, messageId: 7 })).toEqual(['data.message-id']);
    const numbered = { ...message, messageId: 7 };
    expect(rules('rpc.schema.json#/$defs/send.result', { ...task, history: [numbered] })).toEqual([
      'data.nested-message',
    ]);
    expect(rules('task.schema.json', { ...task, status: { state: 'working', message: numbered } })).toEqual([
      'data.nested-message',
    ]);
    // Inside of a task it may be missing (AMB03-05).
    expect(rules('task.schema.json', { ...task, history: [anonymous] })).toEqual([]);
  });

  it('of an unknown member is none of validity', () => {
    const { findings, visited } = inspector.inspect('task.schema.json', { ...task, owner: 'me' });
    expect(findings.map(({ rule, path }) => [rule, path])).toEqual([['data.no-unknown-members', '/owner']]);
    expect(visited).toContain('data.no-unknown-members');
  });
});

describe('visited', () => {
  it('holds what was there to judge, and no more', () => {
    const { findings, visited } = inspector.inspect('task.schema.json', task);
    expect(findings).toEqual([]);
    expect([...visited].sort()).toEqual([
      'data.no-unknown-members',
      'data.task-context-id',
      'data.task-id',
      'data.task-kind',
      'data.task-state',
      'data.task-status',
    ]);
  });

  it('holds a required member that is missing', () => {
    expect(inspector.inspect('agent-card.schema.json', {}).visited).toContain('card.preferred-transport');
  });

  it('holds nothing about the entries of an empty list or map', () => {
    const empty = {
      ...card,
      additionalInterfaces: [],
      signatures: [],
      securitySchemes: {},
      capabilities: { extensions: [] },
    };
    const { findings, visited } = inspector.inspect('agent-card.schema.json', empty);
    expect(findings).toEqual([]);
    for (const key of ['card.interface-members', 'sig.members', 'card.scheme-type', 'ext.uri', 'card.skill-id']) {
      expect(visited).not.toContain(key);
    }
  });

  it('never holds "unruled"', () => {
    expect([...inspector.inspect('rpc.schema.json#/$defs/get.params', null).visited]).toEqual([]);
  });

  it('starts anew with each document', () => {
    inspector.inspect('task.schema.json', { ...task, metadata: 1 });
    expect(inspector.inspect('task.schema.json', task).findings).toEqual([]);
    expect(inspector.inspect('task.schema.json', task).visited).not.toContain('data.task-metadata');
  });
});

describe('references', () => {
  it('are known or not', () => {
    expect(inspector.has('agent-card.schema.json')).toBe(true);
    expect(inspector.has('rpc.schema.json#/$defs/send.result')).toBe(true);
    expect(inspector.has('rpc.schema.json#/$defs/list.result')).toBe(false);
    expect(inspector.has('rpc.schema.json#/$defs/constructor')).toBe(false);
    expect(inspector.has('nothing.schema.json')).toBe(false);
  });

  it('that are unknown throw', () => {
    expect(() => inspector.inspect('nothing.schema.json', {})).toThrow(
      'no schema a2a-tck:///schemas/a2a/0.3.0/nothing',
    );
  });
});

describe('hostile documents', () => {
  it('may nest 200 levels and no more', () => {
    const at = (levels: number) =>
      inspector.inspect('message.schema.json', { ...message, metadata: nested(levels - 1) });
    expect(at(200).findings).toEqual([]);
    for (const levels of [201, 100_000]) {
      const { findings, visited } = at(levels);
      expect(findings.map(({ rule, path, message: words }) => [rule, path, words])).toEqual([
        ['unruled', '', 'nested too deep'],
      ]);
      expect(visited.size).toBe(0);
    }
  });

  it('are judged by a sample when they hold a million defects', () => {
    const many = { ...message, parts: Array(1_000_000).fill({ kind: 'text', x: 1 }), metadata: 1 };
    const { findings } = inspector.inspect('message.schema.json', many);
    expect(findings.length).toBe(200);
    expect(new Set(findings.map(({ rule }) => rule))).toEqual(
      new Set(['data.text-part', 'data.message-optional', 'data.no-unknown-members']),
    );
  });

  it('hide no member behind a million others', () => {
    const junk = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`junk${index}`, index]));
    expect(inspector.inspect('agent-card.schema.json', { ...junk, ...card }).findings).toEqual([]);
    const schemes = inspector.inspect('agent-card.schema.json', { ...card, securitySchemes: junk }).findings;
    expect(new Set(schemes.map(({ rule }) => rule))).toEqual(new Set(['card.scheme-type']));
    expect(schemes.length).toBe(200);
  });

  it('may carry large files', () => {
    const file = (bytes: string) => inspector.inspect('part.schema.json', { kind: 'file', file: { bytes } }).findings;
    expect(file('A'.repeat(20_000_000))).toEqual([]);
    const [finding] = file(`${'A'.repeat(20_000_000)}====`);
    expect(finding?.rule).toBe('data.file-bytes');
    expect(finding?.seen.length).toBeLessThanOrEqual(120);
  });

  it('that exhaust the pattern engine are said to be too large', () => {
    const modes = { ...card, defaultInputModes: ['\u{1f600}'.repeat(10_000_000)] };
    const { findings } = inspector.inspect('agent-card.schema.json', modes);
    expect(findings.map(({ rule, message: words }) => [rule, words])).toEqual([['unruled', 'too large to inspect']]);
  });

  it('have short paths and values whatever their names', () => {
    const name = 'n'.repeat(1_000_000);
    const scheme = inspector.inspect('agent-card.schema.json', {
      ...card,
      securitySchemes: { [name]: { [name]: name } },
    });
    const unknown = inspector.inspect('task.schema.json', { ...task, [name]: { [name]: [name] } });
    for (const { path, seen } of [...scheme.findings, ...unknown.findings]) {
      expect(path.length).toBeLessThan(310);
      expect(seen.length).toBeLessThanOrEqual(120);
    }
    expect(scheme.findings.length + unknown.findings.length).toBe(2);
  });

  it('inherit nothing', () => {
    const own = '{"__proto__":{"kind":"message","messageId":"m"},"role":"agent","parts":[]}';
    const rules = (document: unknown) =>
      inspector.inspect('message.schema.json', document).findings.map(({ path }) => path);
    expect(rules(JSON.parse(own)).sort()).toEqual(['/__proto__', '/kind', '/messageId']);
    const large = JSON.parse(own.replace('[]', `[${Array(30_000).fill('{"kind":"text","text":""}').join()}]`));
    expect(rules(large).sort()).toEqual(['/__proto__', '/kind', '/messageId']);
    expect(({} as Record<string, unknown>)['kind']).toBeUndefined();
  });

  it.each([null, undefined, true, 0, '', 'x', [], {}, [[]], Number.NaN])(
    'of any type get an answer: %j',
    (document) => {
      for (const ref of ['agent-card', 'message', 'part', 'task', 'status', 'artifact', 'events', 'push-config']) {
        expect(inspector.inspect(`${ref}.schema.json`, document).findings.length).toBeGreaterThan(0);
      }
    },
  );
});

it('tells what was inspected before apart from what is written alike', () => {
  const ref = 'rpc.schema.json#/$defs/get.response';
  const error = { code: -32001, message: 'Task not found' };
  expect(inspector.inspect(ref, { jsonrpc: '2.0', id: null, error }).findings).toEqual([]);
  expect(inspector.inspect(ref, { jsonrpc: '2.0', id: null, error }).findings).toEqual([]);
  // JSON has no word for it: it would be written as null.
  const [found] = inspector.inspect(ref, { jsonrpc: '2.0', id: Number.POSITIVE_INFINITY, error }).findings;
  expect(found?.path).toBe('/id');
});
