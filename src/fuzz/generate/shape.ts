import { fileOf, resolve } from '../../ledger/index.js';
import { isObject, isString, type JsonObject, strings } from '../../model/index.js';
import type { Value } from '../case/case.js';
import { holds, mentionedIn, subsetsOf } from '../case/presence.js';

// A schema of a request as a tree: references followed, conditions turned into the forms that an object can have.

/** The values that one place allows. */
export interface Shape {
  /** JSON Schema types; empty: any. */
  readonly types: readonly string[];
  readonly enum?: readonly Value[];
  readonly const?: Value;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Shape;
  /** The forms that an object can have, such as a text part and a file part. */
  readonly forms: readonly Form[];
}

/** One way to fill an object. */
export interface Form {
  /** For people and keys: `kind=text`, `raw`; '' where there is one form only. */
  readonly name: string;
  readonly members: Readonly<Record<string, Member>>;
  /** Sets of members that this object must not have together, or must not lack together: what breaks its shape. */
  readonly broken: readonly Broken[];
}
export interface Member {
  readonly shape: Shape;
  readonly required: boolean;
  /** This form always has it, although the object could have another form without it. */
  readonly always: boolean;
}
/** A wrong choice of members that exclude or demand each other: those that are present, those that are absent. */
export interface Broken {
  readonly present: readonly string[];
  readonly absent: readonly string[];
}

interface Source {
  readonly schema: JsonObject;
  readonly base: string;
}
interface Draft {
  readonly keywords: Record<string, unknown>;
  readonly types: string[][];
  readonly properties: Map<string, Source[]>;
  readonly required: Set<string>;
  readonly banned: Set<string>;
  readonly items: Source[];
  /** Which member distinguishes the forms, and what holds for each of its values. */
  readonly tagged: { readonly member: string; readonly value: string; readonly source: Source }[];
  /** Fragments that only say which members are present. */
  readonly presence: JsonObject[];
}

const kept = ['enum', 'const', 'format', 'pattern', 'minLength', 'minItems', 'minimum', 'maximum'];
const isNothing = (schema: unknown): boolean => isObject(schema) && Object.keys(schema).length === 0;

/** An `if` that only tests for an object (or a string), which the type says anyway. */
const isTypeOnly = (condition: JsonObject): boolean => Object.keys(condition).every((name) => name === 'type');

function tagOf(condition: JsonObject): { readonly member: string; readonly value: string } | undefined {
  const [name] = strings(condition['required']);
  const properties = condition['properties'];
  const found = name !== undefined && isObject(properties) ? properties[name] : undefined;
  const value = isObject(found) ? found['const'] : undefined;
  return name !== undefined && isString(value) ? { member: name, value } : undefined;
}

/** The format of `not: { not: { anyOf: [{ format }] } }`, with which a schema gives a format its own message. */
function negatedFormat(schema: JsonObject): string | undefined {
  const inner = isObject(schema['not']) && isObject(schema['not']['not']) ? schema['not']['not']['anyOf'] : undefined;
  const first: unknown = Array.isArray(inner) ? inner[0] : undefined;
  return isObject(first) && isString(first['format']) ? first['format'] : undefined;
}

/** The combining keywords alone. */
function conditionsOf({ allOf: _, required: __, ...rest }: JsonObject): JsonObject {
  return rest;
}

type Schemas = ReadonlyMap<string, JsonObject>;

function collect(schemas: Schemas, { schema, base }: Source, into: Draft): void {
  const gather = (inner: unknown): void => {
    if (isObject(inner)) collect(schemas, { schema: inner, base }, into);
  };
  const { $ref: ref } = schema;
  if (isString(ref)) {
    const id = new URL(ref, base).href;
    const target = resolve(schemas, id);
    if (target === undefined) throw new Error(`no schema ${id}`);
    collect(schemas, { schema: target, base: fileOf(id) }, into);
  }
  for (const name of kept) if (Object.hasOwn(schema, name)) into.keywords[name] = schema[name];
  if (schema['type'] !== undefined) into.types.push([schema['type']].flat().filter(isString));
  if (isObject(schema['properties'])) {
    for (const [name, inner] of Object.entries(schema['properties'])) {
      const sources = into.properties.get(name) ?? [];
      into.properties.set(name, sources);
      if (isObject(inner) && isNothing(inner['not'])) into.banned.add(name);
      else if (isObject(inner)) sources.push({ schema: inner, base });
    }
  }
  for (const name of strings(schema['required'])) into.required.add(name);
  if (isObject(schema['items'])) into.items.push({ schema: schema['items'], base });
  if (Array.isArray(schema['allOf'])) schema['allOf'].forEach(gather);
  const format = negatedFormat(schema);
  if (format !== undefined) into.keywords['format'] = format;
  else if (schema['not'] !== undefined || schema['anyOf'] !== undefined) {
    into.presence.push(conditionsOf(schema));
  }
  const { if: condition, then } = schema;
  if (!isObject(condition)) return;
  const tag = tagOf(condition);
  if (isTypeOnly(condition)) gather(then);
  else if (tag === undefined) into.presence.push(conditionsOf(schema));
  else if (isObject(then)) into.tagged.push({ ...tag, source: { schema: then, base } });
}

