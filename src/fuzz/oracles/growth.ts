/** One measurement: how much was sent, and what it took. */
export interface Point {
  readonly size: number;
  readonly cost: number;
}

/** Consecutive doublings that must show the growth. */
export const doublings = 3;
const steepest = 1.6;
/** Factor by which each doubling must at least raise the cost. */
const leastRatio = 1.5;

/**
 * Whether the cost grows faster than the size: over three doublings in a row, each raises the cost by half or more, the
 * slope on two logarithmic scales is above 1.6, and the cost rises by at least `least` in all. A constant cost hides
 * the first doublings and a limit hides the last ones, so any three doublings will do. `points`: by size, the smallest
 * first.
 */
export function isSuperLinear(points: readonly Point[], least: number): boolean {
  return points.some((_, at) => at >= doublings && isSteep(points.slice(at - doublings, at + 1), least));
}

function isSteep(points: readonly Point[], least: number): boolean {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || last.cost - first.cost < least) return false;
  // A single jump is not growth: the answer was a different one, or the machine was busy.
  if ((points.at(-2)?.cost ?? 0) < least / 10) return false;
  if (points.some(({ cost }, at) => at > 0 && cost < leastRatio * (points[at - 1]?.cost ?? 0))) return false;
  return slopeOf(points.map(({ size, cost }) => [Math.log(size), Math.log(Math.max(cost, 1))])) > steepest;
}

/** Slope by least squares. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const under = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return under === 0 ? 0 : over / under;
}
