import type { AnySchemaObject } from 'ajv';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { ValueScopeName } from 'ajv/dist/compile/codegen/index.js';
import { ajv2020, isGrpcTarget, isHttpUrl, isObject, isUri, type JsonObject } from '../model/index.js';
import { idOf, readSchemas } from './schema-files.js';

// Makes the validators of the schemas in `schemas/` as code. The build stores it, so that a run neither loads ajv nor
// compiles a schema; only the tests, which run from the sources, make it at run time.

/** Functions, not patterns: a pattern that counts in groups of four fails on a file of eight megabytes. */
export const formats = {
  base64: (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  base64url: (text: string): boolean => text.length % 4 !== 1 && /^[A-Za-z0-9_-]+$/.test(text),
  'http-url': isHttpUrl,
  uri: isUri,
  'grpc-target': isGrpcTarget,
};

/**
 * Validators make a new list of all errors so far for each invalid part of a document: ten thousand parts make ten
 * thousand lists. This adds new errors to the same list; nothing else uses the old one. Each place where an error is
 * made becomes one line, without the members that findings do not read, so that the code is half as long.
 */
const addingErrors = (code: string): string =>
  code
    .replaceAll(/vErrors\.concat\(([\w.]+)\)/g, '$1.reduce(add, vErrors)')
    .replaceAll(makingError, 'vErrors = add(vErrors, $2);')
    .replaceAll(/schemaPath:"(?:[^"\\]|\\.)*",/g, '')
    .replaceAll(/,schema:[^\n]*?,parentSchema:/g, ',parentSchema:');
const makingError =
  /const (err\d+) = (.*);\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}/g;
const add = `const add = (all, one) => {
if (all === null) return [one];
all.push(one);
return all;
};`;

/** The compiler of our schemas. */
export function newAjv() {
  const { Ajv2020, _, Name, str } = ajv2020();
  // Our own schemas are checked against the meta schema by the tests, not at each build.
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    ownProperties: true,
    passContext: true,
    validateSchema: false,
    code: { source: true, formats: _`formats`, lines: true },
  });
  // The book-keeping for these would be a part of each validator. No schema of ours has them: one that did would not
  // compile.
  ajv.opts.unevaluated = false;
  for (const keyword of ['unevaluatedProperties', 'unevaluatedItems']) ajv.removeKeyword(keyword);
  for (const [name, test] of Object.entries(formats)) ajv.addFormat(name, test);
  /** The name that validators give to the place of the document under validation. */
  const instancePath = new Name('instancePath');
  ajv.addKeyword({
    keyword: 'x-rule',
    schemaType: 'string',
    // Before the inner schemas, so that the rules of one place are recorded from the outside in.
    before: '$ref',
    // Generated into the validators, because each place of each document runs it. `this` is the `Visits`.
    code({ gen, schema, it: { errorPath } }) {
      gen.code(_`this.keys.add(${schema})`);
      gen.if(_`this.rules !== undefined`, () => {
        gen.code(_`this.rules.push([${str`${instancePath}${errorPath}`}, ${schema}])`);
      });
    },
  });
  ajv.addKeyword({ keyword: 'x-nulls', schemaType: 'string' });
  ajv.addKeyword({
    keyword: 'x-open',
    schemaType: 'string',
    code({ gen, data, schema, it: { topSchemaRef, schemaPath, errorPath } }) {
      const properties = _`${topSchemaRef}${schemaPath}.properties`;
      gen.code(_`openMembers(this, ${data}, ${schema}, ${properties}, ${str`${instancePath}${errorPath}`})`);
    },
  });
  return ajv;
}

/** Every object inside a schema, and its JSON pointer as in a reference. */
function* placesIn(schema: unknown, pointer = ''): Generator<readonly [JsonObject, string]> {
  if (typeof schema !== 'object' || schema === null) return;
  if (isObject(schema)) yield [schema, pointer];
  for (const [name, inner] of Object.entries(schema))
    yield* placesIn(inner, `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
}

/** A validator with its source, which ajv keeps with this option. */
type Sourced = ValidateFunction & {
  readonly source?: {
    readonly validateName: ValueScopeName;
    readonly validateCode: string;
    readonly scopeValues: Readonly<Record<string, ReadonlySet<ValueScopeName>>>;
  };
};

/**
 * The text of a CommonJS module. It exports a function of the schemas, the formats and the judge of `x-open`, which
 * returns the validators of all files of a folder, and of all definitions in them, by their ids. The validators refer
 * to the given schemas, and have no copies of them.
 */
export function codeOf(folder: string): string {
  const schemas = readSchemas(folder);
  const ajv = newAjv();
  const places = new Map<unknown, string>();
  const ids: string[] = [];
  for (const [id, schema] of schemas) {
    ajv.addSchema(schema as AnySchemaObject, id);
    for (const [part, pointer] of placesIn(schema)) places.set(part, pointer === '' ? id : `${id}#${pointer}`);
    if (!id.startsWith(idOf(folder, ''))) continue;
    ids.push(
      id,
      ...Object.keys(isObject(schema['$defs']) ? schema['$defs'] : {}).map((name) => `${id}#/$defs/${name}`),
    );
  }
  const lines: string[] = [];
  const written = new Set<string>();
  /** Names of validators by their schemas: ajv compiles a definition again for each file that refers to it. */
  const names = new Map<unknown, string>();
  function writeValue(name: ValueScopeName): void {
    const ref: unknown = name.value?.ref;
    if (typeof ref === 'function' && 'source' in ref) {
      write(ref as Sourced);
      return;
    }
    if (written.has(name.str)) return;
    written.add(name.str);
    if (name.prefix === 'root' || name.prefix === 'wrapper') {
      const { validate, validateName } = ref as { validate: Sourced; validateName: ValueScopeName };
      lines.push(`const ${name} = { validate: ${validateName} };`);
      write(validate);
      return;
    }
    const place = places.get(ref);
    const value = place === undefined ? name.value?.code : `at(${JSON.stringify(place)})`;
    if (value === undefined) throw new Error(`${name} cannot be written as code`);
    lines.push(`const ${name} = ${value};`);
  }
  function write({ schema, source }: Sourced): void {
    if (source === undefined) throw new Error('a validator has no source');
    const { validateName, validateCode, scopeValues } = source;
    if (written.has(validateName.str)) return;
    written.add(validateName.str);
    const same = names.get(schema);
    if (same !== undefined) {
      lines.push(`const ${validateName} = ${same};`);
      return;
    }
    names.set(schema, validateName.str);
    for (const used of Object.values(scopeValues)) for (const name of used) writeValue(name);
    lines.push(addingErrors(validateCode));
  }
  // Files before their definitions: most of these are compiled with the files then.
  const exported = ids
    .sort((first, second) => Number(first.includes('#')) - Number(second.includes('#')))
    .map((id) => {
      const validate = ajv.getSchema(id) as Sourced | undefined;
      if (validate === undefined) throw new Error(`no schema ${id}`);
      if (!names.has(validate.schema)) write(validate);
      return `${JSON.stringify(id)}: ${names.get(validate.schema)},`;
    });
  return [
    '"use strict";',
    '// Made of the schemas by scripts/build.js. Do not edit.',
    'module.exports = (at, formats, openMembers) => {',
    add,
    ...lines,
    'return {',
    ...exported,
    '};',
    '};',
    '',
  ].join('\n');
}
