import { type Dialect, dialectById, dialectOfVersion, grpcDialects } from '../dialect/index.js';
import { canParseUrl, isLoopback, TckError } from '../model/index.js';
import { excerpt, parseTargetUrl } from '../wire/index.js';
import { type FoundCard, findCards, type SearchOptions } from './card-search.js';
import { declaredIn, lineOf } from './declared.js';

/** Where an agent is called over gRPC. */
export interface GrpcTarget {
  readonly dialect: Dialect;
  /** http: HTTP/2 without TLS; https: with TLS. */
  readonly endpoint: string;
  /** What was seen, one line each. */
  readonly evidence: readonly string[];
}

/**
 * The place that an address means (AMB10-43): `grpc://host:port` and `http://…` are without TLS, `grpcs://…` and
 * `https://…` with it; `host:port` and `dns:///host:port` with it, but on this machine without. A path means nothing.
 * Undefined: no address.
 */
export function grpcEndpoint(text: string): string | undefined {
  const [, scheme = '', rest = ''] = /^(?:([a-z]{3,5}):\/\/\/?)?([^/]{1,300})(?:\/.*)?$/i.exec(text.trim()) ?? [];
  const bare = `http://${rest}`;
  if (rest === '' || !canParseUrl(bare)) return undefined;
  const { hostname, port } = new URL(bare);
  const lower = scheme.toLowerCase();
  if (!['', 'http', 'https', 'grpc', 'grpcs', 'dns'].includes(lower)) return undefined;
  if ((lower === '' || lower === 'dns') && port === '') return undefined;
  const isOpen = lower === 'http' || lower === 'grpc' || ((lower === '' || lower === 'dns') && isLoopback(hostname));
  return new URL(`${isOpen ? 'http' : 'https'}://${rest}`).origin;
}

const isGrpcName = (binding: string): boolean => /^grpc$/i.test(binding.trim());

/** The dialect of a version over gRPC. */
const overGrpc = (version: string | undefined): Dialect | undefined => {
  const plain = version === undefined ? dialectById('a2a-1.0') : dialectOfVersion(version);
  return grpcDialects.find(({ like }) => like === plain?.id);
};

export interface GrpcSearch extends SearchOptions {
  /** An address of gRPC, or the URL of the agent or of its card. */
  readonly url: string;
  /** `auto`, or a version: `a2a-1.0`. */
  readonly profile: string;
  /** Origins, on other hosts than that of `url`, that the card may name. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Finds out where and in which version an agent is called over gRPC: by its address, or by the first interface of its
 * card that fits. Throws `TckError('usage')` for a URL that is none, and where the card names
 * another host; undefined: the card declares no such interface.
 */
export async function findGrpc(options: GrpcSearch): Promise<GrpcTarget | undefined> {
  const { url, profile } = options;
  const chosen =
    profile === 'auto' ? undefined : grpcDialects.find(({ id, like }) => id === profile || like === profile);
  const fits = (dialect: Dialect | undefined): dialect is Dialect =>
    dialect !== undefined && (profile === 'auto' || dialect === chosen);
  const direct = (why: string): GrpcTarget | undefined => {
    const endpoint = grpcEndpoint(url);
    const dialect = chosen ?? overGrpc(undefined);
    if (endpoint === undefined || dialect === undefined) return undefined;
    return { dialect, endpoint, evidence: [`${url}: ${why}`] };
  };
  if (!/^https?:\/\//i.test(url)) {
    if (grpcEndpoint(url) === undefined) parseTargetUrl(url);
    return direct('an address of gRPC');
  }
  const evidence: string[] = [];
  const paths = [...new Set(grpcDialects.flatMap((dialect) => dialect.cardPaths))];
  const found = await cardsAt(options, paths, evidence);
  for (const card of found) {
    for (const { url: at, binding, version } of declaredIn(card.document)) {
      const dialect = overGrpc(version);
      const endpoint = isGrpcName(binding) && fits(dialect) ? grpcEndpoint(at) : undefined;
      if (dialect === undefined || endpoint === undefined) continue;
      if (!mayBeCalled(endpoint, options)) {
        const hint = `--allow-origin ${endpoint} allows it`;
        throw new TckError('usage', `the card names gRPC on another host: ${excerpt(at, 200)}`, hint);
      }
      const line = version === undefined ? undefined : lineOf(version);
      return { dialect, endpoint, evidence: [...evidence, `the card declares gRPC ${line ?? ''} at ${at}`] };
    }
  }
  return found.length > 0 ? undefined : direct('no card was found there, so it is taken for an address of gRPC');
}

/** Credentials go to no host that the user has not named; gRPC has a port of its own, so ports may differ. */
function mayBeCalled(endpoint: string, { url, allowedOrigins }: GrpcSearch): boolean {
  const [there, given] = [new URL(endpoint).hostname, new URL(url).hostname];
  return there === given || (isLoopback(there) && isLoopback(given)) || allowedOrigins.includes(endpoint);
}

/** The cards at a URL; none where nothing answers over HTTP/1.1, as on a port of gRPC alone. */
async function cardsAt(
  options: GrpcSearch,
  paths: readonly string[],
  evidence: string[],
): Promise<readonly FoundCard[]> {
  const versioned = grpcDialects.find(({ headers }) => headers.length > 0)?.headers ?? [];
  try {
    const { plain, versioned: own } = await findCards(
      { ...options, versioned },
      parseTargetUrl(options.url),
      paths,
      evidence,
    );
    return [own, plain].filter((one) => one !== undefined);
  } catch {
    return [];
  }
}
