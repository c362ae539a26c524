import {
  changedWithin,
  deadlineMs,
  fieldNumber,
  framed,
  framesIn,
  type GrpcAnswer,
  grpcCodec,
  grpcRequest,
  isWhole,
  joinedBytes,
  methodAt,
  type NativeRequest,
  rawBytes,
  rawNumber,
  rawTag,
  reasonSuffix,
  rpcCodes,
  wireTypes,
} from '../../binding/index.js';
import { grpcAnswerOf, type Outcome } from '../../client/index.js';
import { dialectById } from '../../dialect/index.js';
import { brief, canParseUrl, isObject, stringMember } from '../../model/index.js';
import { type Exchange, type Header, header } from '../../wire/index.js';
import type { Recorded } from '../rules/notes.js';
import type { Target } from '../scenes/scene.js';

// What checks of gRPC need: answers as they came, and requests that no client of gRPC sends.

// -- Answers

/** An answer of gRPC as it came. */
export interface GrpcReading extends GrpcAnswer {
  /** The method streams its answer. */
  readonly streams: boolean;
  /** It was read to its end: what is missing was not sent. */
  readonly isWhole: boolean;
  /** The headers that should say how the call ended. */
  readonly last: readonly Header[];
}

/** Any media type of gRPC, also of messages that the kit cannot read. */
const grpcType = /^application\/grpc($|[+;])/i;

/** Whether headers have a content type of gRPC. */
export const hasGrpcType = (headers: readonly Header[]): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === 'content-type' && grpcType.test(value));

/** Reads an exchange as a call of gRPC; undefined: it has no answer of gRPC. */
export function grpcIn(exchange: Exchange): GrpcReading | undefined {
  const { request, response, failure } = exchange;
  if (response === undefined || request.http2 === undefined || !canParseUrl(request.url)) return undefined;
  const { status, headers, trailers, cut } = response;
  if (status !== 200 || !hasGrpcType(headers)) return undefined;
  const answer = grpcAnswerOf(exchange);
  if (answer === undefined) return undefined;
  return {
    ...answer,
    streams: methodAt(new URL(request.url).pathname)?.method[2] === true,
    isWhole: failure === undefined && cut !== true,
    last: trailers ?? (answer.end.isTrailersOnly ? headers : []),
  };
}
/**
 * Whether libraries of gRPC end a call by a reset of its stream: its body is another one than a single whole message, or
 * its deadline was over.
 */
export function mayBeReset({ request: { http2, headers, body = new Uint8Array(0) }, durationMs }: Exchange): boolean {
  if (http2 !== true) return false;
  if (durationMs >= (deadlineMs(header(headers, 'grpc-timeout') ?? '') ?? Number.POSITIVE_INFINITY)) return true;
  const { frames, rest } = framesIn(body);
  return frames.length !== 1 || rest > 0 || !frames.every(isWhole);
}

/** Whether an exchange is a call of gRPC at the interface that is judged. */
export const isGrpcCall = ({ exchange, isCall }: Recorded, { endpoint }: Target): boolean =>
  isCall &&
  exchange.purpose !== 'detection' &&
  exchange.request.http2 === true &&
  canParseUrl(exchange.request.url) &&
  new URL(exchange.request.url).origin === new URL(endpoint).origin;

/** The name of a status: "NOT_FOUND"; for a number that is none, the number. */
export const statusText = (code: number | undefined): string => rpcCodes[code ?? -1] ?? String(code);

/** The statuses that 1.0 gives to an error, by the reason of its google.rpc.ErrorInfo; undefined: it has no such error. */
export function codesOfReason(reason: string): readonly number[] | undefined {
  const known = Object.values(dialectById('a2a-1.0-grpc')?.errors ?? {});
  return known.find(({ http }) => http?.reason === reason)?.grpc;
}

/** What is wrong with the reason of an ErrorInfo (1.0 §10.6, §11.6). */
export function reasonFault(reason: unknown): string | undefined {
  if (typeof reason !== 'string' || !/^[A-Z][A-Z0-9_]*$/.test(reason)) return `reason is ${brief(reason)}`;
  const bare = reason.endsWith(reasonSuffix) ? reason.slice(0, -reasonSuffix.length) : undefined;
  return bare !== undefined && codesOfReason(bare) !== undefined
    ? `reason is ${brief(reason)}, and not ${brief(bare)}`
    : undefined;
}

/** The google.rpc.ErrorInfo in details of an error; undefined: there is none. */
export function errorInfoIn(details: unknown): Record<string, unknown> | undefined {
  const found: unknown = Array.isArray(details)
    ? details.find((detail) => stringMember(detail, '@type') === 'type.googleapis.com/google.rpc.ErrorInfo')
    : undefined;
  return isObject(found) ? found : undefined;
}

