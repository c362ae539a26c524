import { plural } from '../../wire/index.js';
import { inconclusive, type Judgement } from '../rules/verdict.js';

/** Most further rounds of a failing race, if a round is short. */
const mostRounds = 3;

/**
 * Judges a race, which may end differently each time: a failing race is run again, and counts only if it fails again.
 * Two runs on one agent then agree, or one of them is inconclusive. `again`: undefined if the race can run only once.
 */
export async function comesAgain<T>(
  seen: T,
  judge: (seen: T) => Judgement | Promise<Judgement>,
  again: (() => Promise<T>) | undefined,
  rounds = mostRounds,
): Promise<Judgement> {
  const first = await judge(seen);
  if (typeof first !== 'string' || again === undefined) return first;
  for (let round = 0; round < rounds; round++) {
    if (typeof (await judge(await again())) === 'string') return first;
  }
  return inconclusive(`${first}; the agent did not do so again in ${plural(rounds, 'more round')}`);
}
