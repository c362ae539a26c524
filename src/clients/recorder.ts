import { type Carrier, CarrierFailure, type Chunk, type Exchange, type WireResponse } from '../wire/index.js';

// The requests of a client as exchanges, as if the kit had sent them: reports, curl lines and checks read them alike.

/** Most requests of one scenario that are kept; a client that loops must not fill the memory. */
export const mostKept = 400;
/** Most bytes of one request or answer that are kept, and of all of a scenario; beyond that only the beginning is. */
const mostBytes = 512 * 1024;
const mostInAll = 4 << 20;
const leastBytes = 2048;

export interface Recorded {
  readonly at: 'agent' | 'elsewhere';
  readonly exchange: Exchange;
}

export interface Recorder {
  /** The same server, and each of its exchanges is kept. */
  over(at: Recorded['at'], carrier: Carrier): Carrier;
  /** Those so far, in order of arrival; what is still under way is shown as it is now. */
  recorded(): readonly Recorded[];
  /** Requests that came when `mostKept` were kept already. */
  dropped(): number;
  /** Resolves when another request has come. */
  next(): Promise<void>;
}

/** `nextId`: ids of the exchanges of a whole run. `now`: ms. */
export function createRecorder(nextId: () => string, now: () => number): Recorder {
  const open: { readonly at: Recorded['at']; now(): Exchange }[] = [];
  let dropped = 0;
  let held = 0;
  let waiting: (() => void)[] = [];
  const came = (): void => {
    for (const wake of waiting) wake();
    waiting = [];
  };
  return {
    recorded: () => open.map(({ at, now: exchange }) => ({ at, exchange: exchange() })),
    dropped: () => dropped,
    next: () => new Promise((resolve) => void waiting.push(resolve)),
    over(at, carrier) {
      return async (request, signal) => {
        if (open.length >= mostKept) {
          dropped++;
          came();
          return carrier(request, signal);
        }
        const id = nextId();
        const startedAt = now();
        const chunks: Chunk[] = [];
        let size = 0;
        let response: WireResponse | undefined;
        let failure: Exchange['failure'];
        let endedAt: number | undefined;
        const { body } = request;
        const room = (): number => (held < mostInAll ? mostBytes : leastBytes);
        const most = room();
        const isLong = body !== undefined && body.length > most;
        const kept = isLong ? { ...request, body: body.slice(0, most), cut: true as const } : request;
        held += kept.body?.length ?? 0;
        const exchange = (): Exchange => ({
          id,
          purpose: `client at ${at}`,
          request: kept,
          ...(response === undefined ? {} : { response: answered(response, chunks, size) }),
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
        came();
        const failed = (cause: unknown): void => {
          endedAt ??= now();
          const kind = cause instanceof CarrierFailure ? cause.kind : 'reset';
          failure ??= { kind, detail: cause instanceof Error ? cause.message : String(cause) };
        };
        try {
          const answer = await carrier(request, signal);
          response = answer;
          return { ...answer, body: through(answer.body) };
        } catch (cause) {
          failed(cause);
          throw cause;
        }

        async function* through(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
          try {
            for await (const chunk of bytes) {
              const left = room() - size;
              if (left > 0) {
                const bytes = chunk.slice(0, left);
                chunks.push({ atMs: now() - startedAt, bytes });
                held += bytes.length;
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
  { status, headers, trailers }: WireResponse,
  chunks: readonly Chunk[],
  size: number,
): NonNullable<Exchange['response']> {
  const last = trailers?.();
  const body = new Uint8Array(Buffer.concat(chunks.map(({ bytes }) => bytes)));
  return {
    status,
    headers,
    body,
    chunks,
    ...(body.length < size ? { cut: true } : {}),
    ...(last === undefined ? {} : { trailers: last }),
  };
}
