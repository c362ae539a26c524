import { describe, readOutcome, repliesOf } from '../client/index.js';
import { type Dialect, dialectById, dialects } from '../dialect/index.js';
import type { Target } from '../kit/index.js';
import { type Card, isObject, TckError, unknownCard } from '../model/index.js';
import type { Exchange, Header, Wire } from '../wire/index.js';

export interface DetectionOptions {
  /** Base URL, card URL or endpoint URL of the agent. */
  readonly url: string;
  /** A profile, or `auto`. */
  readonly profile: string;
  readonly wire: Wire;
  readonly credentials: readonly Header[];
  /** Origins, other than the given one, that a card may send us to. */
  readonly allowedOrigins: readonly string[];
  readonly uuid: () => string;
}

export interface Detected {
  readonly dialect: Dialect;
  readonly target: Target;
  /** What was seen, in order, one line each. */
  readonly evidence: readonly string[];
  /** It answers like an agent: a card, or a JSON-RPC answer to the probe. */
  readonly isAgent: boolean;
}

/** Throws `TckError('usage')` for anything but an absolute http(s) URL. */
export function parseTargetUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TckError('usage', `--url ${text} is no URL`, 'give an absolute URL such as http://localhost:4000');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TckError(
      'usage',
      `--url ${text} is neither http nor https`,
      'give an absolute URL such as http://localhost:4000',
    );
  }
  return url;
}

const looksLikeCardUrl = (url: URL): boolean =>
  url.search !== '' || url.pathname.includes('/.well-known/') || /agent-?card|\.json$/.test(url.pathname);

function cardCandidates(url: URL, paths: readonly string[]): readonly string[] {
  const base = url.pathname.replace(/\/+$/, '');
  const below = base === '' || looksLikeCardUrl(url) ? [] : paths.map((path) => `${url.origin}${base}${path}`);
  const atOrigin = paths.map((path) => `${url.origin}${path}`);
  const itself = url.href;
  return [...new Set(looksLikeCardUrl(url) ? [itself, ...atOrigin] : [...below, ...atOrigin, itself])];
}

const cardMembers = ['name', 'url', 'skills', 'capabilities', 'supportedInterfaces', 'protocolVersion'];
/** Lenient on purpose: a card with defects is still a card; its defects are the checks' business. */
const isCardLike = (value: unknown): boolean =>
  isObject(value) &&
  cardMembers.filter((name) => Object.hasOwn(value, name)).length >= 2 &&
  !Object.hasOwn(value, 'jsonrpc');

function unreachable(url: URL, exchange: Exchange): TckError {
  const { kind, detail } = exchange.failure ?? { kind: 'no answer', detail: '' };
  return new TckError(
    'unreachable',
    `${url.origin} cannot be reached: ${kind} (${detail})`,
    'is the agent running, and the URL right?',
  );
}

interface FoundCard {
  readonly url: string;
  readonly exchange: Exchange;
  readonly document: unknown;
}

async function findCard(
  options: DetectionOptions,
  url: URL,
  paths: readonly string[],
  evidence: string[],
): Promise<FoundCard | undefined> {
  let timeouts = 0;
  for (const candidate of cardCandidates(url, paths)) {
    const exchange = await options.wire.exchange(
      { method: 'GET', url: candidate, headers: [['accept', 'application/json'], ...options.credentials] },
      { purpose: 'detection' },
    );
    const kind = exchange.failure?.kind;
    if (kind === 'refused' || kind === 'dns' || kind === 'tls') throw unreachable(url, exchange);
    if (kind === 'budget') break;
    if (kind !== undefined) {
      evidence.push(`GET ${candidate}: ${kind}`);
      if (kind === 'timeout' && ++timeouts >= 2) break;
      continue;
    }
    const reply = repliesOf(exchange)[0];
    const status = exchange.response?.status ?? 0;
    if (status >= 200 && status < 300 && reply?.type === 'json' && isCardLike(reply.value)) {
      evidence.push(`GET ${candidate}: an agent card`);
      return { url: candidate, exchange, document: reply.value };
    }
    evidence.push(`GET ${candidate}: HTTP ${status}, no card`);
  }
  return undefined;
}

/** The endpoint that the card names, kept to the origin that the user gave unless another one is allowed. */
function endpoints(
  url: URL,
  card: Card,
  dialect: Dialect,
  options: DetectionOptions,
  evidence: string[],
  cardUrl: string | undefined,
): readonly string[] {
  const named = card.interfaces.find((one) => one.transport === 'JSONRPC') ?? card.interfaces[0];
  const found: string[] = [];
  if (named !== undefined && URL.canParse(named.url)) {
    const at = new URL(named.url);
    const web = at.protocol === 'http:' || at.protocol === 'https:';
    if (web && (at.origin === url.origin || options.allowedOrigins.includes(at.origin))) found.push(at.href);
    else if (web) {
      const mapped = `${url.origin}${at.pathname}${at.search}`;
      evidence.push(
        `the card names ${at.href}, another origin than the one given; ${mapped} is used (see --allow-origin)`,
      );
      found.push(mapped);
    } else evidence.push(`the card names ${named.url}, which is no http URL`);
  }
  if (cardUrl !== url.href) found.push(url.href);
  found.push(`${url.origin}${dialect.endpointPath === '' ? '/' : dialect.endpointPath}`, `${url.origin}/a2a`);
  return [...new Set(found)];
}

