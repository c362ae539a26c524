import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { framed, joinedBytes, rawBytes, rawNumber, rawTag, wireTypes } from '../../src/binding/index.js';
import type { Header } from '../../src/wire/index.js';
import { agentAt, evilText } from './hostile-agents.js';
import { http2Harms } from './hostile-http2.js';
import { streaming } from './hostile-rest.js';

// Harm over gRPC: the reference agent of 1.0, until one method answers with harm.

type Harm = (stream: ServerHttp2Stream, path: string) => void;
type Place = (path: string) => boolean;

const service = '/lf.a2a.v1.A2AService/';
const isStream: Place = (path) => path === `${service}SendStreamingMessage` || path === `${service}SubscribeToTask`;
const isTask: Place = (path) => [`${service}GetTask`, `${service}SendMessage`].includes(path);
const isAny: Place = () => true;

async function bodyOf(stream: ServerHttp2Stream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const asNode = (headers: readonly Header[]): Record<string, string> =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));

async function relay(stream: ServerHttp2Stream, path: string, headers: readonly Header[], base: string): Promise<void> {
  const gone = new AbortController();
  stream.on('close', () => gone.abort());
  const body = await bodyOf(stream);
  const asked = { method: 'POST', url: `${base}${path}`, headers, body, http2: true } as const;
  const reply = await agentAt(base, 'a2a-1.0-grpc', [streaming])(asked, gone.signal);
  if (stream.destroyed) return;
  stream.respond({ ...asNode(reply.headers), ':status': reply.status }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(asNode(reply.trailers?.() ?? [])));
  for await (const chunk of reply.body) stream.write(chunk);
  stream.end();
}

/** The agent, and this harm at one place. */
const harmAt = (place: Place, make: () => Harm) => (): Server => {
  // Made before the first call: making some takes longer than an answer may.
  const harm = make();
  const server = createServer({ maxSendHeaderBlockLength: 64 << 20, maxSessionMemory: 200 });
  server.on('session', (session) => session.on('error', () => session.destroy()));
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    const path = headers[':path'] ?? '';
    const plain = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
    const base = `http://127.0.0.1:${(server.address() as { readonly port: number }).port}`;
    if (place(path)) {
      stream.resume();
      harm(stream, path);
    } else
      relay(
        stream,
        path,
        plain.map(([name, value]) => [name, String(value)] as const),
        base,
      ).catch(() => stream.close(2));
  });
  return server;
};

const head = { ':status': 200, 'content-type': 'application/grpc' };
const fine = { 'grpc-status': '0' };

/** An answer of these bytes with these trailers. */
const answer =
  (body: (path: string) => Uint8Array, trailers: Readonly<Record<string, string>> = fine, more = {}): Harm =>
  (stream, path) => {
    stream.respond({ ...head, ...more }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ ...trailers }));
    stream.end(body(path));
  };
const refusal = (more: Readonly<Record<string, string>>): Harm =>
  answer(() => Buffer.alloc(0), { 'grpc-status': '5', ...more });

/** Writes pieces for as long as the client reads, after a first one. */
const pouring =
  (piece: Uint8Array, first: Uint8Array = Buffer.alloc(0), more = {}): Harm =>
  (stream) => {
    stream.respond({ ...head, ...more });
    stream.write(first);
    const block = Buffer.concat(Array.from({ length: Math.max(1, Math.floor(16_384 / piece.length)) }, () => piece));
    const pour = (): void => {
      while (!stream.destroyed && stream.write(block));
      if (!stream.destroyed) stream.once('drain', pour);
    };
    pour();
  };

const text = (number: number, value: string): Uint8Array => rawBytes(number, Buffer.from(value));
const again = (bytes: Uint8Array, times: number): Uint8Array => Buffer.alloc(bytes.length * times, bytes);

/** A finished task, with more fields. */
const task = (more: Uint8Array = Buffer.alloc(0)): Uint8Array =>
  joinedBytes(text(1, 't'), text(2, 'c'), rawBytes(3, rawNumber(1, 3)), more);
/** A task as the method of this path sends it. */
const bytesFor = (path: string, bytes: Uint8Array): Uint8Array =>
  path.endsWith('/GetTask') ? bytes : rawBytes(1, bytes);
const withTask = (more: Uint8Array): Harm => answer((path) => framed(bytesFor(path, task(more))));

