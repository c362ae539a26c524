import { cleanError } from '../endpoint/clean-error.js';
import { createHttpCarrier } from '../wire/http.js';
import {
  createRedactor,
  createTape,
  createWire,
  type Network,
  realClock,
  secretsInUrl,
  secretsOfNetwork,
  type Wire,
} from '../wire/index.js';

const limits = { timeoutMs: 10_000, maxBytes: 4 * 1024 * 1024 };

/** Looks at an agent without a run. The errors that it throws contain no secret of the URL. */
export async function lookingAt<T>(url: string, look: (wire: Wire) => Promise<T>, network: Network = {}): Promise<T> {
  const carrier = createHttpCarrier({ network });
  try {
    return await look(createWire({ carrier, clock: realClock, tape: createTape(), limits }));
  } catch (error) {
    throw cleanError(error, createRedactor([...secretsInUrl(url), ...secretsOfNetwork(network)]));
  } finally {
    await carrier.close();
  }
}
