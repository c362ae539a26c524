import type { KeyObject } from 'node:crypto';
import { jsonReportText } from '../../reporters/index.js';
import { readPrivateKey, sealed, statementOf } from '../attest/index.js';
import { openFile } from '../files/index.js';
import { TckError } from '../model/tck-error.js';
import type { Report } from '../report/index.js';
import type { CliOptions } from './cli-options.js';
import { readKeyFile } from './key-file.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The key that signs results, from the file or else from A2A_TCK_ATTEST_KEY. Throws `TckError('usage')`. */
export function readAttestKey(option: string, file: string | undefined, env: Environment): KeyObject {
  // Some CI systems keep secrets on one line.
  const pem = file === undefined ? env['A2A_TCK_ATTEST_KEY']?.replaceAll('\\n', '\n') : readKeyFile(option, file);
  if (pem === undefined || pem.trim() === '') {
    throw new TckError(
      'usage',
      'the key is missing that signs the result',
      `give ${option} or A2A_TCK_ATTEST_KEY; a2a-tck keygen makes one`,
    );
  }
  return readPrivateKey(pem);
}

export interface AttestationSettings {
  /** The file of the signed result, and the key that signs it. */
  readonly attestation?: { readonly file: string; readonly key: KeyObject };
}

/** `--attest` and its key. Throws `TckError('usage')`. */
export function readAttestation({ attest, attestKeyFile, shard }: CliOptions, env: Environment): AttestationSettings {
  if (attest === undefined) {
    if (attestKeyFile === undefined) return {};
    throw new TckError('usage', '--attest-key-file has no effect without --attest', 'give --attest <file> too');
  }
  if (shard !== undefined) {
    throw new TckError('usage', 'a part of a run cannot be attested', 'a2a-tck merge, and then a2a-tck attest');
  }
  return { attestation: { file: attest, key: readAttestKey('--attest-key-file', attestKeyFile, env) } };
}

export interface Attesting {
  /** Writes the signed result. Returns why there is none; undefined: it is written. */
  attest(report: Report): string | undefined;
  discard(): void;
}

/** Opens the file before the run, so that a file that cannot be written is reported first. */
export function beginAttestation({ attestation }: AttestationSettings): Attesting | undefined {
  if (attestation === undefined) return undefined;
  const { file, key } = attestation;
  const opened = openFile(file);
  return {
    attest(report) {
      try {
        opened.write(attested(report, jsonReportText(report), key));
      } catch (error) {
        opened.discard();
        if (error instanceof TckError && error.code === 'usage') return error.message;
        throw error;
      }
      opened.done();
      return undefined;
    },
    discard: opened.discard,
  };
}

/** The signed result as a file. `bytes`: the JSON report. */
export const attested = (report: Report, bytes: string | Uint8Array, key: KeyObject): string =>
  `${JSON.stringify(sealed(statementOf(report, bytes), key))}\n`;
