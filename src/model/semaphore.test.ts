import { expect, test } from 'vitest';
import { createSemaphore, type Ease, type Semaphore } from './semaphore.js';

test('never more at work than there are places', async () => {
  const slots = createSemaphore(3);
  let now = 0;
  let most = 0;
  const job = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now--;
  };
  await Promise.all(Array.from({ length: 20 }, () => slots.withPermit(job)));
  expect(most).toBe(3);
});

test('who waits for another does not keep others from working', async () => {
  const slots = createSemaphore(1);
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const seen: string[] = [];
  const waiting = slots.withPermit(async () => {
    await slots.withoutPermit(gate);
    seen.push('waited');
  });
  await slots.withPermit(async () => {
    seen.push('worked');
    open();
  });
  await waiting;
  expect(seen).toEqual(['worked', 'waited']);
});

test('a failure gives the place back', async () => {
  const slots = createSemaphore(1);
  await expect(slots.withPermit(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.withPermit(async () => 1)).toBe(1);
});

test('narrowed, fewer are at work as soon as those who were have ended', async () => {
  const slots = createSemaphore(8);
  let now = 0;
  const seen: number[] = [];
  const job = async () => {
    seen.push(++now);
    if (seen.length === 8) for (let times = 0; times < 5; times++) slots.halve();
    await new Promise((resolve) => setImmediate(resolve));
    now--;
  };
  await Promise.all(Array.from({ length: 20 }, () => slots.withPermit(job)));
  expect(seen).toHaveLength(20);
  expect(Math.max(...seen)).toBe(8);
  expect(Math.max(...seen.slice(8))).toBe(1);
});

test('with one place, one is at work at a time, however easy the answers are', async () => {
  const slots = createSemaphore(8, { slowWidth: 24 });
  slots.single();
  let now = 0;
  let most = 0;
  const job = async () => {
    most = Math.max(most, ++now);
    for (const ease of ['easy', 'roomy'] as const) slots.note(ease);
    await new Promise((resolve) => setImmediate(resolve));
    now--;
  };
  await Promise.all(Array.from({ length: 20 }, () => slots.withPermit(job)));
  expect(most).toBe(1);
  expect(slots.isRoomy()).toBe(false);
});

/** Jobs that end in the order in which they began; `note` gets the result of each. */
async function played(
  slots: Semaphore,
  count: number,
  easeAt: (at: number, atWork: number) => Ease,
): Promise<number[]> {
  let now = 0;
  let begun = 0;
  const seen: number[] = [];
  const job = async () => {
    const at = begun++;
    seen.push(++now);
    const atWork = now;
    await new Promise((resolve) => setImmediate(resolve));
    slots.note(easeAt(at, atWork));
    now--;
  };
  await Promise.all(Array.from({ length: count }, () => slots.withPermit(job)));
  return seen;
}

test('begun gently, there are soon as many at work as there may be', async () => {
  const seen = await played(createSemaphore(8, { start: 2 }), 60, () => 'easy');
  expect(Math.max(...seen.slice(0, 2))).toBe(2);
  expect(Math.max(...seen.slice(0, 20))).toBe(8);
  expect(Math.max(...seen)).toBe(8);
});

test('where too many are hard, few are at work', async () => {
  const seen = await played(createSemaphore(8, { start: 2 }), 200, (_, atWork) => (atWork > 3 ? 'hard' : 'easy'));
  expect(seen).toHaveLength(200);
  const late = seen.slice(50);
  expect(late.filter((atWork) => atWork > 4).length).toBeLessThan(20);
  expect(Math.max(...late)).toBeGreaterThan(1);
});

test('one at a time stays one at a time', async () => {
  expect(Math.max(...(await played(createSemaphore(1, { start: 2 }), 30, () => 'easy')))).toBe(1);
});

test('slow answers that more at once do not hold up take the places beyond the width', async () => {
  const wide = createSemaphore(4, { start: 2, slowWidth: 12 });
  const seen = await played(wide, 60, () => 'roomy');
  expect(Math.max(...seen)).toBe(12);
  expect(wide.isRoomy()).toBe(true);
  wide.halve();
  wide.halve();
  expect(wide.isRoomy()).toBe(false);
  const quick = createSemaphore(4, { start: 2, slowWidth: 12 });
  expect(Math.max(...(await played(quick, 60, () => 'easy')))).toBe(4);
  expect(quick.isRoomy()).toBe(false);
});

test('who comes back from waiting has a place before those who have not begun', async () => {
  const slots = createSemaphore(1);
  let found = (): void => undefined;
  const wanted = new Promise<void>((resolve) => {
    found = resolve;
  });
  const seen: string[] = [];
  const first = slots.withPermit(async () => {
    await slots.withoutPermit(wanted);
    seen.push('back');
  });
  const others = ['a', 'b', 'c'].map((name, at) =>
    slots.withPermit(async () => {
      if (at === 0) found();
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(name);
    }),
  );
  await Promise.all([first, ...others]);
  expect(seen).toEqual(['a', 'back', 'b', 'c']);
});
