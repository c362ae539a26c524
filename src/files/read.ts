import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { isLater, lookEveryMs, sleep } from './waiting.js';
import { whyOf } from './why.js';

/** How long a pipe may keep the kit waiting, ms. */
export interface Patience {
  /** Until a program writes into it for the first time. */
  readonly opened: number;
  /** Without data, where a program has it open: `<(…)` may be a whole run of the kit. */
  readonly silent: number;
}
export const usualPatience: Patience = { opened: 5000, silent: 900_000 };

interface Reading {
  /** Neither a pipe nor a device. */
  readonly isPlain?: boolean;
  readonly patience?: Patience;
}

const kibi = 1024;
const sizeOf = (bytes: number): string => (bytes < kibi * kibi ? `${bytes / kibi} KiB` : `${bytes / kibi / kibi} MiB`);
const tooLong = (most: number): Error => new Error(`it is longer than ${sizeOf(most)}`);
const seconds = (ms: number): string => (ms < 120_000 ? `${ms / 1000} s` : `${ms / 60_000} minutes`);
const silence = (ms: number): Error => new Error(`nothing came for ${seconds(ms)}`);

/**
 * Reads a file, a device or a pipe that the user names, up to `most` bytes. Throws an `Error` that says why it cannot be
 * read, in the words for a sentence "<file> cannot be read: <why>".
 */
export function readWithin(file: string, most: number, how: Reading = {}): Buffer {
  let handle: number;
  try {
    // Without O_NONBLOCK a pipe into which no program writes would hold the kit before anything can be looked at.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
  } catch (error) {
    throw new Error(whyOf(error));
  }
  try {
    return readOpen(handle, most, how);
  } catch (error) {
    throw new Error(whyOf(error));
  } finally {
    closeSync(handle);
  }
}

/** The same of an open file. */
export function readOpen(
  handle: number,
  most: number,
  { isPlain = false, patience = usualPatience }: Reading = {},
): Buffer {
  const stats = fstatSync(handle);
  if (stats.isDirectory()) throw new Error('it is a folder');
  if (isPlain && !stats.isFile()) throw new Error('it is not a file, but a pipe or a device');
  if (stats.isFile() && stats.size > most) throw tooLong(most);
  return readAll(handle, most, stats, patience);
}

function readAll(handle: number, most: number, stats: Stats, { opened, silent }: Patience): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  let since = performance.now();
  for (;;) {
    // A file is read at once; a byte more than the limit shows that there are more.
    const usual = stats.isFile() && length === 0 ? stats.size + 1 : 64 * kibi;
    const chunk = Buffer.allocUnsafe(Math.min(usual, most + 1 - length));
    const read = readSome(handle, chunk);
    if (read !== undefined && read > 0) {
      chunks.push(chunk.subarray(0, read));
      length += read;
      if (length > most) throw tooLong(most);
      since = performance.now();
      continue;
    }
    const isUnopened = read === 0 && length === 0 && stats.isFIFO();
    if (read === 0 && !isUnopened)
      return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    const waited = performance.now() - since;
    if (isUnopened && waited >= opened)
      throw new Error(`it is a pipe, and nothing writes into it for ${seconds(opened)}`);
    if (waited >= silent) throw silence(silent);
    sleep(lookEveryMs);
  }
}

/** Bytes that were read; 0: the end; undefined: a pipe has nothing yet. */
function readSome(handle: number, chunk: Buffer): number | undefined {
  try {
    return readSync(handle, chunk);
  } catch (error) {
    if (isLater(error)) return undefined;
    throw error;
  }
}

/** The same of stdin. A person at a terminal may take any time. */
export async function readStdin(most: number, { silent }: Patience = usualPatience): Promise<Buffer> {
  const { stdin } = process;
  const timer = stdin.isTTY ? undefined : setTimeout(() => stdin.destroy(silence(silent)), silent);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stdin) {
      timer?.refresh();
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length > most) throw tooLong(most);
    }
  } catch (error) {
    throw new Error(whyOf(error));
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}
