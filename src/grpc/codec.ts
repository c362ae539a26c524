import {
  clearField,
  type DescField,
  type DescMessage,
  fromBinary,
  fromJson,
  isFieldSet,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { EmptySchema, StructSchema, type Timestamp, TimestampSchema, ValueSchema } from '@bufbuild/protobuf/wkt';
import { isObject } from '../model/index.js';
import { type FieldFacts, fieldFacts, registryOf } from './registry.js';
import type { PackageTable } from './table.js';

/** Why a JSON value has no form as a message, or bytes are none: one line. */
export interface NoMessage {
  readonly fault: string;
  /** A limit of the kit stopped it: the bytes may be right. */
  readonly isLimit?: true;
}

/** What a strict reader sees in a message beside its JSON form; empty lists: nothing. Paths as in JSON: "status.state". */
export interface Oddities {
  /** Fields that the version does not have, by their numbers: "artifacts.0.#1000". */
  readonly unknownFields: readonly string[];
  /** Enums with a number that the version does not have. */
  readonly unknownEnums: readonly string[];
  /** Fields that the version requires, and that are not set. An unset text and an empty one are the same. */
  readonly unset: readonly string[];
  /** Timestamps outside the years 1 to 9999, or with nanos outside one second. The JSON form leaves them out. */
  readonly badTimes: readonly string[];
}

export interface DecodedMessage extends Oddities {
  /** ProtoJSON, without fields that are not set; required lists, numbers and texts that may be empty are always there. */
  readonly json: unknown;
}

export interface EncodeOptions {
  /** Members that the message does not have are left out. */
  readonly lenient?: boolean;
}

export interface DecodeOptions {
  /** Most levels of nested messages. Default 500. */
  readonly deepest?: number;
  /**
   * Most fields, those of inner messages too. Default 50,000: each costs many times its two bytes once it is read.
   * Infinity: the caller has counted them.
   */
  readonly mostFields?: number;
}

/** Messages of one package, between JSON and bytes. */
export interface ProtoCodec {
  readonly table: PackageTable;
  /** The bytes of a JSON value. Members that the message does not have, and wrong types, have none. */
  encode(message: string, json: unknown, options?: EncodeOptions): Uint8Array | NoMessage;
  /** Reads strictly: texts must be UTF-8, wire types must fit. Depth is limited. Never throws. */
  decode(message: string, bytes: Uint8Array, options?: DecodeOptions): DecodedMessage | NoMessage;
  /**
   * How many fields a message has, those of inner messages too, up to `most`; of bytes that are not a message those
   * before the fault.
   */
  fields(message: string, bytes: Uint8Array, most?: number): number;
}

/**
 * Most levels of nested messages that are read, and that are written. A level of a Struct is two of messages, and an agent
 * may repeat what the kit nested 100 levels deep: libraries stop at 100 to 10000. An agent has to refuse what is too deep.
 */
const deepestRead = 500;
const deepestWritten = 1000;
/** Most fields that are read of one answer. */
export const mostFields = 50_000;
/** Most entries of each list of oddities. */
const mostOddities = 20;

const lineOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 300) ?? '';

function attempt<T>(work: () => T): T | NoMessage {
  try {
    return work();
  } catch (error) {
    const fault = lineOf(error);
    return { fault, ...(fault.includes('maximum recursion depth') ? { isLimit: true } : {}) };
  }
}

/** Empty values of scalars in ProtoJSON. */
const zeros: Readonly<Record<string, unknown>> = { string: '', int32: 0, bool: false, bytes: '' };

/** Required texts that may be empty, by their names in the proto: an unset id, URL or name is missing, and no text. */
const mayBeEmpty: ReadonlySet<string> = new Set(['description', 'next_page_token']);

/** What is known of the fields of each message of a table, read once: an answer may have 50,000 objects. */
interface Facts {
  /** Fields in which something is missing in the JSON form, or may be, by message. */
  readonly open: ReadonlyMap<string, readonly FieldFacts[]>;
  /** Names in the proto, by message. */
  readonly required: ReadonlyMap<string, ReadonlySet<string>>;
  readonly empty: ReadonlyMap<FieldFacts, unknown>;
}

/** The value of a required field that is not set, and may be empty; undefined: it stays away. */
function emptyOf(name: string, { type, isList, mapOf, isRequired, oneof }: FieldFacts): unknown {
  if (!isRequired || oneof !== undefined) return undefined;
  if (isList) return [];
  if (mapOf !== undefined) return {};
  return type !== 'string' || mayBeEmpty.has(name) ? zeros[type] : undefined;
}

