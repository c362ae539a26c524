import { describe, expect, test } from 'vitest';
import { Inconclusive } from '../rules/verdict.js';
import { comesAgain } from './comes-again.js';

/** Judges a count of accepted copies, one round after the other. */
function rounds(first: number, ...more: readonly number[]) {
  let at = 0;
  const judged = comesAgain(
    first,
    (letIn) => (letIn > 1 ? `${letIn} were let in` : undefined),
    async () => more[at++] ?? 1,
  );
  return judged.then((judgement) => ({ judgement, played: at }));
}

describe('a race', () => {
  test('that holds is run once', async () => {
    expect(await rounds(1)).toEqual({ judgement: undefined, played: 0 });
  });
  test('that fails twice fails', async () => {
    expect(await rounds(5, 1, 2)).toEqual({ judgement: '5 were let in', played: 2 });
  });
  test('that fails once tells neither', async () => {
    const { judgement, played } = await rounds(5);
    expect(judgement).toBeInstanceOf(Inconclusive);
    expect(judgement).toMatchObject({ reason: '5 were let in; the agent did not do so again in 3 more rounds' });
    expect(played).toBe(3);
  });
  test('that cannot be run again counts', async () => {
    expect(await comesAgain(2, () => 'two receipts came', undefined)).toBe('two receipts came');
  });
});
