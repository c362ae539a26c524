import { A2AService as service03 } from '@a2a-js/sdk/server/grpc';
import { A2AService as service10 } from 'a2a-sdk-1/server/grpc';
import { describe, expect, test } from 'vitest';
import { a2a03 } from './a2a-0.3.js';
import { a2a10 } from './a2a-1.0.js';
import { codecOf } from './codec.js';
import { fieldFacts } from './registry.js';
import type { PackageTable } from './table.js';

// The tables against the codecs of the published libraries, which are generated from the proto files.

/** What a service of gRPC for Node has of a method. */
interface Published {
  readonly path: string;
  readonly responseStream: boolean;
  readonly requestSerialize: (value: never) => Uint8Array;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Uint8Array;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
}

const scalars: Readonly<Record<string, unknown>> = {
  string: 'text é \u{1f600}',
  int32: 7,
  bool: true,
  bytes: Buffer.from([0, 255, 128]).toString('base64'),
  // Without null: one of the libraries writes 0 in its place.
  Struct: { number: 1.5, list: [true, { inner: 'x' }] },
  Value: { of: ['any', 2, false] },
  Timestamp: '2026-01-02T03:04:05.678Z',
};

/** A message with every field set; `choice`: which field of each oneof. */
function sample(table: PackageTable, message: string, choice: number): Readonly<Record<string, unknown>> {
  const facts = Object.entries(table.messages[message] ?? {}).map(([name, text]) => fieldFacts(name, text));
  const item = (type: string): unknown => {
    if (Object.hasOwn(scalars, type)) return scalars[type];
    const values = Object.keys(table.enums[type] ?? {});
    return values.length > 0 ? values[1 + (choice % (values.length - 1))] : sample(table, type, choice);
  };
  const kept = [...grouped(facts)].flatMap(([oneof, all]) => (oneof === undefined ? all : [all[choice % all.length]]));
  return Object.fromEntries(
    kept.flatMap((field) => {
      if (field === undefined) return [];
      const { jsonName, isList, mapOf, type } = field;
      const value = mapOf === undefined ? item(type) : { key: item(mapOf) };
      return [[jsonName, isList ? [value, value] : value]];
    }),
  );
}

function grouped<T extends { readonly oneof: string | undefined }>(all: readonly T[]): Map<string | undefined, T[]> {
  const found = new Map<string | undefined, T[]>();
  for (const item of all) found.set(item.oneof, [...(found.get(item.oneof) ?? []), item]);
  return found;
}

const packages = [
  ['@a2a-js/sdk 1.3.0', a2a10, service10],
  ['@a2a-js/sdk 0.3.14', a2a03, service03],
] as const;

describe.for(packages)('%s', ([, table, service]) => {
  const codec = codecOf(table);
  const published = Object.values(service as unknown as Readonly<Record<string, Published>>);

  test('has the methods of the table', () => {
    const paths = published.map(({ path, responseStream }) => [path, responseStream]);
    const own = Object.entries(table.methods).map(([name, [, , streams]]) => [
      `/${table.name}.A2AService/${name}`,
      streams === true,
    ]);
    expect(own.sort()).toEqual(paths.sort());
  });

  test.for(Object.entries(table.methods))('reads and writes every field of %s as the table does', ([name, method]) => {
    const its = published.find(({ path }) => path.endsWith(`/${name}`)) as Published;
    const [request, reply] = method;
    const both = [
      [request, (bytes: Buffer) => its.requestSerialize(its.requestDeserialize(bytes) as never)],
      [reply, (bytes: Buffer) => its.responseSerialize(its.responseDeserialize(bytes) as never)],
    ] as const;
    for (const [message, through] of both) {
      for (let choice = 0; choice < 8; choice++) {
        const json = sample(table, message, choice);
        const bytes = codec.encode(message, json);
        if ('fault' in bytes) throw new Error(`${message}: ${bytes.fault}`);
        expect(codec.decode(message, through(Buffer.from(bytes)))).toEqual({
          json,
          unknownFields: [],
          unknownEnums: [],
          unset: [],
          badTimes: [],
        });
      }
    }
  });
});
