import type { Exchange } from '../wire/index.js';
import type { Case } from './case.js';
import { mutationsOf } from './oracles/mutation.js';
import type { Trace } from './trace.js';

/** An agent may answer the request that it dies of: so long before its death is looked, ms. */
const dyingMs = 2000;
const mostKept = 256;
const mostLikely = 8;

/** Changed requests that have come to the agent, in whichever case. */
export interface Arrived {
  note(trace: Trace): void;
  /**
   * The cases of those that came shortly before an exchange was lost, or with it: first those that were not answered
   * either, then the nearest.
   */
  shortlyBefore(lost: Exchange): readonly Case[];
}

const endOf = ({ startedAt, durationMs }: Exchange): number => startedAt + durationMs;

export function createArrived(): Arrived {
  const kept: { readonly case: Case; readonly from: number; readonly to: number; readonly isLost: boolean }[] = [];
  return {
    note({ case: own, sent }) {
      for (const { step, exchange } of sent) {
        if (exchange.failure?.kind === 'refused' || mutationsOf(step).length === 0) continue;
        const isLost = exchange.response === undefined;
        kept.push({ case: own, from: exchange.startedAt, to: endOf(exchange), isLost });
        if (kept.length > mostKept) kept.shift();
      }
    },
    shortlyBefore(lost) {
      const near = kept.filter(({ from, to }) => from <= endOf(lost) && to >= lost.startedAt - dyingMs);
      near.sort((a, b) => Number(b.isLost) - Number(a.isLost) || b.to - a.to);
      return [...new Set(near.map((one) => one.case))].slice(0, mostLikely);
    },
  };
}
