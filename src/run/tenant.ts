import type { Target } from '../kit/index.js';
import { canParseUrl } from '../model/index.js';

/**
 * The tenant of the called interface; if its URL was mapped to another origin, that of the first JSON-RPC interface.
 */
export function tenantOf({ card, endpoint }: Target): string | undefined {
  const spoken = card.interfaces.filter(
    ({ transport, version }) => transport === 'JSONRPC' && !version?.startsWith('0.'),
  );
  return (spoken.find(({ url }) => canParseUrl(url) && new URL(url).href === endpoint) ?? spoken[0])?.tenant;
}
