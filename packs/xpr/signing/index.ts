export type * from './chain-types.js';
export { type Curve, XprTextError } from './checked-text.js';
export { bodyHash, type Claim, digest, preimage, type Scheme, signedHash } from './digest.js';
export { headerNames, type Signing, signatureFor, signedHeaders } from './headers.js';
export {
  legacyPublicKeyText,
  type PrivateKey,
  privateKey,
  privateKeyFor,
  publicKeyText,
  pvtText,
  readPrivateKey,
  readPublicKey,
  wif,
} from './keys.js';
export { misreadings } from './misreadings.js';
export { isAccountName } from './names.js';
export { publicKeyR1, recoverAnyCurve, signR1, signWebAuthn, webAuthnKey } from './other-curves.js';
export { isCanonical, readSignature, readSignatureLeniently, recover, sign, signatureText } from './signature.js';
export { malformations, type Spelling, twins } from './spellings.js';
