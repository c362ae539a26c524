import type fc from 'fast-check';

/** In `npm run test:all`. */
const isNight = process.env['A2A_TCK_NIGHT'] === '1';

/** How often something is tried with other values: `times`, and five times as often at night. */
export const runsByDay = (times: number): number => (isNight ? 5 * times : times);

/**
 * How a property is tried: by day with the same values each time, at night with new ones; fast-check prints their seed.
 */
export const byDay = (times: number, seed = 1): fc.Parameters<unknown> => ({
  numRuns: runsByDay(times),
  ...(isNight ? {} : { seed }),
});
