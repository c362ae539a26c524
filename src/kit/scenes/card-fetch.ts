import { type Header, header } from '../../wire/index.js';
import type { Scene } from './scene.js';

/**
 * Headers that name the client's version when it fetches a card (1.0 §3.6.1): those with which the judged card was
 * fetched, because other clients may get another card.
 */
export const versionHeaders = ({ client, target: { cardExchange } }: Scene): readonly Header[] =>
  cardExchange === undefined
    ? client.dialect.headers
    : client.dialect.headers.filter(([name]) => header(cardExchange.request.headers, name) !== undefined);
