import { describe, expect, test } from 'vitest';
import { sleep, virtualClock } from '../wire/index.js';
import { createPacer, type PacerOptions } from './pacer.js';

const windowMs = 60_000;
/** What the pacer adds for the way to the agent. */
const most = windowMs + 1000;

function pacing(limit: number, more: Partial<PacerOptions> = {}) {
  const clock = virtualClock();
  const waits: number[] = [];
  const pacer = createPacer({ clock, limit, windowMs, onWait: (ms) => waits.push(ms), ...more });
  const start = clock.now();
  return { clock, pacer, waits, at: () => clock.now() - start };
}

test('as many as the limit go at once, the next one when the window has passed', async () => {
  const { pacer, waits, at } = pacing(3);
  for (let turn = 0; turn < 3; turn++) await pacer.turn();
  expect(at()).toBe(0);
  expect(waits).toEqual([]);
  await pacer.turn();
  expect(at()).toBeGreaterThan(windowMs);
  expect(at()).toBeLessThan(most);
  expect(waits).toEqual([at()]);
});

test.each([1, 2, 5, 18])('no window holds more than %d, whenever they come', async (limit) => {
  const { clock, pacer } = pacing(limit);
  const sent: number[] = [];
  // Pauses that have no common measure with the window.
  for (let turn = 0; turn < 8 * limit; turn++) {
    await pacer.turn();
    sent.push(clock.now());
    await sleep(clock, (turn * 7919) % 9001);
  }
  sent.forEach((at, place) => {
    const after = sent[place + limit];
    if (after !== undefined) expect(after - at).toBeGreaterThan(windowMs);
  });
});

test('they are served in the order in which they came', async () => {
  const { pacer } = pacing(2);
  const order: number[] = [];
  await Promise.all([0, 1, 2, 3, 4, 5].map((place) => pacer.turn().then(() => order.push(place))));
  expect(order).toEqual([0, 1, 2, 3, 4, 5]);
});

test('what was sent without waiting counts', async () => {
  const { pacer, at } = pacing(2);
  pacer.note();
  pacer.note();
  pacer.note();
  expect(at()).toBe(0);
  await pacer.turn();
  expect(at()).toBeGreaterThan(windowMs);
  expect(at()).toBeLessThan(most);
});

test('short waits are not reported', async () => {
  const { clock, pacer, waits } = pacing(1);
  await pacer.turn();
  await sleep(clock, windowMs - 500);
  await pacer.turn();
  expect(waits).toEqual([]);
});

describe('no call waits', () => {
  test('when the run is ended', async () => {
    const stop = new AbortController();
    const { clock, pacer, at } = pacing(1, { signal: stop.signal });
    await pacer.turn();
    const waiting = [pacer.turn(), pacer.turn(), pacer.turn()];
    await sleep(clock, 10);
    stop.abort();
    await Promise.all(waiting);
    await pacer.turn();
    expect(at()).toBe(10);
  });

  test('when nothing is sent any more', async () => {
    let over = false;
    const { pacer, at } = pacing(1, { isOver: () => over });
    await pacer.turn();
    over = true;
    for (let turn = 0; turn < 50; turn++) await pacer.turn();
    expect(at()).toBe(0);
  });

  test('when it is too late, and then nothing is counted', async () => {
    const late = new AbortController();
    const { clock, pacer, at } = pacing(1);
    expect(await pacer.turn(late.signal)).toBe(true);
    const waiting = [pacer.turn(late.signal), pacer.turn(late.signal)];
    await sleep(clock, 10);
    late.abort();
    expect(await Promise.all([...waiting, pacer.turn(late.signal)])).toEqual([false, false, false]);
    expect(at()).toBe(10);
    // Others wait on, and for no more than was sent.
    expect(await pacer.turn()).toBe(true);
    expect(at()).toBeLessThanOrEqual(most);
  });

  test('for longer than the wait that is under way', async () => {
    let over = false;
    const { pacer, at } = pacing(1, { isOver: () => over });
    await pacer.turn();
    const waiting = [1, 2, 3, 4].map(() => pacer.turn());
    over = true;
    await Promise.all(waiting);
    expect(at()).toBeLessThan(most);
  });
});

test('a clock that is set back holds no call for longer than a window', async () => {
  const clock = virtualClock();
  let offset = 0;
  const moved = { ...clock, now: () => clock.now() + offset };
  const pacer = createPacer({ clock: moved, limit: 1, windowMs });
  const start = clock.now();
  await pacer.turn();
  offset = -3_600_000;
  await pacer.turn();
  expect(clock.now() - start).toBeLessThan(most);
});
