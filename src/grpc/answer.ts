import type { ProtoCodec } from './codec.js';
import { rpcCodes } from './codes.js';
import { framesIn, isWhole } from './frames.js';
import type { RpcStatus } from './status.js';

/** Headers as they came. */
type Headers = readonly (readonly [name: string, value: string])[];

/** An answer of gRPC as it came over HTTP/2. */
export interface GrpcReply {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined: none came. */
  readonly trailers: Headers | undefined;
  readonly body: Uint8Array;
}

/** How a call ended. */
export interface GrpcEnd {
  /** Undefined: no `grpc-status` came, or it is not a number from 0 to 16. */
  readonly code: number | undefined;
  /** `grpc-status` as it came. */
  readonly rawStatus: string | undefined;
  /** `grpc-message`, decoded. */
  readonly message: string;
  /** Of `grpc-status-details-bin`; undefined: none came. */
  readonly status: RpcStatus | { readonly fault: string } | undefined;
  /** It came in the only header block of the answer. */
  readonly isTrailersOnly: boolean;
}

/** What an answer says: its messages as ProtoJSON, and how it ended. */
export interface GrpcAnswer {
  readonly messages: readonly GrpcMessage[];
  readonly end: GrpcEnd;
  /** Bytes at the end of the body that do not make a whole message. */
  readonly isTruncated: boolean;
}

export type GrpcMessage = ReturnType<ProtoCodec['decode']> & { readonly flag: number };

const fieldIn = (headers: Headers, name: string): string | undefined =>
  headers.find(([found]) => found.toLowerCase() === name)?.[1];

/** `grpc-message` is percent-encoded UTF-8; text that is not encoded stays unchanged. */
function decodedMessage(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads how a call ended. `readStatus`: reads the details. */
export function endOf(
  { headers, trailers, body }: GrpcReply,
  readStatus: (bytes: Uint8Array) => GrpcEnd['status'],
): GrpcEnd {
  const isTrailersOnly = trailers === undefined && body.length === 0;
  const last = trailers ?? (isTrailersOnly ? headers : []);
  const rawStatus = fieldIn(last, 'grpc-status');
  const code =
    rawStatus !== undefined && /^\d{1,2}$/.test(rawStatus) && Number(rawStatus) < rpcCodes.length
      ? Number(rawStatus)
      : undefined;
  const details = fieldIn(last, 'grpc-status-details-bin');
  return {
    code,
    rawStatus,
    message: decodedMessage(fieldIn(last, 'grpc-message') ?? ''),
    status: details === undefined ? undefined : readStatus(Buffer.from(details, 'base64')),
    isTrailersOnly,
  };
}

/** Whether an answer is one of gRPC, by its content type. */
export const isGrpc = (headers: Headers): boolean =>
  /^application\/grpc(\+proto)?($|;)/i.test(fieldIn(headers, 'content-type') ?? '');

/** How much of an answer is read. */
export interface AnswerLimits {
  /** Of all messages together; those after it are faults. */
  readonly mostFields: number;
  /** Messages after it are left out: a call without a stream has one. */
  readonly mostMessages: number;
}

/** Reads a whole answer. `message`: the type of its messages. */
export function readAnswer(
  reply: GrpcReply,
  codec: ProtoCodec,
  message: string,
  readStatus: (bytes: Uint8Array) => GrpcEnd['status'],
  { mostFields, mostMessages }: AnswerLimits,
): GrpcAnswer {
  const { frames, rest } = framesIn(reply.body);
  let room = mostFields;
  const read = (data: Uint8Array): ReturnType<ProtoCodec['decode']> => {
    const count = codec.fields(message, data, room + 1);
    const decoded = codec.decode(message, data, { mostFields: count > room ? room : Number.POSITIVE_INFINITY });
    room = Math.max(0, room - count);
    return decoded;
  };
  return {
    messages: frames
      .filter(isWhole)
      .slice(0, mostMessages)
      .map(({ flag, data }) =>
        flag === 0 ? { ...read(data), flag } : { fault: `its flag is ${flag}: it is compressed`, flag },
      ),
    end: endOf(reply, readStatus),
    isTruncated: rest > 0 || frames.some((frame) => !isWhole(frame)),
  };
}
