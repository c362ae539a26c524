import { type Exchange, header } from '../wire/index.js';

/** A Date header has whole seconds, and the way takes time: less is no skew. */
const leastSkewMs = 2000;
/** The window of the document: a clock that is further off takes no requests of right ones. */
const mostSkewMs = 300_000;

/** How far the agent's clock is ahead, milliseconds, told by the first of these answers that says what time it is. */
export function skewOf(...answers: readonly (Exchange | undefined)[]): number {
  for (const exchange of answers) {
    const headers = exchange?.response?.headers ?? [];
    const at = Date.parse(header(headers, 'date') ?? '');
    // What a cache has kept tells of the time when it was made.
    if (exchange === undefined || Number.isNaN(at) || header(headers, 'age') !== undefined) continue;
    const skew = at - (exchange.startedAt + exchange.durationMs);
    return Math.abs(skew) < leastSkewMs ? 0 : skew;
  }
  return 0;
}

/** How far it is followed: whoever could name any time would be given signatures that are good for others at that time. */
export const followed = (skew: number): number => (Math.abs(skew) > mostSkewMs ? 0 : skew);

/** What is said of it, if anything. */
export function clockTold(skew: number): readonly string[] {
  if (skew === 0) return [];
  const line = `the agent's clock is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? 'ahead' : 'behind'}`;
  return [
    followed(skew) === skew ? line : `${line}: too far to follow it, requests are signed for the time of this machine`,
  ];
}
