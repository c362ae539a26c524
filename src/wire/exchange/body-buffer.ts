import { CarrierFailure, type Chunk } from './exchange.js';

/** Further pieces are merged into the last one: a body that comes byte by byte must not cost one object per byte. */
const mostChunks = 10_000;
const blockBytes = 64 * 1024;

/** Collects a body, with the time of each piece. */
export interface BodyBuffer {
  /** Keeps the bytes that fit; `overflow` is set when some did not. */
  add(bytes: Uint8Array, atMs: number): { readonly kept: Uint8Array; readonly overflow?: CarrierFailure };
  /** Bytes that were kept. */
  size(): number;
  /** The kept bytes, or the first `most` of them. The chunks are views of the body. */
  result(most?: number): { readonly body: Uint8Array; readonly chunks: readonly Chunk[] };
}

/**
 * Copies into blocks of its own: pieces from a socket may be small views of large buffers. One growing buffer would
 * leave all its earlier copies to the garbage collector, many times over when many large answers come at once.
 */
export function createBodyBuffer(maxBytes: number): BodyBuffer {
  const blocks: Uint8Array[] = [];
  let length = 0;
  /** The only piece so far; copied once, when more comes or the body is asked for. */
  let only: Uint8Array | undefined;
  const marks: { readonly atMs: number; end: number }[] = [];
  /** The block to write to. Most answers are small, so the first block starts small and doubles. */
  function blockFor(size: number, used: number): Uint8Array {
    if (used === 0)
      blocks.push(new Uint8Array(blocks.length === 0 ? Math.min(Math.max(size, 1024), blockBytes) : blockBytes));
    const block = blocks.at(-1);
    if (block !== undefined && size <= block.length) return block;
    const grown = new Uint8Array(Math.min(Math.max(size, 2 * used), blockBytes));
    if (block !== undefined) grown.set(block);
    blocks[Math.max(0, blocks.length - 1)] = grown;
    return grown;
  }
  function append(bytes: Uint8Array): void {
    if (length === 0 && bytes.length < blockBytes) {
      only = bytes;
      length = bytes.length;
      return;
    }
    if (only !== undefined) {
      const first = only;
      only = undefined;
      length = 0;
      write(first);
    }
    write(bytes);
  }
  function write(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const used = length % blockBytes;
      const piece = bytes.subarray(from, from + blockBytes - used);
      blockFor(used + piece.length, used).set(piece, used);
      from += piece.length;
      length += piece.length;
    }
  }
  return {
    add(bytes, atMs) {
      const room = maxBytes - length;
      const kept = bytes.length > room ? bytes.subarray(0, room) : bytes;
      append(kept);
      const last = marks.at(-1);
      if (last !== undefined && marks.length >= mostChunks) last.end = length;
      else if (kept.length > 0) marks.push({ atMs, end: length });
      if (kept === bytes) return { kept };
      return { kept, overflow: new CarrierFailure('too-large', `the body is longer than ${maxBytes} bytes`) };
    },
    size: () => length,
    result(most = length) {
      const body = only === undefined ? new Uint8Array(Math.min(most, length)) : new Uint8Array(only.subarray(0, most));
      for (let at = 0; at < body.length; at += blockBytes) {
        const block = blocks[at / blockBytes];
        if (block !== undefined) body.set(block.subarray(0, body.length - at), at);
      }
      const chunks: Chunk[] = [];
      let start = 0;
      for (const { atMs, end } of marks) {
        if (start >= body.length) break;
        chunks.push({ atMs, bytes: body.subarray(start, end) });
        start = end;
      }
      return { body, chunks };
    },
  };
}
