import { isObject } from '../../model/index.js';
import { type Reading, signCard } from '../../signing/index.js';
import { alice, bearerOf, bob } from '../accounts.js';
import { onCard, without } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { testKey } from '../keys.js';
import { type Patch, together } from '../seams.js';
import { a2a, variant } from '../variant.js';
import { able, declaring } from './declaring.js';

const trace = 'https://vendor.example/extensions/trace/v1';
const audit = 'https://vendor.example/extensions/audit/v1';
const notes = 'https://vendor.example/extensions/notes/v2';

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs a card that has empty lists, on which the readings of canonicalization differ. */
const signedIn =
  (reading: Reading): Patch =>
  (inner, { baseUrl }) => ({
    signingKeys: () => [testKey],
    cardDocument() {
      const card = inner.cardDocument();
      if (!isObject(card)) return card;
      const { signatures: _, ...rest } = card;
      const full = { ...rest, skills: [], securityRequirements: [] };
      const jku = `${baseUrl}/.well-known/jwks.json`;
      return { ...full, signatures: [signCard(full, testKey, { jku, reading })] };
    },
  });

/** Agents with extensions, or with signatures on their cards. */
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
  variant('extensions-that-inform', {
    about:
      'Declares an extension that is data of its card, and never active (topics/extensions, data-only extensions).',
    patch: together(able({ streaming: true, extensions: [{ uri: notes, required: false }] }), () => ({
      activated: () => [],
    })),
    profiles: a2a,
  }),
  variant('extensions-required', {
    about: 'Refuses calls that do not ask for the extension it requires (1.0 §3.3.4; a guide in 0.3, AMB03-28).',
    // Each version has its own name for the header, and does not know the other name.
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
  variant('extensions-not-asked-for', {
    about:
      'Refuses every call without the extension that it requires, which only its card names (1.0 §3.3.4, AMB10-25).',
    patch: able({ extensions: [{ uri: audit, required: true }] }),
    profiles: ['a2a-1.0'],
  }),
  variant('extensions-refused-as-invalid', {
    about: 'The same by the error of invalid params, since 0.3 names none (AMB03-28).',
    patch: together(able({ streaming: true, extensions: [{ uri: audit, required: true }] }), (inner) => ({
      demandExtensions(call, op) {
        try {
          inner.demandExtensions(call, op);
        } catch {
          throw new RpcFailure('InvalidParams');
        }
      },
    })),
    profiles: ['a2a-0.3', 'a2a-0.3-rest'],
  }),
  variant('extensions-with-data', {
    about: 'Refuses every message without the data of an extension that it requires, which no other client can send.',
    patch: together(able({ streaming: true, extensions: [{ uri: audit, required: true }] }), (inner) => ({
      demandExtensions: () => undefined,
      problems: (op, wire) =>
        op === 'send' || op === 'stream'
          ? [{ path: 'message.metadata', about: `${audit} is missing`, failure: 'InvalidParams' }]
          : inner.problems(op, wire),
    })),
    profiles: a2a,
  }),
  variant('extensions-guarded', {
    about: 'Declares an extension, and calls need a bearer token with it as without.',
    headers: [bearerOf(alice)],
    secondHeaders: [bearerOf(bob)],
    patch: together(
      declaring({ security: [{ main: [] }], securitySchemes: { main: { type: 'http', scheme: 'bearer' } } }),
      able({ extensions: [{ uri: trace, required: false }] }),
    ),
    profiles: a2a,
  }),
  variant('extensions-on-streams', {
    about: 'Declares an extension that streams name as well.',
    patch: able({ streaming: true, extensions: [{ uri: trace, required: false }] }),
    profiles: a2a,
  }),
  ...(['as-served', 'without-empty', 'without-defaults'] as const).map((reading) =>
    variant(`signed-card-${reading}`, {
      about: `The card is signed in another reading of its canonical form, ${reading} (AMB10-24).`,
      patch: signedIn(reading),
      profiles: ['a2a-1.0'],
    }),
  ),
  variant('signed-card-twice', {
    about: 'While keys are changed the card is signed twice; the first key is no longer known (1.0 §8.4.3).',
    patch: (inner) => ({
      signingKeys: () => [testKey],
      cardDocument() {
        const card = inner.cardDocument();
        const old = { protected: base64url({ alg: 'ES256', typ: 'JOSE', kid: 'key-0' }), signature: 'A'.repeat(86) };
        return isObject(card) ? { ...card, signatures: [old, ...((card['signatures'] ?? []) as unknown[])] } : card;
      },
    }),
    profiles: ['a2a-1.0'],
  }),
  variant('signed-card-elsewhere', {
    about: 'The key of the signature is at another origin, which the kit may not call.',
    patch: (inner) => ({
      cardDocument() {
        const card = inner.cardDocument();
        if (!isObject(card)) return card;
        return { ...card, signatures: [signCard(card, testKey, { jku: 'https://keys.example/jwks.json' })] };
      },
    }),
    profiles: ['a2a-1.0'],
  }),
  variant('signed-card', {
    about: 'Signs the card, and the key is served (1.0 §8.4; 0.3 does not say over what, AMB03-27).',
    patch: () => ({ signingKeys: () => [testKey] }),
    profiles: a2a,
  }),
  variant('no-skills', {
    about: 'The list of skills is empty (AMB03-31, AMB10-12).',
    patch: declaring({ skills: [] }),
    profiles: a2a,
  }),
  variant('skills-left-out', {
    about: 'The list of skills is empty, and ProtoJSON leaves it out (AMB10-12).',
    patch: onCard((card) => without(card, 'skills')),
    profiles: ['a2a-1.0'],
  }),
  variant('tenant-declared', {
    about: 'Its interface has a tenant, which calls may name or not (1.0 §8.3.2, AMB10-29).',
    patch: declaring(({ interfaces }) => ({ interfaces: interfaces.map((item) => ({ ...item, tenant: 'acme' })) })),
    profiles: ['a2a-1.0'],
  }),
];
