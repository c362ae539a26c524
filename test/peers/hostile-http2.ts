import { createServer, type Server, type Socket } from 'node:net';

// Harm in the frames of HTTP/2 (RFC 9113), written by hand: a library would refuse to send most of it.

const types = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;
const endStream = 1;
const acknowledged = 1;
const endHeaders = 4;

function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const setting = (id: number, value: number): Buffer => Buffer.concat([Buffer.from([0, id]), number(value)]);
const goaway = (last: number): Buffer => frame(types.goaway, 0, 0, Buffer.concat([number(last), number(0)]));

/** A length of HPACK with a prefix of 7 bits (RFC 7541 §5.1). */
function length(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let left = value - 127;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Buffer.from([...bytes, left]);
}
/** A field of HPACK. `kept`: it goes into the table of the reader, as number 62. */
function field(name: string, value: string, kept = false): Buffer {
  const texts = [name, value].flatMap((text) => [length(text.length), Buffer.from(text, 'latin1')]);
  return Buffer.concat([Buffer.from([kept ? 0x40 : 0]), ...texts]);
}
/** `:status: 200` of the static table. */
const ok = Buffer.from([0x88]);
const grpcHead = Buffer.concat([ok, field('content-type', 'application/grpc')]);
const head = (stream: number): Buffer => frame(types.headers, endHeaders, stream, grpcHead);
const done = (stream: number): Buffer =>
  frame(types.headers, endHeaders | endStream, stream, field('grpc-status', '0'));
/** A message of gRPC: a finished task, as the answer to a message, and as an event. */
const message = Buffer.from([0, 0, 0, 0, 12, 10, 10, 10, 1, 0x74, 18, 1, 0x63, 26, 2, 8, 3]);
/** A message of gRPC that has no field. */
const empty = Buffer.alloc(5);

