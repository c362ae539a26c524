import { p256 } from '@noble/curves/nist.js';
import { curveChecksum, joined, readChecked, readFilled } from './checked-text.js';
import { publicKeyText, sha256 } from './keys.js';
import { firstHeader, readSignatureLeniently, recover } from './signature.js';

// Signatures that the document does not promise and the published library accepts: P-256 (`R1`), and P-256 as browsers
// sign with it (`WA`). Used only to see whether an agent accepts them too. XPR: texts of keys and signatures.

/** The public key (33 bytes) of a secret (32 bytes) on P-256. Its text is `publicKeyText(key, 'R1')`. */
export const publicKeyR1 = (secret: Uint8Array): Uint8Array => p256.getPublicKey(secret);

/** 65 bytes; their text is `signatureText(signature, 'R1')`. The published library requires no canonical one here. */
export function signR1(hash: Uint8Array, secret: Uint8Array): Uint8Array {
  const signature = p256.sign(hash, secret, { prehash: false, lowS: true, format: 'recovered' });
  signature[0] = firstHeader + (signature[0] ?? 0);
  return signature;
}

function recoverR1(hash: Uint8Array, signature: Uint8Array): Uint8Array {
  const recovery = ((signature[0] ?? 0) - firstHeader) & 3;
  return p256.Signature.fromBytes(signature.subarray(1, 65)).addRecoveryBit(recovery).recoverPublicKey(hash).toBytes();
}

/** Flags of the authenticator data (WebAuthn §6.1): the user was present, the user was verified. */
const present = 0x01;
const recognised = 0x04;
/** Position of those flags: after the hash of the host. */
const flagsAt = 32;

/**
 * A signature as a browser makes it at `https://<host>`, of variable length; its text is `signatureText(signature,
 * 'WA')`. The challenge is the hash to be signed.
 */
export function signWebAuthn(hash: Uint8Array, secret: Uint8Array, host: string): Uint8Array {
  const authenticator = joined(sha256(host), Uint8Array.of(present | recognised, 0, 0, 0, 1));
  const challenge = Buffer.from(hash).toString('base64url');
  const client = utf8(JSON.stringify({ type: 'webauthn.get', challenge, origin: `https://${host}` }));
  return joined(signR1(sha256(joined(authenticator, sha256(client))), secret), sized(authenticator), sized(client));
}

/** The public key for `signWebAuthn`; its text is `publicKeyText(key, 'WA')`. */
export const webAuthnKey = (secret: Uint8Array, host: string): Uint8Array =>
  waKey(publicKeyR1(secret), present | recognised, host);

/** The point, the presence of the user (0: none, 1: present, 2: verified), the host. */
function waKey(point: Uint8Array, flags: number, host: string): Uint8Array {
  const presence = flags & recognised ? 2 : flags & present;
  return joined(point, Uint8Array.of(presence), sized(utf8(host)));
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Puts the length before the bytes, seven bits per byte. */
function sized(bytes: Uint8Array): Uint8Array {
  const length: number[] = [];
  for (let rest = bytes.length; length.length === 0 || rest > 0; rest >>>= 7) {
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  }
  return joined(Uint8Array.from(length), bytes);
}

/** Reads two such pieces, which follow a signature. @throws RangeError when they are cut off */
function pieces(bytes: Uint8Array): readonly [Uint8Array, Uint8Array] {
  let at = 0;
  const next = (): Uint8Array => {
    let length = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = bytes[at];
      if (byte === undefined || shift > 21) throw new RangeError('the length is cut off');
      length |= (byte & 0x7f) << shift;
      more = byte > 0x7f;
      at += 1;
    }
    if (at + length > bytes.length) throw new RangeError('the piece is cut off');
    const piece = bytes.subarray(at, at + length);
    at += length;
    return piece;
  };
  return [next(), next()];
}

function recoverWebAuthn(hash: Uint8Array, signature: Uint8Array): Uint8Array | undefined {
  const [authenticator, client] = pieces(signature.subarray(65));
  const { challenge, origin }: { challenge?: unknown; origin?: unknown } = JSON.parse(Buffer.from(client).toString());
  // As in the published library, both are decoded with replacement characters, so that different hashes can look alike.
  const asked = Buffer.from(String(challenge), 'base64url').toString();
  if (asked !== Buffer.from(hash).toString()) return undefined;
  const point = recoverR1(sha256(joined(authenticator, sha256(client))), signature);
  return waKey(point, authenticator[flagsAt] ?? 0, String(origin).replace('https://', ''));
}

/**
 * The text of the key that made the signature, on any curve. Accepts what the published library accepts; undefined when
 * that gives up. `hash`: 32 bytes, the input of ECDSA.
 */
export function recoverAnyCurve(hash: Uint8Array, text: string): string | undefined {
  const what = 'signature';
  try {
    if (text.startsWith('SIG_R1_')) {
      const layout = { what, prefix: 'SIG_R1_', length: 65, checksum: curveChecksum('R1') };
      return publicKeyText(recoverR1(hash, readFilled(text, layout)), 'R1');
    }
    if (text.startsWith('SIG_WA_')) {
      const key = recoverWebAuthn(hash, readChecked(text, { what, prefix: 'SIG_WA_', checksum: curveChecksum('WA') }));
      return key && publicKeyText(key, 'WA');
    }
    const signature = readSignatureLeniently(text);
    const key = signature && recover(hash, signature, { lenient: true });
    return key && publicKeyText(key);
  } catch {
    return undefined;
  }
}
