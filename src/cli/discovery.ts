import { cleanError } from '../clean-error.js';
import { TckError } from '../model/tck-error.js';
import { type Detected, detect, random, uuids } from '../run/index.js';
import { createHttpCarrier } from '../wire/http.js';
import { createRedactor, createTape, createWire, realClock, secretsInUrl } from '../wire/index.js';

const limits = { timeoutMs: 10_000, maxBytes: 4 * 1024 * 1024 };

/**
 * What an agent is and speaks, without anything that a run would do. Throws `TckError`: `usage` for a wrong URL,
 * `unreachable`, `not-an-agent`.
 */
export async function discover(url: string): Promise<Detected> {
  const carrier = createHttpCarrier();
  try {
    const wire = createWire({ carrier, clock: realClock, tape: createTape(), limits });
    const uuid = uuids(random(1));
    const found = await detect({ url, profile: 'auto', allowedOrigins: [], credentials: [], wire, uuid });
    if (found.isAgent) return found;
    throw new TckError('not-an-agent', `${url} is no A2A agent: ${found.evidence.join('; ')}`);
  } catch (error) {
    throw cleanError(error, createRedactor(secretsInUrl(url)));
  } finally {
    await carrier.close();
  }
}
