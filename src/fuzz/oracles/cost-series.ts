import type { Case } from '../case/case.js';
import type { Sent, Trace } from '../execute/trace.js';
import { isSuperLinear, type Point } from './growth.js';
import { caseUpTo, lastOf } from './mutation.js';
import type { OracleContext } from './oracle.js';
import type { Sizable } from './sizes.js';

export type Kind = 'time' | 'answer';

/** The least growth that counts, in milliseconds and bytes: clock and network of a good agent cause less. */
export const least: Readonly<Record<Kind, number>> = { time: 150, answer: 64 * 1024 };
/** Costs below this are noise. */
const noise: Readonly<Record<Kind, number>> = { time: 4, answer: 1024 };
/** Runs of each measurement. The least cost counts: other work of the machine only adds to it. */
const runs: Readonly<Record<Kind, number>> = { time: 2, answer: 1 };
const longestPauseMs = 1000;
const mostHalvings = 8;
/**
 * How often the size is reduced: `far` after a silence, or for a number that may ask for anything; `near` for an answer
 * that is only slow.
 */
const descents = { far: 7, near: 2 } as const;
const hugeCount = 100_000;

export function costIn(kind: Kind, { exchange }: Sent): number | undefined {
  if (exchange.failure !== undefined || exchange.response === undefined) return undefined;
  return kind === 'time' ? exchange.durationMs : exchange.response.body.length;
}

/** Measures what a request costs with a multiple of the content of one place, in itself or in an earlier request. */
export interface Series {
  readonly trace: Trace;
  readonly sent: Sent;
  readonly oracleContext: OracleContext;
  readonly kind: Kind;
  /** The step that has the place: its index in the case. */
  readonly at: number;
  readonly sizable: Sizable;
}

/** The step got no answer: it would take the whole time limit each time that it is sent. */
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

/** Stops when the cost exceeds `most` by more than any pause of a machine. */
async function measured(series: Series, factor: number, most = Number.POSITIVE_INFINITY): Promise<number | undefined> {
  let cost: number | undefined;
  for (let run = 0; run < runs[series.kind] && (cost ?? 0) < most + longestPauseMs; run++) {
    const other = lastOf(await series.oracleContext.perform(scaledCase(series, factor)));
    const value = other && costIn(series.kind, other);
    // One run without an answer counts as no answer.
    if (value === undefined) return undefined;
    cost = Math.min(cost ?? value, value);
  }
  return cost;
}

/**
 * The largest factor worth measuring: above it a limit of the agent or of the kit may hide how the cost grows.
 * undefined: the size is not to blame.
 */
async function topOf(series: Series): Promise<number | undefined> {
  let factor = 1;
  let before = costIn(series.kind, series.sent);
  // If the smallest size costs as much, the size is not to blame: most slow answers are the agent's work.
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
    // A quarter of the size costs as much as all of it: something else takes the time.
    if (points.length === 3 && isFlat(points)) return undefined;
  }
  return isSuperLinear(points, least[kind]) ? points : undefined;
}