/** Writes pieces for as long as the client reads. */
function pour(socket: Socket, piece: Uint8Array, first: Uint8Array = Buffer.alloc(0)): void {
  const block = Buffer.concat(Array.from({ length: Math.max(1, Math.floor(16_384 / piece.length)) }, () => piece));
  socket.write(first);
  const more = (): void => {
    while (!socket.destroyed && socket.write(block));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

interface Harm {
  /** What comes in the place of the first SETTINGS. */
  readonly open?: (socket: Socket) => void;
  /** How a call is answered. */
  readonly call?: (socket: Socket, stream: number) => void;
  /** The frames of the client are not read. */
  readonly isDeaf?: true;
}

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.length;
const roomy = frame(types.window, 0, 0, number(2 ** 30));

/** A server that reads frames, acknowledges settings, and does harm. */
const serving =
  ({ open, call, isDeaf }: Harm) =>
  (): Server =>
    createServer((socket) => {
      socket.on('error', () => socket.destroy());
      if (open === undefined) socket.write(Buffer.concat([frame(types.settings, 0, 0), roomy]));
      else open(socket);
      if (isDeaf === true) return;
      let seen: Buffer = Buffer.alloc(0);
      let isOpen = false;
      socket.on('data', (more: Buffer) => {
        seen = Buffer.concat([seen, more]);
        if (!isOpen && seen.length >= preface) {
          isOpen = true;
          seen = seen.subarray(preface);
        }
        while (isOpen && seen.length >= 9) {
          const size = 9 + seen.readUIntBE(0, 3);
          if (seen.length < size) return;
          const [type, flags = 0] = seen.subarray(3, 5);
          const stream = seen.readUInt32BE(5);
          seen = seen.subarray(size);
          if (type === types.settings && (flags & acknowledged) === 0)
            socket.write(frame(types.settings, acknowledged, 0));
          if (type === types.headers) call?.(socket, stream);
        }
      });
    });

/** Writes one byte after the other, and never ends. */
function drip(socket: Socket, bytes: (at: number) => Uint8Array): void {
  let at = 0;
  const timer = setInterval(() => socket.write(bytes(at++)), 20);
  socket.on('close', () => clearInterval(timer));
}

const garbage = Buffer.from([0x15, 3, 1, 0, 2, 2, 0x46]);
const bytes = (text: string | Buffer): Harm => ({ isDeaf: true, open: (socket) => void socket.end(text) });
const atCall = (frames: (stream: number) => readonly Buffer[]): Harm => ({
  call: (socket, stream) => void socket.write(Buffer.concat(frames(stream))),
});
const pouringAtCall = (piece: (stream: number) => Buffer, first?: (stream: number) => Buffer): Harm => ({
  call: (socket, stream) => pour(socket, piece(stream), first?.(stream)),
});

const harms: Readonly<Record<string, readonly [about: string, harm: Harm]>> = {
  'http-1': ['HTTP/1.1', bytes('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')],
  'tls-garbage': ['a TLS alert', bytes(garbage)],
  silent: ['a port that takes connections and says nothing', { isDeaf: true, open: () => undefined }],
  'half-open': [
    'half a frame of SETTINGS, then nothing',
    { open: (socket) => void socket.write(frame(types.settings, 0, 0, setting(3, 100)).subarray(0, 11)) },
  ],
  'no-settings': ['answers before any SETTINGS', { open: (socket) => void socket.write(head(1)) }],
  'closed-at-once': ['a connection that is closed after SETTINGS', bytes(frame(types.settings, 0, 0))],
  'huge-frame': [
    'a frame of 16 MB where 16 KB are allowed',
    { call: (socket) => pour(socket, Buffer.alloc(16_384), Buffer.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1])) },
  ],
  'settings-flood': [
    'SETTINGS without end',
    pouringAtCall(() => frame(types.settings, 0, 0, Buffer.concat([setting(3, 100), setting(4, 65_535)]))),
  ],
  'ping-flood': ['PING without end', pouringAtCall(() => frame(types.ping, 0, 0, Buffer.alloc(8, 1)))],
  'unknown-frames': ['frames of an unknown type, without end', pouringAtCall((at) => frame(0xbb, 0, at, empty))],
  'priority-flood': ['PRIORITY without end', pouringAtCall((at) => frame(types.priority, 0, at, Buffer.alloc(5)))],
  'window-flood': ['windows that grow without end', pouringAtCall((at) => frame(types.window, 0, at, number(1)))],
  'window-overflow': [
    'a window of more than 2^31 bytes',
    atCall((at) => [1, 2, 3].map(() => frame(types.window, 0, at, number(2 ** 31 - 1)))),
  ],
  'window-zero': [
    'a window of no bytes, forever',
    { open: (socket) => void socket.write(frame(types.settings, 0, 0, setting(4, 0))) },
  ],
  'no-streams': [
    'SETTINGS that allow no stream',
    { open: (socket) => void socket.write(frame(types.settings, 0, 0, setting(3, 0))) },
  ],
  'goaway-storm': ['GOAWAY for each call, without end', { call: (socket) => pour(socket, goaway(0)) }],
  'goaway-and-go': [
    'GOAWAY for each call, and the end of the connection',
    { call: (socket) => void socket.end(goaway(0)) },
  ],
  'reset-all': ['a reset of each call', atCall((at) => [frame(types.reset, 0, at, number(7))])],
  'reset-after-head': ['a reset after the headers', atCall((at) => [head(at), frame(types.reset, 0, at, number(2))])],
  // A library would end the data before it resets.
  'reset-after-message': [
    'a whole message, then a reset',
    atCall((at) => [head(at), frame(types.data, 0, at, message), frame(types.reset, 0, at, number(2))]),
  ],
  'reset-storm': [
    'resets of one call without end',
    pouringAtCall(
      (at) => frame(types.reset, 0, at, number(8)),
      (at) => head(at),
    ),
  ],
  'push-promises': [
    'promises of resources for which the client did not ask',
    atCall((at) => [frame(types.push, endHeaders, at, Buffer.concat([number(2), ok])), head(at), done(at)]),
  ],
  'continuation-flood': [
    'a header block that never ends',
    pouringAtCall(
      () => frame(types.continuation, 0, 1, field('x-flood', 'a'.repeat(100))),
      () => frame(types.headers, 0, 1, grpcHead),
    ),
  ],
  'empty-continuations': [
    'empty CONTINUATION frames without end',
    pouringAtCall(
      () => frame(types.continuation, 0, 1),
      () => frame(types.headers, 0, 1, grpcHead),
    ),
  ],
  interim: [
    'interim header blocks without end',
    pouringAtCall((at) => frame(types.headers, endHeaders, at, field(':status', '103'))),
  ],
  'endless-metadata': [
    'megabytes of metadata',
    atCall((at) => {
      const names = Array.from({ length: 16 }, (_, name) => field(`x-${name}`, 'v'.repeat(900)));
      const more = Array.from({ length: 400 }, () => frame(types.continuation, 0, at, Buffer.concat(names)));
      return [frame(types.headers, 0, at, grpcHead), ...more, frame(types.continuation, endHeaders, at)];
    }),
  ],
  'hpack-bomb': [
    'one header of 4 KB, repeated 16,000 times in as many bytes',
    atCall((at) => [
      frame(types.headers, endHeaders, at, Buffer.concat([grpcHead, field('x', 'y'.repeat(3900), true)])),
      frame(types.headers, endHeaders | endStream, at, Buffer.alloc(16_000, 0x80 | 62)),
    ]),
  ],
  'hpack-garbage': [
    'a header block that cannot be read',
    atCall((at) => [frame(types.headers, endHeaders, at, Buffer.alloc(40, 0xff))]),
  ],
  'trailers-first': ['a status before any headers', atCall((at) => [done(at), head(at)])],
  'headers-after-end': ['one more answer after the end', atCall((at) => [head(at), done(at), head(at), done(at)])],
  'empty-data': ['empty DATA frames without end', pouringAtCall((at) => frame(types.data, 0, at), head)],
  'unflowed-data': [
    'more DATA than the window allows, without end',
    pouringAtCall((at) => frame(types.data, 0, at, Buffer.alloc(16_000)), head),
  ],
  'slow-drip': [
    'one byte of a message every 20 ms',
    {
      call(socket, at) {
        socket.write(head(at));
        const tail = Buffer.from([0, 0, 0, 0xff, 0xff]);
        drip(socket, (sent) => frame(types.data, 0, at, Buffer.from([tail[sent] ?? 0x0a])));
      },
    },
  ],
  'slow-frame': [
    'one byte of a frame every 20 ms',
    { call: (socket, at) => drip(socket, (sent) => head(at).subarray(sent, sent + 1)) },
  ],
  'head-then-silence': ['headers, then nothing', atCall((at) => [head(at)])],
  'other-stream': [
    'an answer to a call that the client did not make',
    atCall((at) => [head(at + 100), done(at + 100)]),
  ],
};

/** Name, what it does, and a server that does it; to be closed with all its sockets. */
export const http2Harms: Readonly<Record<string, readonly [about: string, server: () => Server]>> = Object.fromEntries(
  Object.entries(harms).map(([id, [about, harm]]) => [id, [about, serving(harm)]]),
);
