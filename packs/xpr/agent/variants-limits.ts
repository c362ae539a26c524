import type { ProfileId } from '../../../src/dialect/index.js';
import {
  createExpiring,
  type Patch,
  peek,
  plainReply,
  RpcFailure,
  type Variant,
  variant,
} from '../../../src/reference/patching.js';
import { denied } from './denied.js';
import { onXpr, setting } from './patches.js';

const profiles: readonly ProfileId[] = ['xpr', 'xpr-v2'];
const minuteMs = 60_000;

/** Replaces the refusal of calls over the limit. */
const refusing = (refuse: () => Error): Patch =>
  onXpr((inner) => ({
    admit(caller) {
      try {
        inner.admit(caller);
      } catch (cause) {
        throw cause instanceof RpcFailure ? refuse() : cause;
      }
    },
  }));

const limitWords = 'rate limit';
const isLimited = (response: unknown): boolean => JSON.stringify(response)?.includes(limitWords) ?? false;

/** Refused calls count as well, as in a log of all calls. */
const countingAll: Patch = onXpr((_, { clock }, { xpr }) => {
  const calls = createExpiring<readonly number[]>(clock);
  return {
    admit(caller = '') {
      const now = clock.now();
      const recent = [...(calls.get(caller) ?? []).filter((at) => at > now - minuteMs), now];
      calls.set(caller, recent, now + minuteMs);
      if (recent.length > xpr.settings().rateLimit) throw denied(limitWords);
    },
  };
});

/** Reads paths as some servers do: upper case and a slash at the end make no difference. */
const anyPath: Patch = (inner) => ({
  route(request) {
    const url = new URL(request.url);
    const pathname = url.pathname.toLowerCase().replace(/\/$/, '');
    const plain = pathname.endsWith('/a2a') ? new URL(pathname, url).href : request.url;
    return inner.route({ ...request, url: plain });
  },
});

/** Agents that count calls and remember requests in an unusual but conforming way. */
export const xprLimitVariants: readonly Variant[] = [
  variant('xpr-low-limit', {
    about: 'Takes five requests of an account in a minute; the limit is a setting.',
    patch: setting({ rateLimit: 5 }),
    told: { rate: 5 },
    profiles,
  }),
  variant('xpr-limit-lower-than-said', {
    about: 'Takes twelve requests of an account in a minute, and the user says that it is twenty (AMBX-14).',
    patch: setting({ rateLimit: 12 }),
    profiles,
  }),
  variant('xpr-limit-counts-refused', {
    about: 'Requests that are refused for the limit count for it as well.',
    patch: countingAll,
    profiles,
  }),
  variant('xpr-limit-bare-429', {
    about: 'A server in front of the agent counts the calls, and answers with a bare HTTP 429.',
    patch: (inner) => ({
      async serve(request) {
        const reply = await inner.serve(request);
        if (typeof reply.body !== 'string') return reply;
        const answer = peek({ ...request, body: new TextEncoder().encode(reply.body) });
        return isLimited(answer) ? plainReply(429, 'Too Many Requests') : reply;
      },
    }),
    profiles,
  }),
  variant('xpr-limit-unnamed', {
    about: 'Its refusals do not say why: the document has one code for all of them.',
    patch: refusing(() => denied('refused')),
    profiles,
  }),
  variant('xpr-remembers-longer', {
    about: 'Remembers requests for as long again as it accepts them, as published agents do.',
    patch: onXpr((inner, { clock }) => {
      const used = createExpiring<true>(clock);
      return {
        seen: (proof) => used.get(inner.mark(proof)) === true,
        remember: (proof) => void used.set(inner.mark(proof), true, clock.now() + 10 * minuteMs),
      };
    }),
    profiles,
  }),
  variant('xpr-any-path', {
    about: 'Takes calls also at /a2a/ and /A2A; the document names one path, and forbids no other.',
    patch: anyPath,
    profiles,
  }),
];