/**
 * Whether a refusal is only UNIMPLEMENTED: gRPC itself says so of a method that is not there. With a reason it is an
 * error of A2A.
 */
export const isUnimplemented = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refusal' &&
  outcome.code === rpcCodes.indexOf('UNIMPLEMENTED') &&
  errorInfoIn(outcome.data) === undefined;

/** Whether a part in the form of A2A 1.0 stands where the text of another field should be. */
export function isPartOf10(text: string): boolean {
  const at = methodAt('/lf.a2a.v1.A2AService/SendMessage');
  if (at === undefined || text.charCodeAt(0) >= 0x20) return false;
  const read = grpcCodec(at.table).decode('Part', new TextEncoder().encode(text));
  return 'json' in read && read.unknownFields.length === 0 && isObject(read.json) && Object.keys(read.json).length > 0;
}

// -- Requests

/** A change of a request before it is sent. */
export type NativeChange = (request: NativeRequest) => NativeRequest;

/**
 * The same request with these bytes as its body. Without any, an empty DATA frame ends the request: a client of gRPC
 * never ends it with its headers (grpc/doc/PROTOCOL-HTTP2.md).
 */
export const withBytes =
  (bytes: Uint8Array): NativeChange =>
  (request) => ({ ...request, body: bytes });

const pathOf = ({ url }: NativeRequest): string => new URL(url).pathname;
const messageOf = ({ body }: NativeRequest): Uint8Array =>
  framesIn(body ?? new Uint8Array(0)).frames[0]?.data ?? new Uint8Array(0);

/** The same request with another message, as bytes. `prefix`: what stands before it. */
export const withMessage =
  (change: (message: Uint8Array) => Uint8Array, prefix: { readonly flag?: number } = {}): NativeChange =>
  (request) =>
    withBytes(framed(change(messageOf(request)), prefix))(request);

/** The same request with another message, as ProtoJSON. Throws for JSON that is not a message of the method. */
export const withJson =
  (json: unknown): NativeChange =>
  (request) => {
    const bytes = grpcRequest(pathOf(request), json);
    if ('fault' in bytes) throw new Error(bytes.fault);
    return withBytes(bytes)(request);
  };

/** The same request, sent to another method: `change` gets its path. */
export const withMethod =
  (change: (path: string) => string): NativeChange =>
  (request) => ({ ...request, url: `${new URL(request.url).origin}${change(pathOf(request))}` });

/** A number that no message has a field of, and that no version will give one. */
const unknown = 1000;

/** Unknown fields, of both kinds that a reader has to skip. */
const unknownFields = joinedBytes(rawNumber(unknown, 7), rawBytes(unknown, new TextEncoder().encode('unknown')));

/** The same message with unknown fields; `inside`: types of messages that lead to where they are added. */
export const withUnknownFields =
  (...inside: readonly string[]): NativeChange =>
  (request) => {
    const at = methodAt(pathOf(request));
    let type = at?.method[0] ?? '';
    const path = inside.map((next) => {
      const number = at && fieldNumber(at.table, type, next);
      if (number === undefined) throw new Error(`${type} has no field with a ${next}`);
      type = next;
      return number;
    });
    return withMessage((message) => changedWithin(message, path, (inner) => joinedBytes(inner, unknownFields)))(
      request,
    );
  };

/** Messages that are none, by what is wrong with each. A reader finds it before it knows of any field. */
export const noMessages: Readonly<Record<string, NativeChange>> = {
  'a number cut short': withMessage((message) =>
    joinedBytes(message, rawTag(unknown, wireTypes.varint), Uint8Array.of(0xff)),
  ),
  'a length past the end': withMessage((message) =>
    joinedBytes(message, rawTag(unknown, wireTypes.bytes), Uint8Array.of(0x7f)),
  ),
  'a wire type that there is not': withMessage((message) => joinedBytes(message, rawTag(unknown, wireTypes.none))),
};

/** The same message with a time in its field for one, which has these nanoseconds. */
export const withNanos =
  (nanos: number): NativeChange =>
  (request) => {
    const at = methodAt(pathOf(request));
    const number = at && fieldNumber(at.table, at.method[0], 'Timestamp');
    if (number === undefined) throw new Error(`${pathOf(request)} takes no time`);
    const seconds = 1_700_000_000;
    const time = joinedBytes(rawNumber(1, seconds), rawNumber(2, nanos));
    return withMessage((message) => joinedBytes(message, rawBytes(number, time)))(request);
  };

/** A body of several messages: the same one again. */
export const twice: NativeChange = (request) => {
  const body = request.body ?? new Uint8Array(0);
  return withBytes(joinedBytes(body, body))(request);
};

/** A message whose prefix announces more bytes than come, by this number. */
export const longer =
  (by: number): NativeChange =>
  (request) => {
    const message = messageOf(request);
    return withBytes(framed(message, { length: message.length + by }))(request);
  };
