import type { Client, Outcome } from '../client/index.js';
import { type Clock, sleep } from '../wire/index.js';
import { isOwnFailure } from './own-failure.js';

/** Whether the agent still answers, and how it is brought back. */
export interface Canary {
  /** Asks for a task that does not exist; false when the agent does not answer as it did at first. */
  isAlive(): Promise<boolean>;
  /** Asks several times more; true when no answer came to any. Another answer than at first is one. */
  isGone(): Promise<boolean>;
  /** Nobody takes a connection at this moment, asked twice. */
  isAway(): Promise<boolean>;
  /**
   * Asks several times: the failure of its own that each answer was, while the first answer of all was none; else
   * undefined, also for limits of its rate.
   */
  failing(): Promise<string | undefined>;
  /** Restarts the agent where that is possible, or waits until somebody else has. Whether it answers again. */
  revive(): Promise<boolean>;
}

export interface CanaryOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly restart?: () => Promise<void>;
  /** How long a supervisor may take to bring the agent back, ms. */
  readonly revivalMs: number;
  readonly signal?: AbortSignal;
}

const lastAsks = 3;
const firstPauseMs = 100;
const longestPauseMs = 2000;

/** No agent gives it to a task of its own. */
const nobodysTask = '00000000-0000-4000-8000-00000000f022';

/** The same answer, as far as it can be the same twice. */
const kindOf = (outcome: Outcome<unknown>): string =>
  outcome.kind === 'refusal' ? `refusal ${outcome.code}` : outcome.kind;

/** A failure of the agent itself, as it names it. */
function failureIn(outcome: Outcome<unknown>): string | undefined {
  if (outcome.kind === 'refusal') return outcome.error === 'InternalError' ? 'InternalError' : undefined;
  const status = outcome.kind === 'broken' ? (outcome.exchange.response?.status ?? 0) : 0;
  return isOwnFailure(status) ? `HTTP ${status}` : undefined;
}

const isRefused = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'broken' && outcome.exchange.failure?.kind === 'refused';

export function createCanary({ client, clock, restart, revivalMs, signal }: CanaryOptions): Canary {
  let first: string | undefined;
  const ask = () => client.call('get', { id: nobodysTask }, { id: 'f-canary', impatient: true });
  async function isAlive(): Promise<boolean> {
    let outcome = await ask();
    // A server may close an idle connection just as it is used again (RFC 9112 §9.3.1): nobody is dead for that.
    if (outcome.kind === 'broken' && outcome.fault === 'no-answer') outcome = await ask();
    // Its limit is an answer, and says nothing else.
    if (outcome.kind === 'busy') return true;
    // Nobody asked, because a budget is spent or the time is over: that says nothing of the agent.
    if (outcome.kind === 'withheld') return true;
    if (outcome.kind === 'broken') return false;
    first ??= kindOf(outcome);
    return kindOf(outcome) === first;
  }
  return {
    isAlive,
    async isGone() {
      for (let asked = 0; asked < lastAsks; asked++) {
        const outcome = await ask();
        if (outcome.kind !== 'broken' || (outcome.fault !== 'no-answer' && outcome.fault !== 'timeout')) return false;
        await sleep(clock, firstPauseMs, signal);
      }
      return signal?.aborted !== true;
    },
    isAway: async () => isRefused(await ask()) && isRefused(await ask()),
    async failing() {
      let failure: string | undefined;
      for (let asked = 0; asked < lastAsks; asked++) {
        const outcome = await ask();
        failure = failureIn(outcome);
        if (failure === undefined || kindOf(outcome) === first) return undefined;
        await sleep(clock, firstPauseMs, signal);
      }
      return failure;
    },
    async revive() {
      if (restart !== undefined) {
        try {
          await restart();
        } catch {
          // It may come back by itself.
        }
      }
      const end = clock.now() + revivalMs;
      for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
        if (await isAlive()) return true;
        if (signal?.aborted === true || clock.now() + pause > end) return false;
        await sleep(clock, pause, signal);
      }
    },
  };
}
