import {
  type BrotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type Gunzip,
  type Inflate,
} from 'node:zlib';
import type { Clock } from '../clock.js';
import { CarrierFailure, type Header } from './exchange.js';

type Coding = 'gzip' | 'deflate' | 'br';
const codings: Readonly<Record<string, Coding>> = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate', br: 'br' };
/** A body with more layers is not decoded: only an attempt to exhaust the client would send one. */
const mostLayers = 3;

/** The codings to undo, outermost first; empty if one is unknown (no layer can be read then) or there are too many. */
function layers(headers: readonly Header[]): readonly Coding[] {
  const named = headers.filter(([name]) => name.toLowerCase() === 'content-encoding');
  if (named.length === 0) return [];
  const names = named
    .flatMap(([, value]) => value.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > mostLayers) return [];
  const known = names.map((name) => (Object.hasOwn(codings, name) ? codings[name] : undefined));
  return known.some((coding) => coding === undefined) ? [] : known.filter((coding) => coding !== undefined).reverse();
}

function inflaterFor(coding: Coding, firstByte: number): Gunzip | Inflate | BrotliDecompress {
  if (coding === 'gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  // RFC 9110 §8.4.1.2: `deflate` is the zlib format, but many servers send raw deflate. The zlib header names method 8.
  return (firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

interface Inflater {
  /** Decodes bytes and returns the new pieces. Without an argument: end of input. Stops a little past `maxBytes`. */
  take(bytes?: Uint8Array): Promise<readonly Uint8Array[]>;
  isFull(): boolean;
  destroy(): void;
}

function createInflater(coding: Coding, firstByte: number, maxBytes: number, clock: Clock): Inflater {
  const stream = inflaterFor(coding, firstByte);
  let pieces: Uint8Array[] = [];
  let room = maxBytes;
  let finished = false;
  let settle: (error?: Error) => void = () => {};
  function finish(error?: Error): void {
    finished = true;
    settle(error);
  }
  stream.on('data', (piece: Uint8Array) => {
    if (room < 0) return;
    pieces.push(piece);
    room -= piece.length;
    if (room < 0) {
      stream.destroy();
      finish();
    }
  });
  stream.on('end', () => finish());
  stream.on('error', finish);
  return {
    async take(bytes) {
      // Also after the end: bytes after the last member are padding.
      if (finished) return [];
      const release = clock.hold?.();
      try {
        await new Promise<void>((resolve, reject) => {
          settle = (error) => (error === undefined ? resolve() : reject(error));
          if (bytes === undefined) stream.end();
          else
            stream.write(bytes, () => {
              // The data listener gets the bytes that are still buffered.
              while (stream.read() !== null);
              resolve();
            });
        });
      } catch (error) {
        throw new CarrierFailure('malformed', `content-encoding ${coding}: ${String(error)}`);
      } finally {
        release?.();
      }
      const taken = pieces;
      pieces = [];
      return taken;
    },
    isFull: () => room < 0,
    destroy: () => stream.destroy(),
  };
}

async function* inflate(source: AsyncIterable<Uint8Array>, coding: Coding, maxBytes: number, clock: Clock) {
  const tooLarge = new CarrierFailure('too-large', `the body is longer than ${maxBytes} bytes`);
  let inflater: Inflater | undefined;
  let encoded = 0;
  try {
    for await (const bytes of source) {
      const first = bytes[0];
      if (first === undefined) continue;
      encoded += bytes.length;
      inflater ??= createInflater(coding, first, maxBytes, clock);
      yield* await inflater.take(bytes);
      // Many compressed bytes can decode to nothing, so they are counted too.
      if (inflater.isFull() || encoded > maxBytes) throw tooLarge;
    }
    if (inflater !== undefined) yield* await inflater.take();
    if (inflater?.isFull()) throw tooLarge;
  } finally {
    inflater?.destroy();
  }
}

/** The body without its content codings (RFC 9110 §8.4). Throws `malformed` or `too-large`. */
export function decodedBody(
  body: AsyncIterable<Uint8Array>,
  headers: readonly Header[],
  maxBytes: number,
  clock: Clock,
): AsyncIterable<Uint8Array> {
  return layers(headers).reduce((source, coding) => inflate(source, coding, maxBytes, clock), body);
}
