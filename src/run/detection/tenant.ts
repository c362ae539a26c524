import type { Dialect } from '../../dialect/index.js';
import type { Target } from '../../kit/index.js';
import { canParseUrl } from '../../model/index.js';
import { bindingNamed } from './declared.js';

/**
 * The tenant of the called interface; if its URL was mapped to another origin, that of the first interface of its binding.
 */
export function tenantOf({ card, endpoint }: Target, { binding }: Dialect): string | undefined {
  const spoken = card.interfaces.filter(
    ({ transport, version }) => bindingNamed(transport)?.id === binding.id && !version?.startsWith('0.'),
  );
  return (spoken.find(({ url }) => canParseUrl(url) && new URL(url).href === endpoint) ?? spoken[0])?.tenant;
}
