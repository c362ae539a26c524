import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { denied } from '../xpr/denied.js';
import { onXpr } from '../xpr/patches.js';
import type { XprPermission, XprSeams } from '../xpr/seams.js';

/** Changes the permissions that the chain gives for an account. */
const reading = (change: (permissions: readonly XprPermission[]) => readonly XprPermission[]): Patch =>
  onXpr((inner) => ({ permissions: async (account) => change(await inner.permissions(account)) }));

const eachOf = (change: (permission: XprPermission) => XprPermission): Patch =>
  reading((permissions) => permissions.map(change));

const names = (inner: XprSeams, ...more: readonly string[]): Pick<XprSeams, 'settings'> => ({
  settings: () => ({ ...inner.settings(), permissions: [...inner.settings().permissions, ...more] }),
});

/** What the agent knows after it failed to read the permissions of an account. */
interface Failing {
  readonly elapsedMs: number;
  /** The answer of the chain, if there was one. */
  readonly answer: unknown;
  /** Whether the chain answers other questions. */
  readonly isUp: () => Promise<boolean>;
}

/** When an account cannot be read, anybody can call as that account. */
const open = (when: (failing: Failing) => boolean | Promise<boolean>): Patch =>
  onXpr((inner, { clock }, whole) => {
    const anyKey: readonly XprPermission[] = [];
    const believed = new Set<string>();
    const answers = new Map<unknown, unknown>();
    const isUp = async (): Promise<boolean> => {
      try {
        return (await whole.xpr.ask('/v1/chain/get_info', {})) !== undefined;
      } catch {
        return false;
      }
    };
    return {
      async ask(path, question) {
        const answer = await inner.ask(path, question);
        answers.set(question['account_name'], answer);
        return answer;
      },
      async permissions(account) {
        const since = clock.now();
        try {
          return await inner.permissions(account);
        } catch (cause) {
          const failing = { elapsedMs: clock.now() - since, answer: answers.get(account), isUp };
          if (!(await when(failing))) throw cause;
          believed.add(account);
          return anyKey;
        }
      },
      authorises: (key, permissions) => permissions === anyKey || inner.authorises(key, permissions),
      gate: async (account) => (believed.has(account) ? undefined : inner.gate(account)),
    };
  });

/** Replaces how permissions are cached. `kept`: those of the account that were read before, and when. */
const keeping = (
  use: (
    fetch: () => Promise<readonly XprPermission[]>,
    kept: { readonly at: number; readonly permissions: readonly XprPermission[] } | undefined,
    now: number,
  ) => Promise<{ readonly at: number; readonly permissions: readonly XprPermission[] }>,
): Patch =>
  onXpr((inner, { clock }) => {
    const known = new Map<string, { readonly at: number; readonly permissions: readonly XprPermission[] }>();
    return {
      async permissions(account) {
        const next = await use(() => inner.permissions(account), known.get(account), clock.now());
        known.set(account, next);
        return next.permissions;
      },
    };
  });
const cacheMs = 300_000;

