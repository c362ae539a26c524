import type { Operation } from '../../model/index.js';
import type { Sent } from '../execute/trace.js';
import type { OracleContext } from './oracle.js';
import { remembered } from './symptom.js';

/** The median of the last values, in bounded memory. */
interface MovingMedian {
  readonly value: number;
  add(value: number): void;
}

const width = 63;
/** Values between two sorts: sorting for each value would be too slow for an oracle. */
const every = 16;

function movingMedian(): MovingMedian {
  const last: number[] = [];
  let next = 0;
  let stale = 0;
  let median = 0;
  return {
    get value() {
      return median;
    },
    add(value) {
      last[next] = value;
      next = (next + 1) % width;
      if (++stale < every && last.length > every) return;
      stale = 0;
      median = [...last].sort((a, b) => a - b)[last.length >> 1] ?? 0;
    },
  };
}

export interface Usual {
  /** Milliseconds. */
  readonly time: MovingMedian;
  /** Bytes of the answer. */
  readonly size: MovingMedian;
}

/** 0: up to 1 KiB, 1: up to 16 KiB, 2: up to 256 KiB … */
const sizeClass = (bytes: number): number => Math.max(0, Math.ceil(Math.log2(Math.max(1, bytes / 1024)) / 4));

/** What answers of this operation to requests of this size usually take. */
export interface Baseline {
  of(operation: Operation, requestBytes: number): Usual;
}

export const baselineOf: (oracleContext: OracleContext) => Baseline = remembered(() => {
  const all = new Map<string, Usual>();
  return {
    of(operation, requestBytes) {
      // Bounded: at most one entry for each operation and class of size.
      const key = `${operation} ${sizeClass(requestBytes)}`;
      const found = all.get(key) ?? { time: movingMedian(), size: movingMedian() };
      all.set(key, found);
      return found;
    },
  };
});

/** Takes one request into the baseline, unless it failed: failures are not usual. */
export function noteUsual(baseline: Baseline, { step, body, exchange }: Sent): void {
  if (exchange.failure !== undefined || exchange.response === undefined) return;
  const usual = baseline.of(step.operation, body.length);
  usual.time.add(exchange.durationMs);
  usual.size.add(exchange.response.body.length);
}
