import type { Clock } from '../wire/index.js';

/** Values that expire, so that strangers cannot make a map grow without end. */
export interface Expiring<Value> {
  get(key: string): Value | undefined;
  /** `until`: the moment from which on the map has forgotten it, milliseconds. False when the map is full. */
  set(key: string, value: Value, until: number): boolean;
  delete(key: string): void;
  readonly size: number;
}

/** Removing expired values takes time, so it is done at most so often. */
const sweepEveryMs = 10_000;

export function createExpiring<Value>({ now }: Pick<Clock, 'now'>, most = 100_000): Expiring<Value> {
  const kept = new Map<string, { readonly value: Value; readonly until: number }>();
  let swept = now();
  function sweep(): void {
    swept = now();
    for (const [key, { until }] of kept) if (swept >= until) kept.delete(key);
  }
  return {
    get(key) {
      const found = kept.get(key);
      return found === undefined || now() >= found.until ? undefined : found.value;
    },
    set(key, value, until) {
      if (now() - swept >= sweepEveryMs || kept.size >= most) sweep();
      if (kept.size >= most && !kept.has(key)) return false;
      kept.set(key, { value, until });
      return true;
    },
    delete: (key) => void kept.delete(key),
    get size() {
      return kept.size;
    },
  };
}
