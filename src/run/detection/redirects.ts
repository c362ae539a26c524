import type { Parameter } from '../../client/index.js';
import type { Dialect } from '../../dialect/index.js';
import { asReached, canParseUrl } from '../../model/index.js';
import { type Exchange, excerpt, header } from '../../wire/index.js';
import { type Probe, type ProbeOptions, probe } from './probe.js';

// A2A does not mention redirects; RFC 9110 §15.4 says what they mean for a POST.

const mostRedirects = 5;
/** Longer locations are ignored, characters. */
const longest = 2000;

/** The target of a redirect; undefined: no redirect, or no usable location. */
export function locationOf({ response }: Pick<Exchange, 'response'>, from: string): URL | undefined {
  if (response === undefined || response.status < 300 || response.status >= 400) return undefined;
  const location = header(response.headers, 'location');
  if (location === undefined || location.length > longest || !canParseUrl(location, from)) return undefined;
  const to = new URL(location, from);
  // None of these is sent.
  to.hash = '';
  to.username = '';
  to.password = '';
  return to;
}

/** A redirect of the endpoint. */
export interface Redirect {
  readonly from: string;
  readonly to: string;
  readonly status: number;
  /** Why it was not followed; undefined: the kit calls `to` for the whole run. */
  readonly stopped: 'another origin' | 'not for a POST' | 'a loop' | undefined;
  readonly exchange: Exchange;
}

/**
 * 307 and 308 keep the method. After 301 and 302 a client may go on with GET or with POST, so POST is allowed; after
 * 303 the answer is fetched by GET, which is not JSON-RPC.
 */
const keepsPost = new Set([301, 302, 307, 308]);

/** The base to which a redirect of a path below `from` leads; undefined: it leads to another path. */
function baseOf(location: URL, requested: string, from: string): URL | undefined {
  const [path, base] = [new URL(requested).pathname, new URL(from).pathname.replace(/\/$/, '')];
  const below = path.startsWith(`${base}/`) ? path.slice(base.length) : '';
  if (below === '' || below === '/') return location;
  if (!location.pathname.endsWith(below)) return undefined;
  const found = new URL(location);
  found.pathname = location.pathname.slice(0, -below.length);
  return found;
}

/** Many servers copy the query into the redirect: removes the parameters that the kit adds to each call anyway. */
function withoutOwn(url: URL, query: readonly Parameter[]): URL {
  for (const [name, value] of query) if (url.searchParams.get(name) === value) url.searchParams.delete(name);
  return url;
}

function redirectOf(
  { query = [] }: ProbeOptions,
  exchange: Exchange,
  from: string,
  seen: ReadonlySet<string>,
  origins: readonly string[],
): Redirect | undefined {
  const location = locationOf(exchange, from);
  const base = location && baseOf(location, exchange.request.url, from);
  const to = base && withoutOwn(asReached(base, new URL(from)), query);
  const status = exchange.response?.status ?? 0;
  if (to === undefined || status === 300 || status === 304) return undefined;
  const why = (): Redirect['stopped'] => {
    if (!keepsPost.has(status)) return 'not for a POST';
    if (!origins.includes(to.origin)) return 'another origin';
    return seen.has(to.href) || seen.size > mostRedirects ? 'a loop' : undefined;
  };
  return { from, to: to.href, status, stopped: why(), exchange };
}

export interface Followed {
  /** The URL that answered in the end. */
  readonly endpoint: string;
  readonly probe: Probe;
  /** From the first URL to the last; undefined: no place redirected the kit. */
  readonly redirect: Redirect | undefined;
}

/** Describes a redirect in one line. */
export const describeRedirect = ({ to, status, stopped }: Redirect): string => {
  const where = `HTTP ${status}, at ${excerpt(to, 200)} instead`;
  return stopped === undefined ? `${where}; followed` : `${where}; not followed (${stopped})`;
};

/** Probes an endpoint, and follows its redirects within the origins that may be called. */
export async function probeFollowing(
  options: ProbeOptions,
  first: string,
  dialect: Dialect,
  origins: readonly string[],
): Promise<Followed> {
  const seen = new Set([first]);
  let endpoint = first;
  let redirect: Redirect | undefined;
  for (;;) {
    const probed = await probe(options, endpoint, dialect);
    const next = redirectOf(options, probed.exchange, endpoint, seen, origins);
    if (next === undefined) return { endpoint, probe: probed, redirect };
    redirect = redirect === undefined ? next : { ...redirect, to: next.to, stopped: next.stopped };
    if (next.stopped !== undefined) return { endpoint: first, probe: probed, redirect };
    seen.add(next.to);
    endpoint = next.to;
  }
}
