import { testKey } from '../keys.js';
import { a2a, variant } from '../variant.js';
import { able, declaring } from './declaring.js';

const trace = 'https://vendor.example/extensions/trace/v1';
const audit = 'https://vendor.example/extensions/audit/v1';
const notes = 'https://vendor.example/extensions/notes/v2';

/** What the card declares and the agent does: extensions and signatures. */
export const extensionVariants = [
  variant('extensions-declared', {
    about: 'Declares an extension that it does not require, and names it in answers to those who ask for it.',
    patch: able({
      extensions: [
        { uri: trace, required: false, params: { depth: 3 } },
        { uri: notes, required: false },
      ],
    }),
    profiles: a2a,
  }),
  variant('extensions-required', {
    about: 'Calls that do not ask for the extension it requires are refused (1.0 §3.3.4; a guide in 0.3, AMB03-28).',
    // Each version has its own name for the header, and knows nothing of the other.
    headers: [
      ['A2A-Extensions', audit],
      ['X-A2A-Extensions', audit],
    ],
    patch: able({
      extensions: [
        { uri: audit, required: true },
        { uri: trace, required: false },
      ],
    }),
    profiles: a2a,
  }),
  variant('signed-card', {
    about: 'The card is signed, and the key is served (1.0 §8.4; 0.3 does not say over what, AMB03-27).',
    patch: () => ({ signingKeys: () => [testKey] }),
    profiles: a2a,
  }),
  variant('no-skills', {
    about: 'The list of skills is empty (AMB03-31, AMB10-12).',
    patch: declaring({ skills: [] }),
    profiles: a2a,
  }),
  variant('tenant-declared', {
    about: 'Its interface has a tenant, which calls may name or not (1.0 §8.3.2, AMB10-29).',
    patch: declaring(({ interfaces }) => ({ interfaces: interfaces.map((one) => ({ ...one, tenant: 'acme' })) })),
    profiles: ['a2a-1.0'],
  }),
];
