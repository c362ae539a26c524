import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createInspector } from '../src/ledger/schemas.js';
import { cases } from './a2a-0.3.0.cases.js';
import { testCases } from './judged-cases.js';
import { rulesIn } from './samples.js';

const here = new URL('./', import.meta.url);
const inspector = createInspector('a2a/0.3.0');
const rows: readonly { id: string; key?: string; source: string }[] = parse(
  readFileSync(new URL('requirements/a2a-0.3.yaml', here), 'utf8'),
).requirements;
const keys = new Set(rows.flatMap(({ key }) => key ?? []));

const folders = ['json-rpc', 'a2a/0.3.0', 'a2a/terminal-bench'];
const files = folders.flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, here)).map((name) => ({
    path: `${folder}/${name}`,
    schema: JSON.parse(readFileSync(new URL(`${folder}/${name}`, here), 'utf8')) as Record<string, unknown>,
  })),
);

const { valid, invalid } = cases();

describe('documents', () => {
  it('are many, so that nothing below holds by default', () => {
    expect(valid.length).toBeGreaterThanOrEqual(60);
    expect(invalid.length).toBeGreaterThanOrEqual(120);
    const names = [...valid, ...invalid].map(({ ref, name }) => `${ref} ${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  testCases(inspector, valid, invalid);
});

/** Rows about structure that no single place of one document can decide: other checks read them. */
const beyondSchemas = new Set([
  'card.extended-structure',
  'card.links-are-urls',
  'card.security-names',
  'card.skill-ids-unique',
  'data.agent-role',
  'data.artifact-ids-unique',
  'data.camel-case',
  'data.file-uri-absolute',
  'data.history-ids',
  'data.message-ids-unique',
  'data.no-nulls',
  'data.unknown-members-accepted',
  'sig.verifies',
]);

describe('rules', () => {
  const used = new Set(files.flatMap(({ schema }) => [...rulesIn(schema)]));

  it('are keys of the ledger', () => {
    expect([...used].filter((rule) => rule !== 'unruled' && !keys.has(rule))).toEqual([]);
  });

  it('reach each structural row', () => {
    const structural = rows.filter(({ id, source }) => /^A2A03-(CARD|DATA|EXT|SIG)-/.test(id) && source === 'schema');
    const wanted = structural.flatMap(({ key }) => (key !== undefined && !beyondSchemas.has(key) ? key : []));
    expect(wanted.length).toBeGreaterThan(50);
    expect(wanted.filter((key) => !used.has(key))).toEqual([]);
    expect([...beyondSchemas].filter((key) => used.has(key) || !keys.has(key))).toEqual([]);
  });

  it('are each shown by an invalid document', () => {
    const shown = new Set(invalid.map(({ rule }) => rule));
    expect([...used].filter((rule) => !shown.has(rule))).toEqual([]);
  });

  it('are each reached by a valid document', () => {
    const visited = new Set(valid.flatMap(({ ref, document }) => [...inspector.inspect(ref, document).visited]));
    expect([...used].filter((rule) => rule !== 'unruled' && !visited.has(rule))).toEqual([]);
  });
});

describe('schema files', () => {
  const ajv = new Ajv2020({ strict: false });
  for (const keyword of ['x-rule', 'x-open', 'x-nulls']) ajv.addKeyword(keyword);
  for (const format of ['base64', 'base64url', 'http-url', 'uri', 'grpc-target']) ajv.addFormat(format, true);

  it.each(files)('$path is a schema under its own $id', ({ path, schema }) => {
    expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
    expect(schema['$id']).toBe(`a2a-tck:///schemas/${path}`);
    ajv.addSchema(schema);
  });

  it.each(files)('$path compiles as a whole and in each of its definitions', ({ path, schema }) => {
    const [, folder = '', name = ''] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
    const own = createInspector(folder);
    const refs = [
      name,
      ...Object.keys((schema['$defs'] as object | undefined) ?? {}).map((key) => `${name}#/$defs/${key}`),
    ];
    for (const ref of refs) {
      expect(own.has(ref), ref).toBe(true);
      expect(() => own.inspect(ref, {}), ref).not.toThrow();
    }
  });

  it('define each operation in four forms', () => {
    const forms = ['params', 'result', 'request', 'response'];
    const named = (folder: string, operations: readonly string[]) => {
      const rpc = files.find(({ path }) => path === `${folder}/rpc.schema.json`)?.schema['$defs'] as object;
      const wanted = operations.flatMap((operation) => forms.map((form) => `${operation}.${form}`));
      expect(Object.keys(rpc).sort()).toEqual(wanted.sort());
    };
    const push = ['pushSet', 'pushGet', 'pushList', 'pushDelete'];
    named('a2a/0.3.0', ['send', 'stream', 'get', 'cancel', 'subscribe', ...push, 'extendedCard']);
    named('a2a/terminal-bench', ['send', 'get', 'cancel']);
  });
});
