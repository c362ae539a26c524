import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { EmptySchema, type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { isObject } from '../model/index.js';
import { fieldFacts, registryOf } from './registry.js';
import type { PackageTable } from './table.js';

/** Why a JSON value has no form as a message, or bytes are none: one line. */
export interface NoMessage {
  readonly fault: string;
}

/** What a strict reader sees in a message beside its JSON form; empty lists: nothing. Paths as in JSON: "status.state". */
export interface Oddities {
  /** Fields that the version does not have, by their numbers: "artifacts.0.#1000". */
  readonly unknownFields: readonly string[];
  /** Enums with a number that the version does not have. */
  readonly unknownEnums: readonly string[];
  /** Fields that the version requires, and that are not set. An unset text and an empty one are the same. */
  readonly unset: readonly string[];
  /** Timestamps outside the years 1 to 9999, or with nanos that are no part of a second. The JSON form leaves them out. */
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
  /** Most fields, those of inner messages too. Default 50,000: each costs many times its two bytes once it is read. */
  readonly mostFields?: number;
}

/** Messages of one package, between JSON and bytes. */
export interface ProtoCodec {
  readonly table: PackageTable;
  /** The bytes of a JSON value. Members that the message does not have, and wrong types, have none. */
  encode(message: string, json: unknown, options?: EncodeOptions): Uint8Array | NoMessage;
  /** Reads strictly: texts must be UTF-8, wire types must fit. Depth is limited. Never throws. */
  decode(message: string, bytes: Uint8Array, options?: DecodeOptions): DecodedMessage | NoMessage;
  /** How many fields a message has, those of inner messages too, up to `most`; of bytes that are no message those before the fault. */
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
    return { fault: lineOf(error) };
  }
}

/** Empty values of scalars in ProtoJSON. */
const zeros: Readonly<Record<string, unknown>> = { string: '', int32: 0, bool: false, bytes: '' };

/** Required texts that may be empty, by their names in the proto: an unset id, URL or name is missing, and no text. */
const mayBeEmpty: ReadonlySet<string> = new Set(['description', 'next_page_token']);

/** Adds required fields that have no presence of their own, and may be empty, to a JSON form. */
function withRequired(json: unknown, message: string, table: PackageTable): unknown {
  const fields = table.messages[message];
  if (fields === undefined || !isObject(json)) return json;
  const whole: Record<string, unknown> = { ...json };
  for (const [name, text] of Object.entries(fields)) {
    const { type, isList, mapOf, isRequired, oneof, jsonName } = fieldFacts(name, text);
    const found = whole[jsonName];
    const inner = mapOf ?? type;
    if (found === undefined) {
      if (!isRequired || oneof !== undefined) continue;
      if (isList) whole[jsonName] = [];
      else if (mapOf !== undefined) whole[jsonName] = {};
      else if (Object.hasOwn(zeros, type) && (type !== 'string' || mayBeEmpty.has(name))) whole[jsonName] = zeros[type];
    } else if (isList && Array.isArray(found)) {
      whole[jsonName] = found.map((one: unknown) => withRequired(one, inner, table));
    } else if (mapOf !== undefined && isObject(found)) {
      whole[jsonName] = Object.fromEntries(
        Object.entries(found).map(([key, one]) => [key, withRequired(one, inner, table)]),
      );
    } else whole[jsonName] = withRequired(found, inner, table);
  }
  return whole;
}

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z (google/protobuf/timestamp.proto), seconds. */
const firstSecond = -62_135_596_800;
const lastSecond = 253_402_300_799;
const isTime = ({ seconds, nanos }: Timestamp): boolean =>
  Number(seconds) >= firstSecond && Number(seconds) <= lastSecond && nanos >= 0 && nanos <= 999_999_999;

/** Notes what a strict reader sees, and takes out timestamps that have no JSON form. */
function inspect(message: ReflectMessage, path: string, table: PackageTable, found: Required<Mutable>): void {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const add = (list: string[], one: string): void => {
    if (list.length < mostOddities) list.push(one);
  };
  for (const { no } of (message.message as Message).$unknown ?? []) add(found.unknownFields, at(`#${no}`));
  const facts = table.messages[message.desc.name];
  for (const field of message.fields) {
    const text = message.desc.file.proto.package === table.name ? facts?.[field.name] : undefined;
    const isRequired = text !== undefined && fieldFacts(field.name, text).isRequired;
    if (!message.isSet(field)) {
      if (isRequired) add(found.unset, at(field.jsonName));
      continue;
    }
    const value: unknown = message.get(field as never);
    const enumFault = (one: unknown, where: string): void => {
      const known = field.enum?.value;
      if (known !== undefined && typeof one === 'number' && known[one] === undefined) add(found.unknownEnums, where);
    };
    if (field.message?.typeName === TimestampSchema.typeName && field.fieldKind === 'message') {
      if (isTime((value as ReflectMessage).message as Timestamp)) continue;
      add(found.badTimes, at(field.jsonName));
      message.clear(field);
    } else if (field.fieldKind === 'enum') enumFault(value, at(field.jsonName));
    else if (field.fieldKind === 'message') inspect(value as ReflectMessage, at(field.jsonName), table, found);
    else if (field.fieldKind === 'list') {
      let index = 0;
      for (const one of value as Iterable<unknown>) {
        const where = at(`${field.jsonName}.${index++}`);
        if (field.listKind === 'message') inspect(one as ReflectMessage, where, table, found);
        else if (field.listKind === 'enum') enumFault(one, where);
      }
    } else if (field.fieldKind === 'map' && field.mapKind === 'message') {
      for (const [key, one] of value as Iterable<readonly [unknown, unknown]>)
        inspect(one as ReflectMessage, at(`${field.jsonName}.${String(key)}`), table, found);
    }
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
      if (fieldsIn(belowOf(desc), bytes, most + 1, deepest) > most)
        return { fault: `it has more than ${most} fields, more than are read` };
      return attempt(() => {
        const read = fromBinary(desc, bytes, { recursionLimit: deepest });
        const found: Mutable = { unknownFields: [], unknownEnums: [], unset: [], badTimes: [] };
        inspect(reflect(desc, read), '', table, found);
        return { json: withRequired(toJson(desc, read), message, table), ...found };
      });
    },
  };
}