function factsOf(table: PackageTable): Facts {
  const open = new Map<string, readonly FieldFacts[]>();
  const required = new Map<string, ReadonlySet<string>>();
  const empty = new Map<FieldFacts, unknown>();
  for (const [message, fields] of Object.entries(table.messages)) {
    const all = Object.entries(fields).map(([name, text]) => ({ name, facts: { ...fieldFacts(name, text) } }));
    for (const { name, facts } of all) empty.set(facts, emptyOf(name, facts));
    const isOpen = (facts: FieldFacts): boolean =>
      empty.get(facts) !== undefined || Object.hasOwn(table.messages, facts.mapOf ?? facts.type);
    open.set(
      message,
      all.flatMap(({ facts }) => (isOpen(facts) ? [facts] : [])),
    );
    required.set(message, new Set(all.flatMap(({ name, facts }) => (facts.isRequired ? [name] : []))));
  }
  return { open, required, empty };
}

/** Adds required fields that have no presence of their own, and may be empty, to a JSON form. */
function withRequired(json: unknown, message: string, facts: Facts): unknown {
  const fields = facts.open.get(message);
  if (fields === undefined || !isObject(json)) return json;
  const whole: Record<string, unknown> = { ...json };
  for (const field of fields) {
    const { type, isList, mapOf, jsonName } = field;
    const found = whole[jsonName];
    const inner = mapOf ?? type;
    if (found === undefined) {
      const empty = facts.empty.get(field);
      // Each message has a list and a map of its own.
      if (empty !== undefined) whole[jsonName] = isList ? [] : mapOf === undefined ? empty : {};
    } else if (isList && Array.isArray(found)) {
      whole[jsonName] = found.map((item: unknown) => withRequired(item, inner, facts));
    } else if (mapOf !== undefined && isObject(found)) {
      whole[jsonName] = Object.fromEntries(
        Object.entries(found).map(([key, member]) => [key, withRequired(member, inner, facts)]),
      );
    } else whole[jsonName] = withRequired(found, inner, facts);
  }
  return whole;
}

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z (google/protobuf/timestamp.proto), seconds. */
const firstSecond = -62_135_596_800;
const lastSecond = 253_402_300_799;
const isTime = ({ seconds, nanos }: Timestamp): boolean =>
  Number(seconds) >= firstSecond && Number(seconds) <= lastSecond && nanos >= 0 && nanos <= 999_999_999;

/** Where the members of a message are, as the library keeps them: those of a oneof are one member. */
interface Members extends Message {
  readonly [name: string]: unknown;
}

function heldBy(message: Members, { oneof, localName }: DescField): unknown {
  return oneof === undefined ? message[localName] : (message[oneof.localName] as { readonly value: unknown }).value;
}

/** Whether the library keeps a field as plain JSON, in which nothing is left to find. */
const isPlain = ({ message, parent }: DescField): boolean =>
  message?.typeName === StructSchema.typeName && parent.typeName !== ValueSchema.typeName;

/** What is found in a message, and what is needed to find it. */
interface Search {
  readonly table: PackageTable;
  readonly facts: Facts;
  readonly found: Required<Mutable>;
}

const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function add(list: string[], path: string, name: string): void {
  if (list.length < mostOddities) list.push(within(path, name));
}

const isUnknown = (field: DescField, value: unknown): boolean =>
  field.enum !== undefined && typeof value === 'number' && field.enum.value[value] === undefined;

function inspectList(list: readonly unknown[], field: DescField, path: string, search: Search): void {
  for (const [index, item] of list.entries()) {
    if (field.message !== undefined)
      inspect(item as Members, field.message, within(path, `${field.jsonName}.${index}`), search);
    else if (isUnknown(field, item)) add(search.found.unknownEnums, path, `${field.jsonName}.${index}`);
  }
}

function inspectSet(message: Members, field: DescField, path: string, search: Search): void {
  const { fieldKind, jsonName, message: inner } = field;
  const { found } = search;
  const value = heldBy(message, field);
  if (fieldKind === 'enum') {
    if (isUnknown(field, value)) add(found.unknownEnums, path, jsonName);
  } else if (fieldKind === 'list') inspectList(value as readonly unknown[], field, path, search);
  else if (inner === undefined) return;
  else if (fieldKind === 'map') {
    for (const [key, member] of Object.entries(value as Readonly<Record<string, Members>>))
      inspect(member, inner, within(path, `${jsonName}.${key}`), search);
  } else if (inner.typeName === TimestampSchema.typeName) {
    if (isTime(value as Timestamp)) return;
    add(found.badTimes, path, jsonName);
    clearField(message, field);
  } else inspect(value as Members, inner, within(path, jsonName), search);
}

