import type { JsonObject } from '../model/index.js';
import { bodyText, type Carrier, type Clock, type StopSignal } from '../wire/index.js';

/** A server that the agent asks in its work, a chain or a facilitator, and the way to it. */
export interface Upstream {
  /** With or without a slash at the end. */
  readonly url: string;
  /** It must not follow redirects. */
  readonly carrier: Carrier;
}

const patienceMs = 5000;
const largest = 1024 * 1024;

export interface UpstreamAnswer {
  readonly status: number;
  readonly json: unknown;
}

/** Posts one question. Rejects when no whole answer of JSON comes within five seconds, whatever its status. */
export async function askUpstream(
  upstream: Upstream,
  clock: Clock,
  path: string,
  question: JsonObject,
): Promise<UpstreamAnswer> {
  const patience = new AbortController();
  const stop = clock.after(patienceMs, () => patience.abort(new Error('no answer in time')));
  const late = new Promise<never>((_, reject) => {
    patience.signal.addEventListener('abort', () => reject(patience.signal.reason), { once: true });
  });
  try {
    // A carrier may ignore the signal.
    return await Promise.race([exchange(upstream, path, question, patience.signal), late]);
  } finally {
    stop();
    late.catch(() => {});
    patience.abort();
  }
}

async function exchange(
  { url, carrier }: Upstream,
  path: string,
  question: JsonObject,
  signal: StopSignal,
): Promise<UpstreamAnswer> {
  const response = await carrier(
    {
      method: 'POST',
      url: `${url.replace(/\/$/, '')}${path}`,
      headers: [
        ['content-type', 'application/json'],
        ['accept', 'application/json'],
      ],
      body: new TextEncoder().encode(JSON.stringify(question)),
    },
    signal,
  );
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > largest) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return { status: response.status, json: JSON.parse(bodyText(Buffer.concat(chunks))) as unknown };
}

/** A service that agents depend on, and the control with which a test steers it. */
export interface Stub {
  readonly service: Carrier;
  readonly control: Carrier;
  /** For people: what it is and what to do with it, one line each. `agent`: where an agent that asks it is, if one does. */
  about(urls: { readonly service: string; readonly control: string; readonly agent?: string }): readonly string[];
}
