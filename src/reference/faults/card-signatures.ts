import { edited, onCard } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';

const on = 'signed-card';
const each = (change: (signature: object) => unknown): Patch =>
  onCard((card) => edited(card, 'signatures.*', (signature) => change(signature as object)));
const header = (text: string): Patch => each((signature) => ({ ...signature, protected: text }));
const base64url = (text: string): string => Buffer.from(text).toString('base64url');

export const cardSignatureFaults: readonly Fault[] = [
  fault('card-protected-alg-none', {
    about: 'The protected header names the algorithm none.',
    breaks: ['sig.protected'],
    on,
    patch: header(base64url('{"alg":"none"}')),
  }),
];