/** A Struct whose only value is a Struct, and so on. */
function nested(levels: number): Uint8Array {
  let bytes: Uint8Array = Buffer.alloc(0);
  for (let level = 0; level < levels; level++)
    bytes = rawBytes(1, joinedBytes(text(1, 'x'), rawBytes(2, rawBytes(5, bytes))));
  return bytes;
}
/** A Struct of these members, all of them texts. */
const struct = (members: readonly (readonly [string, string])[]): Uint8Array =>
  Buffer.concat(members.map(([name, value]) => rawBytes(1, joinedBytes(text(1, name), rawBytes(2, text(3, value))))));

const artifact = (more: Uint8Array): Uint8Array => rawBytes(4, joinedBytes(text(1, 'a'), more));
let packed: Buffer | undefined;
/** 16 MB of zeros. Packed on use: what this process holds counts for the commands that it starts. */
const bombBytes = (): Buffer => {
  packed ??= gzipSync(Buffer.alloc(16 << 20), { level: 9 });
  return packed;
};
const fourGib = Buffer.from([0, 0xff, 0xff, 0xff, 0xff]);
const event = framed(rawBytes(3, joinedBytes(text(1, 't'), text(2, 'c'), rawBytes(3, rawNumber(1, 2)))));
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const detail = rawBytes(
  3,
  joinedBytes(text(1, 'type.googleapis.com/google.rpc.ErrorInfo'), rawBytes(2, text(1, evilText))),
);
const percent = (value: string): string =>
  [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const harms: Readonly<Record<string, readonly [about: string, place: Place, harm: () => Harm]>> = {
  'no-trailers': [
    'a message and no trailers',
    isAny,
    () => (stream, path) => {
      stream.respond(head);
      stream.end(framed(bytesFor(path, task())));
    },
  ],
  'message-then-silence': [
    'a whole message, then nothing',
    isTask,
    () => (stream, path) => {
      stream.respond(head);
      stream.write(framed(bytesFor(path, task())));
    },
  ],
  'no-type': [
    'an answer of HTTP/2 that is none of gRPC',
    isAny,
    () => answer(() => Buffer.from('{}'), {}, { 'content-type': 'application/json' }),
  ],
  'status-only': ['the status of success, and no message', isAny, () => answer(() => Buffer.alloc(0))],
  'status-words': [
    'a status that is not a number',
    isAny,
    () => answer(() => Buffer.alloc(0), { 'grpc-status': evilText.replace(/[^ -~]/g, '%') }),
  ],
  'two-messages': [
    'two messages for a call of one',
    isTask,
    () => answer((path) => joinedBytes(framed(bytesFor(path, task())), framed(bytesFor(path, task())))),
  ],
  'endless-data': ['a body of zeros that never ends', isTask, () => pouring(Buffer.alloc(16_384))],
  'endless-message': ['a message of 4 GiB that never ends', isTask, () => pouring(Buffer.alloc(16_384, 'a'), fourGib)],
  'four-gib': [
    'a message that says 4 GiB and has eight bytes',
    isTask,
    () => answer(() => joinedBytes(fourGib, Buffer.alloc(8))),
  ],
  'stream-four-gib': [
    'an event that says 4 GiB and never ends',
    isStream,
    () => pouring(Buffer.alloc(16_384, 'a'), fourGib),
  ],
  'stream-small-pieces': [
    'an event of 4 MB that comes in pieces of one byte',
    isStream,
    () => pouring(Buffer.from('a'), Buffer.from([0, 0, 0x3f, 0xff, 0xff])),
  ],
  'gzip-bomb': [
    'a message of 16 MB, compressed',
    isTask,
    () => answer(() => framed(bombBytes(), { flag: 1 }), fine, { 'grpc-encoding': 'gzip' }),
  ],
  'encoding-bomb': [
    'a body of 1 GB, compressed by HTTP',
    isTask,
    () => answer(() => again(bombBytes(), 64), fine, { 'content-encoding': 'gzip' }),
  ],
  'lying-flag': [
    'a message that says it is compressed, and is not',
    isTask,
    () => answer((path) => framed(bytesFor(path, task()), { flag: 1 })),
  ],
  'odd-flag': [
    'a message with the flag 255',
    isTask,
    () => answer((path) => framed(bytesFor(path, task()), { flag: 255 })),
  ],
  'percent-message': [
    '48 KB of percent signs as the message of an error',
    isTask,
    () => refusal({ 'grpc-message': '%'.repeat(48_000) }),
  ],
  'evil-message': [
    'markup and escapes in the message of an error',
    isTask,
    () => refusal({ 'grpc-message': percent(evilText) }),
  ],
  'huge-message': ['a message of an error of 4 MB', isTask, () => refusal({ 'grpc-message': 'm'.repeat(4 << 20) })],
  'huge-details': [
    'details of an error of 4 MB',
    isTask,
    () => refusal({ 'grpc-status-details-bin': base64(again(detail, (3 << 20) / detail.length)) }),
  ],
  'many-details': [
    '10,000 empty details of an error',
    isTask,
    () =>
      refusal({
        'grpc-status-details-bin': base64(joinedBytes(rawNumber(1, 5), again(rawBytes(3, Buffer.alloc(0)), 10_000))),
      }),
  ],
  'bad-details': [
    'details of an error that are not base64',
    isTask,
    () => refusal({ 'grpc-status-details-bin': `!${'*'.repeat(1000)}=` }),
  ],
  'evil-details': [
    'markup and escapes in the details of an error',
    isTask,
    () => refusal({ 'grpc-status-details-bin': base64(joinedBytes(rawNumber(1, 5), text(2, evilText), detail)) }),
  ],
  'deep-struct': ['metadata of 3,000 levels', isTask, () => withTask(rawBytes(6, nested(3000)))],
  'deep-details': [
    'groups within groups, 100,000 levels, in an unknown field',
    isTask,
    () => withTask(again(rawTag(1000, 3), 100_000)),
  ],
  'many-artifacts': [
    'a million empty artifacts',
    isTask,
    () => withTask(again(rawBytes(4, Buffer.alloc(0)), 1_000_000)),
  ],
  'many-parts': [
    'a million empty parts',
    isTask,
    () => withTask(artifact(again(rawBytes(4, Buffer.alloc(0)), 1_000_000))),
  ],
  'many-messages': [
    'an agent whose history has 500,000 empty messages',
    isTask,
    () => withTask(again(rawBytes(5, Buffer.alloc(0)), 500_000)),
  ],
  'many-members': [
    'metadata of 150,000 members',
    isTask,
    () => withTask(rawBytes(6, struct(Array.from({ length: 150_000 }, (_, at) => [`m${at}`, ''] as const)))),
  ],
  'prototype-members': [
    'members named __proto__ and constructor',
    isTask,
    () =>
      withTask(
        rawBytes(
          6,
          struct([
            ['__proto__', 'x'],
            ['constructor', 'x'],
            ['toString', 'x'],
          ]),
        ),
      ),
  ],
  'unknown-fields': ['a million unknown fields', isTask, () => withTask(again(rawNumber(1000, 1), 1_000_000))],
  'same-field': [
    'a million times the state of the task',
    isTask,
    () => withTask(again(rawBytes(3, rawNumber(1, 2)), 700_000)),
  ],
  'bad-utf8': [
    'texts that are not UTF-8',
    isTask,
    () => withTask(artifact(rawBytes(4, rawBytes(1, Buffer.from([0xff, 0xfe, 0xc0]))))),
  ],
  'long-varint': [
    'a number of 4 MB of bytes',
    isTask,
    () => withTask(joinedBytes(rawTag(1000, wireTypes.varint), Buffer.alloc(3 << 20, 0xff))),
  ],
  'evil-texts': [
    'markup and escapes in every text',
    isTask,
    () => withTask(artifact(joinedBytes(text(2, evilText), rawBytes(4, text(1, evilText))))),
  ],
  'endless-events': [
    'a stream of updates that never ends',
    isStream,
    () => pouring(event, framed(rawBytes(1, task()))),
  ],
  'empty-events': ['a stream of messages of no bytes that never ends', isStream, () => pouring(Buffer.alloc(5))],
  'silent-stream': ['a stream in which nothing comes', isStream, () => (stream) => stream.respond(head)],
  'stream-many-fields': [
    'events of 40,000 empty artifacts each, without end',
    isStream,
    () => pouring(framed(rawBytes(1, task(again(rawBytes(4, Buffer.alloc(0)), 40_000))))),
  ],
  'flapping-stream': [
    'a stream that is reset after each event',
    isStream,
    () => (stream) => {
      stream.respond(head);
      stream.write(event, () => stream.close(8));
    },
  ],
  'many-metadata': [
    '900 headers in every answer',
    isTask,
    () =>
      answer(
        (path) => framed(bytesFor(path, task())),
        fine,
        Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x-${at}`, evilText.replace(/[^ -~]/g, '.')])),
      ),
  ],
};

/** Name, what it does, and a server that does it. Undefined: nothing listens at the port that the card names. */
export const grpcHarms: Readonly<Record<string, readonly [about: string, server: (() => Server) | undefined]>> = {
  nobody: ['a port where nothing listens', undefined],
  ...http2Harms,
  ...Object.fromEntries(
    Object.entries(harms).map(([id, [about, place, harm]]) => [id, [about, harmAt(place, harm)] as const]),
  ),
};
