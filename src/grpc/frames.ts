// Length-prefixed messages of gRPC (grpc/doc/PROTOCOL-HTTP2.md): a flag byte, a length of four bytes, the message.

/** Bytes before each message. */
const prefix = 5;

/** One message as it came; `data` is shorter than `length` where the body ended inside it. */
export interface GrpcFrame {
  /** 0: plain; 1: compressed by the encoding that the headers name; others have no meaning. */
  readonly flag: number;
  readonly length: number;
  readonly data: Uint8Array;
}

/** A message with its prefix. `length`: another one than its own, to break the framing on purpose. */
export function framed(data: Uint8Array, { flag = 0, length = data.length } = {}): Uint8Array {
  const bytes = new Uint8Array(prefix + data.length);
  bytes[0] = flag;
  new DataView(bytes.buffer).setUint32(1, length);
  bytes.set(data, prefix);
  return bytes;
}

export interface GrpcFrames {
  readonly frames: readonly GrpcFrame[];
  /** Bytes after the last frame that do not make a whole prefix. */
  readonly rest: number;
}

/** Most frames that are read of one body: a body of empty messages has one for every five bytes. */
const mostFrames = 20_000;

/** The messages of a body; views of it, never copies. */
export function framesIn(body: Uint8Array): GrpcFrames {
  const frames: GrpcFrame[] = [];
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let at = 0;
  while (at + prefix <= body.length && frames.length < mostFrames) {
    const length = view.getUint32(at + 1);
    const data = body.subarray(at + prefix, at + prefix + length);
    frames.push({ flag: view.getUint8(at), length, data });
    at += prefix + data.length;
    if (data.length < length) break;
  }
  return { frames, rest: body.length - at };
}

export const isWhole = ({ length, data }: GrpcFrame): boolean => data.length === length;
