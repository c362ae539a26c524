import { TckError } from '../model/tck-error.js';
import { type Detected, detect, random, uuids } from '../run/index.js';
import type { Network } from '../wire/index.js';
import { lookingAt } from './looking.js';

/**
 * Detects an agent and what it speaks, without running any check. Throws `TckError`: `usage` for a wrong URL,
 * `unreachable`, `not-an-agent`.
 */
export const discover = (url: string, network: Network = {}): Promise<Detected> =>
  lookingAt(
    url,
    async (wire) => {
      const uuid = uuids(random(1));
      const found = await detect({ url, profile: 'auto', allowedOrigins: [], credentials: [], wire, uuid });
      if (found.isAgent) return found;
      throw new TckError('not-an-agent', `${url} is not an A2A agent: ${found.evidence.join('; ')}`);
    },
    network,
  );
