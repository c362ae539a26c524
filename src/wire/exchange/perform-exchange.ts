import { noteBody } from '../../model/index.js';
import type { Clock } from '../clock.js';
import { type BodyBuffer, createBodyBuffer } from './body-buffer.js';
import { decodedBody } from './decoding.js';
import { type Carrier, CarrierFailure, type Chunk, type Exchange, type Header, type WireRequest } from './exchange.js';
import type { Stop } from './stop.js';
import type { Tape } from './tape.js';
import type { Limits, Sending } from './wire.js';

export type Head = { readonly status: number; readonly headers: readonly Header[] };

export interface ExchangeJob {
  readonly carrier: Carrier;
  readonly request: WireRequest;
  readonly sending: Sending;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly tape: Tape;
  readonly stop: Stop;
  readonly onHead?: (head: Head) => void;
  /** Reading continues when the promise resolves. */
  readonly onChunk?: (chunk: Chunk) => Promise<void>;
}

/** A carrier in memory may throw anything when its agent crashes; to a client, that is a lost connection. */
const asFailure = (error: unknown): CarrierFailure =>
  error instanceof CarrierFailure ? error : new CarrierFailure('reset', String(error));

/** Bytes kept of a body that was too large: enough to recognise it, and little memory even for many such bodies. */
const keptOfTooLarge = 16 * 1024;

function kept(
  intake: BodyBuffer,
  failure: CarrierFailure | undefined,
): Pick<NonNullable<Exchange['response']>, 'body' | 'chunks' | 'cut'> {
  if (failure?.kind !== 'too-large' || intake.size() <= keptOfTooLarge) return intake.result();
  const { body } = intake.result(keptOfTooLarge);
  return { body, chunks: [], cut: true };
}

/** Sends one request, reads the answer to its end or to a limit, and puts what happened on the tape, exactly once. */
export async function performExchange(errand: ExchangeJob): Promise<Exchange> {
  const { request, sending, limits, clock, tape, stop } = errand;
  const id = tape.nextId();
  const startedAt = clock.now();
  const elapsed = (): number => Math.max(0, clock.now() - startedAt);
  const intake = createBodyBuffer(limits.maxBytes);
  let head: Head | undefined;
  let failure: CarrierFailure | undefined;
  let body: AsyncIterator<Uint8Array> | undefined;
  let isUnread = false;
  let sent = request;
  let trailersOf: (() => readonly Header[] | undefined) | undefined;
  const cancelTimeout = clock.after(limits.timeoutMs, () => {
    if (isUnread) stop.now('aborted', 'the kit did not read the stream in time');
    else stop.now('timeout', `no complete answer within ${limits.timeoutMs} ms`);
  });
  try {
    const response = await stop.during(errand.carrier(request, stop.signal));
    head = { status: response.status, headers: response.headers };
    trailersOf = response.trailers;
    sent = response.sent ?? request;
    errand.onHead?.(head);
    body = decodedBody(response.body, response.headers, limits.maxBytes, clock)[Symbol.asyncIterator]();
    for (;;) {
      const next = await stop.during(body.next());
      if (next.done) break;
      const atMs = elapsed();
      const { kept, overflow } = intake.add(next.value, atMs);
      isUnread = true;
      if (kept.length > 0 && errand.onChunk) await stop.during(errand.onChunk({ atMs, bytes: kept }));
      isUnread = false;
      if (overflow !== undefined) throw overflow;
    }
  } catch (error) {
    failure = asFailure(error);
    // Not awaited: a body that never yields would never return either.
    void Promise.resolve(body?.return?.()).catch(() => {});
    stop.now(failure.kind, failure.message);
  } finally {
    cancelTimeout();
  }
  const trailers = trailersOf?.();
  const exchange: Exchange = {
    id,
    purpose: sending.purpose,
    request: sent,
    startedAt,
    durationMs: elapsed(),
    ...(head === undefined
      ? {}
      : { response: { ...head, ...kept(intake, failure), ...(trailers === undefined ? {} : { trailers }) } }),
    ...(failure === undefined ? {} : { failure: { kind: failure.kind, detail: failure.message } }),
    ...(sending.call === undefined ? {} : { call: sending.call }),
    ...(sending.fetches === undefined ? {} : { fetches: sending.fetches }),
  };
  tape.add(exchange);
  noteBody(intake.size());
  return exchange;
}
