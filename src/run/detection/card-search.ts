import { type Parameter, repliesOf, withQuery } from '../../client/index.js';
import { type Dialect, dialects } from '../../dialect/index.js';
import { giveCredentials, type WhyNoCard } from '../../kit/index.js';
import { asReached, isObject, isSamePlace, jsonFault, TckError, withoutSlashes } from '../../model/index.js';
import {
  bodyText,
  certificateAdvice,
  type Exchange,
  excerpt,
  type Header,
  plural,
  tlsAdvice,
  type Wire,
} from '../../wire/index.js';
import { locationOf } from './redirects.js';

const looksLikeCardUrl = (url: URL): boolean =>
  url.search !== '' || url.pathname.includes('/.well-known/') || /agent-?card|\.json$/.test(url.pathname);

function candidates(url: URL, paths: readonly string[]): readonly string[] {
  const base = withoutSlashes(url.pathname);
  const below = base === '' || looksLikeCardUrl(url) ? [] : paths.map((path) => `${url.origin}${base}${path}`);
  const atOrigin = paths.map((path) => `${url.origin}${path}`);
  const itself = url.href;
  return [...new Set(looksLikeCardUrl(url) ? [itself, ...atOrigin] : [...below, ...atOrigin, itself])];
}

const cardMembers = ['name', 'url', 'skills', 'capabilities', 'supportedInterfaces', 'protocolVersion'];
/** Lenient on purpose: a card with defects is still a card, and the checks judge its defects. */
export const isCardLike = (value: unknown): boolean =>
  isObject(value) &&
  cardMembers.filter((name) => Object.hasOwn(value, name)).length >= 2 &&
  !Object.hasOwn(value, 'jsonrpc');

function unreachable(url: URL, exchange: Exchange): TckError {
  const { kind, detail } = exchange.failure ?? { kind: 'no answer', detail: '' };
  const hints: { readonly [Kind in typeof kind]?: string } = {
    dns: 'is the URL right? --resolve <host>:<address> says where the host is',
    tls: tlsAdvice(detail) ?? 'is the agent running, and the URL right?',
    proxy: 'it is named by HTTP_PROXY or HTTPS_PROXY; NO_PROXY=<host> calls an agent without it',
  };
  const hint = hints[kind] ?? 'is the agent running, and the URL right?';
  const why = kind === 'proxy' || kind === 'tls' ? detail : `${kind} (${detail})`;
  return new TckError('unreachable', `${url.origin} cannot be reached: ${why}`, hint);
}

/** What a server says over HTTP of the connection itself, as nginx and others that stand before an agent do. */
const ofConnection = [
  [
    /no required ssl certificate|client certificate (?:is )?required/i,
    'it wants a certificate of the kit',
    certificateAdvice,
  ],
  [/the ssl certificate error/i, 'it refuses the certificate of the kit', certificateAdvice],
  [/plain http request was sent to https port/i, 'its port speaks https', 'write https:// in place of http://'],
] as const;

/** The agent cannot be called over this connection; undefined: nothing says so. */
function refusedConnection(url: URL, { response }: Exchange): TckError | undefined {
  if (response === undefined || response.status < 400 || response.status > 499) return undefined;
  const text = bodyText(response.body.subarray(0, 4096));
  const [, why, advice] = ofConnection.find(([words]) => words.test(text)) ?? [];
  return why && new TckError('unreachable', `${url.origin} cannot be called: ${why} (HTTP ${response.status})`, advice);
}

/** Describes, for people, a document with a 2xx status that is not a card. */
function insteadOf(exchange: Exchange): string {
  const [reply] = repliesOf(exchange);
  if (reply?.type === 'json') {
    if (!isObject(reply.value)) return 'JSON, but no object';
    const members = Object.keys(reply.value).slice(0, 8).join(', ');
    return `a JSON object with ${members === '' ? 'no members' : excerpt(members, 100)}, which is not a card`;
  }
  const fault = jsonFault(bodyText(exchange.response?.body));
  if (fault === undefined) return 'no card';
  return `no JSON: line ${fault.line}, column ${fault.column} is ${fault.what}`;
}

const statusOf = ({ response }: Exchange): number => response?.status ?? 0;
/** Whether an answer holds something that could be a document. */
export const isDocument = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 200 && statusOf(exchange) < 300 && exchange.response?.body.length !== 0;

