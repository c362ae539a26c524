import { closeSync, openSync, readSync } from 'node:fs';
import { TckError } from '../model/tck-error.js';
import { withoutKeys } from '../xpr/key-shaped.js';
import { causeOf } from './cause.js';

/** Bytes. A longer file holds no key, and some files never end. */
const longest = 4096;

/**
 * The key in a file. Throws `TckError('usage')`. The error hides keys: a user may give the key in place of its file.
 */
export function readKeyFile(option: string, file: string): string {
  const refuse = (why: string): TckError =>
    new TckError('usage', withoutKeys(`${option} ${file} cannot be read: ${why}`), 'it holds the key and nothing else');
  const bytes = Buffer.alloc(longest + 1);
  let length: number;
  try {
    const handle = openSync(file, 'r');
    try {
      length = readSync(handle, bytes);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw refuse(causeOf(error));
  }
  const text = bytes.subarray(0, length).toString('utf8').trim();
  if (text === '' || length > longest) throw refuse('there is no key in it');
  return text;
}
