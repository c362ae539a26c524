import { isObject, isString, type JsonObject } from '../model/index.js';
import type { Ledger } from './requirements.js';
import { fileOf, idOf, readSchemas, resolve, unruled } from './schema-files.js';

// The schemas for other validators and for editors: plain JSON Schema 2020-12, each in one file. The kit's own keywords
// and formats are gone. What is left refuses a document where a MUST is broken; what SHOULD be is only described.

/** Patterns in place of the kit's formats, which no other validator knows. */
const patterns: Readonly<Record<string, string>> = {
  base64: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  base64url: '^(?:[A-Za-z0-9_-]{4})*[A-Za-z0-9_-]{2,4}$',
  'http-url': '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/"<>\\\\^`{|}][^\\s"<>\\\\^`{|}]*$',
  uri: '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s"<>\\\\^`{|}]+$',
  'grpc-target': '^[^\\s/"<>\\\\^`{|}][^\\s"<>\\\\^`{|}]*$',
};

/** Keywords that refuse a value by themselves. All others apply schemas to parts of it, or say something about it. */
const assertions = new Set([
  'type',
  'const',
  'enum',
  'pattern',
  'format',
  'minLength',
  'minItems',
  'maxItems',
  'minProperties',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'contains',
  'not',
  'anyOf',
]);
/** Keywords of the kit. */
const ours = new Set(['x-rule', 'x-open', 'x-nulls']);
/** Keywords whose schemas are only asked: they refuse nothing. */
const conditions = new Set(['if', 'contains', 'not', 'anyOf']);
const maps = new Set(['properties', '$defs', 'patternProperties']);
const lists = new Set(['allOf', 'anyOf', 'oneOf']);

/** An id as the name of a definition: "json-rpc/request", "a2a/1.0/task#/$defs/x" without what names must not have. */
const nameOf = (id: string): string =>
  id
    .replace(/^a2a-tck:\/\/\/schemas\//, '')
    .replace('.schema.json', '')
    .replaceAll(/[#/$]+/g, '.')
    .replace(/\.$/, '');

const plainId = (id: string): string => id.replace('a2a-tck:///schemas/', 'a2a-tck:///plain/');

interface Maker {
  readonly schemas: ReadonlyMap<string, JsonObject>;
  readonly ledger: Ledger;
  /** The file that is made. */
  readonly file: string;
  /** Definitions of other files that it needs; undefined: being made. */
  readonly taken: Map<string, JsonObject | undefined>;
}

/** Whether a broken place with this rule breaks a MUST. */
const isMust = (rule: string | undefined, ledger: Ledger): boolean =>
  rule === undefined || rule === unruled || ledger.rows.some((row) => row.key === rule && row.level === 'must');

/** For people, in editors: the sentences of a place. */
function described(rule: unknown, ledger: Ledger): string | undefined {
  const rows = ledger.rows.filter(({ key }) => key === rule && rule !== undefined);
  const [row] = rows;
  return row && `${row.statement} (${row.level.toUpperCase()}, ${row.id}, ${row.section})`;
}

/** The rule of a place: its own, that of what it refers to, or that around it. */
function ruleOf(schema: JsonObject, base: string, around: string | undefined, { schemas }: Maker): string | undefined {
  if (isString(schema['x-rule'])) return schema['x-rule'];
  const target = isString(schema['$ref']) ? resolve(schemas, new URL(schema['$ref'], base).href) : undefined;
  return isString(target?.['x-rule']) ? target['x-rule'] : around;
}

/** A reference that stays inside the file: to its own definitions, or to a copy of what another file has. */
function reference(to: string, base: string, rule: string | undefined, maker: Maker): JsonObject {
  const id = new URL(to, base).href;
  const [, pointer = ''] = id.split('#', 2);
  const isOwn = fileOf(id) === maker.file;
  // A copy that stands under a SHOULD refuses nothing.
  const isWeak = !isMust(rule, maker.ledger);
  if (isOwn && !isWeak) return { $ref: `#${pointer}` };
  const target = resolve(maker.schemas, id);
  if (target === undefined) throw new Error(`no schema ${id}`);
  const name = `${nameOf(id)}${isWeak ? `.${rule}` : ''}`;
  if (!maker.taken.has(name)) {
    maker.taken.set(name, undefined);
    const { $schema: _, $id: __, $defs: ___, ...made } = plain(target, fileOf(id), rule, maker) as JsonObject;
    maker.taken.set(name, made);
  }
  return { $ref: `#/$defs/${name}` };
}

/** A condition: the same without the kit's keywords and formats. */
function condition(schema: unknown, base: string, maker: Maker): unknown {
  if (Array.isArray(schema)) return schema.map((item) => condition(item, base, maker));
  if (!isObject(schema)) return schema;
  const made: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (ours.has(keyword)) continue;
    if (keyword === '$ref' && isString(value)) Object.assign(made, reference(value, base, undefined, maker));
    else if (keyword === 'format') made['pattern'] = patterns[String(value)];
    else if (maps.has(keyword) && isObject(value))
      made[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, condition(member, base, maker)]),
      );
    else made[keyword] = typeof value === 'object' ? condition(value, base, maker) : value;
  }
  return withoutUnion(made);
}

