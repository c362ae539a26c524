import { CarrierFailure, type Chunk } from './exchange.js';

/** More pieces than this are merged into the last one: a body that drips byte by byte must not cost an object a byte. */
const mostChunks = 10_000;

/** A body that grows, with the time of each piece. */
export interface Intake {
  /** Keeps what fits; `overflow` when that is not all. */
  add(bytes: Uint8Array, atMs: number): { readonly kept: Uint8Array; readonly overflow?: CarrierFailure };
  result(): { readonly body: Uint8Array; readonly chunks: readonly Chunk[] };
}

/** One growing buffer of its own: pieces that come from a socket may be small views of large buffers. */
export function createIntake(maxBytes: number): Intake {
  let buffer = new Uint8Array(0);
  let length = 0;
  const marks: { readonly atMs: number; end: number }[] = [];
  function reserve(size: number): void {
    if (size <= buffer.length) return;
    const grown = new Uint8Array(Math.min(Math.max(size, buffer.length * 2, 1024), Math.max(size, maxBytes)));
    grown.set(buffer.subarray(0, length));
    buffer = grown;
  }
  return {
    add(bytes, atMs) {
      const room = maxBytes - length;
      const kept = bytes.length > room ? bytes.subarray(0, room) : bytes;
      reserve(length + kept.length);
      buffer.set(kept, length);
      length += kept.length;
      const last = marks.at(-1);
      if (last !== undefined && marks.length >= mostChunks) last.end = length;
      else if (kept.length > 0) marks.push({ atMs, end: length });
      if (kept === bytes) return { kept };
      return { kept, overflow: new CarrierFailure('too-large', `the body is longer than ${maxBytes} bytes`) };
    },
    result() {
      const body = buffer.length > length ? buffer.slice(0, length) : buffer;
      let start = 0;
      const chunks = marks.map(({ atMs, end }) => {
        const bytes = body.subarray(start, end);
        start = end;
        return { atMs, bytes };
      });
      return { body, chunks };
    },
  };
}
