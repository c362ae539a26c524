import { rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { TckError } from '../../model/tck-error.js';
import { causeOf } from '../cause.js';
import { makeFolder } from '../folder.js';
import type { Terminal } from '../terminal.js';

/** Makes a pair of keys for signed results: the private one readable by its owner only, the public one beside it. */
export async function keygenCommand({ out }: { readonly out: string }, terminal: Terminal): Promise<number> {
  const { generateKeys, keyId, readPublicKey } = await import('../../attest/index.js');
  const { privateKey, publicKey } = generateKeys();
  const write = (file: string, text: string, mode: number): void => {
    try {
      makeFolder(dirname(resolve(file)));
      // An existing key may be in use.
      writeFileSync(file, text, { mode, flag: 'wx' });
    } catch (error) {
      throw new TckError('usage', `${file} cannot be written: ${causeOf(error)}`, 'keys are never written over');
    }
  };
  write(`${out}.pub`, publicKey, 0o644);
  try {
    write(out, privateKey, 0o600);
  } catch (error) {
    rmSync(`${out}.pub`);
    throw error;
  }
  terminal.out(`${keyId(readPublicKey(publicKey))}\n`);
  terminal.err(`${out} signs results: keep it secret. ${out}.pub verifies them: give it to whoever asks.\n`);
  return 0;
}
