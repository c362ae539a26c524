import { type Judgement, unproven } from './verdict.js';

/** What came of a race, and what it shows once it was run as often as it takes. */
export interface Steady<T> {
  /** Of the run that is judged. */
  readonly seen: T;
  readonly judgement: Judgement;
}

/** Further runs after one that failed. */
const furtherRuns = 3;

/**
 * Runs a race, and again where it fails: who wins is chance, and a run of checks that says another thing each time shows
 * nothing. Only a failure that comes again is one; what came once in all runs is left open.
 */
export async function steady<T>(run: () => Promise<T>, judge: (seen: T) => Judgement): Promise<Steady<T>> {
  const first = await run();
  const judged = judge(first);
  if (typeof judged !== 'string') return { seen: first, judgement: judged };
  for (let further = 0; further < furtherRuns; further++) {
    const seen = await run();
    const judgement = judge(seen);
    if (typeof judgement === 'string') return { seen, judgement };
  }
  const once = `it came once in ${furtherRuns + 1} runs of the same race, so that it shows nothing: ${judged}`;
  return { seen: first, judgement: unproven(once) };
}

/** For `expects`: what the race showed. */
export const asRaced = ({ judgement }: Steady<unknown>): Judgement => judgement;
