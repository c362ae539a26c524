import {
  type Carrier,
  CarrierFailure,
  mostResets,
  type StopSignal,
  type WireRequest,
  type WireResponse,
} from '../wire/index.js';
import type { Incoming, Reply } from './calls.js';

const encoder = new TextEncoder();

/** The in-memory wire: it treats the replies of an agent as a socket would. */
export const carry =
  (serve: (request: Incoming) => Promise<Reply>): Carrier =>
  async (request, signal) => {
    const gone = departure(signal);
    for (let count = 0; count < Math.min(request.manner?.resets ?? 0, mostResets); count++) abandoned(serve, request);
    try {
      return await Promise.race([
        serve({ ...request, signal }).then((reply) => respond(reply, gone.promise)),
        gone.promise,
      ]);
    } finally {
      gone.forget();
    }
  };

/** A stream that its client resets before a message has come: the head alone reaches the agent. */
function abandoned(serve: (request: Incoming) => Promise<Reply>, { body: _, ...head }: WireRequest): void {
  const gone = new AbortController();
  gone.abort();
  serve({ ...head, signal: gone.signal }).catch(() => {});
}

/** Rejects when the caller gives up. */
function departure(signal: StopSignal): { readonly promise: Promise<never>; forget(): void } {
  let depart = (): void => {};
  const promise = new Promise<never>((_, reject) => {
    depart = () => {
      reject(new CarrierFailure('aborted', 'the caller gave up'));
    };
  });
  promise.catch(() => {});
  if (signal.aborted) depart();
  signal.addEventListener('abort', depart, { once: true });
  return { promise, forget: () => signal.removeEventListener('abort', depart) };
}

async function respond({ status, headers, body, fate, trailers }: Reply, gone: Promise<never>): Promise<WireResponse> {
  if (fate === 'hang') return gone;
  if (fate === 'reset') throw new CarrierFailure('reset', 'the agent closed the connection');
  const carried = fate === 'cut' ? cutInHalf(body) : chunksOf(body);
  return { status, headers, body: carried, ...(trailers === undefined ? {} : { trailers }) };
}

export async function* chunksOf(body: Reply['body']): AsyncIterable<Uint8Array> {
  if (typeof body === 'string') yield encoder.encode(body);
  else if (body instanceof Uint8Array) yield body;
  else yield* body;
}

async function* cutInHalf(body: Reply['body']): AsyncIterable<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(body)) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  yield new Uint8Array(whole.subarray(0, Math.floor(whole.byteLength / 2)));
  throw new CarrierFailure('reset', 'the agent closed the connection in the middle of the body');
}
