import { type Clock, sleep } from '../../wire/index.js';
import { type Fault, fault } from '../fault.js';
import { type Patch, together } from '../seams.js';
import { denied } from '../xpr/denied.js';
import { createExpiring } from '../xpr/expiring.js';
import { onXpr, setting } from '../xpr/patches.js';
import type { XprProof } from '../xpr/seams.js';
import { xprAudienceFaults } from './xpr-audience.js';
import { xprReplayMarksFaults } from './xpr-replay-marks.js';

/** Remembers requests until this time, in milliseconds. */
const rememberedUntil = (until: (proof: XprProof, now: number) => number): Patch =>
  onXpr((inner, { clock }) => {
    const used = createExpiring<true>(clock);
    return {
      seen: (proof) => used.get(inner.mark(proof)) === true,
      remember: (proof) => void used.set(inner.mark(proof), true, until(proof, clock.now())),
    };
  });

/** Pauses between looking a request up and remembering it. */
const awaiting = (pause: (clock: Clock) => Promise<void>): Patch =>
  onXpr((_, { clock }, { xpr }) => ({
    async use(proof) {
      if (xpr.seen(proof)) throw denied('this request was used before');
      await pause(clock);
      xpr.remember(proof);
    },
  }));

/** Requests that are accepted twice, or for another recipient. */
export const xprReplayFaults: readonly Fault[] = [
  fault('xpr-replays-taken', {
    about: 'Nobody remembers requests.',
    breaks: ['xpr.replay-same', 'xpr.replay-parallel', 'xpr.rate-replay', 'xpr.replay-elsewhere'],
    patch: onXpr(() => ({ seen: () => false })),
  }),
  fault('xpr-store-forgets-soon', {
    about: 'Requests are remembered for three seconds.',
    breaks: ['xpr.replay-same'],
    patch: rememberedUntil((_, now) => now + 3000),
  }),
  fault('xpr-store-forgets-at-timestamp', {
    about: 'Requests are remembered until their timestamp, and are taken for longer.',
    breaks: ['xpr.replay-same'],
    patch: rememberedUntil(({ seconds }) => seconds * 1000),
  }),
  fault('xpr-store-forgets-in-a-minute', {
    about: 'Requests are remembered for a minute.',
    breaks: ['xpr.replay-same'],
    patch: rememberedUntil((_, now) => now + 60_000),
  }),
  fault('xpr-store-forgets-after-window', {
    about: 'Requests are remembered for 300 seconds after they came, also those that are dated ahead.',
    breaks: ['xpr.replay-same'],
    patch: rememberedUntil((_, now) => now + 300_000),
  }),
  fault('xpr-store-of-one', {
    about: 'Of each account the last request is remembered.',
    breaks: ['xpr.replay-same'],
    patch: onXpr((inner) => {
      const last = new Map<string, string>();
      return {
        seen: (proof) => last.get(proof.account) === inner.mark(proof),
        remember: (proof) => void last.set(proof.account, inner.mark(proof)),
      };
    }),
  }),
  fault('xpr-store-awaits', {
    about: 'The store is asked, and written to a moment later.',
    breaks: ['xpr.replay-parallel'],
    patch: awaiting((clock) => sleep(clock, 5)),
  }),
  fault('xpr-store-awaits-nothing', {
    about: 'Between the look into the store and the note there is an await, and no time.',
    breaks: ['xpr.replay-parallel'],
    patch: awaiting(() => Promise.resolve()),
  }),
  fault('xpr-store-without-body', {
    about: 'Two requests of one second are the same, whatever they say.',
    breaks: ['xpr.distinct-requests'],
    patch: onXpr(() => ({ mark: ({ account, seconds }) => `${account} ${seconds}` })),
  }),
  fault('xpr-store-without-timestamp', {
    about: 'Two requests with the same body are the same, whenever they were signed.',
    breaks: ['xpr.signed-accepted'],
    patch: onXpr(() => ({ mark: ({ account, bodyHash }) => `${account} ${bodyHash}` })),
  }),
  fault('xpr-few-requests-a-second', {
    about: 'After five requests of one second the next is taken for a replay.',
    breaks: ['xpr.distinct-requests'],
    patch: onXpr((inner) => {
      const counts = new Map<string, number>();
      return {
        use(proof) {
          const second = `${proof.account} ${proof.seconds}`;
          const count = (counts.get(second) ?? 0) + 1;
          counts.set(second, count);
          if (count > 5) throw denied('this request was used before');
          return inner.use(proof);
        },
      };
    }),
  }),
  fault('xpr-old-replays-taken', {
    about: 'Timestamps may be ten minutes old, and requests are remembered for five.',
    breaks: ['xpr.replay-late'],
    patch: together(
      rememberedUntil(({ seconds }) => (seconds + 301) * 1000),
      setting({ windowSeconds: 600 }),
    ),
  }),
  ...xprReplayMarksFaults,
  ...xprAudienceFaults,
];
