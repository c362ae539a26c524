import type { Terminal } from '../terminal.js';

/** Signs a stored run. */
export async function attestCommand(
  file: string,
  { key, out }: { readonly key?: string; readonly out?: string },
  terminal: Terminal,
): Promise<number> {
  const { attested, readAttestKey } = await import('../attestation.js');
  const signer = readAttestKey('--key', key, terminal.env);
  const { readStored } = await import('../stored-report.js');
  const { report, bytes } = await readStored(file);
  const text = attested(report, bytes, signer);
  if (out === undefined) {
    terminal.out(text);
    return 0;
  }
  const { writeWhole } = await import('../../files/index.js');
  writeWhole(out, text);
  return 0;
}
