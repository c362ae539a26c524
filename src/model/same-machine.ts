import { isLoopback } from './inner-addresses.js';

/** RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3: names by which every machine calls itself. */
const itself: ReadonlySet<string> = new Set(['localhost', 'localhost.', '127.0.0.1', '[::1]']);

/** Whether two URLs lead to the same port of the same machine, which has several names for itself. */
export const isSamePlace = (first: URL, second: URL): boolean =>
  first.origin === second.origin ||
  (first.protocol === second.protocol &&
    first.port === second.port &&
    itself.has(first.hostname) &&
    itself.has(second.hostname));

/** If both URLs lead to the same place, `url` with the host name of `reached`; else `url`. */
export function asReached(url: URL, reached: URL): URL {
  if (url.origin === reached.origin || !isSamePlace(url, reached)) return url;
  const named = new URL(url);
  named.hostname = reached.hostname;
  return named;
}

/** Whether two URLs name the same host, on whichever ports; names by which a machine calls itself are one. */
export const isSameHost = (first: URL, second: URL): boolean =>
  first.hostname === second.hostname || (isLoopback(first.hostname) && isLoopback(second.hostname));

/** Why the kit calls no other port of the host that the user gave. */
export type PortObstacle = 'another-host' | 'clear-text' | 'credentials';

/**
 * Why the kit does not call a place that a card names, although its binding has a port of its own; undefined: it does.
 * Another scheme or port is another origin (RFC 6454 §4): credentials go there only if the user allows that origin, and
 * nothing goes in clear text where the user gave https.
 */
export function portObstacle(at: URL, given: URL, sendsCredentials: boolean): PortObstacle | undefined {
  if (!isSameHost(at, given)) return 'another-host';
  if (given.protocol === 'https:' && at.protocol === 'http:') return 'clear-text';
  return sendsCredentials && at.origin !== given.origin ? 'credentials' : undefined;
}

/** The obstacle for people, behind "the card names gRPC at … ". */
export const obstacleWords: Readonly<Record<PortObstacle, string>> = {
  'another-host': 'on another host than the one given',
  'clear-text': 'in clear text, and https was given',
  credentials: 'at another origin than the one given, which gets no credentials',
};
