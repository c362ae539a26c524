import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { declaring, onCard, without } from '../../../src/reference/patching.js';

const list = 'capabilities.extensions';

export const faults: readonly Fault[] = [
  fault('x402-card-undeclared', {
    about: 'The card says nothing of payments.',
    breaks: ['x402.card-declared'],
    patch: onCard((card) => without(card, list)),
  }),
  fault('x402-card-url-without-tls', {
    about: 'The agent accepts payments at a public interface without TLS.',
    breaks: ['x402.https'],
    patch: declaring(({ interfaces }) => ({
      interfaces: [...interfaces, ...interfaces.map((entry) => ({ ...entry, url: 'http://merchant.example.com/a2a' }))],
    })),
  }),
];
