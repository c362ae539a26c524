import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { minifySync } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { cases as of03 } from '../schemas/a2a-0.3.0.cases.js';
import { cases as of10 } from '../schemas/a2a-1.0.cases.js';
import * as ofOpenclaw from '../schemas/openclaw.cases.js';
import type { Valid } from '../schemas/samples.js';
import * as ofTerminalBench from '../schemas/terminal-bench.cases.js';
import { valid as payments, invalid as wrongPayments } from '../schemas/x402.cases.js';
import { cases as ofXpr } from '../schemas/xpr.cases.js';
import { dialects } from '../src/dialect/index.js';
import { idOf, readSchemas, resolve } from '../src/ledger/index.js';
import { codeOf, formats, newAjv } from '../src/ledger/schema-code.js';

// The validators that the build stores as code: they are made of the schemas as these are now, and judge as ajv does.

const stored = (folder: string): string =>
  fileURLToPath(new URL(`../dist/schemas/compiled/${folder}.cjs`, import.meta.url));
const folders = [...new Set([...dialects.map(({ schemas }) => schemas), 'x402'])];

/** As `scripts/build.js` stores code. */
const shortened = (code: string): string =>
  minifySync('code.cjs', code, { module: false, compress: false, mangle: { toplevel: true } }).code;

it.each(folders)('%s is stored as its schemas say', (folder) => {
  const isSame = readFileSync(stored(folder), 'utf8') === shortened(codeOf(folder));
  expect(isSame, 'npm run build stores them anew').toBe(true);
});

/** The validators that ajv compiles at run time. */
function compiledNow(folder: string): (ref: string) => ValidateFunction | undefined {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true, ownProperties: true });
  for (const [name, test] of Object.entries(formats)) ajv.addFormat(name, test);
  for (const keyword of ['x-rule', 'x-nulls', 'x-open']) ajv.addKeyword(keyword);
  for (const [id, schema] of readSchemas(folder)) ajv.addSchema(schema as object, id);
  return (ref) => ajv.getSchema(idOf(folder, ref));
}

/** What findings are made of. */
const shown = (errors: readonly ErrorObject[] | null | undefined) =>
  (errors ?? []).map(({ keyword, instancePath, params, message, parentSchema, data }) => ({
    keyword,
    instancePath,
    params,
    message,
    parentSchema,
    data,
  }));

const sorted = (all: ReturnType<typeof shown>) => all.map((item) => JSON.stringify(item)).sort();

const documents03: readonly Valid[] = Object.values(of03()).flat();
type Own = readonly [name: string, ref: string, document: unknown, ...more: readonly unknown[]];
/** The dialect's own documents, and those of 0.3: each is as good as any other to compare with. */
const amid03 = (own: readonly Own[]): readonly Valid[] => [
  ...own.map(([name, ref, document]) => ({ name, ref, document })),
  ...documents03,
];
const documents: Readonly<Record<string, readonly Valid[]>> = {
  'a2a/0.2.6': documents03,
  'a2a/0.3.0': documents03,
  'a2a/1.0': Object.values(of10()).flat(),
  'a2a/openclaw': amid03([...ofOpenclaw.accepted, ...ofOpenclaw.filed]),
  'a2a/terminal-bench': amid03([...ofTerminalBench.accepted, ...ofTerminalBench.filed]),
  'a2a/xpr': Object.values(ofXpr()).flat(),
  x402: [...payments, ...wrongPayments],
};

describe.each(folders)('the validators of %s', (folder) => {
  const schemas = readSchemas(folder);
  const at = (id: string) => resolve(schemas, id);
  type Made = (...args: unknown[]) => Readonly<Record<string, ValidateFunction>>;
  const validators = (createRequire(import.meta.url)(stored(folder)) as Made)(at, formats, () => undefined);
  const now = compiledNow(folder);
  const cases = (documents[folder] ?? []).filter(({ ref }) => now(ref) !== undefined);

  it('find the same in each document as ajv at run time', () => {
    expect(cases.length).toBeGreaterThan(50);
    let wrong = 0;
    for (const { ref, name, document } of cases) {
      const validate = validators[idOf(folder, ref)];
      const expected = now(ref);
      expect(validate?.call({ keys: new Set() }, document), `${ref} ${name}`).toBe(expected?.(document));
      if ((expected?.errors ?? []).length > 0) wrong++;
      expect(sorted(shown(validate?.errors)), `${ref} ${name}`).toEqual(sorted(shown(expected?.errors)));
    }
    expect(wrong).toBeGreaterThan(20);
  });

  it('refer to the schemas that they are given', () => {
    const own = new Set<unknown>();
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      own.add(value);
      for (const inner of Object.values(value)) walk(inner);
    };
    for (const schema of schemas.values()) walk(schema);
    for (const { ref, document } of cases) {
      const validate = validators[idOf(folder, ref)];
      validate?.call({ keys: new Set() }, document);
      for (const { parentSchema } of validate?.errors ?? []) expect(own.has(parentSchema)).toBe(true);
    }
  });
});

it.each(['unevaluatedProperties', 'unevaluatedItems'])('a schema with %s does not compile', (keyword) => {
  expect(() => newAjv().compile({ [keyword]: false })).toThrow(`unknown keyword: "${keyword}"`);
});
