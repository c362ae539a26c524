import type { WireMutation } from '../case/case.js';
import { always, countOf, type Frame, open, textOf, type WireMutationKind } from './wire-mutation.js';

// Wire mutations with the framing of a request on a socket of its own (RFC 9112). An agent may answer each by closing.

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The body in chunks of these sizes, over and over: a chunk may end inside a character. */
function chunked(body: Uint8Array, sizes: readonly number[], extension: string): Uint8Array {
  const parts: Uint8Array[] = [];
  const [end, heads] = [latin1('\r\n'), new Map<number, Buffer>()];
  function headOf(length: number): Buffer {
    const head = heads.get(length) ?? latin1(`${length.toString(16)}${extension}\r\n`);
    heads.set(length, head);
    return head;
  }
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const size = Math.max(1, sizes[turn % Math.max(1, sizes.length)] ?? body.length);
    const piece = body.subarray(at, at + size);
    parts.push(headOf(piece.length), piece, end);
    at += piece.length;
    // Thousands of tiny chunks show nothing more, so the rest is one chunk.
    if (parts.length > 3000) sizes = [body.length];
  }
  parts.push(latin1('0\r\n\r\n'));
  return new Uint8Array(Buffer.concat(parts));
}

const isLength = (line: string): boolean => /^content-length:/i.test(line);
const longer = (frame: Frame, ...lines: readonly string[]): Frame => ({
  ...frame,
  headers: [...frame.headers, ...lines],
});
const oneLine = (text: string): string => text.replaceAll(/[\r\n]/g, '');

const lines = [
  'X Tck: a',
  'X-Tck',
  ': a',
  'X-Tck : a',
  'X-Tck: a\u0000b',
  'X-Tck: \u00ff\u00fe',
  ' X-Tck: a',
  'X-Tck:\ta',
  'X-(): a',
  '\u0000: a',
  'Host: example.com',
  'Connection: Upgrade, HTTP2-Settings',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: gzip',
  'Trailer: X-Tck',
  'TE: trailers',
  'Content-Length: +1',
  'Content-Length: -1',
  'Content-Length: 0x10',
  'Content-Length: 1e3',
  'Content-Length: 99999999999999999999',
  'Keep-Alive: timeout=999999',
  'Proxy-Connection: close',
];