/**
 * Notes what a strict reader sees, and takes out timestamps that have no JSON form. Without the reflection of the
 * library, and without functions of its own: an answer may have 50,000 messages.
 */
function inspect(message: Members, desc: DescMessage, path: string, search: Search): void {
  const { table, facts, found } = search;
  if (message.$unknown !== undefined) for (const { no } of message.$unknown) add(found.unknownFields, path, `#${no}`);
  const required = desc.file.proto.package === table.name ? facts.required.get(desc.name) : undefined;
  for (const field of desc.fields) {
    if (isFieldSet(message, field)) {
      if (!isPlain(field)) inspectSet(message, field, path, search);
    } else if (required?.has(field.name) === true) add(found.unset, path, field.jsonName);
  }
}

/** What stands below the number of a field that holds a message: the fields of that one. */
interface Below {
  get(field: number): Below | undefined;
}
const known = new WeakMap<DescMessage, Below>();
function belowOf(desc: DescMessage): Below {
  const before = known.get(desc);
  if (before !== undefined) return before;
  const fields = new Map(desc.fields.map((field) => [field.number, field]));
  const below: Below = {
    get(number) {
      const field = fields.get(number);
      if (field?.message === undefined) return undefined;
      const inner = belowOf(field.message);
      // The value of an entry of a map is its field 2.
      return field.fieldKind === 'map' ? { get: (own) => (own === 2 ? inner : undefined) } : inner;
    },
  };
  known.set(desc, below);
  return below;
}

/** Counts the fields up to a place, and builds nothing: an answer may have a million of them. */
function countUpTo(
  end: number,
  below: Below,
  levels: number,
  counting: { readonly reader: BinaryReader; left: number },
): void {
  const { reader } = counting;
  while (reader.pos < end && counting.left > 0) {
    const [number, wireType] = reader.tag();
    counting.left--;
    const inner = wireType === WireType.LengthDelimited && levels > 0 ? below.get(number) : undefined;
    if (inner === undefined) reader.skip(wireType, number);
    else {
      const innerEnd = Math.min(end, reader.uint32() + reader.pos);
      countUpTo(innerEnd, inner, levels - 1, counting);
      reader.pos = innerEnd;
    }
  }
}

function fieldsIn(below: Below, bytes: Uint8Array, most: number, levels: number): number {
  const counting = { reader: new BinaryReader(bytes), left: most };
  try {
    countUpTo(bytes.length, below, levels, counting);
  } catch {
    // Who reads the message finds the same fault.
  }
  return most - counting.left;
}

type Mutable = { -readonly [Name in keyof Oddities]: string[] };

/** The messages of a package. Throws for a table that is none. */
export function codecOf(table: PackageTable): ProtoCodec {
  const types = registryOf(table);
  const facts = factsOf(table);
  const descOf = (message: string): DescMessage => {
    const desc = message === 'Empty' ? EmptySchema : types.getMessage(`${table.name}.${message}`);
    if (desc === undefined) throw new Error(`${table.name} has no message ${message}`);
    return desc;
  };
  return {
    table,
    encode(message, json, { lenient = false } = {}) {
      const desc = descOf(message);
      const options = { recursionLimit: deepestWritten, ignoreUnknownFields: lenient };
      return attempt(() => toBinary(desc, fromJson(desc, json as JsonValue, options)));
    },
    fields: (message, bytes, most = Number.MAX_SAFE_INTEGER) =>
      fieldsIn(belowOf(descOf(message)), bytes, most, deepestRead),
    decode(message, bytes, { deepest = deepestRead, mostFields: most = mostFields } = {}) {
      const desc = descOf(message);
      if (most !== Number.POSITIVE_INFINITY && fieldsIn(belowOf(desc), bytes, most + 1, deepest) > most)
        return { fault: `it has more than ${most} fields, more than are read`, isLimit: true };
      return attempt(() => {
        const read = fromBinary(desc, bytes, { recursionLimit: deepest });
        const found: Mutable = { unknownFields: [], unknownEnums: [], unset: [], badTimes: [] };
        inspect(read as Members, desc, '', { table, facts, found });
        return { json: withRequired(toJson(desc, read), message, facts), ...found };
      });
    },
  };
}
