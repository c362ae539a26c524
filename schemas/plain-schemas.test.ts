import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { dialects } from '../src/dialect/index.js';
import { loadLedger } from '../src/ledger/index.js';
import { plainSchemas } from '../src/ledger/plain-schemas.js';
import { filesOf } from '../src/ledger/schema-files.js';
import { createInspector } from '../src/ledger/schemas.js';
import { cases as cases03 } from './a2a-0.3.0.cases.js';
import { cases as cases10 } from './a2a-1.0.cases.js';
import type { Valid } from './samples.js';
import { invalid as invalidPayments, valid as validPayments } from './x402.cases.js';
import { cases as casesXpr, chainSamples } from './xpr.cases.js';

// The schemas for editors and other validators: ajv as it is, without options, formats or other schemas.

const folders: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...dialects].reverse().map(({ schemas, version }) => [schemas, version])),
  'json-rpc': 'a2a-1.0',
  x402: 'x402',
  xpr: 'xpr',
};
const all = Object.entries(folders).flatMap(([folder, ledger]) => plainSchemas(folder, loadLedger(ledger)));

/** Documents that the tests of the schemas have, with what is wrong in them. */
function documentsOf(folder: string): readonly Valid[] {
  const both = ({ valid, invalid }: { readonly valid: readonly Valid[]; readonly invalid: readonly Valid[] }) => [
    ...valid,
    ...invalid,
  ];
  if (folder === 'a2a/1.0') return both(cases10());
  if (folder === 'a2a/0.3.0' || folder === 'a2a/0.2.6') return both(cases03());
  if (folder === 'a2a/xpr') return both(casesXpr());
  return folder === 'x402' ? [...validPayments, ...invalidPayments] : [];
}

/** One for each file: its definitions are compiled once. */
const compilers = new Map<string, Ajv2020>();
function validatorFor(folder: string, ref: string): ValidateFunction {
  const [file = '', pointer] = ref.split('#');
  const path = `${folder}/${file}`;
  const schema = all.find((one) => one.path === path)?.schema;
  if (schema === undefined) throw new Error(`no schema ${path}`);
  const ajv = compilers.get(path) ?? new Ajv2020({ logger: false }).addSchema(schema);
  compilers.set(path, ajv);
  const made = ajv.getSchema(`${String(schema['$id'])}${pointer === undefined ? '' : `#${pointer}`}`);
  if (made === undefined) throw new Error(`no schema ${path} ${pointer}`);
  return made;
}

describe('the plain schemas', () => {
  it('are one for each file of the kit', () => {
    const files = Object.keys(folders).flatMap((folder) => filesOf(folder).map((name) => `${folder}/${name}`));
    expect(all.map(({ path }) => path).sort()).toEqual(files.sort());
  });

  it.each(all.map(({ path, schema }) => [path, schema] as const))('%s is complete in itself', (_, schema) => {
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(String(schema['$id'])).toMatch(/^a2a-tck:\/\/\/plain\/.+\.schema\.json$/);
    const text = JSON.stringify(schema);
    expect(text).not.toMatch(/"x-|"format"|"\$ref":"[^#]/);
    // Strict, as it is by default: it warns of nothing either.
    const warnings: unknown[] = [];
    const warn = (text: unknown) => warnings.push(text);
    new Ajv2020({ logger: { log: warn, warn, error: warn } }).compile(schema);
    expect(warnings).toEqual([]);
  });

  it('have ids of their own', () => {
    const ids = all.map(({ schema }) => schema['$id']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('say in a card what each member is for, with the sentence', () => {
    const card = all.find(({ path }) => path === 'a2a/1.0/agent-card.schema.json')?.schema;
    const properties = card?.['properties'] as Record<string, { description?: string }>;
    expect(properties['name']?.description).toMatch(/\(MUST, A2A10-CARD-\d+, 4\.4\.1 AgentCard\)$/);
  });
});

describe.each(Object.entries(folders).filter(([folder]) => documentsOf(folder).length > 0))('%s', (folder, id) => {
  const inspector = createInspector(folder);
  const ledger = loadLedger(id);
  const musts = new Set<string>(ledger.rows.filter(({ level }) => level === 'must').flatMap(({ key }) => key ?? []));
  const documents = documentsOf(folder).filter(({ ref }) => inspector.has(ref));

  it('refuses what breaks a MUST, and nothing else', () => {
    const differ = documents.flatMap(({ ref, name, document }) => {
      const { findings } = inspector.inspect(ref, document);
      // To the kit, null is no value in ProtoJSON; to other validators it is a value of another type.
      if (findings.some(({ rule, message }) => rule === 'data.no-nulls' || message.includes('is null'))) return [];
      const isBroken = findings.some(({ rule }) => rule === 'unruled' || musts.has(rule));
      const validate = validatorFor(folder, ref);
      if (validate(document) === !isBroken) return [];
      const told = isBroken ? findings.map(({ rule, path }) => `${rule}@${path}`) : (validate.errors ?? []);
      return [`${ref} ${name}: ${isBroken ? 'accepted' : 'refused'} ${JSON.stringify(told)}`];
    });
    expect(differ).toEqual([]);
    expect(documents.length).toBeGreaterThan(50);
  });
});

describe('cards', () => {
  const own = new URL('../fixtures/a2a/cards/', import.meta.url);
  const shared = new URL('../../shared/corpus/cards/', import.meta.url);
  const cards = [own, shared].filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const),
  );

  it.each(['a2a/1.0', 'a2a/0.3.0'] as const)('of %s are refused as by the kit', (folder) => {
    const inspector = createInspector(folder);
    const ledger = loadLedger(folders[folder] ?? '');
    const musts = new Set<string>(ledger.rows.filter(({ level }) => level === 'must').flatMap(({ key }) => key ?? []));
    const ref = 'agent-card.schema.json';
    let count = 0;
    for (const [name, text] of cards) {
      let card: unknown;
      try {
        card = JSON.parse(text);
      } catch {
        continue;
      }
      const { findings } = inspector.inspect(ref, card);
      if (findings.some(({ message, rule }) => rule === 'data.no-nulls' || message.includes('is null'))) continue;
      const isBroken = findings.some(({ rule }) => rule === 'unruled' || musts.has(rule));
      expect(validatorFor(folder, ref)(card), name).toBe(!isBroken);
      count += 1;
    }
    expect(count).toBeGreaterThan(8);
  });
});

it('answers of a chain are accepted by theirs', () => {
  for (const { ref, document } of chainSamples) expect(validatorFor('xpr', ref)(document), ref).toBe(true);
});
