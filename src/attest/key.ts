import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { TckError } from '../model/index.js';

const hint = 'a2a-tck keygen --out <file> makes a pair of keys';

function ed25519(read: () => KeyObject, otherwise: string): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw new TckError('usage', otherwise, hint);
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new TckError('usage', `the key is ${key.asymmetricKeyType ?? 'of no known kind'}, Ed25519 is needed`, hint);
}

/** PKCS #8 in PEM. Errors never quote it. */
export const readPrivateKey = (pem: string): KeyObject =>
  ed25519(() => createPrivateKey(pem), 'the key is not a private key in PEM (PKCS #8, without a passphrase)');

/** SPKI in PEM. A private key is refused: verifying does not need one. */
export function readPublicKey(pem: string): KeyObject {
  if (pem.includes('PRIVATE KEY')) {
    throw new TckError(
      'usage',
      'this is a private key',
      'verify needs the public one, which keygen writes as <file>.pub',
    );
  }
  return ed25519(() => createPublicKey(pem), 'the key is not a public key in PEM (SPKI)');
}

/** SHA-256 of the public key as SPKI in DER, hex: for a private key, of its public half. */
export function keyId(key: KeyObject): string {
  const half = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(half.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** A fresh pair in PEM. */
export const generateKeys = (): { readonly privateKey: string; readonly publicKey: string } =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
