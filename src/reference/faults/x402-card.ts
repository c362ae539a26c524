import { isObject } from '../../model/index.js';
import { extensionUris } from '../../x402/index.js';
import { edited, onCard, set, without } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { declaring } from '../variants/declaring.js';
import { selling } from '../x402/patches.js';

const list = 'capabilities.extensions';

/** Edits every entry of the extension on the served card; the agent behaves as before. */
const onEntry = (edit: (entry: unknown) => unknown): Patch =>
  onCard((card) =>
    edited(card, `${list}.*`, (entry) => (isObject(entry) && entry['uri'] === extensionUris.v01 ? edit(entry) : entry)),
  );

/** Cards that declare the extension wrongly, or not at all. */
export const x402CardFaults: readonly Fault[] = [
  fault('x402-card-undeclared', {
    about: 'The card says nothing of payments.',
    breaks: ['x402.card-declared'],
    patch: onCard((card) => without(card, list)),
  }),
  fault('x402-card-uri-with-slash', {
    about: 'The URI in the card has a slash more.',
    breaks: ['x402.card-declared'],
    patch: onEntry((entry) => edited(entry, 'uri', (uri) => `${uri}/`)),
  }),
  fault('x402-card-declared-outside', {
    about: 'The extension is declared beside the capabilities.',
    breaks: ['x402.card-declared'],
    patch: onCard((card) => set(without(card, list), 'extensions', [{ uri: extensionUris.v01, required: true }])),
  }),
  fault('x402-card-required-text', {
    about: 'The card says in words that the extension is required.',
    breaks: ['x402.card-entry'],
    patch: onEntry((entry) => set(entry, 'required', 'true')),
  }),
  fault('x402-card-description-list', {
    about: 'The description of the extension is a list.',
    breaks: ['x402.card-entry'],
    patch: onEntry((entry) => set(entry, 'description', ['Payments', 'in stable coins'])),
  }),
  fault('x402-card-twice', {
    about: 'The extension is declared twice by one URI.',
    breaks: ['x402.card-once'],
    patch: onCard((card) => edited(card, list, (entries) => (Array.isArray(entries) ? [...entries, ...entries] : []))),
  }),
  fault('x402-card-optional', {
    about: 'The extension is not required; paid work is refused to clients that do not activate it.',
    breaks: ['x402.card-required'],
    patch: selling({ required: false }),
  }),
  fault('x402-card-required-left-out', {
    about: 'The card does not say that the extension is required.',
    breaks: ['x402.card-required'],
    patch: onEntry((entry) => without(entry, 'required')),
  }),
  fault('x402-card-url-without-tls', {
    about: 'Payments are taken at a public interface without TLS.',
    breaks: ['x402.https'],
    patch: declaring(({ interfaces }) => ({
      interfaces: [...interfaces, ...interfaces.map((one) => ({ ...one, url: 'http://merchant.example.com/a2a' }))],
    })),
  }),
];
