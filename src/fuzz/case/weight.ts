import { kindOf } from '../mutate/wire-mutations.js';
import { type CallStep, type Case, callsOf, type Value, type WireMutation } from './case.js';
import { sizeOf } from './values.js';

// How much a case sends, found without printing it: a few hundred bytes of a file could ask for any length.

const mebi = 1024 * 1024;
/** Limit of one request. */
export const mostPrinted = 16 * mebi;
/** Limits of one step, which sends its requests at once, and of a whole case, which is kept until it is judged. */
const mostOfStep = 24 * mebi;
const mostOfCase = 48 * mebi;

/** The size of a request before its wire mutations; the frame is small. */
const plainSizeOf = ({ params = null, edits = [] }: CallStep): number =>
  edits.reduce((sum, { value = null }) => sum + sizeOf(value), sizeOf(params));

interface Weighed {
  readonly weight: number;
  readonly tricks: readonly WireMutation[];
}

/** The wire mutations that leave a request below its limit, and how many bytes it has with them. */
export function weighed(step: CallStep): Weighed {
  let weight = plainSizeOf(step);
  const { tricks = [] } = step;
  if (tricks.length === 0) return { weight, tricks };
  // In the order in which wire mutations are applied: one that sends a request twice sends the headers of the others twice.
  const left = new Set(tricks);
  for (const trick of [...tricks].sort((first, second) => stageOf(first) - stageOf(second))) {
    const grown = (kindOf(trick)?.grown?.(trick, weight) ?? weight) + sizeOf(trick as Value);
    if (grown > mostPrinted) left.delete(trick);
    else weight = grown;
  }
  return { weight, tricks: left.size === tricks.length ? tricks : tricks.filter((trick) => left.has(trick)) };
}

function stageOf(trick: WireMutation): number {
  const kind = kindOf(trick);
  if (kind?.request !== undefined || kind?.members !== undefined) return 0;
  if (kind?.text !== undefined) return 1;
  if (kind?.bytes !== undefined) return 2;
  return kind?.frame === undefined ? 3 : 4;
}

/** What is too large in a case; undefined: nothing. */
export function excessOf({ steps }: Pick<Case, 'steps'>): string | undefined {
  const tooMuch = (what: string, most: number): string => `${what} larger than ${most / mebi} MiB`;
  const calls = steps.map((step) => callsOf({ steps: [step] }));
  if (calls.flat().some((call) => plainSizeOf(call) > mostPrinted)) return tooMuch('a request is', mostPrinted);
  // A step of several calls sends them at once; one call alone is never that large.
  const weights = calls.map((own) => own.reduce((sum, call) => sum + weighed(call).weight, 0));
  if (weights.some((weight) => weight > mostOfStep))
    return tooMuch('the requests of one step in total are', mostOfStep);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return whole > mostOfCase ? tooMuch('the requests of the case in total are', mostOfCase) : undefined;
}
