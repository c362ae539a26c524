import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';

// X.509 certificates (RFC 5280) with keys of P-256, made when a test runs: Node reads certificates and makes none.

/** DER: a tag, the length and the content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes);
const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
const integer = (bytes: Uint8Array): Buffer => der(0x02, bytes);
const yes = der(0x01, Buffer.from([255]));
/** Object identifiers, as bytes. */
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const commonName = (name: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
const time = (ms: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));
const algorithm = sequence(oid('2a8648ce3d040302'));

/** IPv4, or IPv6 written in full by eight groups or as `::1`. */
function addressBytes(text: string): Buffer {
  if (isIP(text) === 4) return Buffer.from(text.split('.').map(Number));
  return text === '::1'
    ? Buffer.concat([Buffer.alloc(15), Buffer.from([1])])
    : Buffer.from(text.replaceAll(':', ''), 'hex');
}

export interface Pair {
  readonly name: string;
  readonly key: KeyObject;
  /** PEM. */
  readonly cert: string;
  readonly keyText: string;
}

export interface Wanted {
  readonly name: string;
  /** Names and addresses that the certificate is for. */
  readonly names?: readonly string[];
  /** Left out: it signs itself. */
  readonly issuer?: Pair;
  readonly isAuthority?: boolean;
  /** Ms from now; default one day. */
  readonly ends?: number;
}

const day = 86_400_000;

/** A certificate and its key. */
export function certificate({ name, names = [], issuer, isAuthority = false, ends = day }: Wanted): Pair {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const alternatives = names.map((name) =>
    isIP(name) > 0 ? der(0x87, addressBytes(name)) : der(0x82, Buffer.from(name)),
  );
  const extension = (id: string, value: Uint8Array, isCritical = false): Buffer =>
    sequence(oid(id), ...(isCritical ? [yes] : []), octets(value));
  const extensions = [
    extension('551d13', sequence(...(isAuthority ? [yes] : [])), true),
    ...(alternatives.length === 0 ? [] : [extension('551d11', sequence(...alternatives))]),
  ];
  const serial = randomBytes(8);
  serial[0] = 1;
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    algorithm,
    commonName(issuer?.name ?? name),
    sequence(time(Date.now() - 2 * day), time(Date.now() + ends)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = createSign('sha256')
    .update(body)
    .sign(issuer?.key ?? key);
  const lines =
    sequence(body, algorithm, bits(signature))
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    name,
    key,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    keyText: key.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
