import type { ProfileId } from '../../../src/dialect/index.js';
import { RpcFailure, type Variant, variant } from '../../../src/reference/patching.js';
import { onXpr, setting } from './patches.js';

const profiles: readonly ProfileId[] = ['xpr', 'xpr-v2'];

/** Agents that ask the chain for keys in an unusual but conforming way. */
export const xprKeyVariants: readonly Variant[] = [
  variant('xpr-keys-not-kept', {
    about: 'Asks the chain for the keys of each call: five minutes are the most that answers are kept for.',
    patch: setting({ cacheSeconds: 0 }),
    profiles,
  }),
  variant('xpr-chain-asked-again', {
    about: 'Asks the chain a second time when it does not answer.',
    patch: onXpr((inner) => ({
      ask: (path, question) => inner.ask(path, question).catch(() => inner.ask(path, question)),
    })),
    profiles,
  }),
  variant('xpr-refusals-with-help', {
    about: 'Refusals name the account, and a page of the agent that says how clients sign calls.',
    patch: onXpr((inner, { baseUrl }) => ({
      async permissions(account) {
        try {
          return await inner.permissions(account);
        } catch {
          throw new RpcFailure('AuthenticationError', `no key of ${account} is known; see ${baseUrl}/docs/signing`);
        }
      },
    })),
    profiles,
  }),
];
