import { edited, onCard, set } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';

const on = 'signed-card';
const each = (change: (signature: object) => unknown): Patch =>
  onCard((card) => edited(card, 'signatures.*', (signature) => change(signature as object)));
const header = (text: string): Patch => each((signature) => ({ ...signature, protected: text }));
const base64url = (text: string): string => Buffer.from(text).toString('base64url');

export const cardSignatureFaults: readonly Fault[] = [
  fault('card-signature-without-protected', {
    about: 'A signature has no protected header.',
    breaks: ['sig.members'],
    on,
    patch: each((signature) => ({ ...signature, protected: undefined })),
  }),
  fault('card-signature-number', {
    about: 'A signature is a number.',
    breaks: ['sig.members'],
    on,
    patch: each((signature) => ({ ...signature, signature: 1234567890 })),
  }),
  fault('card-signatures-map', {
    about: 'Signatures are one object.',
    breaks: ['sig.members'],
    on,
    patch: onCard((card) => set(card, 'signatures', { protected: 'e30', signature: 'AAAA' })),
  }),
  fault('card-signature-padded', {
    about: 'A signature is padded.',
    breaks: ['sig.base64url'],
    on,
    patch: each((signature) => ({ ...signature, signature: 'QUJDRA==' })),
  }),
  fault('card-signature-base64', {
    about: 'A signature is in base64, not in base64url.',
    breaks: ['sig.base64url'],
    on,
    patch: each((signature) => ({ ...signature, signature: '+/+/+/+/' })),
  }),
  fault('card-signature-header-text', {
    about: 'The unprotected header is a text.',
    breaks: ['sig.header'],
    on,
    patch: each((signature) => ({ ...signature, header: 'kid=1' })),
  }),
  fault('card-protected-not-base64url', {
    about: 'The protected header is plain JSON.',
    breaks: ['sig.protected'],
    on,
    patch: header('{"alg":"ES256"}'),
  }),
  fault('card-protected-not-json', {
    about: 'The protected header is no JSON.',
    breaks: ['sig.protected'],
    on,
    patch: header(base64url('alg=ES256')),
  }),
  fault('card-protected-without-alg', {
    about: 'The protected header names no algorithm.',
    breaks: ['sig.protected'],
    on,
    patch: header(base64url('{"kid":"key-1"}')),
  }),
  fault('card-protected-alg-none', {
    about: 'The protected header names the algorithm none.',
    breaks: ['sig.protected'],
    on,
    patch: header(base64url('{"alg":"none"}')),
  }),
];