function draftOf(schemas: Schemas, sources: readonly Source[]): Draft {
  const draft: Draft = {
    keywords: {},
    types: [],
    properties: new Map(),
    required: new Set(),
    banned: new Set(),
    items: [],
    tagged: [],
    presence: [],
  };
  for (const source of sources) collect(schemas, source, draft);
  return draft;
}

/** Types that all schemas of the place allow; an integer is also a number. */
function commonTypes(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...rest] = lists;
  return rest.reduce<readonly string[]>((types, list) => {
    const both = types.filter((type) => list.includes(type) || (type === 'integer' && list.includes('number')));
    return both.length > 0 ? both : types;
  }, first);
}

/** The tree of the schema with this absolute id. Throws for one that does not exist. */
export function shapeOf(schemas: Schemas, id: string): Shape {
  const schema = resolve(schemas, id);
  if (schema === undefined) throw new Error(`no schema ${id}`);
  return shapeFrom(schemas, [{ schema, base: fileOf(id) }]);
}

function shapeFrom(schemas: Schemas, sources: readonly Source[]): Shape {
  const draft = draftOf(schemas, sources);
  const isTold = draft.properties.size > 0;
  return {
    ...(draft.keywords as Partial<Shape>),
    types: commonTypes(draft.types),
    ...(draft.items.length === 0 ? {} : { items: shapeFrom(schemas, draft.items) }),
    forms: isTold ? formsOf(schemas, sources, draft) : [],
  };
}

function formsOf(schemas: Schemas, sources: readonly Source[], draft: Draft): readonly Form[] {
  if (draft.tagged.length === 0) return formsOfOne(schemas, draft, '');
  return draft.tagged.flatMap(({ member, value, source }) => {
    const variantSource = {
      schema: { properties: { [member]: { const: value } }, required: [member] },
      base: source.base,
    };
    return formsOfOne(schemas, draftOf(schemas, [...sources, source, variantSource]), `${member}=${value}`);
  });
}

function formsOfOne(schemas: Schemas, draft: Draft, name: string): readonly Form[] {
  const mentioned = [...new Set(draft.presence.flatMap(mentionedIn))];
  const isRight = (present: ReadonlySet<string>): boolean => draft.presence.every((members) => holds(members, present));
  const always = [...draft.required];
  const subsets = subsetsOf(mentioned).map((present) => ({
    present,
    right: isRight(new Set([...present, ...always])) && present.every((text) => !draft.banned.has(text)),
  }));
  const broken: readonly Broken[] = [
    ...subsets
      .filter(({ right, present }) => !right && present.length <= 2)
      .map(({ present }) => ({ present, absent: mentioned.filter((text) => !present.includes(text)) })),
    ...[...draft.banned].map((text) => ({ present: [text], absent: [] })),
  ];
  const rightOnes = subsets.filter(({ right }) => right);
  // Only the smallest forms: where one content is enough, a second one is disputed (AMBX-06).
  const isLeast = (present: readonly string[]): boolean =>
    !rightOnes.some(
      (other) => other.present.length < present.length && other.present.every((text) => present.includes(text)),
    );
  return rightOnes
    .filter(({ present }) => isLeast(present))
    .map(({ present }) => {
      const besides = (text: string) => new Set([...present, ...always].filter((other) => other !== text));
      const hidden = new Set([...mentioned.filter((text) => !present.includes(text)), ...draft.banned]);
      const members = [...draft.properties].filter(([text]) => !hidden.has(text));
      return {
        name: [name, ...present].filter((text) => text !== '').join(' '),
        members: Object.fromEntries(
          members.map(([text, inner]) => [
            text,
            {
              shape: shapeFrom(schemas, inner),
              required: draft.required.has(text) || (present.includes(text) && !isRight(besides(text))),
              always: present.includes(text),
            },
          ]),
        ),
        broken,
      };
    });
}
