import type { Case } from '../case.js';
import type { Court } from '../oracle.js';
import type { Sent, Trace } from '../trace.js';
import { isSuperLinear, type Point } from './growth.js';
import { caseUpTo, lastOf } from './mutation.js';
import type { Sizable } from './sizes.js';

export type Kind = 'time' | 'answer';

/** Growth that no clock and no network of a good agent makes: milliseconds, and bytes. */
export const least: Readonly<Record<Kind, number>> = { time: 150, answer: 64 * 1024 };
/** Below this nothing can be told from noise. */
const noise: Readonly<Record<Kind, number>> = { time: 4, answer: 1024 };
/** Each runs so often; what else a machine does only adds to the least. */
const runs: Readonly<Record<Kind, number>> = { time: 2, answer: 1 };
const longestPauseMs = 1000;
const mostHalvings = 8;
/** Down from a silence, or from a number that may ask for anything; what only takes its time is not worth more. */
const descents = { far: 7, near: 2 } as const;
const hugeCount = 100_000;

export function costIn(kind: Kind, { exchange }: Sent): number | undefined {
  if (exchange.failure !== undefined || exchange.response === undefined) return undefined;
  return kind === 'time' ? exchange.durationMs : exchange.response.body.length;
}

/** What a request takes with so many times as much in one place, of its own or of one before it. */
export interface Series {
  readonly trace: Trace;
  readonly sent: Sent;
  readonly court: Court;
  readonly kind: Kind;
  /** The step that has the place: its index in the case. */
  readonly at: number;
  readonly sizable: Sizable;
}

/** Nothing came of it, and it takes the limit of time each time that it is sent. */
const isSilent = ({ sent }: Trace, at: number): boolean =>
  sent.some(({ place, exchange }) => place.length === 1 && place[0] === at && exchange.failure?.kind === 'timeout');

function scaledCase({ trace, sent, at, sizable }: Series, factor: number): Case {
  const whole = caseUpTo(trace, sent, sent.step);
  const own = whole.steps.length - 1;
  const scaled = sizable.scaled(factor);
  const index = at === sent.place[0] ? own : at;
  return {
    ...whole,
    steps: whole.steps.flatMap((step, place) => {
      if (place === index) return scaled;
      return place < own && isSilent(trace, place) ? [] : step;
    }),
  };
}

/** More of `most` than any pause of a machine makes is not measured again. */
async function measured(series: Series, factor: number, most = Number.POSITIVE_INFINITY): Promise<number | undefined> {
  let cost: number | undefined;
  for (let run = 0; run < runs[series.kind] && (cost ?? 0) < most + longestPauseMs; run++) {
    const other = lastOf(await series.court.perform(scaledCase(series, factor)));
    const one = other && costIn(series.kind, other);
    // Not answered once: not answered.
    if (one === undefined) return undefined;
    cost = Math.min(cost ?? one, one);
  }
  return cost;
}

/** A limit of the agent or of the kit hides how the cost grows: goes down to where it does. */
async function topOf(series: Series): Promise<number | undefined> {
  let factor = 1;
  let before = costIn(series.kind, series.sent);
  // Where next to nothing costs as much, the size is not to blame: most slow answers are the agent's work.
  const bare = await measured(series, 1 / series.sizable.count, before === undefined ? undefined : before / 2);
  if (bare === undefined ? before === undefined : before !== undefined && bare > before / 2) return undefined;
  const most = before === undefined || series.sizable.count > hugeCount ? descents.far : descents.near;
  for (let turn = 0; turn < most; turn++) {
    const next = factor / 16;
    if (series.sizable.count * next < 1) return factor;
    const cost = await measured(series, next);
    if (cost !== undefined && (before === undefined || cost < before / 2))
      return before === undefined ? next * 8 : factor;
    before = cost;
    factor = next;
  }
  return undefined;
}

const isFlat = (points: readonly Point[]): boolean =>
  points.every(({ cost }, at) => at === 0 || cost < 1.2 * (points[at - 1]?.cost ?? 0));

/** The points of a place whose cost grows faster than its size; undefined: it does not. */
export async function growthOf(series: Series): Promise<readonly Point[] | undefined> {
  const { kind, sizable } = series;
  const top = await topOf(series);
  if (top === undefined) return undefined;
  const points: Point[] = [];
  for (let halvings = 0; halvings <= mostHalvings; halvings++) {
    const factor = top / 2 ** halvings;
    if (sizable.count * factor < 1) break;
    const cost = await measured(series, factor);
    if (cost !== undefined) points.unshift({ size: sizable.count * factor, cost });
    if (cost !== undefined && cost < noise[kind] && points.length > 3) break;
    // The same for a quarter as for all: something else takes the time.
    if (points.length === 3 && isFlat(points)) return undefined;
  }
  return isSuperLinear(points, least[kind]) ? points : undefined;
}