export interface Probe {
  readonly speaks: 'yes' | 'other' | 'no';
  readonly seen: string;
  /** A JSON-RPC answer came. */
  readonly enveloped: boolean;
  readonly exchange: Exchange;
}

/** Asks for a task that cannot exist: nothing is created, and the answer tells which spelling is understood. */
export async function probe(
  options: Pick<DetectionOptions, 'wire' | 'credentials' | 'uuid'>,
  endpoint: string,
  dialect: Dialect,
): Promise<Probe> {
  const { method, params, result } = dialect.operations.get;
  const id = 'tck-probe';
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: params.encode({ id: options.uuid() }) });
  const exchange = await options.wire.exchange(
    {
      method: 'POST',
      url: endpoint,
      headers: [
        ['content-type', 'application/json'],
        ['accept', 'application/json'],
        ...dialect.headers,
        ...options.credentials,
      ],
      body: new TextEncoder().encode(body),
    },
    { purpose: 'detection', call: { operation: 'get', rpcId: id, valid: true } },
  );
  const outcome = readOutcome(exchange, dialect, (wire) => result.decode(wire));
  const enveloped = outcome.kind === 'result' || (outcome.kind === 'refusal' && outcome.code !== undefined);
  const understood = enveloped || outcome.kind === 'denied' || outcome.kind === 'busy';
  const other = outcome.kind === 'refusal' && outcome.error === 'MethodNotFound';
  return {
    speaks: other ? 'other' : understood ? 'yes' : 'no',
    seen: `${method} with a random id: ${describe(outcome)}`,
    enveloped,
    exchange,
  };
}

/**
 * Finds the card, the endpoint and the dialect. Throws `TckError('unreachable')` when nothing answers at all; an answer
 * that is no agent's is told by `isAgent`.
 */
export async function detect(options: DetectionOptions): Promise<Detected> {
  const url = parseTargetUrl(options.url);
  const forced = options.profile === 'auto' ? undefined : dialectById(options.profile);
  if (options.profile !== 'auto' && forced === undefined) {
    const known = ['auto', ...dialects.map((dialect) => dialect.id)].join(', ');
    throw new TckError('usage', `--profile ${options.profile} is not known`, `known profiles: ${known}`);
  }
  const evidence: string[] = [];
  const candidates = forced === undefined ? dialects : [forced];
  const paths = [...new Set(candidates.flatMap((dialect) => dialect.cardPaths))];
  const found = await findCard(options, url, paths, evidence);
  const ranked = [...candidates].sort((a, b) => rank(a, found?.document) - rank(b, found?.document));
  let best: { readonly dialect: Dialect; readonly endpoint: string; readonly probe: Probe } | undefined;
  search: for (const dialect of ranked) {
    const card = (found === undefined ? undefined : dialect.card.decode(found.document)) ?? unknownCard;
    for (const endpoint of endpoints(url, card, dialect, options, best === undefined ? evidence : [], found?.url)) {
      const seen = await probe(options, endpoint, dialect);
      evidence.push(`POST ${endpoint}: ${seen.seen}`);
      if (best === undefined || (seen.speaks === 'yes' && best.probe.speaks !== 'yes'))
        best = { dialect, endpoint, probe: seen };
      if (seen.speaks === 'yes') break search;
      // The endpoint is right, the spelling is not.
      if (seen.speaks === 'other') break;
    }
  }
  const dialect = best?.dialect ?? ranked[0] ?? candidates[0];
  if (dialect === undefined) throw new TckError('internal', 'no dialect to choose from');
  const claimed = found === undefined ? undefined : dialects.find((one) => one.recognises(found.document) === 'yes');
  evidence.push(
    claimed !== undefined && claimed !== dialect
      ? `the card claims ${claimed.id}, the agent speaks ${dialect.id}`
      : `profile ${dialect.id}${forced === undefined ? '' : ', as asked for'}`,
  );
  const target: Target = {
    url: options.url,
    endpoint: best?.endpoint ?? url.href,
    cardUrl: found?.url,
    card: (found === undefined ? undefined : dialect.card.decode(found.document)) ?? unknownCard,
    cardDocument: found?.document,
    cardExchange: found?.exchange,
  };
  return {
    dialect,
    target,
    evidence,
    isAgent: found !== undefined || best?.probe.enveloped === true || best?.probe.speaks === 'yes',
  };
}

const rank = (dialect: Dialect, document: unknown): number =>
  ['yes', 'maybe', 'no'].indexOf(dialect.recognises(document));
