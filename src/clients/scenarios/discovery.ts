import {
  able,
  edited,
  onCard,
  type Patch,
  rewritten,
  signedByKeyInHeader,
  signedFirstByAnother,
  signedWith,
  signedWithNothing,
  testJwk,
  together,
} from '../../reference/index.js';
import { scenario } from '../scenario.js';
import { keptFor } from './plots.js';

// Finding the agent: how the card is fetched, kept and read.

const hello = { do: 'send', text: 'Hello' } as const;
const done = { state: 'completed', text: 'You said: Hello' } as const;
const newest = ['a2a-1.0'] as const;

/** No member of it has a default value, so that all readings of the canonical form are one (AMB10-24). */
const signed = (agent: string): Patch =>
  together(able({ streaming: true, push: true }), signedWith(`${agent}/.well-known/jwks.json`));

const future = { unheardOf: { deeply: [{ nested: true }, null, 7] } };

export const discoveryScenarios = [
  scenario('card-fresh', {
    about: 'two messages are sent, and the card may be kept for a minute',
    errand: { do: 'converse', texts: ['Hello', 'Hello again'] },
    patch: () => keptFor(60),
    expected: { state: 'completed', text: 'You said: Hello again' },
  }),
  scenario('card-stale', {
    about: 'two messages are sent, and the card has an ETag and may not be used again unasked',
    errand: { do: 'converse', texts: ['Hello', 'Hello again'] },
    patch: () => keptFor(0),
    expected: { state: 'completed', text: 'You said: Hello again' },
    profiles: newest,
  }),
  scenario('card-unknown-members', {
    about: 'the card has members that no version has, at every level',
    errand: hello,
    patch: () =>
      onCard((card) => {
        const more = (value: unknown): unknown => ({ ...(value as object), ...future });
        return ['capabilities', 'supportedInterfaces.*', 'skills.*'].reduce<unknown>(
          (made, path) => edited(made, path, more),
          { ...card, ...future },
        );
      }),
    expected: done,
    profiles: newest,
  }),
  scenario('card-signed', {
    about: 'the card is signed with a key that the user trusts, and served in another order of its members',
    errand: { ...hello, trusted: [testJwk] },
    patch: ({ places: { agent } }) => together(signed(agent), rewritten),
    expected: done,
    profiles: newest,
  }),
  scenario('card-signed-twice', {
    about: 'the card has two signatures, and the user trusts the key of the second',
    errand: { ...hello, trusted: [testJwk] },
    patch: ({ places: { agent } }) => together(signed(agent), signedFirstByAnother),
    expected: done,
    profiles: newest,
  }),
  scenario('card-without-algorithm', {
    about: 'the signature of the card says that its algorithm is none',
    errand: { ...hello, trusted: [testJwk] },
    patch: ({ places: { agent } }) => together(signed(agent), signedWithNothing),
    profiles: newest,
  }),
  scenario('card-altered', {
    about:
      'the card was altered after it was signed with the key that the user trusts, and signed again by a key in its header',
    errand: { ...hello, trusted: [testJwk] },
    patch: ({ places: { agent } }) =>
      together(
        signed(agent),
        onCard((card) => ({ ...card, description: 'Something else than what was signed.' })),
        signedByKeyInHeader,
      ),
    profiles: newest,
  }),
];
