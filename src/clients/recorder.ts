import type { LeftOut } from '../kit/index.js';
import { bodyLimit } from '../reference/index.js';
import {
  type Carrier,
  CarrierFailure,
  type Chunk,
  type Exchange,
  type WireRequest,
  type WireResponse,
  weighHeaders,
} from '../wire/index.js';

// The requests of a client as exchanges, as if the kit had sent them: reports, curl lines and checks read them alike.

/** Most requests of one scenario that are kept. Later ones are answered all the same: a client may ask in a loop. */
const mostKept = 400;
/** Most bytes of a scenario; later requests are refused. */
const mostOfScenario = 4 << 20;
/** Most bytes of one answer that are kept. */
const mostOfAnswer = 128 * 1024;
/** Bytes that are kept of a request which is longer than agents take. */
const ofTooLong = 2048;
/** The rough cost of a request, of a value of JSON and of a chunk in addition to its bytes. */
const requestCost = 512;
const valueCost = 32;
const chunkCost = 128;

/** Bytes that all scenarios of a run hold together. */
export interface Room {
  held: number;
  readonly most: number;
}
export const roomFor = (most: number): Room => ({ held: 0, most });

export interface Recorded {
  readonly at: 'agent' | 'elsewhere';
  readonly exchange: Exchange;
}

export interface Recorder {
  /** The same server, and each of its exchanges is kept. */
  over(at: Recorded['at'], carrier: Carrier): Carrier;
  /** Resolves when the first request comes. */
  readonly called: Promise<void>;
  /** Those so far, in order of arrival; what is still under way shows its current state. */
  recorded(): readonly Recorded[];
  /** Makes room for something else that the scenario keeps; false: there is none. */
  admit(bytes: number): boolean;
  /** What was not kept; undefined: nothing. */
  leftOut(): LeftOut | undefined;
}

const encoder = new TextEncoder();

/** As a server of webhooks answers that is full. */
const refusal = (): WireResponse => ({
  status: 429,
  headers: [['content-type', 'text/plain']],
  body: (async function* () {
    yield encoder.encode('The kit keeps no more of this scenario: start it again\n');
  })(),
});

const mib = (bytes: number): string => `${Math.round(bytes / (1 << 20))} MiB`;

/** Commas and brackets: parsed, `[[],[],[]]` takes many times its bytes. */
function valuesIn(body: Uint8Array): number {
  let count = 0;
  for (const byte of body) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count++;
  return count;
}

function weigh({ url, headers, body }: WireRequest): number {
  const ofBody = body === undefined ? 0 : body.length + valueCost * valuesIn(body);
  return requestCost + url.length + weighHeaders(headers) + ofBody;
}

