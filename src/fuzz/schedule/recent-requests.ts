import type { Exchange } from '../../wire/index.js';
import type { Case } from '../case/case.js';
import type { Trace } from '../execute/trace.js';
import { mutationsOf } from '../oracles/mutation.js';

/** An agent may answer the request that makes it go down: how far back from a lost exchange to look, ms. */
const dyingMs = 2000;
const mostKept = 256;
const mostLikely = 8;

/** Changed requests that reached the agent, with their cases. */
export interface RecentRequests {
  note(trace: Trace): void;
  /**
   * The cases of requests that came shortly before a lost exchange, or during it: unanswered requests first, then the
   * most recent.
   */
  shortlyBefore(lost: Exchange): readonly Case[];
}

const endOf = ({ startedAt, durationMs }: Exchange): number => startedAt + durationMs;

export function createRecentRequests(): RecentRequests {
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
      return [...new Set(near.map((item) => item.case))].slice(0, mostLikely);
    },
  };
}