function plain(schema: unknown, base: string, around: string | undefined, maker: Maker): unknown {
  if (!isObject(schema)) return schema;
  const { ledger } = maker;
  const rule = ruleOf(schema, base, around, maker);
  const refuses = isMust(rule, ledger);
  const made: Record<string, unknown> = {};
  const inner = (item: unknown): unknown => plain(item, base, rule, maker);
  const text = described(schema['x-rule'], ledger);
  if (text !== undefined) made['description'] = text;
  for (const [keyword, value] of Object.entries(schema)) {
    if (ours.has(keyword) || (assertions.has(keyword) && !refuses)) continue;
    if (keyword === '$ref' && isString(value)) Object.assign(made, reference(value, base, rule, maker));
    else if (keyword === 'format') made['pattern'] = patterns[String(value)];
    else if (keyword === 'required') made[keyword] = requiredIn(schema, base, rule, maker);
    else if (keyword === '$defs' && isObject(value))
      made[keyword] = mapped(value, (item) => plain(item, base, undefined, maker));
    else if (maps.has(keyword) && isObject(value)) {
      // A member that SHOULD be absent would only be offered by editors.
      const kept = Object.entries(value).filter(([, item]) => !isUnwanted(item, base, rule, maker));
      made[keyword] = mapped(Object.fromEntries(kept), inner);
    } else if (conditions.has(keyword)) made[keyword] = condition(value, base, maker);
    else if (lists.has(keyword) && Array.isArray(value)) made[keyword] = value.map(inner);
    else if (isObject(value) && keyword !== 'const') made[keyword] = inner(value);
    else made[keyword] = value;
  }
  return refuses ? withoutUnion(made) : onlyFor(schema['type'], made);
}

/** Keywords that say something about a value, and ask nothing of it. */
const annotations = new Set(['$schema', '$id', '$defs', '$comment', 'title', 'description']);

/** Validators that are strict want the type of a value beside what is asked of its parts. */
function onlyFor(type: unknown, made: JsonObject): JsonObject {
  const parts = Object.entries(made).filter(([keyword]) => !annotations.has(keyword));
  if (!isString(type) || parts.length === 0) return made;
  const about = Object.entries(made).filter(([keyword]) => annotations.has(keyword));
  // Entries, because an object that is written with a member `then` looks like a promise.
  return Object.fromEntries([...about, ['if', { type }], ['then', { type, ...Object.fromEntries(parts) }]]);
}

/** Keywords about values of one type. */
const ofType: Readonly<Record<string, readonly string[]>> = {
  string: ['pattern', 'minLength'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum'],
  number: ['minimum', 'maximum', 'exclusiveMinimum'],
};

/** A list of types as alternatives, each with the keywords about it, which strict validators prefer. */
function withoutUnion(made: JsonObject): JsonObject {
  const { type, ...rest } = made;
  if (!Array.isArray(type) || rest['anyOf'] !== undefined) return made;
  const moved = new Set<string>();
  const anyOf = type.map((item: unknown) => {
    const names = (ofType[String(item)] ?? []).filter((name) => rest[name] !== undefined);
    for (const name of names) moved.add(name);
    return { type: item, ...Object.fromEntries(names.map((name) => [name, rest[name]])) };
  });
  return { ...Object.fromEntries(Object.entries(rest).filter(([name]) => !moved.has(name))), anyOf };
}

/** Whether a member SHOULD be absent, whatever its value. */
function isUnwanted(schema: unknown, base: string, around: string | undefined, maker: Maker): boolean {
  if (!isObject(schema) || !isObject(schema['not']) || Object.keys(schema['not']).length > 0) return false;
  return !isMust(ruleOf(schema, base, around, maker), maker.ledger);
}

const mapped = (value: JsonObject, make: (item: unknown) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, make(member)]));

/** The names whose absence breaks a MUST. */
function requiredIn(schema: JsonObject, base: string, rule: string | undefined, maker: Maker): readonly unknown[] {
  const { required, properties } = schema;
  return (Array.isArray(required) ? required : []).filter((name: unknown) => {
    const place = isObject(properties) && isString(name) ? properties[name] : undefined;
    return isMust(isObject(place) ? ruleOf(place, base, rule, maker) : rule, maker.ledger);
  });
}

/** A file for other validators, and where it goes: `a2a/1.0/agent-card.schema.json`. */
export interface PlainSchema {
  readonly path: string;
  readonly schema: JsonObject;
}

/** The files of a folder below `schemas/`, each complete in itself, by the levels of a ledger. */
export function plainSchemas(folder: string, ledger: Ledger): readonly PlainSchema[] {
  const schemas = readSchemas(folder);
  const own = [...schemas].filter(
    ([id]) => id.startsWith(idOf(folder, '')) && !id.slice(idOf(folder, '').length).includes('/'),
  );
  return own.map(([file, schema]) => {
    const maker: Maker = { schemas, ledger, file, taken: new Map() };
    const made = plain(schema, file, undefined, maker) as JsonObject;
    const { $schema, $id: _, $defs, ...rest } = made;
    const defs = { ...(isObject($defs) ? $defs : {}), ...Object.fromEntries(maker.taken) };
    const path = file.replace('a2a-tck:///schemas/', '');
    return {
      path,
      schema: { $schema, $id: plainId(file), ...rest, ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }) },
    };
  });
}
