import { PreconditionUnmet } from '../../kit/index.js';
import { type Clock, type Exchange, sleep } from '../../wire/index.js';

/** Longest time for an agent to come back, milliseconds. */
const restartPatienceMs = 60_000;

export interface Restarting {
  /** Restarts the agent as the user configured. Rejects when that fails. */
  readonly restart: () => Promise<void>;
  /** One harmless request. */
  readonly ask: () => Promise<Exchange>;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** A proxy answers with these while the agent is away. */
const away = new Set([502, 503, 504]);

/** The user's restart may take minutes; a run that is ended does not wait for it. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  let end = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    end = () => reject(new Error('the run ended'));
  });
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/**
 * Restarts the agent and waits until it answers again. Throws `PreconditionUnmet` when it cannot be restarted, or stays
 * away.
 */
export async function restarted({ restart, ask, clock, signal }: Restarting): Promise<void> {
  try {
    await unlessAborted(restart(), signal);
  } catch (error) {
    throw new PreconditionUnmet(
      `check --restart-command: it did not restart the agent: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const until = clock.now() + restartPatienceMs;
  for (let pause = 100; ; pause = Math.min(pause * 2, 2000)) {
    const exchange = await ask();
    const { failure, response } = exchange;
    if (failure === undefined && response !== undefined && !away.has(response.status)) return;
    if (failure?.kind === 'budget' || signal?.aborted === true || clock.now() + pause > until) {
      const seen = failure === undefined ? `HTTP ${response?.status}` : failure.kind;
      throw new PreconditionUnmet(
        `check --restart-command: the agent did not answer after the restart (${seen})`,
        exchange,
      );
    }
    await sleep(clock, pause, signal);
  }
}
