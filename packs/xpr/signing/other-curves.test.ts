import { Key } from '@proton/js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byDay } from '../../../test/property-runs.js';
import {
  publicKeyR1,
  publicKeyText,
  recoverAnyCurve,
  signatureText,
  signedHash,
  signR1,
  signWebAuthn,
  webAuthnKey,
} from './index.js';

const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const secrets = hashes.filter((bytes) => bytes.some((byte) => byte > 0) && (bytes[0] ?? 0) < 0xff);

test('signatures on P-256 are those of the published library, and lead it to the key', () => {
  fc.assert(
    fc.property(hashes, secrets, (data, secret) => {
      const text = signatureText(signR1(signedHash(data), secret), 'R1');
      const theirs = new Key.PrivateKey({ type: 1, data: secret });
      expect(theirs.sign(Buffer.from(data)).toString()).toBe(text);
      const key = publicKeyText(publicKeyR1(secret), 'R1');
      expect(theirs.getPublicKey().toString()).toBe(key);
      expect(Key.Signature.fromString(text).recover(Buffer.from(data)).toString()).toBe(key);
      expect(recoverAnyCurve(signedHash(data), text)).toBe(key);
    }),
    byDay(20),
  );
});

test('signatures of a browser lead the published library to the key', () => {
  fc.assert(
    fc.property(hashes, hashes, secrets, fc.domain(), (data, other, secret, host) => {
      const text = signatureText(signWebAuthn(signedHash(data), secret, host), 'WA');
      const key = publicKeyText(webAuthnKey(secret, host), 'WA');
      expect(Key.Signature.fromString(text).recover(Buffer.from(data)).toString()).toBe(key);
      expect(recoverAnyCurve(signedHash(data), text)).toBe(key);
      expect(recoverAnyCurve(signedHash(other), text)).toBe(undefined);
    }),
    byDay(20),
  );
});

test('what is cut off leads to no key', () => {
  const hash = signedHash(new Uint8Array(32));
  const whole = signWebAuthn(hash, new Uint8Array(32).fill(1), 'wallet.example');
  for (let length = 0; length < whole.length; length += 1) {
    expect(recoverAnyCurve(hash, signatureText(whole.subarray(0, length), 'WA'))).toBe(undefined);
  }
  expect(recoverAnyCurve(hash, '')).toBe(undefined);
  expect(recoverAnyCurve(hash, 'SIG_R1_')).toBe(undefined);
});
