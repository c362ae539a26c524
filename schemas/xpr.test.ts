import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { loadLedger } from '../src/ledger/requirements.js';
import { createInspector } from '../src/ledger/schemas.js';
import { testCases } from './judged-cases.js';
import { changed, rpc, rulesIn } from './samples.js';
import { cases, chainSamples } from './xpr.cases.js';

const here = new URL('./', import.meta.url);
const inspector = createInspector('a2a/xpr');
const chain = createInspector('xpr');
const { valid, invalid } = cases();
const files = ['a2a/xpr', 'xpr'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, here)).map((name) => ({
    path: `${folder}/${name}`,
    schema: JSON.parse(readFileSync(new URL(`${folder}/${name}`, here), 'utf8')) as Record<string, unknown>,
  })),
);

describe('documents of XPR agents', () => {
  it('are many, so that nothing below holds by default', () => {
    expect(valid.length).toBeGreaterThanOrEqual(45);
    expect(invalid.length).toBeGreaterThanOrEqual(120);
    const names = [...valid, ...invalid].map(({ ref, name }) => `${ref} ${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  testCases(inspector, valid, invalid);

  it('have three operations', () => {
    for (const operation of ['send', 'get', 'cancel']) expect(inspector.has(rpc(`${operation}.result`))).toBe(true);
    for (const operation of ['stream', 'list', 'pushSet'])
      expect(inspector.has(rpc(`${operation}.result`))).toBe(false);
  });
});

describe('answers of the chain', () => {
  it.each(chainSamples)('$name', ({ ref, document, places }) => {
    expect(chain.inspect(ref, document).findings).toEqual([]);
    for (const place of places) {
      expect(chain.inspect(ref, changed(document, place)).findings, `without ${place}`).not.toEqual([]);
      expect(chain.inspect(ref, changed(document, place, null)).findings, `null at ${place}`).not.toEqual([]);
    }
  });

  it.each([
    ['get_account', 'account', '/permissions/1/required_auth/keys/0/key', 'alice'],
    ['get_account', 'account', '/permissions/1/required_auth/threshold', 0],
    ['get_account', 'account', '/account_name', 'Alice'],
    ['agents', 'agents', '/rows/0/active', 2],
    ['usersinfo', 'usersinfo', '/rows/0/kyc/0', 'two'],
    ['get_info', 'info', '/chain_id', '384da888'],
    ['get_info', 'info', '/head_block_time', '2024-01-15T10:30:00Z'],
  ])('%s: not every %s has %s', (form, name, place, value) => {
    const document = changed(chainSamples.find((chainSample) => chainSample.name === name)?.document, place, value);
    expect(chain.inspect(`chain.schema.json#/$defs/${form}`, document).findings.map(({ path }) => path)).toContain(
      place,
    );
  });
});

describe.each(['xpr', 'xpr-v2'])('the ledger of %s', (id) => {
  const ledger = loadLedger(id);
  const { rows } = ledger;

  it('has a row for every rule of its schemas', () => {
    const named = files.filter(({ path }) => path.startsWith('a2a/')).flatMap(({ schema }) => [...rulesIn(schema)]);
    expect([...new Set(named)].filter((rule) => ledger.row(rule as never) === undefined)).toEqual([]);
  });

  it('has no transport but JSON-RPC, and nothing of what the document lacks', () => {
    const keys = rows.map((row) => row.key ?? row.id);
    expect(keys.filter((key) => /^(stream|sub|push|ext|auth|sig|ver)\.|-(REST|GRPC)-/.test(key))).toEqual([]);
  });

  it('says why nobody judges what is only recorded', () => {
    const recorded = rows.filter((row) => row.key === undefined);
    expect(recorded.length).toBe(5);
    for (const { id: row, level, uncovered } of recorded)
      expect([level, uncovered], row).toEqual(['may', expect.stringMatching(/^recorded/)]);
  });

  it('never demands what only a caller may hope for', () => {
    const text = readFileSync(new URL('requirements/xpr.yaml', here), 'utf8');
    const hoped = [...text.matchAll(/key: (\S+)\n {4}level: (\S+)[\s\S]*?source: (\S+)\n/g)].filter(
      ([, , , from]) => from === 'kit',
    );
    expect(hoped.length).toBeGreaterThan(10);
    expect(hoped.filter(([, , level]) => level !== 'SHOULD')).toEqual([]);
  });
});

it('replays, lone keys and other recipients fail where requests are signed over five lines', () => {
  const [three, five] = [loadLedger('xpr'), loadLedger('xpr-v2')];
  for (const key of ['xpr.replay-same', 'xpr.replay-parallel', 'xpr.replay-twin', 'xpr.threshold'] as const) {
    expect([three.row(key)?.level, five.row(key)?.level]).toEqual(['should', 'must']);
  }
  expect([three.row('xpr.other-audience'), five.row('xpr.a2a-key-refused')]).toEqual([undefined, undefined]);
  expect([three.row('xpr.a2a-key-refused')?.level, five.row('xpr.a2a-key-accepted')?.level]).toEqual(['must', 'must']);
});

it.each(files)('$path is a schema, and has the id of its place', ({ path, schema }) => {
  const ajv = new Ajv2020();
  expect(ajv.validateSchema(schema), ajv.errorsText(ajv.errors)).toBe(true);
  expect(schema['$id']).toBe(`a2a-tck:///schemas/${path}`);
});
