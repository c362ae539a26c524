import { expect, test } from 'vitest';
import { createSlots } from './slots.js';

test('never more at work than there are places', async () => {
  const slots = createSlots(3);
  let now = 0;
  let most = 0;
  const job = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now--;
  };
  await Promise.all(Array.from({ length: 20 }, () => slots.hold(job)));
  expect(most).toBe(3);
});

test('who waits for another does not keep others from working', async () => {
  const slots = createSlots(1);
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const seen: string[] = [];
  const waiting = slots.hold(async () => {
    await slots.lend(gate);
    seen.push('waited');
  });
  await slots.hold(async () => {
    seen.push('worked');
    open();
  });
  await waiting;
  expect(seen).toEqual(['worked', 'waited']);
});

test('a failure gives the place back', async () => {
  const slots = createSlots(1);
  await expect(slots.hold(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.hold(async () => 1)).toBe(1);
});

test('narrowed, fewer are at work as soon as those who were have ended', async () => {
  const slots = createSlots(8);
  let now = 0;
  const seen: number[] = [];
  const job = async () => {
    seen.push(++now);
    if (seen.length === 8) for (let times = 0; times < 5; times++) slots.narrow();
    await new Promise((resolve) => setImmediate(resolve));
    now--;
  };
  await Promise.all(Array.from({ length: 20 }, () => slots.hold(job)));
  expect(seen).toHaveLength(20);
  expect(Math.max(...seen)).toBe(8);
  expect(Math.max(...seen.slice(8))).toBe(1);
});
