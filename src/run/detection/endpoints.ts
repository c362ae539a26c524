import type { Binding } from '../../binding/index.js';
import type { Dialect } from '../../dialect/index.js';
import {
  asReached,
  type Card,
  canParseUrl,
  firstOfEach,
  isSamePlace,
  obstacleWords,
  portObstacle,
  withoutSlashes,
} from '../../model/index.js';
import { excerpt } from '../../wire/index.js';
import { type CardClaim, noteOnce } from './card-claims.js';
import { bindingNamed, type DeclaredInterface } from './declared.js';

/** A URL where a dialect may be spoken. */
export interface Endpoint {
  readonly url: string;
  /** The URL in the card that it comes from; undefined: the kit tries it without a card. */
  readonly named: string | undefined;
}

/** The endpoints that the card names for a dialect; more than one if the card can be read in several ways. */
export function namedEndpoints(dialect: Dialect, claims: readonly CardClaim[], card: Card): readonly string[] {
  const claim = claims.find((claim) => claim.dialect === dialect && claim.url !== undefined);
  const at =
    card.interfaces.find(({ transport }) => bindingNamed(transport)?.id === dialect.binding.id) ??
    (dialect.id === dialect.version ? card.interfaces[0] : undefined);
  const named = at?.or === undefined ? [claim?.url ?? at?.url] : [at.url, at.or];
  return named.filter((url) => url !== undefined);
}

/** The URL that an interface names in its binding; undefined: none. */
export function placeNamed(address: string, binding: Binding): URL | undefined {
  const url = binding.urlOf === undefined ? address : binding.urlOf(address);
  return url !== undefined && canParseUrl(url) ? new URL(url) : undefined;
}

const pathOf = ({ pathname, search }: URL): string => `${withoutSlashes(pathname)}${search}`;

/** Whether a user gave the URL of the card, or that of an agent which has its card below it. */
function isBase(given: URL, cardUrl: string): boolean {
  const base = `${given.origin}${pathOf(given)}`;
  return cardUrl === given.href || cardUrl === base || cardUrl.startsWith(`${base}/`);
}

/**
 * Whether a user who gave a URL means the interface at an address of the card. If the card stands below that URL, the
 * agent is meant, and so its first interface.
 */
export const isMeant = (address: string, given: URL, cardUrl: string): boolean =>
  canParseUrl(address) && !isBase(given, cardUrl) && pathOf(new URL(address)) === pathOf(given);

/**
 * Why the endpoint is not the URL that the user gave; undefined: it is, or that URL is the base of the agent or its
 * card.
 */
export function whyNotGiven(
  given: URL,
  cardUrl: string | undefined,
  endpoint: string,
  declared: readonly DeclaredInterface[],
): string | undefined {
  if (cardUrl === undefined || isBase(given, cardUrl) || pathOf(new URL(endpoint)) === pathOf(given)) return undefined;
  const at = excerpt(given.href, 200);
  const meant = declared.find(({ url }) => isMeant(url, given, cardUrl));
  return meant === undefined
    ? `the card names no interface at ${at}, which was given`
    : `${at}, which was given, is ${excerpt(meant.binding, 80)}`;
}

/** What the kit may call beside the URL that the user gave. */
export interface Reach {
  /** The URL that the user gave. */
  readonly given: URL;
  /** Its origin, and those that the user allowed. */
  readonly origins: readonly string[];
  /** Whether requests carry credentials. */
  readonly sendsCredentials: boolean;
}

/**
 * Where the kit calls a URL that a card names: at the origin that the user gave, or at one that the user allowed. A
 * binding with a port of its own may be at another port of the same host (`portObstacle`). Undefined: elsewhere.
 */
export function endpointAt(at: URL, binding: Binding, { given, origins, sendsCredentials }: Reach): string | undefined {
  if (at.protocol !== 'http:' && at.protocol !== 'https:') return undefined;
  if (isSamePlace(at, given)) return asReached(at, given).href;
  if (origins.includes(at.origin)) return at.href;
  return binding.hasOwnPort === true && portObstacle(at, given, sendsCredentials) === undefined ? at.href : undefined;
}

/** Why an interface with a port of its own is not called, behind its name: "at another origin …". */
export function whyNotAt(at: URL, { given, sendsCredentials }: Reach): string {
  return obstacleWords[portObstacle(at, given, sendsCredentials) ?? 'another-host'];
}

/** The endpoints to try: those of the card, kept to the allowed origins, then the usual ones. */
export function endpointsOf(
  dialect: Dialect,
  named: readonly string[],
  { cardUrl, ...reach }: Reach & { readonly cardUrl: string | undefined },
  evidence: string[],
): readonly Endpoint[] {
  const { given } = reach;
  const note = (line: string): void => noteOnce(evidence, line);
  const found: Endpoint[] = [];
  for (const url of named) {
    const at = placeNamed(url, dialect.binding);
    const web = at?.protocol === 'http:' || at?.protocol === 'https:';
    if (at === undefined) continue;
    const own = endpointAt(at, dialect.binding, reach);
    if (own !== undefined) found.push({ url: own, named: url });
    else if (web && dialect.binding.hasOwnPort === true) {
      note(
        `the card names ${dialect.binding.title} at ${at.origin}, ${whyNotAt(at, reach)}: --allow-origin ${at.origin} allows it`,
      );
    } else if (web) {
      const mapped = `${given.origin}${at.pathname}${at.search}`;
      note(`the card names ${at.href}, another origin than the one given; ${mapped} is used (see --allow-origin)`);
      found.push({ url: mapped, named: url });
    } else note(`the card names ${url}, which is not an http URL`);
  }
  const usual =
    dialect.binding.hasOwnPort === true
      ? [`${given.origin}/`]
      : [
          ...(cardUrl === given.href ? [] : [given.href]),
          `${given.origin}${dialect.endpointPath === '' ? '/' : dialect.endpointPath}`,
          `${given.origin}/a2a`,
        ];
  for (const url of usual) found.push({ url, named: undefined });
  return firstOfEach(found, ({ url }) => url);
}
