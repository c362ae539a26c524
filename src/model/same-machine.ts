import { isLoopback } from './inner-addresses.js';

/** RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3: names by which every machine calls itself. */
const itself: ReadonlySet<string> = new Set(['localhost', 'localhost.', '127.0.0.1', '[::1]']);

/** Whether two URLs lead to the same port of the same machine, which has several names for itself. */
export const isSamePlace = (one: URL, other: URL): boolean =>
  one.origin === other.origin ||
  (one.protocol === other.protocol &&
    one.port === other.port &&
    itself.has(one.hostname) &&
    itself.has(other.hostname));

/** If both URLs lead to the same place, `url` with the host name of `reached`; else `url`. */
export function asReached(url: URL, reached: URL): URL {
  if (url.origin === reached.origin || !isSamePlace(url, reached)) return url;
  const named = new URL(url);
  named.hostname = reached.hostname;
  return named;
}

/** Whether two URLs name the same host, on whichever ports; names by which a machine calls itself are one. */
export const isSameHost = (one: URL, other: URL): boolean =>
  one.hostname === other.hostname || (isLoopback(one.hostname) && isLoopback(other.hostname));
