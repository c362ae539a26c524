import { type Parameter, repliesOf, withQuery } from '../client/index.js';
import { isObject, jsonFault, TckError } from '../model/index.js';
import { bodyText, createRedactor, type Exchange, excerpt, type Header, type Wire } from '../wire/index.js';
import { locationOf } from './redirects.js';

/** Throws `TckError('usage')` for anything but an absolute http(s) URL. */
export function parseTargetUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const hint = 'give an absolute URL such as http://localhost:4000';
  // What is no URL may have a user and a password all the same.
  const shown = createRedactor([])
    .url(text)
    .replace(/^[^/?#]*@/, '[hidden]@');
  if (url === undefined) throw new TckError('usage', `--url ${shown} is no URL`, hint);
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new TckError('usage', `--url ${shown} is neither http nor https`, hint);
}

const looksLikeCardUrl = (url: URL): boolean =>
  url.search !== '' || url.pathname.includes('/.well-known/') || /agent-?card|\.json$/.test(url.pathname);

function candidates(url: URL, paths: readonly string[]): readonly string[] {
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

/** What stands in the place of a card, for people; the document came with a 2xx status. */
function insteadOf(exchange: Exchange): string {
  const [reply] = repliesOf(exchange);
  if (reply?.type === 'json') {
    if (!isObject(reply.value)) return 'JSON, but no object';
    const members = Object.keys(reply.value).slice(0, 8).join(', ');
    return `a JSON object with ${members === '' ? 'no members' : excerpt(members, 100)}, which is no card`;
  }
  const fault = jsonFault(bodyText(exchange.response?.body));
  if (fault === undefined) return 'no card';
  return `no JSON: line ${fault.line}, column ${fault.column} is ${fault.what}`;
}

/** What was found where a card could be: the first JSON or almost JSON, else the first document. */
export function cardInstead(found: readonly Exchange[]): { exchange: Exchange; told: string } | undefined {
  const isLikely = (one: Exchange) => /^\s*[[{]/.test(bodyText(one.response?.body.subarray(0, 100)));
  const exchange = found.find(isLikely) ?? found[0];
  return exchange && { exchange, told: `${exchange.request.url} gives ${insteadOf(exchange)}` };
}

export interface FoundCard {
  readonly url: string;
  readonly exchange: Exchange;
  readonly document: unknown;
}

export interface SearchOptions {
  readonly wire: Wire;
  readonly credentials: readonly Header[];
  readonly query?: readonly Parameter[];
}

const mostRedirects = 5;

/** Looks for a card at, below and around a URL; redirects of the same origin are followed. `instead` takes the documents that are no card. Throws `TckError('unreachable')` when there is nobody at all. */
export async function findCard(
  { wire, credentials, query = [] }: SearchOptions,
  url: URL,
  paths: readonly string[],
  evidence: string[],
  instead: Exchange[] = [],
): Promise<FoundCard | undefined> {
  let timeouts = 0;
  const waiting = [...candidates(url, paths)];
  const most = waiting.length + mostRedirects;
  const asked = new Set<string>();
  for (let candidate = waiting.shift(); candidate !== undefined; candidate = waiting.shift()) {
    if (asked.size >= most) break;
    if (asked.has(candidate)) continue;
    asked.add(candidate);
    const exchange = await wire.exchange(
      { method: 'GET', url: withQuery(candidate, query), headers: [['accept', 'application/json'], ...credentials] },
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
    const elsewhere = locationOf(exchange, candidate);
    if (elsewhere?.origin === url.origin) waiting.unshift(elsewhere.href);
    const isPlace = candidate !== url.href || looksLikeCardUrl(url);
    const isDocument = status >= 200 && status < 300 && exchange.response?.body.length !== 0;
    if (isPlace && isDocument) instead.push(exchange);
    const none = isDocument ? insteadOf(exchange) : 'no card';
    const told = elsewhere === undefined ? none : `at ${excerpt(elsewhere.href, 200)} instead`;
    evidence.push(`GET ${candidate}: HTTP ${status}, ${told}`);
  }
  return undefined;
}
