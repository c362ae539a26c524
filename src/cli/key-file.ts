import { readWithin } from '../files/index.js';
import { TckError } from '../model/tck-error.js';
import { withoutKeys } from '../model/without-keys.js';
import { causeOf } from './cause.js';

/** Bytes. A longer file holds no key, and some files never end. */
const longest = 4096;

/**
 * The key in a file. Throws `TckError('usage')`. The error hides keys: a user may give the key in place of its file.
 */
export function readKeyFile(option: string, file: string): string {
  const refuse = (why: string): TckError =>
    new TckError('usage', withoutKeys(`${option} ${file} cannot be read: ${why}`), 'it holds the key and nothing else');
  let text: string;
  try {
    text = readWithin(file, longest).toString('utf8').trim();
  } catch (error) {
    throw refuse(causeOf(error));
  }
  if (text === '') throw refuse('it holds no key');
  return text;
}
