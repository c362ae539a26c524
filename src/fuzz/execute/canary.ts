import { type Client, errorOf, type Outcome } from '../../client/index.js';
import { type Clock, sleep } from '../../wire/index.js';
import { isOwnFailure } from './own-failure.js';

/** Checks whether the agent still answers, and brings it back. */
export interface Canary {
  /** Asks for a task that does not exist; false when the agent does not answer as it did at first. */
  isAlive(): Promise<boolean>;
  /** Asks several times; true when no answer came at all, not even one that differs from the first. */
  isGone(): Promise<boolean>;
  /** True when the agent refuses two connections in a row. */
  isAway(): Promise<boolean>;
  /**
   * Asks several times; the last failure when each answer was a failure of the agent, other than its first answer of
   * all. Otherwise undefined, also for a rate limit.
   */
  failing(): Promise<string | undefined>;
  /** Restarts the agent if possible, or waits until the user has done so. True when it answers again. */
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

/** A task id that no agent uses. */
const nobodysTask = '00000000-0000-4000-8000-00000000f022';

/** What must be the same for two answers to count as the same. */
const kindOf = (outcome: Outcome<unknown>): string =>
  outcome.kind === 'refusal' ? `refusal ${errorOf(outcome)}` : outcome.kind;

/** The agent's own failure in an outcome: `InternalError` or `HTTP` and a status. undefined: anything else. */
function failureIn(outcome: Outcome<unknown>): string | undefined {
  if (outcome.kind === 'refusal') return outcome.error === 'InternalError' ? 'InternalError' : undefined;
  const status = outcome.kind === 'invalid-response' ? (outcome.exchange.response?.status ?? 0) : 0;
  return isOwnFailure(status) ? `HTTP ${status}` : undefined;
}

const isRefused = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'invalid-response' && outcome.exchange.failure?.kind === 'refused';

export function createCanary({ client, clock, restart, revivalMs, signal }: CanaryOptions): Canary {
  let first: string | undefined;
  const ask = () => client.call('get', { id: nobodysTask }, { id: 'f-canary', impatient: true });
  async function isAlive(): Promise<boolean> {
    let outcome = await ask();
    // A server may close an idle connection just when the kit uses it again (RFC 9112 §9.3.1): one lost request proves
    // nothing.
    if (outcome.kind === 'invalid-response' && outcome.fault === 'no-answer') outcome = await ask();
    // A rate limit is an answer: the agent is up.
    if (outcome.kind === 'busy') return true;
    // The request was not sent, because a budget is spent or the time is over: this says nothing of the agent.
    if (outcome.kind === 'not-sent') return true;
    if (outcome.kind === 'invalid-response') return false;
    first ??= kindOf(outcome);
    return kindOf(outcome) === first;
  }
  return {
    isAlive,
    async isGone() {
      for (let asked = 0; asked < lastAsks; asked++) {
        const outcome = await ask();
        if (outcome.kind !== 'invalid-response' || (outcome.fault !== 'no-answer' && outcome.fault !== 'timeout'))
          return false;
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
          // The agent may come back by itself.
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