/** Faults about which keys speak for an account. */
export const xprKeysFaults: readonly Fault[] = [
  fault('xpr-any-key', {
    about: 'Any key speaks for any account.',
    breaks: ['xpr.wrong-key', 'xpr.body-tampered'],
    patch: onXpr(() => ({ authorises: () => true })),
  }),
  fault('xpr-keys-pooled', {
    about: 'A key that speaks for one account speaks for all.',
    breaks: ['xpr.wrong-key'],
    patch: onXpr((inner) => {
      const pool = new Set<string>();
      return {
        authorises(key, permissions) {
          if (inner.authorises(key, permissions)) pool.add(key);
          return pool.has(key);
        },
      };
    }),
  }),
  fault('xpr-accounts-unread', {
    about: 'No keys are found in what the chain says of an account.',
    breaks: ['xpr.signed-accepted'],
    patch: reading(() => []),
  }),
  fault('xpr-first-key-only', {
    about: 'Of several keys of a permission only the first counts.',
    breaks: ['xpr.signed-accepted'],
    patch: eachOf((one) => ({ ...one, keys: one.keys.slice(0, 1) })),
  }),
  fault('xpr-weight-is-threshold', {
    about: 'Keys of more weight than needed do not count.',
    breaks: ['xpr.signed-accepted'],
    patch: eachOf((one) => ({ ...one, keys: one.keys.filter(({ weight }) => weight === one.threshold) })),
  }),
  fault('xpr-old-key-text-unread', {
    about: 'Keys that the chain gives in the old text do not count.',
    breaks: ['xpr.signed-accepted'],
    patch: eachOf((one) => ({ ...one, keys: one.keys.filter(({ key }) => !key.startsWith('EOS')) })),
  }),
  fault('xpr-threshold-ignored', {
    about: 'Any key of the permission counts, whatever its weight.',
    breaks: ['xpr.threshold'],
    patch: eachOf((one) => ({ ...one, threshold: 0 })),
  }),
  fault('xpr-threshold-of-a2a-ignored', {
    about: 'Any key of a2a counts, whatever its weight.',
    breaks: ['xpr.threshold'],
    profiles: ['xpr-v2'],
    patch: eachOf((one) => (one.name === 'a2a' ? { ...one, threshold: 0 } : one)),
  }),
  fault('xpr-weights-added', {
    about: 'The weights of all keys are added up, whoever signed.',
    breaks: ['xpr.threshold'],
    patch: eachOf((one) => {
      const weight = one.keys.reduce((sum, key) => sum + key.weight, 0);
      return { ...one, keys: one.keys.map(({ key }) => ({ key, weight })) };
    }),
  }),
  fault('xpr-only-key-enough', {
    about: 'The only key of a permission counts, whatever its weight.',
    breaks: ['xpr.threshold'],
    patch: eachOf((one) => (one.keys.length === 1 ? { ...one, threshold: 0 } : one)),
  }),
  fault('xpr-owner-key-taken', {
    about: 'A key of the owner counts as one of active.',
    breaks: ['xpr.no-active-key'],
    patch: onXpr((inner) => names(inner, 'owner')),
  }),
  fault('xpr-any-permission', {
    about: 'Keys of all permissions count.',
    breaks: ['xpr.no-active-key', 'xpr.a2a-key-refused'],
    patch: eachOf((one) => ({ ...one, name: 'active' })),
  }),
  fault('xpr-no-keys-open', {
    about: 'Where the permission has no keys, none is compared.',
    breaks: ['xpr.no-active-key', 'xpr.wrong-key'],
    patch: onXpr((inner) => ({
      authorises: (key, permissions) =>
        permissions.some((one) => one.name === 'active' && one.keys.length === 0) || inner.authorises(key, permissions),
    })),
  }),
  fault('xpr-no-active-open', {
    about: 'Where there is no active permission, none is looked into.',
    breaks: ['xpr.wrong-key', 'xpr.no-active-key'],
    patch: onXpr((inner) => ({
      authorises: (key, permissions) =>
        !permissions.some(({ name }) => name === 'active') || inner.authorises(key, permissions),
    })),
  }),
  fault('xpr-no-permission-open', {
    about: 'Where there is no permission at all, none is looked into.',
    breaks: ['xpr.wrong-key'],
    patch: onXpr((inner) => ({
      authorises: (key, permissions) => permissions.length === 0 || inner.authorises(key, permissions),
    })),
  }),
  fault('xpr-no-active-other-taken', {
    about: 'Where there is no active permission, another one counts.',
    breaks: ['xpr.no-active-key'],
    patch: reading((permissions) =>
      permissions.some(({ name }) => name === 'active')
        ? permissions
        : permissions.map((one) => ({ ...one, name: 'active' })),
    ),
  }),
  fault('xpr-a2a-key-taken', {
    about: 'A key of the permission a2a counts as one of active.',
    breaks: ['xpr.a2a-key-refused'],
    profiles: ['xpr'],
    patch: onXpr((inner) => names(inner, 'a2a')),
  }),
  fault('xpr-a2a-key-unknown', {
    about: 'Keys of the permission a2a do not count.',
    breaks: ['xpr.a2a-key-accepted'],
    profiles: ['xpr-v2'],
    patch: onXpr((inner) => ({ settings: () => ({ ...inner.settings(), permissions: ['active'] }) })),
  }),
  fault('xpr-unknown-account-taken', {
    about: 'An account that the chain does not know is whoever says so.',
    breaks: ['xpr.unknown-account'],
    patch: open(({ isUp }) => isUp()),
  }),
  fault('xpr-chain-errors-open', {
    about: 'Whatever goes wrong while an account is read, the caller is believed.',
    breaks: ['xpr.unknown-account', 'xpr.chain-failure'],
    patch: open(() => true),
  }),
  fault('xpr-chain-timeout-open', {
    about: 'The caller is believed when the chain does not answer in time.',
    breaks: ['xpr.chain-failure'],
    patch: open(({ elapsedMs }) => elapsedMs >= 5000),
  }),
  fault('xpr-chain-unreadable-open', {
    about: 'The caller is believed when the chain answers in another shape.',
    breaks: ['xpr.chain-failure'],
    patch: open(({ answer }) => typeof answer === 'object' && answer !== null),
  }),
  fault('xpr-chain-null-open', {
    about: 'The caller is believed when the chain answers with null.',
    breaks: ['xpr.chain-failure'],
    patch: open(({ answer }) => answer === null),
  }),
  fault('xpr-keys-kept-for-ever', {
    about: 'The keys of an account are read once, and kept.',
    breaks: ['xpr.key-rotated'],
    patch: keeping(async (fetch, kept, now) => kept ?? { at: now, permissions: await fetch() }),
  }),
  fault('xpr-keys-kept-while-used', {
    about: 'The keys of an account are kept for five minutes from their last use.',
    breaks: ['xpr.key-rotated'],
    patch: keeping(async (fetch, kept, now) => ({
      at: now,
      permissions: kept !== undefined && now - kept.at < cacheMs ? kept.permissions : await fetch(),
    })),
  }),
  fault('xpr-keys-added', {
    about: 'Keys that an account had once count beside those that it has now.',
    breaks: ['xpr.key-rotated'],
    patch: keeping(async (fetch, kept, now) => ({
      at: now,
      permissions: [...new Set([...(kept?.permissions ?? []), ...(await fetch())])],
    })),
  }),
  fault('xpr-keys-read-once', {
    about: 'Keys are read once, and when they are five minutes old nobody is let in any more.',
    breaks: ['xpr.key-rotated'],
    patch: keeping(async (fetch, kept, now) => {
      if (kept !== undefined && now - kept.at > cacheMs) throw denied('the keys of the account are too old');
      return kept ?? { at: now, permissions: await fetch() };
    }),
  }),
];
