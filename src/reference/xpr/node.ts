import type { JsonObject } from '../../model/index.js';
import { member } from '../../model/index.js';
import { bodyText, type Carrier, type Clock } from '../../wire/index.js';

/** A node of the chain, and the way to it. */
export interface ChainNode {
  /** With or without a slash at the end. */
  readonly url: string;
  /** It must not follow redirects. */
  readonly carrier: Carrier;
}

const patienceMs = 5000;
const largest = 1024 * 1024;

/**
 * Asks a node one question. Rejects for all that is no answer: no node, no connection, no end of it within five
 * seconds, a status of failure, no JSON, an error under status 200.
 */
export async function askNode(node: ChainNode, clock: Clock, path: string, question: JsonObject): Promise<unknown> {
  const patience = new AbortController();
  const stop = clock.after(patienceMs, () => patience.abort(new Error('no answer in time')));
  const late = new Promise<never>((_, reject) => {
    patience.signal.addEventListener('abort', () => reject(patience.signal.reason), { once: true });
  });
  try {
    // A carrier may be deaf to the signal.
    return await Promise.race([exchange(node, path, question, patience.signal), late]);
  } finally {
    stop();
    late.catch(() => {});
    patience.abort();
  }
}

async function exchange({ url, carrier }: ChainNode, path: string, question: JsonObject, signal: AbortSignal) {
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
  const answer: unknown = JSON.parse(bodyText(Buffer.concat(chunks)));
  // Nodes behind some gateways report what they do not have under any status.
  const failed = response.status < 200 || response.status > 299 || member(answer, 'code') === 404;
  if (failed) throw new Error('the node reports an error');
  return answer;
}
