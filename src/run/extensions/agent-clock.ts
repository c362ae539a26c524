import { type Exchange, header } from '../../wire/index.js';

/** A smaller difference does not count, ms: a Date header has whole seconds, and the answer takes time to arrive. */
const leastSkewMs = 2000;
/** The time window of the document, ms: an agent whose clock is further off refuses correct requests. */
const mostSkewMs = 300_000;

/** How far the agent's clock is ahead, milliseconds, by the first answer that tells its time; 0 if none does. */
export function skewOf(...answers: readonly (Exchange | undefined)[]): number {
  for (const exchange of answers) {
    const headers = exchange?.response?.headers ?? [];
    const at = Date.parse(header(headers, 'date') ?? '');
    // A cached answer tells the time when it was made.
    if (exchange === undefined || Number.isNaN(at) || header(headers, 'age') !== undefined) continue;
    const skew = at - (exchange.startedAt + exchange.durationMs);
    return Math.abs(skew) < leastSkewMs ? 0 : skew;
  }
  return 0;
}

/**
 * The skew that signatures follow; 0 if it is too large. An agent that could choose any time would get signatures that
 * are valid elsewhere at that time.
 */
export const followed = (skew: number): number => (Math.abs(skew) > mostSkewMs ? 0 : skew);

/** The line of evidence about the skew; none if it is 0. */
export function clockTold(skew: number): readonly string[] {
  if (skew === 0) return [];
  const line = `the agent's clock is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? 'ahead' : 'behind'}`;
  return [
    followed(skew) === skew ? line : `${line}: too far to follow, so requests are signed with the time of this machine`,
  ];
}
