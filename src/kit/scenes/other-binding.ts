import type { Client } from '../../client/index.js';
import { canParseUrl } from '../../model/index.js';
import { NotApplicable } from '../rules/verdict.js';
import type { Scene } from './scene.js';

/**
 * A client of another interface of the same version, over another binding, at the origin that is called. Throws
 * `NotApplicable` where the card declares none. An interface with a tenant has tasks of its own, so it is left out.
 */
export function otherBinding({ client, card }: Scene): Client {
  const { binding, version: spoken } = client.dialect;
  const { origin } = new URL(client.endpoint);
  for (const { url, transport, version, tenant } of card.interfaces) {
    if (tenant !== undefined || !canParseUrl(url) || new URL(url).origin !== origin) continue;
    const other = client.at(url, transport, version);
    if (other === undefined || other.dialect.binding.id === binding.id) continue;
    if (other.dialect.version === spoken) return other;
  }
  throw new NotApplicable('the card declares no other binding that the kit speaks, at the same origin');
}
