import { describe, expect, it } from 'vitest';
import { createInspector } from './schemas.js';

const inspector = createInspector('a2a/1.0');
const found = (ref: string, document: unknown) =>
  inspector.inspect(ref, document).findings.map(({ rule, path, message }) => [rule, path, message]);
const unset = 'must be left out without a value, is null';
const status = { state: 'TASK_STATE_WORKING', timestamp: null, message: null };
const task = { id: 't', contextId: 'c', status };
const part = { text: 'x', raw: null, url: null, data: null, filename: null, mediaType: null, metadata: null };
const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'x' }] };

describe('null in ProtoJSON', () => {
  it('is one that is not set, at every depth, and is shown once', () => {
    const history = [{ ...message, taskId: null, parts: [part] }];
    const places = ['/history/0/taskId', '/status/timestamp', '/status/message'].map((path) => [
      'data.no-nulls',
      path,
      unset,
    ]);
    const inParts = Object.keys(part)
      .filter((name) => name !== 'text' && name !== 'data')
      .map((name) => ['data.no-nulls', `/history/0/parts/0/${name}`, unset]);
    const all = found('task.schema.json', { ...task, history });
    expect(all.sort()).toEqual([...places, ...inParts].sort());
    expect(
      found('events.schema.json', { task: { ...task, status: { state: status.state } }, statusUpdate: null }),
    ).toEqual([['data.no-nulls', '/statusUpdate', unset]]);
  });

  it('is missing where it is required', () => {
    expect(found('task.schema.json', { ...task, id: null, status: { state: null } })).toEqual([
      ['data.task-id', '/id', 'must be present, is null'],
      ['data.task-state', '/status/state', 'must be present, is null'],
    ]);
    const { findings } = inspector.inspect('rpc.schema.json#/$defs/send.result', { task: null, message: null });
    expect(findings.map(({ rule }) => rule)).toContain('send.task-or-message');
  });

  it('is a value of its own where any value is', () => {
    expect(found('part.schema.json', { data: null })).toEqual([]);
    expect(found('part.schema.json', { url: 'https://a.example', data: null })).toEqual([]);
    expect(found('message.schema.json', { ...message, metadata: { a: null, b: [null] } })).toEqual([]);
    expect(found('part.schema.json', { text: null })).toContainEqual([
      'data.part-content',
      '',
      'must be a part with text, raw, url or data',
    ]);
  });

  it('is neither an item nor an entry', () => {
    expect(found('message.schema.json', { ...message, parts: [null] })).toContainEqual([
      'data.message-parts',
      '/parts/0',
      'must be object, is null',
    ]);
    const card = {
      name: 'n',
      securitySchemes: { a: null, data: { httpAuthSecurityScheme: { scheme: 'x', bearerFormat: null } } },
    };
    const schemes = found('agent-card.schema.json', card).filter(([, path]) =>
      String(path).startsWith('/securitySchemes'),
    );
    expect(schemes).toEqual([
      ['card.scheme-type', '/securitySchemes/a', 'must be object, is null'],
      ['data.no-nulls', '/securitySchemes/data/httpAuthSecurityScheme/bearerFormat', unset],
    ]);
  });

  it('stays a value of the wrong type in the versions of JSON Schema', () => {
    const old = createInspector('a2a/0.3.0').inspect('task.schema.json', {
      kind: 'task',
      id: 't',
      contextId: 'c',
      status: { state: 'working' },
      artifacts: null,
    });
    expect(old.findings.map(({ rule, message: words }) => [rule, words])).toEqual([
      ['data.task-artifacts', 'must be array, is null'],
    ]);
  });

  it('may come by the thousand, and from hostile names', () => {
    const many = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, at) => [`scheme/${at}`, { mtlsSecurityScheme: null }]),
    );
    const { findings, more } = inspector.inspect('agent-card.schema.json', { securitySchemes: many });
    expect(findings.length).toBeLessThanOrEqual(200);
    expect(more.size).toBeGreaterThan(0);
    expect(
      found('task.schema.json', JSON.parse('{"__proto__": null, "id": "t"}')).map(([, path]) => path),
    ).not.toContain('');
  });
});
