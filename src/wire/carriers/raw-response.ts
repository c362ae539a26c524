import { CarrierFailure, type Header, header } from '../exchange/exchange.js';

/** Limit of the status line and headers together, bytes. */
const mostHeadBytes = 64 * 1024;
const mostChunkLine = 1024;

/** Bytes of a stream on demand; `undefined` at its end. */
export interface ByteSource {
  /** The next bytes as they come, at most `most`. */
  some(most: number): Promise<Uint8Array | undefined>;
  /** The next line without its LF and a CR before it; throws `malformed` when it is longer than `most`. */
  line(most: number): Promise<string | undefined>;
}

export function createByteSource(chunks: AsyncIterator<Uint8Array>): ByteSource {
  let buffered = new Uint8Array(0);
  async function fill(): Promise<boolean> {
    const next = await chunks.next();
    if (next.done) return false;
    buffered =
      buffered.length === 0 ? Uint8Array.from(next.value) : Uint8Array.from(Buffer.concat([buffered, next.value]));
    return true;
  }
  return {
    async some(most) {
      while (buffered.length === 0) if (!(await fill())) return undefined;
      const bytes = buffered.subarray(0, most);
      buffered = buffered.subarray(bytes.length);
      return bytes;
    },
    async line(most) {
      let searched = 0;
      for (;;) {
        const end = buffered.indexOf(0x0a, searched);
        if (end > most || (end < 0 && buffered.length > most)) {
          throw new CarrierFailure(
            'malformed',
            `a line of the response head or chunk frame is longer than ${most} bytes`,
          );
        }
        if (end >= 0) {
          const line = Buffer.from(buffered.subarray(0, end)).toString('latin1').replace(/\r$/, '');
          buffered = buffered.subarray(end + 1);
          return line;
        }
        searched = buffered.length;
        if (!(await fill())) return undefined;
      }
    },
  };
}

export interface RawHead {
  readonly status: number;
  readonly headers: readonly Header[];
}

async function readOneHead(source: ByteSource): Promise<RawHead> {
  let room = mostHeadBytes;
  const line = await source.line(room);
  if (line === undefined) throw new CarrierFailure('reset', 'the connection was closed without an answer');
  const status = /^HTTP\/\d+(?:\.\d+)?[ \t]+(\d{3})(?!\d)/.exec(line)?.[1];
  if (status === undefined)
    throw new CarrierFailure('malformed', `no status line: ${JSON.stringify(line.slice(0, 80))}`);
  const headers: Header[] = [];
  for (;;) {
    const field = await source.line(room);
    // A head that is cut by the end of the connection is still evidence.
    if (field === undefined || field === '') return { status: Number(status), headers };
    room -= field.length + 1;
    if (room <= 0) throw new CarrierFailure('malformed', `the response head is longer than ${mostHeadBytes} bytes`);
    const colon = field.indexOf(':');
    headers.push(colon < 0 ? [field, ''] : [field.slice(0, colon), field.slice(colon + 1).trim()]);
  }
}

/** Reads leniently: accepts LF for CRLF, headers without a colon, any HTTP version. Interim responses are skipped. */
export async function readHead(source: ByteSource): Promise<RawHead> {
  for (let interim = 0; interim < 20; interim++) {
    const head = await readOneHead(source);
    if (head.status >= 200 || head.status === 101) return head;
  }
  throw new CarrierFailure('malformed', 'interim responses without end');
}

async function* exactly(source: ByteSource, length: number): AsyncGenerator<Uint8Array> {
  for (let left = length; left > 0; ) {
    const bytes = await source.some(left);
    if (bytes === undefined)
      throw new CarrierFailure('reset', `the connection was closed ${left} bytes before the end of the body`);
    left -= bytes.length;
    yield bytes;
  }
}

async function* chunked(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (;;) {
    const frame = await source.line(mostChunkLine);
    if (frame === undefined) throw new CarrierFailure('reset', 'the connection was closed before the last chunk');
    const size = /^[0-9a-f]{1,12}(?=[ \t]*(;|$))/i.exec(frame)?.[0];
    if (size === undefined)
      throw new CarrierFailure('malformed', `no chunk size: ${JSON.stringify(frame.slice(0, 80))}`);
    if (/^0+$/.test(size)) break;
    yield* exactly(source, Number.parseInt(size, 16));
    if (await source.line(mostChunkLine)) throw new CarrierFailure('malformed', 'a chunk is longer than its size says');
  }
  let trailer: string | undefined;
  do trailer = await source.line(mostHeadBytes);
  while (trailer);
}

/** RFC 9112 §6.3: chunked has priority over Content-Length; without either, the body ends with the connection. */
export async function* readBody(source: ByteSource, head: RawHead, method: string): AsyncGenerator<Uint8Array> {
  if (method === 'HEAD' || head.status === 204 || head.status === 304) return;
  if (/(^|[ \t,])chunked[ \t]*$/i.test(header(head.headers, 'transfer-encoding') ?? '')) return yield* chunked(source);
  const length = header(head.headers, 'content-length');
  if (length !== undefined && /^\d{1,15}$/.test(length)) return yield* exactly(source, Number(length));
  for (;;) {
    const bytes = await source.some(Number.POSITIVE_INFINITY);
    if (bytes === undefined) return;
    yield bytes;
  }
}
