import { createExpiring, type World } from '../../../src/reference/patching.js';
import { denied } from './denied.js';
import type { XprWhole } from './patches.js';
import type { XprSeams } from './seams.js';

const minuteMs = 60_000;

export type CountingSeams = Pick<XprSeams, 'accept' | 'use' | 'mark' | 'seen' | 'remember' | 'admit'>;

/** Remembers the requests that were used, and counts the calls of each caller. */
export function counting({ clock }: World, whole: XprWhole): CountingSeams {
  const used = createExpiring<true>(clock);
  /** Times of the calls of the last minute. */
  const calls = createExpiring<readonly number[]>(clock);
  return {
    async accept(proof) {
      const { xpr } = whole;
      // The chain may have been slow: a request that is too old by now is no longer remembered as used.
      xpr.fresh(proof.seconds);
      await xpr.use(proof);
      xpr.admit(proof.account);
    },
    // One step, so that only the first of many concurrent copies is accepted.
    use(proof) {
      if (whole.xpr.seen(proof)) throw denied('this request was used before');
      whole.xpr.remember(proof);
    },
    mark: ({ account, seconds, bodyHash }) => `${account} ${seconds} ${bodyHash}`,
    seen: (proof) => used.get(whole.xpr.mark(proof)) === true,
    remember(proof) {
      // Remembered to the end of the second in which it becomes too old.
      const until = (proof.seconds + whole.xpr.settings().windowSeconds + 1) * 1000;
      if (!used.set(whole.xpr.mark(proof), true, until)) throw denied('too many requests at once');
    },
    admit(caller) {
      const now = clock.now();
      // No name of an account is empty.
      const key = caller ?? '';
      const recent = (calls.get(key) ?? []).filter((at) => at > now - minuteMs);
      const { rateLimit } = whole.xpr.settings();
      // Negated, so that the agent refuses each caller where the limit is not a number.
      if (!(recent.length < rateLimit)) throw denied(`rate limit: more than ${rateLimit} requests in a minute`);
      if (!calls.set(key, [...recent, now], now + minuteMs)) throw denied('too many callers at once');
    },
  };
}
