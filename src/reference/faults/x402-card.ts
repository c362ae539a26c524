import { onCard, without } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import { declaring } from '../variants/declaring.js';

const list = 'capabilities.extensions';

/** Cards that declare the extension wrongly, or not at all. */
export const x402CardFaults: readonly Fault[] = [
  fault('x402-card-undeclared', {
    about: 'The card says nothing of payments.',
    breaks: ['x402.card-declared'],
    patch: onCard((card) => without(card, list)),
  }),
  fault('x402-card-url-without-tls', {
    about: 'Payments are taken at a public interface without TLS.',
    breaks: ['x402.https'],
    patch: declaring(({ interfaces }) => ({
      interfaces: [...interfaces, ...interfaces.map((one) => ({ ...one, url: 'http://merchant.example.com/a2a' }))],
    })),
  }),
];