/** The document found in place of a card: the first that begins like JSON, else the first; undefined: none. */
function documentInstead(answers: readonly Exchange[]): Exchange | undefined {
  const found = answers.filter(isDocument);
  const isLikely = (exchange: Exchange) => /^\s*[[{]/.test(bodyText(exchange.response?.body.subarray(0, 100)));
  return found.find(isLikely) ?? found[0];
}

/** Why the kit found no card, by the answers of its places; undefined: the kit asked at none. */
export function whyNoCard(answers: readonly Exchange[]): WhyNoCard | undefined {
  const exchange = documentInstead(answers);
  if (exchange !== undefined) return { exchange, told: `${exchange.request.url} gives ${insteadOf(exchange)}` };
  const sentence = answeredBy(answers);
  return sentence === undefined ? undefined : { told: sentence };
}

const giveUrl = 'give its URL with --url';

/** What the places of a card answered, where none has a document, and what to do. */
function answeredBy(answers: readonly Exchange[]): string | undefined {
  const at = ({ request }: Exchange): string => excerpt(request.url, 200);
  const closed = answers.find((exchange) => [401, 403].includes(statusOf(exchange)));
  if (closed !== undefined) return `${at(closed)} wants credentials (HTTP ${statusOf(closed)}); ${giveCredentials()}`;
  for (const exchange of answers) {
    const elsewhere = locationOf(exchange, exchange.request.url);
    if (elsewhere !== undefined) return `${at(exchange)} redirects to ${excerpt(elsewhere.href, 200)}; ${giveUrl}`;
  }
  const broken = answers.find((exchange) => exchange.failure !== undefined || statusOf(exchange) >= 500);
  if (broken !== undefined) {
    const what = broken.failure === undefined ? `answers HTTP ${statusOf(broken)}` : `fails: ${broken.failure.kind}`;
    return `${at(broken)} ${what}; ${giveUrl}`;
  }
  const [first, ...others] = answers;
  if (first === undefined) return undefined;
  const also = others.length === 0 ? '' : `, nor is one at ${plural(others.length, 'other place')}`;
  return `${at(first)} answers HTTP ${statusOf(first)}${also}; ${giveUrl}`;
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
  /** Those whose cards are looked for; left out: all. A client of the first that has headers names its version by them. */
  readonly dialects?: readonly Dialect[];
}

const mostRedirects = 5;

const ask = (
  { wire, credentials, query = [] }: SearchOptions,
  url: string,
  headers: readonly Header[],
): Promise<Exchange> =>
  wire.exchange(
    {
      method: 'GET',
      url: withQuery(url, query),
      headers: [['accept', 'application/json'], ...headers, ...credentials],
    },
    { purpose: 'detection' },
  );

function cardIn(exchange: Exchange, url: string): FoundCard | undefined {
  const reply = repliesOf(exchange)[0];
  const status = exchange.response?.status ?? 0;
  if (status < 200 || status >= 300 || reply?.type !== 'json' || !isCardLike(reply.value)) return undefined;
  return { url, exchange, document: reply.value };
}

/** Whether naming a version may help: the agent sent JSON that is not a card, or a 4xx other than 401, 403 and 404. */
function mayWantVersion(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  if (status >= 200 && status < 300) return repliesOf(exchange)[0]?.type === 'json';
  return status >= 400 && status < 500 && ![401, 403, 404].includes(status);
}

/** The card as clients get it that name no version, and as clients get it that name theirs. */
export interface FoundCards {
  /** For clients that name no version: those before 1.0. */
  readonly plain: FoundCard | undefined;
  /** For clients that name their version; undefined: they get no card. */
  readonly versioned: FoundCard | undefined;
}

/**
 * Looks for a card at a URL, below it and at its origin, and follows redirects within that origin. The kit fetches the
 * card again with the version headers (1.0 §3.6.1), and adds to `answers` the answers of these places that are not a
 * card. Throws `TckError('unreachable')` when the host refuses the connection, or DNS, TLS or a proxy fails.
 */
export async function findCards(
  options: SearchOptions,
  url: URL,
  evidence: string[],
  answers: Exchange[] = [],
): Promise<FoundCards> {
  const wanted = options.dialects ?? dialects;
  const paths = [...new Set(wanted.flatMap((dialect) => dialect.cardPaths))];
  const versioned = wanted.find(({ headers }) => headers.length > 0)?.headers ?? [];
  let timeouts = 0;
  const waiting = [...candidates(url, paths)];
  const most = waiting.length + mostRedirects;
  const asked = new Set<string>();
  const fetchVersioned = async (candidate: string): Promise<FoundCard | undefined> =>
    versioned.length === 0 ? undefined : cardIn(await ask(options, candidate, versioned), candidate);
  for (let candidate = waiting.shift(); candidate !== undefined; candidate = waiting.shift()) {
    if (asked.size >= most) break;
    if (asked.has(candidate)) continue;
    asked.add(candidate);
    const exchange = await ask(options, candidate, []);
    const kind = exchange.failure?.kind;
    if (kind === 'refused' || kind === 'dns' || kind === 'tls' || kind === 'proxy') throw unreachable(url, exchange);
    if (kind === 'budget') break;
    const isPlace = candidate !== url.href || looksLikeCardUrl(url);
    if (kind !== undefined) {
      if (isPlace) answers.push(exchange);
      evidence.push(`GET ${candidate}: ${kind}`);
      if (kind === 'timeout' && ++timeouts >= 2) break;
      continue;
    }
    const plain = cardIn(exchange, candidate);
    if (plain !== undefined) {
      evidence.push(`GET ${candidate}: an agent card`);
      return { plain, versioned: await fetchVersioned(candidate) };
    }
    const refused = refusedConnection(url, exchange);
    if (refused !== undefined) throw refused;
    const status = exchange.response?.status ?? 0;
    const named = mayWantVersion(exchange) ? await fetchVersioned(candidate) : undefined;
    if (named !== undefined) {
      const spelled = versioned.map((pair) => pair.join(': ')).join(', ');
      evidence.push(`GET ${candidate}: HTTP ${status}; with ${spelled}, an agent card`);
      return { plain: undefined, versioned: named };
    }
    const elsewhere = locationOf(exchange, candidate);
    if (elsewhere !== undefined && isSamePlace(elsewhere, url)) waiting.unshift(asReached(elsewhere, url).href);
    if (isPlace) answers.push(exchange);
    const none = isDocument(exchange) ? insteadOf(exchange) : 'no card';
    const instead = elsewhere === undefined ? none : `at ${excerpt(elsewhere.href, 200)} instead`;
    evidence.push(`GET ${candidate}: HTTP ${status}, ${instead}`);
  }
  return { plain: undefined, versioned: undefined };
}

/**
 * A card wherever any version has it; the one for clients that name their version first. Undefined: there is none, and
 * `evidence` says what is there. Throws `TckError('unreachable')` as `findCards` does.
 */
export async function findAnyCard(
  options: SearchOptions,
  url: URL,
  evidence: string[],
): Promise<FoundCard | undefined> {
  const found = await findCards(options, url, evidence);
  return found.versioned ?? found.plain;
}