/** `nextId`: ids of the exchanges of a whole run. `now`: ms. `room`: what is left for all scenarios. */
export function createRecorder(nextId: () => string, now: () => number, room: Room): Recorder {
  const open: { readonly at: Recorded['at']; now(): Exchange }[] = [];
  let held = 0;
  let unkept = 0;
  let others = 0;
  let refused = 0;
  let cut = 0;
  let call = (): void => undefined;
  const called = new Promise<void>((resolve) => {
    call = resolve;
  });
  const isFull = (): boolean => held >= mostOfScenario || room.held >= room.most;
  const hold = (bytes: number): void => {
    held += bytes;
    room.held += bytes;
  };
  return {
    called,
    recorded: () => open.map(({ at, now: exchange }) => ({ at, exchange: exchange() })),
    admit(bytes) {
      if (isFull()) {
        others++;
        return false;
      }
      hold(bytes);
      return true;
    },
    leftOut() {
      const limits = `the kit keeps ${mostKept} requests and ${mib(mostOfScenario)} of a scenario, and ${mib(room.most)} of all`;
      if (refused > 0) return { why: `${refused} requests were refused with HTTP 429: ${limits}`, refused: true };
      if (unkept + cut + others === 0) return undefined;
      const what = [
        ...(unkept > 0 ? [`${unkept} requests are not kept`] : []),
        ...(cut > 0 ? [`${cut} requests or answers are cut`] : []),
        ...(others > 0 ? ['what its webhook answered or it printed is not kept'] : []),
      ];
      return { why: `${what.join(', and ')}: ${limits}`, refused: false };
    },
    over(at, carrier) {
      return async (request, signal) => {
        call();
        if (isFull()) {
          refused++;
          return refusal();
        }
        if (open.length >= mostKept) {
          unkept++;
          // Its agent may keep it.
          if (request.body !== undefined) hold(requestCost + request.body.length);
          return carrier(request, signal);
        }
        const id = nextId();
        const startedAt = now();
        const chunks: Chunk[] = [];
        let size = 0;
        let isShort = false;
        // Without the body of the answer, which would hold all that it was made of.
        let head: Pick<WireResponse, 'status' | 'headers' | 'trailers'> | undefined;
        let failure: Exchange['failure'];
        let endedAt: number | undefined;
        const { body } = request;
        const isLong = body !== undefined && body.length > bodyLimit;
        const kept = isLong ? { ...request, body: body.slice(0, ofTooLong), cut: true as const } : request;
        if (isLong) cut++;
        hold(weigh(kept));
        const exchange = (): Exchange => ({
          id,
          purpose: `call of the client to ${at === 'agent' ? 'the agent' : 'another place'}`,
          request: kept,
          ...(head === undefined ? {} : { response: answered(head, chunks, size) }),
          ...(failure === undefined ? {} : { failure }),
          startedAt,
          durationMs: Math.round((endedAt ?? now()) - startedAt),
        });
        open.push({ at, now: exchange });
        const gone = (): void => {
          failure ??= { kind: 'aborted', detail: 'the client closed the connection' };
          endedAt ??= now();
        };
        signal.addEventListener('abort', gone, { once: true });
        const failed = (cause: unknown): void => {
          endedAt ??= now();
          const kind = cause instanceof CarrierFailure ? cause.kind : 'reset';
          failure ??= { kind, detail: cause instanceof Error ? cause.message : String(cause) };
        };
        try {
          const answer = await carrier(request, signal);
          const { status, headers, trailers } = answer;
          head = { status, headers, ...(trailers === undefined ? {} : { trailers }) };
          hold(weighHeaders(headers));
          return { ...answer, body: through(answer.body) };
        } catch (cause) {
          failed(cause);
          throw cause;
        }

        async function* through(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
          try {
            for await (const chunk of bytes) {
              if (isFull() && !isShort) {
                isShort = true;
                cut++;
              }
              const left = isShort ? 0 : mostOfAnswer - size;
              if (left > 0) {
                const bytes = chunk.slice(0, left);
                chunks.push({ atMs: now() - startedAt, bytes });
                hold(chunkCost + bytes.length);
              }
              size += chunk.length;
              yield chunk;
            }
          } catch (cause) {
            failed(cause);
            throw cause;
          } finally {
            endedAt ??= now();
            signal.removeEventListener('abort', gone);
          }
        }
      };
    },
  };
}

function answered(
  { status, headers, trailers }: Pick<WireResponse, 'status' | 'headers' | 'trailers'>,
  chunks: readonly Chunk[],
  size: number,
): NonNullable<Exchange['response']> {
  const last = trailers?.();
  const body = new Uint8Array(Buffer.concat(chunks.map(({ bytes }) => bytes)));
  let at = 0;
  const views = chunks.map(({ atMs, bytes }) => {
    const from = at;
    at += bytes.length;
    return { atMs, bytes: body.subarray(from, at) };
  });
  return {
    status,
    headers,
    body,
    chunks: views,
    ...(body.length < size ? { cut: true } : {}),
    ...(last === undefined ? {} : { trailers: last }),
  };
}
