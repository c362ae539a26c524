import { retryAfterMs } from '../../client/index.js';
import { type Clock, type Exchange, type Sending, sleep, type Wire, type WireRequest } from '../../wire/index.js';
import type { GuardedWire } from './guard.js';

// How many requests an agent takes in a time. The user says it, or the first answer 429 with Retry-After does: from then
// on the run keeps below, and does not find the limit again and again.

/** At most so many requests in any window. */
export interface Rate {
  readonly requests: number;
  readonly windowMs: number;
}

/** Shared by all interfaces of a run: they have one limit. */
export interface Pace {
  /** Waits until one more request may be sent. */
  turn(): Promise<void>;
  /** Takes the outcome of a request. */
  note(exchange: Exchange): void;
  /** Another program keeps the limit. */
  off(): void;
  /** What is kept, as given or learnt; undefined: no limit was met. */
  kept(): Rate | undefined;
}

export interface PaceOptions {
  readonly clock: Clock;
  readonly rate?: Rate | undefined;
  /** Called before each long wait. */
  readonly onWait: (ms: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Windows in which servers count, ms. The smallest that is not shorter than what Retry-After asks for is taken. */
const windows = [1000, 10_000, 60_000, 600_000, 3_600_000] as const;
/** The agent counts a request when it arrives, which is later than it was sent; ms. */
const marginMs = 500;
/** Shorter waits are not reported, ms. */
const tellMs = 2000;
/** After a limit that was met in spite of the pace. */
const slower = 0.8;
/**
 * So few in a window are hardly the whole limit: another client may have used it, so the pace grows until it is met.
 */
const suspiciouslyFew = 5;
/** After so many refusals in a row, each after the wait that the agent asked for, what it asks for is not kept any more. */
const mostInVain = 3;
const faster = 1.5;

export function createPace({ clock, rate, onWait, signal }: PaceOptions): Pace {
  let kept = rate;
  let isOn = true;
  /** When requests were sent, and which of them the limit answered. */
  let sent: { readonly at: number; isRefused?: true }[] = [];
  let quietUntil = 0;
  let learntAt: number | undefined;
  /** Refusals since a request was taken, each after a wait. */
  let inVain = 0;
  /** The agent takes nothing, however long the kit waits: only what the user gave is kept. */
  const isVain = (): boolean => inVain >= mostInVain;
  let last: Promise<unknown> = Promise.resolve();
  const longest = windows.at(-1) ?? 0;

  /** What the user allows in such a window. */
  const mostOf = (windowMs: number): number =>
    rate === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor((rate.requests * windowMs) / rate.windowMs));

  function waitMs(): number {
    const now = clock.now();
    if (kept === undefined) return 0;
    const { requests, windowMs } = kept;
    const first = sent.length >= requests ? sent.at(-requests) : undefined;
    const free = first === undefined ? now : Math.min(first.at, now) + windowMs + marginMs;
    return Math.max(quietUntil, free) - now;
  }
  async function wait(): Promise<void> {
    for (let ms = waitMs(); ms > 0 && isOn && signal?.aborted !== true; ms = waitMs()) {
      if (ms >= tellMs) onWait(ms);
      await sleep(clock, ms, signal);
    }
    sent.push({ at: clock.now() });
  }

  return {
    turn() {
      if (kept === undefined || !isOn) {
        if (isOn) sent.push({ at: clock.now() });
        return Promise.resolve();
      }
      const own = last.then(wait, wait);
      last = own;
      return own;
    },
    note(exchange) {
      const now = clock.now();
      sent = sent.filter(({ at }) => at > now - longest - marginMs);
      const since = learntAt;
      if (kept !== undefined && since !== undefined && kept.requests < suspiciouslyFew) {
        if (now - since > 2 * kept.windowMs) {
          kept = { ...kept, requests: Math.min(Math.ceil(kept.requests * faster), mostOf(kept.windowMs)) };
          learntAt = now;
        }
      }
      if (exchange.response !== undefined && exchange.response.status !== 429) inVain = 0;
      if (!isOn || isVain() || exchange.response?.status !== 429) return;
      const asked = retryAfterMs(exchange, now);
      // Without a time the limit may be one of requests at once, which fewer at once keep.
      // A longer wait than any window would outlast the run: the requests go out, and are refused.
      if (asked === undefined || asked <= 0 || asked > longest) return;
      const own = sent.find(({ at, isRefused }) => isRefused === undefined && Math.abs(at - exchange.startedAt) < 50);
      if (own !== undefined) own.isRefused = true;
      quietUntil = Math.max(quietUntil, now + asked);
      // Those that were under way when the limit was met show nothing new.
      if (learntAt !== undefined && exchange.startedAt <= learntAt) {
        if (kept !== undefined) kept = { ...kept, requests: Math.min(kept.requests, taken(kept.windowMs)) };
        return;
      }
      if (learntAt !== undefined) inVain++;
      if (isVain()) {
        kept = rate;
        learntAt = undefined;
        quietUntil = 0;
        return;
      }
      const windowMs = windows.find((window) => window >= asked) ?? longest;
      const before = kept;
      kept =
        before === undefined || before.windowMs < windowMs
          ? { requests: taken(windowMs), windowMs }
          : { ...before, requests: Math.max(1, Math.floor(before.requests * slower)) };
      learntAt = now;
    },
    off: () => {
      isOn = false;
    },
    kept: () => kept,
  };

  /** The requests of the last window that the agent took. */
  function taken(windowMs: number): number {
    const since = clock.now() - windowMs;
    return Math.max(1, sent.filter(({ at, isRefused }) => at > since && isRefused !== true).length);
  }
}

/** Pages, and the card, usually come from a server that counts nothing. */
const isPage = ({ method }: Pick<WireRequest, 'method'>, { call }: Sending): boolean =>
  method === 'GET' && call === undefined;

/**
 * A wire that keeps a pace: requests wait before they are sent, which no time limit of theirs counts. Those that are not
 * sent any more, because the budget is spent or the agent is gone, do not wait.
 */
export const paced = <W extends GuardedWire>(wire: W, pace: Pace): W => {
  const turn = async (): Promise<void> => {
    if (!wire.spent() && wire.lostReason() === undefined) await pace.turn();
  };
  return {
    ...wire,
    async exchange(request, sending) {
      if (isPage(request, sending)) return wire.exchange(request, sending);
      await turn();
      const exchange = await wire.exchange(request, sending);
      pace.note(exchange);
      return exchange;
    },
    async open(request, sending) {
      if (isPage(request, sending)) return wire.open(request, sending);
      await turn();
      const opened = await wire.open(request, sending);
      opened.ended.then(pace.note, () => undefined);
      return opened;
    },
    ...(wire.raw === undefined ? {} : { raw: rawPaced(wire.raw, pace, turn) }),
  };
};

const rawPaced =
  (raw: NonNullable<Wire['raw']>, pace: Pace, turn: () => Promise<void>): NonNullable<Wire['raw']> =>
  async (url, bytes, sending) => {
    await turn();
    const exchange = await raw(url, bytes, sending);
    pace.note(exchange);
    return exchange;
  };