export const frameMutations = {
  chunks: {
    demand: open,
    make: ({ randomSource }) => ({
      sizes: randomSource.pick([[1], [2, 3], [7], [100], [1, 1000]]),
      extension: randomSource.pick(['', '', ';a=b', ';']),
    }),
    frame: (trick, frame) => {
      const sizes = (Array.isArray(trick['sizes']) ? trick['sizes'] : [1]).filter((size) => typeof size === 'number');
      return {
        ...frame,
        headers: [...frame.headers.filter((line) => !isLength(line)), 'Transfer-Encoding: chunked'],
        body: chunked(frame.body, sizes, oneLine(textOf(trick, 'extension'))),
      };
    },
  },
  'bad-chunks': {
    demand: open,
    make: ({ randomSource }) => ({
      text: randomSource.pick([
        'g\r\nabc\r\n0\r\n\r\n',
        '-1\r\na\r\n0\r\n\r\n',
        'ffffffffffffffffff\r\n',
        '3\r\nabcdef\r\n0\r\n\r\n',
        '0\r\n\r\n',
        '0\r\nX-Trailer: a\r\n\r\n',
        '\r\n',
      ]),
    }),
    frame: (trick, frame) => ({
      ...frame,
      headers: [...frame.headers.filter((line) => !isLength(line)), 'Transfer-Encoding: chunked'],
      body: latin1(textOf(trick, 'text', '0\r\n\r\n')),
    }),
  },
  'length-and-chunks': {
    demand: open,
    make: ({ randomSource }) => ({ length: randomSource.pick([0, 5, 1000]) }),
    frame: (trick, frame) => ({
      ...frame,
      headers: [
        ...frame.headers.filter((line) => !isLength(line)),
        `Content-Length: ${countOf(trick, 'length', 0)}`,
        'Transfer-Encoding: chunked',
      ],
      body: chunked(frame.body, [frame.body.length], ''),
    }),
  },
  'two-lengths': {
    demand: open,
    make: ({ randomSource }) => ({ other: randomSource.chance(0.5) }),
    frame: (trick, frame) => longer(frame, `Content-Length: ${frame.body.length + (trick['other'] === true ? 1 : 0)}`),
  },
  'short-length': {
    demand: open,
    make: ({ randomSource }) => ({ missing: randomSource.pick([1, 10, 1000]) }),
    frame: (trick, frame) => ({
      ...frame,
      headers: frame.headers.map((line) =>
        isLength(line) ? `Content-Length: ${Math.max(0, frame.body.length - countOf(trick, 'missing', 1))}` : line,
      ),
    }),
  },
  pipelined: {
    demand: open,
    make: ({ randomSource }) => ({ copies: randomSource.pick([2, 3, 10]) }),
    grown: (trick, size) => size * countOf(trick, 'copies', 2, 50),
    frame: (trick, frame) => ({
      ...frame,
      headers: frame.headers.filter((line) => !/^connection:/i.test(line)),
      copies: countOf(trick, 'copies', 2, 50),
    }),
  },
  'expect-continue': { demand: open, make: () => ({}), frame: (_, frame) => longer(frame, 'Expect: 100-continue') },
  'expect-other': { demand: open, make: () => ({}), frame: (_, frame) => longer(frame, 'Expect: tck') },
  'folded-header': { demand: open, make: () => ({}), frame: (_, frame) => longer(frame, 'X-Tck: a\r\n b\r\n\tc') },
  'header-line': {
    demand: open,
    make: ({ randomSource }) => ({ line: randomSource.pick(lines) }),
    frame: (trick, frame) => longer(frame, oneLine(textOf(trick, 'line', 'X-Tck'))),
  },
  'long-head': {
    demand: open,
    make: ({ randomSource }) => ({
      length: randomSource.pick([8000, 16_000, 66_000]),
      split: randomSource.chance(0.5),
    }),
    grown: (trick, size) => size + 2 * countOf(trick, 'length', 8000, 200_000),
    frame: (trick, frame) => {
      const length = countOf(trick, 'length', 8000, 200_000);
      if (trick['split'] !== true) return longer(frame, `X-Tck: ${'a'.repeat(length)}`);
      return longer(
        frame,
        ...Array.from({ length: Math.ceil(length / 20) }, (_, at) => `X-Tck-${at}: ${'a'.repeat(8)}`),
      );
    },
  },
  version: {
    demand: open,
    make: ({ randomSource }) => ({
      version: randomSource.pick([
        'HTTP/1.0',
        'HTTP/0.9',
        'HTTP/2.0',
        'HTTP/9.9',
        'http/1.1',
        'HTTP/1.1 ',
        '',
        'HTTP/1',
        'ICE/1.0',
      ]),
    }),
    frame: (trick, frame) => ({ ...frame, line: frame.line.replace(/HTTP\/1\.1$/, oneLine(textOf(trick, 'version'))) }),
  },
  target: {
    demand: open,
    astray: always,
    make: ({ randomSource }) => ({
      target: randomSource.pick([
        '*',
        'http://example.com/',
        '//',
        '/%00',
        '/..%2f..%2fetc/passwd',
        '/\u00ff',
        '/ a',
        '',
        '/a#b',
        `/${'a'.repeat(9000)}`,
        'example.com:80',
      ]),
    }),
    frame: (trick, frame) => {
      const [method = 'POST'] = frame.line.split(' ', 1);
      return { ...frame, line: `${method} ${oneLine(textOf(trick, 'target', '*'))} HTTP/1.1` };
    },
  },
  'line-feeds': { demand: open, make: () => ({}), frame: (_, frame) => ({ ...frame, eol: '\n' }) },
  'no-host': {
    demand: open,
    make: () => ({}),
    frame: (_, frame) => ({ ...frame, headers: frame.headers.filter((line) => !/^host:/i.test(line)) }),
  },
} as const satisfies Readonly<Record<string, WireMutationKind>>;

/** The bytes of a frame. */
export function rendered({ line, headers, eol, body, copies }: Frame): Uint8Array {
  const item = Buffer.concat([latin1([line, ...headers, '', ''].join(eol)), body]);
  return new Uint8Array(copies === 1 ? item : Buffer.concat(Array.from({ length: copies }, () => item)));
}

export const isFrameMutation = ({ trick }: WireMutation): boolean => Object.hasOwn(frameMutations, trick);
