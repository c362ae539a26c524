import { expect, test } from 'vitest';
import { createSemaphore } from '../../model/index.js';
import { inTurn, sideBySide } from './side-by-side.js';

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

/** How many jobs ran at once, at most, and their results. */
async function most(width: number, run: (slots: ReturnType<typeof createSemaphore>) => typeof inTurn) {
  const slots = createSemaphore(width);
  let [now, peak] = [0, 0];
  const job = (value: string) => async () => {
    peak = Math.max(peak, ++now);
    await later();
    now--;
    return value;
  };
  const values = await slots.withPermit(() => run(slots)(job('one'), job('two'), job('three')));
  return { peak, values };
}

test('jobs of a check go side by side, as far as there are places, and keep their order', async () => {
  const values = ['one', 'two', 'three'];
  expect(await most(8, sideBySide)).toEqual({ peak: 3, values });
  expect(await most(2, sideBySide)).toEqual({ peak: 2, values });
  expect(await most(1, sideBySide)).toEqual({ peak: 1, values });
  expect(await most(8, () => inTurn)).toEqual({ peak: 1, values });
});

test('the first failure is thrown when all jobs have ended', async () => {
  const slots = createSemaphore(3);
  let ended = false;
  const slow = async () => {
    await later();
    await later();
    ended = true;
  };
  const failing = (why: string) => async () => {
    throw new Error(why);
  };
  const all = slots.withPermit(() => sideBySide(slots)(slow, failing('first'), failing('second')));
  await expect(all).rejects.toThrow('first');
  expect(ended).toBe(true);
});
