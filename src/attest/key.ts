import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { TckError } from '../model/index.js';

const hint = 'a2a-tck keygen --out <file> makes a pair of keys';

function only(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new TckError('usage', `the key is ${key.asymmetricKeyType ?? 'of no known kind'}, Ed25519 is needed`, hint);
}

/** PKCS #8 in PEM. Errors never quote it. */
export function readPrivateKey(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw new TckError('usage', 'the key is no private key in PEM (PKCS #8, without a passphrase)', hint);
  }
  return only(key);
}

/** SPKI in PEM. A private key is refused: who only verifies has no business with it. */
export function readPublicKey(pem: string): KeyObject {
  if (pem.includes('PRIVATE KEY')) {
    throw new TckError(
      'usage',
      'this is a private key',
      'verify needs the public one, which keygen writes as <file>.pub',
    );
  }
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    throw new TckError('usage', 'the key is no public key in PEM (SPKI)', hint);
  }
  return only(key);
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
