import { TckError } from '../model/index.js';
import { findAnyCard } from '../run/index.js';
import {
  type Carrier,
  type Clock,
  createTape,
  createWire,
  type Header,
  isGrpcAddress,
  parseTargetUrl,
  sleep,
} from '../wire/index.js';

export interface Awaited {
  readonly url: string;
  readonly headers?: readonly Header[];
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** How long the kit waits at most, ms. */
  readonly waitMs: number;
  readonly carrier: Carrier;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/** An attempt that gets no answer in this time ends, ms: a listener that takes connections and does nothing yet. */
const longestAttempt = 5000;
const firstPause = 50;
const longestPause = 1000;
const maxBytes = 4 * 1024 * 1024;

/** What keeps an agent from being judged now; undefined: it is ready. Of an address of gRPC, that its port is open. */
async function obstacle({ url, headers = [], query = [], carrier, clock, signal }: Awaited, timeoutMs: number) {
  const tape = createTape();
  const limits = { timeoutMs, maxBytes };
  const wire = createWire({ carrier, clock, tape, limits, ...(signal === undefined ? {} : { signal }) });
  const evidence: string[] = [];
  try {
    const card = await findAnyCard({ wire, credentials: headers, query }, parseTargetUrl(url), evidence);
    if (card !== undefined || isGrpcAddress(url)) return undefined;
  } catch (error) {
    if (error instanceof TckError && error.code === 'unreachable') return error;
    throw error;
  }
  // Waiting brings no credentials: the run says which are missing.
  if (tape.exchanges.some(({ response }) => response?.status === 401 || response?.status === 403)) return undefined;
  const hint = 'is that the URL of the agent? --wait with more seconds waits longer';
  return new TckError('unreachable', `${url} serves no card: ${evidence.at(-1) ?? 'no answer'}`, hint);
}

/**
 * Waits until an agent serves its card: asks again when an attempt has ended, after pauses that double up to a second.
 * Throws `TckError('unreachable')`, with what stood in the way last, when `waitMs` is over.
 */
export async function untilReady(awaited: Awaited): Promise<void> {
  const { waitMs, clock, signal } = awaited;
  const end = clock.now() + waitMs;
  let pause = firstPause;
  for (;;) {
    const left = end - clock.now();
    const why = await obstacle(awaited, Math.max(1, Math.min(longestAttempt, left)));
    if (why === undefined || signal?.aborted === true) return;
    if (clock.now() + pause >= end) {
      const seconds = Math.round(waitMs / 1000);
      throw new TckError('unreachable', `no card within ${seconds} s (--wait): ${why.message}`, why.hint);
    }
    await sleep(clock, pause, signal);
    pause = Math.min(2 * pause, longestPause);
  }
}
