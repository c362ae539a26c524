import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadLedger } from '../src/ledger/requirements.js';
import { createInspector } from '../src/ledger/schemas.js';
import { accepted, filed } from './openclaw.cases.js';
import { rpc } from './samples.js';

const inspector = createInspector('a2a/openclaw');
const ledger = loadLedger('openclaw');

describe('the OpenClaw schemas', () => {
  it.each(accepted)('accept %s', (_name, ref, document) => {
    expect(inspector.inspect(ref, document).findings).toEqual([]);
  });

  it.each(filed)('file %s', (_name, ref, document, rule, path) => {
    const { findings } = inspector.inspect(ref, document);
    expect(findings.map((finding) => [finding.rule, finding.path])).toEqual([[rule, path]]);
  });

  it('compile as a whole, and name rules of the ledger only', () => {
    const names = readdirSync(new URL('./a2a/openclaw/', import.meta.url));
    expect(names.length).toBe(8);
    for (const name of names) expect(() => inspector.inspect(name, {}), name).not.toThrow();
    const visited = accepted.flatMap(([, ref, document]) => [...inspector.inspect(ref, document).visited]);
    expect(visited.filter((key) => ledger.row(key as never) === undefined)).toEqual([]);
  });

  it('have a list, but no push and no extended card', () => {
    expect(inspector.has(rpc('list.result'))).toBe(true);
    for (const operation of ['pushSet', 'extendedCard']) expect(inspector.has(rpc(`${operation}.result`))).toBe(false);
  });
});

describe.each(['terminal-bench', 'openclaw'])('the ledger of %s', (id) => {
  const { rows } = loadLedger(id);

  it('has each key once, and the document’s own rows', () => {
    const keys = rows.flatMap(({ key }) => key ?? []);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect(rows.filter((row) => /^(TB|OC)-/.test(row.id)).length).toBeGreaterThan(40);
    expect(rows.filter((row) => /-(REST|GRPC)-/.test(row.id))).toEqual([]);
  });
});
