import { header, sleep } from '../../wire/index.js';
import { headerNames } from '../../xpr/index.js';
import type { Incoming } from '../calls.js';
import { type Fault, fault } from '../fault.js';
import { methodIn } from '../http.js';
import type { Patch } from '../seams.js';
import { denied } from '../xpr/denied.js';
import { onXpr, setting } from '../xpr/patches.js';

const minuteMs = 60_000;
const over = () => denied('rate limit');

/** Replaces how calls are counted: tells whether this call of a caller at this time (ms) is over the limit. */
const counting = (start: (rateLimit: () => number) => (caller: string, now: number) => boolean): Patch =>
  onXpr((_, { clock }, { xpr }) => {
    const isTooMuch = start(() => xpr.settings().rateLimit);
    return {
      admit(caller) {
        if (isTooMuch(caller ?? '', clock.now())) throw over();
      },
    };
  });

/** Counts in fixed windows: `windowOf` names the window of a call. */
const edged = (windowOf: (known: number | undefined, now: number) => number): Patch =>
  counting((rateLimit) => {
    const windows = new Map<string, { readonly window: number; readonly count: number }>();
    return (caller, now) => {
      const known = windows.get(caller);
      const window = windowOf(known?.window, now);
      const count = known?.window === window ? known.count + 1 : 1;
      windows.set(caller, { window, count });
      return count > rateLimit();
    };
  });

/** Counts separately for each value of this part of a request. */
const limitedBy =
  (part: (request: Incoming) => string): Patch =>
  (inner, world, whole) => {
    let now = '';
    const count = onXpr(({ admit }) => ({ admit: (caller = '') => admit(`${caller} ${now}`) }));
    return {
      ...count(inner, world, whole),
      authenticate(request) {
        now = part(request);
        return inner.authenticate(request);
      },
    };
  };

/** Limits that are missing, that hold for the wrong callers, or that other callers can use up. */
export const xprRateFaults: readonly Fault[] = [
  fault('xpr-no-limit', {
    about: 'An account may call as often as it likes.',
    breaks: ['xpr.rate-limit'],
    patch: setting({ rateLimit: Number.POSITIVE_INFINITY }),
  }),
  fault('xpr-limit-off-by-one', {
    about: 'One request more than the limit is let in.',
    breaks: ['xpr.rate-limit'],
    patch: onXpr((inner) => ({
      settings: () => ({ ...inner.settings(), rateLimit: inner.settings().rateLimit + 1 }),
    })),
  }),
  fault('xpr-limit-counts-late', {
    about: 'A request is counted a moment after the look at the limit.',
    breaks: ['xpr.rate-limit'],
    patch: onXpr((_, { clock }, { xpr }) => {
      const calls = new Map<string, readonly number[]>();
      const recent = (account: string) => (calls.get(account) ?? []).filter((at) => at > clock.now() - minuteMs);
      return {
        async accept(proof) {
          xpr.fresh(proof.seconds);
          await xpr.use(proof);
          if (recent(proof.account).length >= xpr.settings().rateLimit) throw over();
          await sleep(clock, 5);
          calls.set(proof.account, [...recent(proof.account), clock.now()]);
        },
      };
    }),
  }),
  fault('xpr-limit-shared', {
    about: 'All accounts have one limit together.',
    breaks: ['xpr.rate-per-account'],
    patch: onXpr((inner) => ({ admit: () => inner.admit('all') })),
  }),
  fault('xpr-limit-per-method', {
    about: 'Each method has a limit of its own.',
    breaks: ['xpr.rate-limit'],
    patch: limitedBy((request) => (methodIn(request) === 'tasks/cancel' ? 'cancel' : '')),
  }),
  fault('xpr-limit-per-address', {
    about: 'Each address of the endpoint has a limit of its own.',
    breaks: ['xpr.rate-limit'],
    patch: limitedBy(({ url }) => url),
  }),
  fault('xpr-limit-of-last-caller', {
    about: 'The count begins anew when somebody else calls.',
    breaks: ['xpr.rate-limit'],
    patch: counting((rateLimit) => {
      let last: string | undefined;
      let times: readonly number[] = [];
      return (caller, now) => {
        const recent = caller === last ? times.filter((at) => at > now - minuteMs) : [];
        last = caller;
        times = recent.length < rateLimit() ? [...recent, now] : recent;
        return recent.length >= rateLimit();
      };
    }),
  }),
  fault('xpr-limit-locks-out', {
    about: 'A caller over the limit is refused for ten minutes.',
    breaks: ['xpr.rate-window'],
    patch: onXpr((inner, { clock }) => {
      const until = new Map<string, number>();
      return {
        admit(caller = '') {
          if ((until.get(caller) ?? 0) > clock.now()) throw over();
          try {
            inner.admit(caller);
          } catch (cause) {
            until.set(caller, clock.now() + 10 * minuteMs);
            throw cause;
          }
        },
      };
    }),
  }),
  fault('xpr-limit-window-too-long', {
    about: 'The limit of a minute holds for a quarter more.',
    breaks: ['xpr.rate-window'],
    patch: counting((rateLimit) => {
      const calls = new Map<string, readonly number[]>();
      return (caller, now) => {
        const recent = (calls.get(caller) ?? []).filter((at) => at > now - 1.25 * minuteMs);
        const isTooMuch = recent.length >= rateLimit();
        calls.set(caller, isTooMuch ? recent : [...recent, now]);
        return isTooMuch;
      };
    }),
  }),
  fault('xpr-limit-window-fixed', {
    about: 'The count begins anew a minute after the first request.',
    breaks: ['xpr.rate-window'],
    patch: edged((known, now) => (known === undefined || now >= known + minuteMs ? now : known)),
  }),
  fault('xpr-limit-by-the-clock', {
    about: 'The count begins anew with each minute of the clock.',
    breaks: ['xpr.rate-window'],
    patch: edged((_, now) => Math.floor(now / minuteMs)),
  }),
  fault('xpr-limit-before-verification', {
    about: 'Requests count for the account that they name, before their signature is verified.',
    breaks: ['xpr.rate-forged'],
    patch: onXpr((inner, _, { xpr }) => ({
      claim(request) {
        const claim = inner.claim(request);
        xpr.admit(claim.account);
        return claim;
      },
      async accept(proof) {
        xpr.fresh(proof.seconds);
        await xpr.use(proof);
      },
    })),
  }),
  fault('xpr-limit-before-store', {
    about: 'Replays count like other requests.',
    breaks: ['xpr.rate-replay'],
    patch: onXpr((_, __, { xpr }) => ({
      async accept(proof) {
        xpr.fresh(proof.seconds);
        xpr.admit(proof.account);
        await xpr.use(proof);
      },
    })),
  }),
  fault('xpr-anonymous-limit-by-name', {
    about: 'Unsigned requests are limited separately for each account that they name.',
    breaks: ['xpr.rate-anonymous'],
    on: 'xpr-optional',
    patch: limitedBy(({ headers }) => header(headers, headerNames.account) ?? ''),
  }),
  fault('xpr-anonymous-unlimited', {
    about: 'Unsigned requests have no limit.',
    breaks: ['xpr.rate-anonymous'],
    on: 'xpr-optional',
    patch: onXpr((inner) => ({ admit: (caller) => (caller === undefined ? undefined : inner.admit(caller)) })),
  }),
];
