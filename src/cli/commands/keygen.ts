import { rmSync } from 'node:fs';
import { writeWhole } from '../../files/index.js';
import type { Terminal } from '../terminal.js';

/** Makes a pair of keys for signed results: the private one readable by its owner only, the public one beside it. */
export async function keygenCommand({ out }: { readonly out: string }, terminal: Terminal): Promise<number> {
  const { generateKeys, keyId, readPublicKey } = await import('../../attest/index.js');
  const { privateKey, publicKey } = generateKeys();
  // An existing key may be in use.
  const write = (file: string, text: string, mode: number): void =>
    writeWhole(file, text, { what: '', mode, isNew: true, hint: 'keys are never written over' });
  write(`${out}.pub`, publicKey, 0o644);
  try {
    write(out, privateKey, 0o600);
  } catch (error) {
    rmSync(`${out}.pub`);
    throw error;
  }
  terminal.out(`${keyId(readPublicKey(publicKey))}\n`);
  terminal.err(
    `${out} signs results: keep it secret. ${out}.pub verifies them: give it to every reader of the results.\n`,
  );
  return 0;
}
