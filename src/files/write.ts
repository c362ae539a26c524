import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { TckError } from '../model/index.js';
import { checkWay, makeFolder } from './folder.js';
import { isLater, lookEveryMs, sleep } from './waiting.js';
import { whyOf } from './why.js';

/** A file that is being written. It appears under its name when it is complete, or not at all. */
export interface PartialFile {
  write(text: string): void;
  done(): void;
  discard(): void;
}

export interface Writing {
  /** What the file is, for messages: "the report", with which they begin. */
  readonly what?: string;
  /** Permissions of a file that is new. Default 0o666, of which the umask takes some. */
  readonly mode?: number;
  /** Nothing may be there under the name. Such a file is written in its place. */
  readonly isNew?: boolean;
  /** The folder out of which no link may lead (`makeFolder`). */
  readonly within?: string;
  /** Advice with every error. */
  readonly hint?: string;
}

const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = constants;
/** Windows has none of them. */
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const O_NONBLOCK = constants.O_NONBLOCK ?? 0;
const O_NOCTTY = constants.O_NOCTTY ?? 0;

/** Links of the system to what the process has open: the only ones through which the kit writes. */
const ofProcess = /^\/(?:dev\/(?:std(?:out|err)|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/;
/** Opened again, a file behind them would be written over from its beginning. */
const standard: Readonly<Record<string, number>> = {
  '/dev/stdout': 1,
  '/dev/fd/1': 1,
  '/proc/self/fd/1': 1,
  '/dev/stderr': 2,
  '/dev/fd/2': 2,
  '/proc/self/fd/2': 2,
};

/** Ms in which a reader of a pipe must take something. */
const patienceMs = 60_000;

/** Writes all of a text: a pipe takes what it has room for. */
function writeAll(handle: number, text: string): void {
  const bytes = Buffer.from(text);
  let done = 0;
  let since = performance.now();
  while (done < bytes.length) {
    try {
      done += writeSync(handle, bytes, done);
      since = performance.now();
    } catch (error) {
      if (!isLater(error)) throw error;
      if (performance.now() - since > patienceMs)
        throw new Error(`no program has read from it for ${patienceMs / 1000} s`);
      sleep(lookEveryMs);
    }
  }
}

/** What is under a name, where it can be written. Throws an `Error` where it cannot, or must not. */
function target(path: string): Stats | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) {
    if (ofProcess.test(path)) return statSync(path);
    throw new Error(`it is a link to ${readlinkSync(path)}: name that file itself`);
  }
  if (found.isDirectory()) throw new Error('it is a folder');
  if (found.isBlockDevice()) throw new Error('it is a disk');
  // Who made the pipe reads from it.
  if (found.isFIFO() && found.uid !== process.geteuid?.()) throw new Error('it is a pipe of another user');
  accessSync(path, constants.W_OK);
  return found;
}

/**
 * Throws an `Error` where a library, which opens the file itself, would write through a link or into what is not a
 * file.
 */
export function checkPlace(file: string): void {
  const path = resolve(file);
  checkWay(dirname(path));
  if (target(path)?.isFile() === false) throw new Error('it is not a file, but a pipe or a device');
}

/** A pipe or a device, into which text goes as it comes. */
function openDevice(path: string): number {
  const own = standard[path];
  if (own !== undefined) return own;
  try {
    return openSync(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENXIO' ? new Error('no program reads from it') : error;
  }
}

/** An open file, and where its content comes to stand before it is complete; undefined: at once where it is read. */
interface Opened {
  readonly handle: number;
  readonly made?: string;
}

function open(path: string, { mode = 0o666, isNew = false, within }: Writing): Opened {
  const isOwn = ofProcess.test(path);
  if (!isOwn) makeFolder(dirname(path), within);
  const found = target(path);
  if (isNew && found !== undefined) throw new Error('it is there already, and is not written over');
  if (found !== undefined && (isOwn || !found.isFile())) return { handle: openDevice(path) };
  // The name cannot be guessed, and nothing may be there: neither a file nor a link.
  const made = isNew ? path : `${path}.${randomBytes(4).toString('hex')}.tmp`;
  const handle = openSync(made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  if (found !== undefined) fchmodSync(handle, found.mode & 0o777);
  return { handle, made };
}

/**
 * Opens a file for writing: all files of the kit are written here. A name that is a link is refused, and so is a folder
 * in `within` that leads out of it. A pipe or a device that is named gets the text as it comes. It and the methods of
 * its result throw `TckError('config')`.
 */
export function openFile(file: string, how: Writing = {}): PartialFile {
  const { what = 'the report', hint } = how;
  const cannot = (error: unknown): TckError =>
    new TckError('config', `${what} ${file} cannot be written: ${whyOf(error)}`.trim(), hint);
  const path = resolve(file);
  let opened: Opened;
  try {
    opened = open(path, how);
  } catch (error) {
    throw cannot(error);
  }
  const { handle, made } = opened;
  let isOpen = true;
  const close = (): void => {
    if (isOpen && handle > 2) closeSync(handle);
    isOpen = false;
  };
  let isThere = made !== undefined;
  const discard = (): void => {
    close();
    if (isThere && made !== undefined) rmSync(made, { force: true });
    isThere = false;
  };
  const wholeOrNot = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      discard();
      throw cannot(error);
    }
  };
  return {
    write: (text) => wholeOrNot(() => writeAll(handle, text)),
    done: () =>
      wholeOrNot(() => {
        close();
        if (made !== undefined && made !== path) renameSync(made, path);
        isThere = false;
      }),
    discard,
  };
}

/** Writes a file that appears complete or not at all. Throws `TckError('config')`. */
export function writeWhole(file: string, text: string, how: Writing = {}): void {
  const opened = openFile(file, how);
  opened.write(text);
  opened.done();
}
