import { create, createFileRegistry, type FileRegistry } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  EnumDescriptorProtoSchema,
  EnumValueDescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  MessageOptionsSchema,
  OneofDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import type { PackageTable } from './table.js';

/** Files of the well-known types, by the types that the tables use. */
const wellKnown = {
  Struct: file_google_protobuf_struct,
  Timestamp: file_google_protobuf_timestamp,
  Value: file_google_protobuf_struct,
} as const;

const scalars: Readonly<Record<string, FieldDescriptorProto_Type>> = {
  bool: FieldDescriptorProto_Type.BOOL,
  bytes: FieldDescriptorProto_Type.BYTES,
  int32: FieldDescriptorProto_Type.INT32,
  string: FieldDescriptorProto_Type.STRING,
};

/** A field of a table, read. */
export interface FieldFacts {
  readonly number: number;
  readonly isRequired: boolean;
  readonly isOptional: boolean;
  readonly isList: boolean;
  /** The type of the values of a map with texts as keys; undefined: it is not a map. */
  readonly mapOf: string | undefined;
  readonly type: string;
  readonly jsonName: string;
  readonly oneof: string | undefined;
}

const camel = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const read = new Map<string, FieldFacts>();

/** Reads a field of a table, once. Throws for a text that is none. */
export function fieldFacts(name: string, text: string): FieldFacts {
  const key = `${name} ${text}`;
  const before = read.get(key);
  if (before !== undefined) return before;
  const facts = factsIn(name, text);
  read.set(key, facts);
  return facts;
}

function factsIn(name: string, text: string): FieldFacts {
  const [place = '', ...rest] = text.split(' ');
  const marks = place.replace(/^\d+/, '');
  const words = rest.join(' ');
  const map = words.startsWith('map<') ? words.slice(0, words.indexOf('>') + 1) : undefined;
  const [whole = '', ...more] = map === undefined ? words.split(' ') : [map, ...words.slice(map.length + 1).split(' ')];
  const after = (word: string): string | undefined => (more.includes(word) ? more[more.indexOf(word) + 1] : undefined);
  const number = Number.parseInt(place, 10);
  if (!(number > 0) || whole === '') throw new Error(`no field: ${name} ${text}`);
  return {
    number,
    isRequired: marks.includes('!'),
    isOptional: marks.includes('?'),
    isList: whole.endsWith('[]'),
    mapOf: map?.slice('map<string, '.length, -1),
    type: whole.replace('[]', ''),
    jsonName: after('as') ?? camel(name),
    oneof: after('in'),
  };
}

function typed(type: string, table: PackageTable): Pick<FieldDescriptorProto, 'type' | 'typeName'> {
  const scalar = scalars[type];
  if (scalar !== undefined) return { type: scalar, typeName: '' };
  if (Object.hasOwn(wellKnown, type))
    return { type: FieldDescriptorProto_Type.MESSAGE, typeName: `.google.protobuf.${type}` };
  const isEnum = Object.hasOwn(table.enums, type);
  const own = isEnum ? FieldDescriptorProto_Type.ENUM : FieldDescriptorProto_Type.MESSAGE;
  return { type: own, typeName: `.${table.name}.${type}` };
}

/** "schemes" of SecurityRequirement: the message SchemesEntry inside it, as protoc makes one for each map. */
const entryName = (field: string): string => {
  const name = camel(field);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Entry`;
};

function messageProto(name: string, fields: Readonly<Record<string, string>>, table: PackageTable): DescriptorProto {
  const facts = Object.entries(fields).map(([field, text]) => [field, fieldFacts(field, text)] as const);
  const oneofs = [...new Set(facts.flatMap(([, { oneof }]) => oneof ?? []))];
  // A scalar that knows whether it is there has a oneof of its own.
  const optional = facts.filter(([, { isOptional }]) => isOptional).map(([field]) => field);
  const entries = facts.flatMap(([field, { mapOf }]) =>
    mapOf === undefined
      ? []
      : create(DescriptorProtoSchema, {
          name: entryName(field),
          options: create(MessageOptionsSchema, { mapEntry: true }),
          field: [
            create(FieldDescriptorProtoSchema, {
              name: 'key',
              jsonName: 'key',
              number: 1,
              label: FieldDescriptorProto_Label.OPTIONAL,
              ...typed('string', table),
            }),
            create(FieldDescriptorProtoSchema, {
              name: 'value',
              jsonName: 'value',
              number: 2,
              label: FieldDescriptorProto_Label.OPTIONAL,
              ...typed(mapOf, table),
            }),
          ],
        }),
  );
  return create(DescriptorProtoSchema, {
    name,
    nestedType: entries,
    oneofDecl: [...oneofs, ...optional.map((field) => `_${field}`)].map((text) =>
      create(OneofDescriptorProtoSchema, { name: text }),
    ),
    field: facts.map(([field, { number, isList, isOptional, mapOf, type, jsonName, oneof }]) =>
      create(FieldDescriptorProtoSchema, {
        name: field,
        jsonName,
        number,
        label:
          isList || mapOf !== undefined ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
        ...(mapOf === undefined
          ? typed(type, table)
          : {
              type: FieldDescriptorProto_Type.MESSAGE,
              typeName: `.${table.name}.${name}.${entryName(field)}`,
            }),
        ...(oneof === undefined ? {} : { oneofIndex: oneofs.indexOf(oneof) }),
        ...(isOptional ? { proto3Optional: true, oneofIndex: oneofs.length + optional.indexOf(field) } : {}),
      }),
    ),
  });
}

/** The types of a table, ready to read and write messages. Throws for a table that is not a package. */
export function registryOf(table: PackageTable): FileRegistry {
  const used = new Set(
    Object.values(table.messages).flatMap((fields) =>
      Object.entries(fields).map(([name, text]) => fieldFacts(name, text).type),
    ),
  );
  const files = [...new Set(Object.entries(wellKnown).flatMap(([type, file]) => (used.has(type) ? [file] : [])))];
  const file = create(FileDescriptorProtoSchema, {
    name: `${table.name.replaceAll('.', '/')}.proto`,
    package: table.name,
    syntax: 'proto3',
    dependency: files.map(({ proto }) => proto.name),
    enumType: Object.entries(table.enums).map(([name, values]) =>
      create(EnumDescriptorProtoSchema, {
        name,
        value: Object.entries(values).map(([value, number]) =>
          create(EnumValueDescriptorProtoSchema, { name: value, number }),
        ),
      }),
    ),
    messageType: Object.entries(table.messages).map(([name, fields]) => messageProto(name, fields, table)),
  });
  return createFileRegistry(file, (name) => files.find(({ proto }) => proto.name === name));
}
