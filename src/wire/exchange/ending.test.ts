import { expect, test, vi } from 'vitest';
import { ending } from './ending.js';

test('ends by itself, by the outer signal, by its limit', () => {
  vi.useFakeTimers();
  try {
    const outer = new AbortController();
    const [own, led, limited] = [ending(), ending(outer.signal), ending(undefined, 1000)];
    const seen = () => [own, led, limited].map(({ signal }) => signal.aborted);
    expect(seen()).toEqual([false, false, false]);
    own.end();
    outer.abort();
    vi.advanceTimersByTime(999);
    expect(seen()).toEqual([true, true, false]);
    vi.advanceTimersByTime(1);
    expect(seen()).toEqual([true, true, true]);
    expect(ending(outer.signal).signal.aborted).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('released, it leaves nothing behind', () => {
  vi.useFakeTimers();
  try {
    const outer = new AbortController();
    const { signal, release } = ending(outer.signal, 1000);
    release();
    outer.abort();
    expect(vi.getTimerCount()).toBe(0);
    expect(signal.aborted).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
