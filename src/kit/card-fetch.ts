import { type Header, header } from '../wire/index.js';
import type { Scene } from './scene.js';

/**
 * What names the version of the client where it fetches a card (1.0 §3.6.1): as the card was fetched that is judged, for
 * other clients may get another.
 */
export const versionHeaders = ({ client, target: { cardExchange } }: Scene): readonly Header[] =>
  cardExchange === undefined
    ? client.dialect.headers
    : client.dialect.headers.filter(([name]) => header(cardExchange.request.headers, name) !== undefined);
