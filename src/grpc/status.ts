import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { isObject, member, stringMember } from '../model/index.js';
import { codecOf, type NoMessage, type ProtoCodec } from './codec.js';
import { googleRpc } from './google-rpc.js';

/** A google.rpc.Status, its details as ProtoJSON has them: with `@type`. */
export interface RpcStatus {
  readonly code: number;
  readonly message: string;
  /** A detail of an unknown type, or that cannot be read, has its bytes as `value`, in base64. */
  readonly details: readonly Readonly<Record<string, unknown>>[];
}

const urlPrefix = 'type.googleapis.com/';

let known: ProtoCodec | undefined;
const rpc = (): ProtoCodec => {
  known ??= codecOf(googleRpc);
  return known;
};

/** The messages of google.rpc that a detail may be. */
const detailTypes: ReadonlySet<string> = new Set(['ErrorInfo', 'BadRequest', 'DebugInfo']);
const typeOf = (url: string): string | undefined => {
  const name = url.startsWith(`${urlPrefix}google.rpc.`) ? url.slice(`${urlPrefix}google.rpc.`.length) : '';
  return detailTypes.has(name) ? name : undefined;
};

function detailOf(typeUrl: string, value: Uint8Array): Readonly<Record<string, unknown>> {
  const type = typeOf(typeUrl);
  const read = type === undefined ? undefined : rpc().decode(type, value);
  if (read !== undefined && 'json' in read && isObject(read.json)) return { '@type': typeUrl, ...read.json };
  return { '@type': typeUrl, value: Buffer.from(value).toString('base64') };
}

/** Reads the bytes of `grpc-status-details-bin`. Never throws. */
export function readStatus(bytes: Uint8Array): RpcStatus | NoMessage {
  const read = rpc().decode('RawStatus', bytes);
  if ('fault' in read) return read;
  const { json } = read;
  const details = member(json, 'details');
  const anys = Array.isArray(details) ? details : [];
  try {
    return {
      code: Number(member(json, 'code') ?? 0),
      message: stringMember(json, 'message') ?? '',
      details: anys.map((item: unknown) => {
        const any = fromBinary(AnySchema, Buffer.from(String(item), 'base64'));
        return detailOf(any.typeUrl, any.value);
      }),
    };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** The bytes of a status; a detail is an object with `@type`, and `value` in base64 where the type is not known. */
export function writeStatus({ code, message, details }: RpcStatus): Uint8Array {
  const anys = details.map((detail) => {
    const { '@type': typeUrl, ...json } = detail;
    const type = typeOf(String(typeUrl));
    const written =
      type === undefined ? Buffer.from(String(detail['value'] ?? ''), 'base64') : rpc().encode(type, json);
    if ('fault' in written) throw new Error(written.fault);
    const any = toBinary(AnySchema, {
      $typeName: 'google.protobuf.Any',
      typeUrl: String(typeUrl),
      value: Uint8Array.from(written),
    });
    return Buffer.from(any).toString('base64');
  });
  const bytes = rpc().encode('RawStatus', { code, message, details: anys });
  if ('fault' in bytes) throw new Error(bytes.fault);
  return bytes;
}
