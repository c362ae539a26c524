import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { readWithin } from '../files/index.js';
import { TckError } from '../model/tck-error.js';
import { type Network, proxyOfEnvironment, readResolve } from '../wire/carriers/network.js';
import { causeOf } from './cause.js';
import type { CliOptions } from './cli-options.js';

/** The options of the network, by their names on the command line. */
export type NetworkGiven = Pick<CliOptions, 'caFile' | 'certFile' | 'keyFile' | 'insecure' | 'resolve'>;

/** Bytes: bundles of a company hold some hundred certificates. */
const longest = 4 * 1024 * 1024;

const pemHint = 'it must be PEM, with -----BEGIN … lines; openssl x509 -inform DER -in <file> makes PEM of DER';

/** A PEM file. Throws `TckError('usage')`; the text is never quoted. */
function readPem(option: string, file: string): string {
  try {
    return readWithin(file, longest).toString('latin1');
  } catch (error) {
    throw new TckError('usage', `${option} ${file} cannot be read: ${causeOf(error)}`, pemHint);
  }
}

const certificate = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/** Certificates in PEM. Throws `TckError('usage')` where there is none, or one that cannot be read. */
function readCertificates(option: string, file: string): string {
  const text = readPem(option, file);
  const found = text.match(certificate) ?? [];
  if (found.length === 0) throw new TckError('usage', `${option} ${file} holds no certificate`, pemHint);
  for (const [at, text] of found.entries()) {
    try {
      new X509Certificate(text);
    } catch {
      throw new TckError(
        'usage',
        `${option} ${file}: certificate ${at + 1} of ${found.length} cannot be read`,
        pemHint,
      );
    }
  }
  return text;
}

/** Throws `TckError('usage')` for a pair that TLS cannot use. */
function checkPair(cert: string, key: string, { certFile, keyFile }: NetworkGiven): void {
  if (/ENCRYPTED/.test(key)) {
    const hint = `openssl pkey -in ${keyFile} -out <file> writes it without one`;
    throw new TckError('usage', `--key-file ${keyFile} is encrypted with a passphrase`, hint);
  }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key))
    throw new TckError('usage', `--key-file ${keyFile} holds no private key`, pemHint);
  try {
    createSecureContext({ cert, key });
  } catch {
    const hint = 'the key must be that of the first certificate in the file';
    throw new TckError('usage', `--cert-file ${certFile} and --key-file ${keyFile} do not belong together`, hint);
  }
}

function readPair(given: NetworkGiven): Pick<Network, 'cert' | 'key'> {
  const { certFile, keyFile } = given;
  if (certFile === undefined && keyFile === undefined) return {};
  if (certFile === undefined || keyFile === undefined) {
    const [has, lacks] = certFile === undefined ? ['key-file', 'cert-file'] : ['cert-file', 'key-file'];
    throw new TckError('usage', `--${has} needs --${lacks}`, 'a certificate and its private key, both in PEM');
  }
  const cert = readCertificates('--cert-file', certFile);
  const key = readPem('--key-file', keyFile);
  checkPair(cert, key, given);
  return { cert, key };
}

/**
 * The options of the network and the proxies of the environment; an empty object where nothing is to be set. Throws
 * `TckError('usage')` for files that cannot be used, and for a proxy that is not a URL.
 */
export function readNetwork(
  given: NetworkGiven,
  env: Readonly<Record<string, string | undefined>>,
): { readonly network?: Network } {
  const proxy = proxyOfEnvironment(env);
  const resolve = (given.resolve ?? []).map(readResolve);
  const network: Network = {
    ...(proxy === undefined ? {} : { proxy }),
    ...(given.caFile === undefined ? {} : { ca: readCertificates('--ca-file', given.caFile) }),
    ...readPair(given),
    ...(given.insecure === true ? { insecure: true } : {}),
    ...(resolve.length === 0 ? {} : { resolve }),
  };
  return Object.keys(network).length === 0 ? {} : { network };
}
