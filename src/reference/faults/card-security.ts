import { onCard, set } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';

const member = (path: string, value: unknown): Patch => onCard((card) => set(card, path, value));
const is10 = (card: object): boolean => 'supportedInterfaces' in card;
/** One security scheme: `old` as spelled up to 0.3, `now` since 1.0. */
const schemes = (old: unknown, now: unknown): Patch =>
  onCard((card) => ({ ...card, securitySchemes: { main: is10(card) ? now : old } }));

/** Security schemes, security requirements, and what should not be public. */
export const cardSecurityFaults: readonly Fault[] = [
  fault('card-http-without-scheme', {
    about: 'An HTTP scheme does not say which.',
    breaks: ['card.scheme-members'],
    patch: schemes({ type: 'http', bearerFormat: 'JWT' }, { httpAuthSecurityScheme: { bearerFormat: 'JWT' } }),
  }),
  fault('card-extension-description-number', {
    about: 'The description of an extension is a number.',
    breaks: ['ext.members'],
    patch: member('capabilities.extensions', [{ uri: 'https://vendor.example/trace', description: 3 }]),
  }),
];
