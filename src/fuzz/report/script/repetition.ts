/** A literal stretch of bytes, or a unit that repeats. */
export type Piece = { readonly bytes: Uint8Array } | { readonly unit: Uint8Array; readonly times: number };

/** Repetitions that save less stay unchanged. */
const leastSaved = 2048;
const longestUnit = 512;

interface Run {
  readonly from: number;
  readonly to: number;
  readonly period: number;
}

/** The longest stretch that begins at or after `from` and repeats itself with this period. */
function longestRun(bytes: Uint8Array, from: number, period: number): Run {
  let best = { from, to: from, period };
  let begin = from;
  for (let at = from + period; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at] === bytes[at - period]) continue;
    if (at - begin > best.to - best.from) best = { from: begin, to: at, period };
    begin = at - period + 1;
  }
  return best;
}

/** The stretch that saves most; of equal ones that with the shortest unit. */
function bestRun(bytes: Uint8Array, from: number): Run | undefined {
  let best: Run | undefined;
  for (let period = 1; period <= Math.min(longestUnit, bytes.length >> 1); period++) {
    const run = longestRun(bytes, from, period);
    const gain = run.to - run.from - 2 * period;
    if (gain >= leastSaved && gain > (best === undefined ? 0 : best.to - best.from)) best = run;
    if (best !== undefined && best.to - best.from > (bytes.length - from) / 2) break;
  }
  return best;
}

/** Takes long repetitions out, so that a script that sends a megabyte stays small. */
export function piecesOf(bytes: Uint8Array): readonly Piece[] {
  if (bytes.length < leastSaved) return [{ bytes }];
  const run = bestRun(bytes, 0);
  if (run === undefined) return [{ bytes }];
  const times = Math.floor((run.to - run.from) / run.period);
  const end = run.from + times * run.period;
  return [
    ...piecesOf(bytes.subarray(0, run.from)),
    { unit: bytes.subarray(run.from, run.from + run.period), times },
    ...piecesOf(bytes.subarray(end)),
  ].filter((piece) => 'unit' in piece || piece.bytes.length > 0);
}
