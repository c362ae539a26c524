import type { Dialect } from '../dialect/index.js';
import { asReached, type Card, canParseUrl, isSamePlace } from '../model/index.js';
import type { CardClaim } from './card-claims.js';
import { bindingNamed } from './declared.js';

/** A URL where a dialect may be spoken. */
export interface Endpoint {
  readonly url: string;
  /** The URL in the card that it comes from; undefined: the kit tries it without a card. */
  readonly named: string | undefined;
}

/** The endpoints that the card names for a dialect; more than one if the card can be read in several ways. */
export function namedEndpoints(dialect: Dialect, claims: readonly CardClaim[], card: Card): readonly string[] {
  const claim = claims.find((one) => one.dialect === dialect && one.url !== undefined);
  const at =
    card.interfaces.find(({ transport }) => bindingNamed(transport)?.id === dialect.binding.id) ??
    (dialect.like === undefined ? card.interfaces[0] : undefined);
  const named = at?.or === undefined ? [claim?.url ?? at?.url] : [at.url, at.or];
  return named.filter((url) => url !== undefined);
}

/** The endpoints to try: those of the card, kept to the allowed origins, then the usual ones. */
export function endpointsOf(
  dialect: Dialect,
  named: readonly string[],
  {
    given,
    allowedOrigins,
    cardUrl,
  }: {
    readonly given: URL;
    readonly allowedOrigins: readonly string[];
    readonly cardUrl: string | undefined;
  },
  note: (line: string) => void,
): readonly Endpoint[] {
  const found: Endpoint[] = [];
  for (const one of named) {
    const at = canParseUrl(one) ? new URL(one) : undefined;
    const web = at?.protocol === 'http:' || at?.protocol === 'https:';
    if (at === undefined) continue;
    if (web && isSamePlace(at, given)) found.push({ url: asReached(at, given).href, named: one });
    else if (web && allowedOrigins.includes(at.origin)) found.push({ url: at.href, named: one });
    else if (web) {
      const mapped = `${given.origin}${at.pathname}${at.search}`;
      note(`the card names ${at.href}, another origin than the one given; ${mapped} is used (see --allow-origin)`);
      found.push({ url: mapped, named: one });
    } else note(`the card names ${one}, which is no http URL`);
  }
  const usual = [
    ...(cardUrl === given.href ? [] : [given.href]),
    `${given.origin}${dialect.endpointPath === '' ? '/' : dialect.endpointPath}`,
    `${given.origin}/a2a`,
  ];
  for (const url of usual) found.push({ url, named: undefined });
  return found.filter((one, at) => found.findIndex(({ url }) => url === one.url) === at);
}
