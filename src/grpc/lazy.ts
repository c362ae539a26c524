import { a2a03 } from './a2a-0.3.js';
import { a2a10 } from './a2a-1.0.js';
import type { GrpcAnswer, GrpcReply } from './answer.js';
import type { NoMessage, ProtoCodec } from './codec.js';
import { framed, framesIn } from './frames.js';
import type { RpcStatus } from './status.js';
import type { MethodTable, PackageTable } from './table.js';

// The codecs are loaded on use: JSON-RPC and HTTP+JSON need none of them.

interface Loaded {
  readonly mostFields: number;
  readonly write: (status: RpcStatus) => Uint8Array;
  readonly codec: (table: PackageTable) => ProtoCodec;
  readonly read: (reply: GrpcReply, codec: ProtoCodec, method: MethodTable) => GrpcAnswer;
}
let loaded: Loaded | undefined;

/** Messages that are read of an answer that has one: whether there are more is all that matters. */
const mostInCall = 4;

/** Loads what messages of gRPC need. To be awaited before the first of them is written or read. */
export async function loadGrpc(): Promise<void> {
  if (loaded !== undefined) return;
  const [{ codecOf, mostFields }, { readStatus, writeStatus }, { readAnswer }] = await Promise.all([
    import('./codec.js'),
    import('./status.js'),
    import('./answer.js'),
  ]);
  const codecs = new Map<PackageTable, ProtoCodec>();
  loaded = {
    mostFields,
    write: writeStatus,
    codec(table) {
      const known = codecs.get(table) ?? codecOf(table);
      codecs.set(table, known);
      return known;
    },
    read: (reply, codec, [, message, kind]) =>
      readAnswer(reply, codec, message, readStatus, {
        mostFields,
        mostMessages: kind === undefined ? mostInCall : Number.POSITIVE_INFINITY,
      }),
  };
}

/** The codec of a package. Throws unless `loadGrpc` has been awaited. */
export function grpcCodec(table: PackageTable): ProtoCodec {
  if (loaded === undefined) throw new Error('loadGrpc has not been awaited');
  return loaded.codec(table);
}

const tables: readonly PackageTable[] = [a2a10, a2a03];

/** A method and the package that it belongs to. */
export interface MethodPlace {
  readonly table: PackageTable;
  readonly method: MethodTable;
}

/** The method that a path names: "/lf.a2a.v1.A2AService/GetTask". */
export function methodAt(path: string): MethodPlace | undefined {
  const [, service = '', name = ''] = path.split('/');
  const table = tables.find((table) => `${table.name}.A2AService` === service);
  const method = table !== undefined && Object.hasOwn(table.methods, name) ? table.methods[name] : undefined;
  return table === undefined || method === undefined ? undefined : { table, method };
}

/** The body of a request with one message; or why the JSON has no form as one. */
export function grpcRequest(path: string, json: unknown): Uint8Array | NoMessage {
  const at = methodAt(path);
  if (at === undefined) return { fault: `no method has the path ${path}` };
  const bytes = grpcCodec(at.table).encode(at.method[0], json);
  return 'fault' in bytes ? bytes : framed(bytes);
}

/** The bytes of `grpc-status-details-bin`. Throws unless `loadGrpc` has been awaited, and for a detail that has no form. */
export function writeStatus(status: RpcStatus): Uint8Array {
  if (loaded === undefined) throw new Error('loadGrpc has not been awaited');
  return loaded.write(status);
}

/**
 * What an answer to a call of this path says. Messages of a method that the kit does not know have no members that it
 * knows. Undefined: `loadGrpc` has not been awaited.
 */
export function grpcAnswer(path: string, reply: GrpcReply): GrpcAnswer | undefined {
  if (loaded === undefined) return undefined;
  const { table, method } = methodAt(path) ?? { table: a2a10, method: ['Empty', 'Empty'] };
  return loaded.read(reply, grpcCodec(table), method);
}

/** How much there is to read in an answer. */
export interface GrpcLoad {
  readonly messages: number;
  /** Those that are read, at most. */
  readonly fields: number;
}

/** The messages and fields of an answer to a call of this path; none before `loadGrpc` has been awaited. */
export function grpcLoad(path: string, body: Uint8Array): GrpcLoad {
  const at = methodAt(path);
  if (loaded === undefined || at === undefined) return { messages: 0, fields: 0 };
  const codec = grpcCodec(at.table);
  const { mostFields } = loaded;
  const { frames } = framesIn(body);
  const fields = frames.reduce((sum, { data }) => sum + codec.fields(at.method[1], data, mostFields - sum), 0);
  return { messages: frames.length, fields };
}
