import { type Clock, sleep } from '../clock.js';
import { plural } from '../text/text.js';
import { createChunkQueue } from './chunk-queue.js';
import type { Carrier, Exchange, FailureKind, WireRequest } from './exchange.js';
import { type ExchangeJob, type Head, performExchange } from './perform-exchange.js';
import { createStop, type Stop } from './stop.js';
import type { Tape } from './tape.js';
import type { Limits, OpenExchange, Sending, Wire } from './wire.js';

export interface WireOptions {
  readonly carrier: Carrier;
  readonly clock: Clock;
  readonly tape: Tape;
  /** Used where a sending sets no limits of its own. */
  readonly limits: Limits;
  /** How many requests may be sent in all; later ones fail with `budget`. */
  readonly requestBudget?: number;
  /** Ends the run: exchanges under way and all later ones fail with `aborted`. */
  readonly signal?: AbortSignal;
  /** Minimum time between two requests, milliseconds. The wait is not part of the exchange. */
  readonly pace?: number;
  /** Whether the wire offers `raw`, which opens its own sockets. */
  readonly rawSocket?: boolean;
}

/** An exchange for a request that was not sent. It is not on the tape, so it has no id of the tape. */
const unsent = (request: WireRequest, sending: Sending, now: number, kind: FailureKind, detail: string): Exchange => ({
  id: 'unsent',
  purpose: sending.purpose,
  request,
  failure: { kind, detail },
  startedAt: now,
  durationMs: 0,
  ...(sending.call === undefined ? {} : { call: sending.call }),
});

/** After this many answers that were too large, less is read of each: many at once must not fill the memory. */
const toleratedFloods = 3;
const maxBytesUnderFlood = 1024 * 1024;

/** Sends requests to the agent over any carrier. Whatever the agent does, the promises do not reject. */
export function createWire(options: WireOptions): Wire {
  const { clock, tape, signal, pace = 0, requestBudget = Number.POSITIVE_INFINITY } = options;
  let requests = 0;
  let nextSlot = Number.NEGATIVE_INFINITY;
  let floods = 0;

  async function turn(): Promise<void> {
    const now = clock.now();
    const slot = Math.max(now, nextSlot);
    nextSlot = slot + pace;
    if (slot > now) await sleep(clock, slot - now, signal);
  }

  const afterEnd = (request: WireRequest, sending: Sending): Exchange | undefined =>
    signal?.aborted ? unsent(request, sending, clock.now(), 'aborted', 'the run had ended') : undefined;

  /**
   * Waits for the next slot when `pace` is set. Returns an exchange when the request must not be sent. Without `pace`
   * it returns at once, so that requests and streams started together are sent in the order in which they were started.
   */
  function refusal(request: WireRequest, sending: Sending): Exchange | undefined | Promise<Exchange | undefined> {
    if (!signal?.aborted && requests >= requestBudget) {
      return unsent(
        request,
        sending,
        clock.now(),
        'budget',
        `the budget of ${plural(requestBudget, 'request')} is spent`,
      );
    }
    requests++;
    if (pace > 0) return turn().then(() => afterEnd(request, sending));
    return afterEnd(request, sending);
  }

  async function send(
    request: WireRequest,
    sending: Sending,
    stop: Stop,
    via: Pick<ExchangeJob, 'carrier' | 'onHead' | 'onChunk'>,
  ): Promise<Exchange> {
    const limits = { ...options.limits, ...sending.limits };
    if (floods >= toleratedFloods) limits.maxBytes = Math.min(limits.maxBytes, maxBytesUnderFlood);
    const onRunEnd = (): void => stop.now('aborted', 'the run ended');
    signal?.addEventListener('abort', onRunEnd, { once: true });
    try {
      const exchange = await performExchange({ request, sending, limits, clock, tape, stop, ...via });
      if (exchange.failure?.kind === 'too-large') floods++;
      return exchange;
    } finally {
      signal?.removeEventListener('abort', onRunEnd);
    }
  }

  async function exchange(request: WireRequest, sending: Sending, carrier = options.carrier): Promise<Exchange> {
    const turned = refusal(request, sending);
    const refused = turned instanceof Promise ? await turned : turned;
    return refused ?? (await send(request, sending, createStop(), { carrier }));
  }

  async function open(request: WireRequest, sending: Sending): Promise<OpenExchange> {
    const stop = createStop();
    const close = (): void => stop.now('aborted', 'the kit closed the stream');
    const queue = createChunkQueue(close, sending.readAhead);
    const turned = refusal(request, sending);
    const refused = turned instanceof Promise ? await turned : turned;
    const { head, ended } = await new Promise<Pick<OpenExchange, 'head' | 'ended'>>((resolve) => {
      const onHead = (found: Head): void => resolve({ head: found, ended });
      const ended = (async () => {
        try {
          return (
            refused ?? (await send(request, sending, stop, { carrier: options.carrier, onHead, onChunk: queue.push }))
          );
        } finally {
          queue.end();
        }
      })();
      const giveUp = (): void => resolve({ head: undefined, ended });
      ended.then(giveUp, giveUp);
    });
    return { head, chunks: queue.chunks, close, ended };
  }

  let exact = options.carrier.raw;
  const raw: Wire['raw'] = async (url, bytes, sending) => {
    // Loaded on use: in-memory runs and `--help` need no sockets.
    exact ??= (await import('../carriers/raw-socket.js')).createRawCarrier();
    return exchange({ method: 'RAW', url, headers: [], body: bytes }, sending, exact);
  };

  return {
    exchange: (request, sending) => exchange(request, sending),
    open,
    ...(options.rawSocket ? { raw } : {}),
  };
}
