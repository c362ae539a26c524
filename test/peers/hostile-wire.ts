import type { IncomingMessage, ServerResponse } from 'node:http';
import { deflateRawSync } from 'node:zlib';

/** How a target answers one request. `base`: its own URL; `elsewhere`: a server that must never be called. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse, base: string, elsewhere: string) => void;

// Harm in the bytes of HTTP, whatever they should have said.

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };
const result = '{"jsonrpc":"2.0","id":1,"result":{}}';

/** Bytes of our own in the place of an answer. */
const bytes =
  (text: string | Buffer): Behaviour =>
  (_, response) =>
    void response.socket?.end(text);
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Writes a piece again and again for as long as the client reads. */
const forever =
  (piece: string, headers: Readonly<Record<string, string>>, first = ''): Behaviour =>
  (_, response) => {
    response.writeHead(200, headers);
    response.write(first);
    const block = Buffer.from(piece.repeat(Math.ceil(16_384 / piece.length)));
    const more = (): void => {
      while (!response.destroyed && response.write(block));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };

const redirect =
  (to: (base: string, elsewhere: string) => string, status = 307): Behaviour =>
  (_, response, base, elsewhere) =>
    void response.writeHead(status, { location: to(base, elsewhere) }).end();

/** Writes one byte of the head at a time, and never ends it. */
const slowHead: Behaviour = (_, response) => {
  const { socket } = response;
  let at = 0;
  const timer = setInterval(() => socket?.write(`${head}x-slow: `.charAt(at++) || 'a'), 20);
  socket?.on('close', () => clearInterval(timer));
};

const interim: Behaviour = (_, response) => {
  const { socket } = response;
  const block = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(100);
  const more = (): void => {
    while (socket !== null && !socket.destroyed && socket.write(block));
    if (socket !== null && !socket.destroyed) socket.once('drain', more);
  };
  more();
};

let turn = 0;
const flapping: Behaviour = (request, response) => {
  turn++;
  if (turn % 3 === 0) request.socket.resetAndDestroy();
  else if (turn % 3 === 1) response.writeHead(503, { 'retry-after': '0' }).end('{}');
  else response.writeHead(200, json).end(result);
};

/** Name, what it does, how. Each is tried from the first request on, and behind a good card. */
export const wireHarms: Readonly<Record<string, readonly [string, Behaviour]>> = {
  'no-status-line': ['bytes that are not HTTP', bytes('\u0000\u0001garbage\r\n\r\n')],
  'tls-alert': ['a TLS alert', bytes(Buffer.from([0x15, 3, 1, 0, 2, 2, 0x46]))],
  'http2-preface': ['frames of HTTP/2', bytes(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]))],
  'length-too-long': ['fewer bytes than Content-Length says', bytes(`${head}content-length: 4000\r\n\r\n${result}`)],
  'length-and-chunked': [
    'Content-Length and Transfer-Encoding that disagree',
    bytes(`${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n24\r\n${result}\r\n0\r\n\r\n`),
  ],
  'two-lengths': ['two lengths', bytes(`${head}content-length: 3\r\ncontent-length: 36\r\n\r\n${result}`)],
  'bad-chunks': ['a chunk size that is none', bytes(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n${result}\r\n`)],
  'huge-chunk': [
    'a chunk of 2^60 bytes',
    bytes(`${head}transfer-encoding: chunked\r\n\r\nfffffffffffffff\r\n${result}`),
  ],
  'slow-head': ['a head that comes byte by byte, without end', slowHead],
  interim: ['interim responses without end', interim],
  'not-gzip': [
    'a body that is not the gzip it claims to be',
    (_, response) => void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(result),
  ],
  'many-encodings': [
    'a content-encoding of forty layers',
    (_, response) =>
      void response
        .writeHead(200, { ...json, 'content-encoding': Array.from({ length: 40 }, () => 'deflate').join(', ') })
        .end(deflateRawSync(result)),
  ],
  'sse-endless': ['an event stream that never ends', forever('data: {}\n\n', events)],
  'sse-one-line': ['an event whose line never ends', forever('a', events, 'data: ')],
  'sse-silent': [
    'an event stream in which nothing comes',
    (_, response) => void response.writeHead(200, events).write(':\n\n'),
  ],
  'redirect-inward': [
    'a redirect to an address within the network',
    redirect((_, elsewhere) => `${elsewhere}/latest/meta-data/`),
  ],
  'redirect-to-file': ['a redirect to a file', redirect(() => 'file:///etc/passwd', 302)],
  'limit-for-ever': [
    '429 forever, with a Retry-After of a century',
    (_, response) => void response.writeHead(429, { ...json, 'retry-after': '3155760000' }).end('{}'),
  ],
  flapping: ['an answer, a reset and a 503 in turn', flapping],
  utf16: [
    'JSON in UTF-16',
    (_, response) => void response.writeHead(200, json).end(Buffer.from(`\ufeff${result}`, 'utf16le')),
  ],
};
