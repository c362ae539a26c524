import { type Dialect, dialectById, dialects } from '../dialect/index.js';
import type { Target } from '../kit/index.js';
import { type Card, member, stringMember, TckError, unknownCard } from '../model/index.js';
import type { Exchange } from '../wire/index.js';
import { type CardClaim, claimsOf, inOrder } from './card-claims.js';
import { cardInstead, type FoundCard, findCard, parseTargetUrl, type SearchOptions } from './card-search.js';
import { ask, type Probe, type ProbeOptions, type Understood } from './probe.js';
import { describeRedirect, probeFollowing, type Redirect } from './redirects.js';

export { parseTargetUrl } from './card-search.js';
export { type Probe, probe } from './probe.js';

export interface DetectionOptions extends SearchOptions, ProbeOptions {
  /** Base URL, card URL or endpoint URL of the agent. */
  readonly url: string;
  /** A profile, or `auto`. */
  readonly profile: string;
  /** Origins, other than the given one, that a card may send us to. */
  readonly allowedOrigins: readonly string[];
}

export interface Detected {
  readonly dialect: Dialect;
  readonly target: Target;
  /** What was seen, in order, one line each; the last one says what follows from it. */
  readonly evidence: readonly string[];
  /** It answers like an agent: a card, or a JSON-RPC answer to the probe. */
  readonly isAgent: boolean;
  /** The probe that decided; undefined when none was understood at all. */
  readonly probed: Exchange | undefined;
  /** The endpoint sends its callers elsewhere. */
  readonly redirect: Redirect | undefined;
}

const cardOf = (dialect: Dialect, found: FoundCard | undefined): Card =>
  (found === undefined ? undefined : dialect.card.decode(found.document)) ?? unknownCard;

/** The endpoints that the card names for a dialect; more than one where it can be read in several ways. */
function namedEndpoints(dialect: Dialect, claims: readonly CardClaim[], card: Card): readonly string[] {
  const claim = claims.find((one) => one.dialect === dialect && one.url !== undefined);
  const at = card.interfaces.find((one) => one.transport === 'JSONRPC') ?? card.interfaces[0];
  const named = at?.or === undefined ? [claim?.url ?? at?.url] : [at.url, at.or];
  return named.filter((url) => url !== undefined);
}

/** Where a dialect may be spoken: where the card says, kept to the origins that are allowed, then where it is usual. */
function endpoints(
  options: DetectionOptions,
  url: URL,
  dialect: Dialect,
  named: readonly string[],
  cardUrl: string | undefined,
  evidence: string[],
): readonly string[] {
  const found: string[] = [];
  const note = (line: string): void => {
    if (!evidence.includes(line)) evidence.push(line);
  };
  for (const one of named) {
    const at = URL.canParse(one) ? new URL(one) : undefined;
    const web = at?.protocol === 'http:' || at?.protocol === 'https:';
    if (at === undefined) continue;
    if (web && (at.origin === url.origin || options.allowedOrigins.includes(at.origin))) found.push(at.href);
    else if (web) {
      const mapped = `${url.origin}${at.pathname}${at.search}`;
      note(`the card names ${at.href}, another origin than the one given; ${mapped} is used (see --allow-origin)`);
      found.push(mapped);
    } else note(`the card names ${one}, which is no http URL`);
  }
  if (cardUrl !== url.href) found.push(url.href);
  found.push(`${url.origin}${dialect.endpointPath === '' ? '/' : dialect.endpointPath}`, `${url.origin}/a2a`);
  return [...new Set(found)];
}

/** Dialects whose probe is the same request cannot be told apart by it. */
const spellingOf = ({ headers, operations }: Dialect): string =>
  JSON.stringify([operations.get.method, operations.get.params.encode({ id: '' }), headers]);

interface Heard {
  readonly dialect: Dialect;
  readonly endpoint: string;
  readonly probe: Probe;
  readonly redirect: Redirect | undefined;
}
const weight: readonly Understood[] = ['no', 'other', 'answered', 'denied', 'spoken'];
const better = (one: Heard, other: Heard | undefined): boolean =>
  other === undefined || weight.indexOf(one.probe.understood) > weight.indexOf(other.probe.understood);

/** Origins that may be called. */
const originsOf = ({ url, allowedOrigins }: DetectionOptions): readonly string[] => [
  ...new Set([new URL(url).origin, ...allowedOrigins]),
];

/** Asks in one spelling after the other, endpoint by endpoint, until one is understood or credentials are wanted. */
async function listen(
  options: DetectionOptions,
  ranked: readonly Dialect[],
  endpointsOf: (dialect: Dialect) => readonly string[],
  evidence: string[],
): Promise<Heard | undefined> {
  const spellings = ranked.filter(
    (one, at) => ranked.findIndex((other) => spellingOf(other) === spellingOf(one)) === at,
  );
  let best: Heard | undefined;
  for (const endpoint of new Set(spellings.flatMap(endpointsOf))) {
    for (const dialect of spellings) {
      const heard = { dialect, ...(await probeFollowing(options, endpoint, dialect, originsOf(options))) };
      const { understood, seen } = heard.probe;
      if (heard.redirect !== undefined) evidence.push(`POST ${endpoint}: ${describeRedirect(heard.redirect)}`);
      evidence.push(`POST ${heard.endpoint}: ${seen}`);
      if (better(heard, best)) best = heard;
      if (understood === 'spoken' || understood === 'denied') return best;
      // Whoever does not speak JSON-RPC at all speaks no other spelling of it either.
      if (understood === 'no') break;
    }
    // The endpoint is found. Only where none of several spellings is known may another place be meant.
    const heard = best?.probe.understood;
    if (heard === 'answered' || (heard === 'other' && spellings.length === 1)) return best;
  }
  return best;
}

/**
 * `tasks/get` is what 0.2, 0.3 and OpenClaw say. Where the card does not decide, 0.3 is told by a method that came with
 * it; without that the card was the better witness, or 0.3 is the better guess.
 */
async function settleVersion(
  options: DetectionOptions,
  heard: Heard,
  ranked: readonly Dialect[],
  claims: readonly CardClaim[],
  evidence: string[],
): Promise<Dialect> {
  const spoken = spellingOf(heard.dialect);
  const alike = ranked.filter((one) => spellingOf(one) === spoken);
  const [first = heard.dialect] = alike;
  const newer = dialectById('a2a-0.3');
  const isOpen = alike.length > 1 && !claims.some(({ dialect }) => alike.includes(dialect));
  if (!isOpen || newer === undefined || heard.probe.understood !== 'spoken') return first;
  const method = newer.operations.extendedCard?.method ?? '';
  const { outcome, seen } = await ask(options, heard.endpoint, newer, method);
  evidence.push(`POST ${heard.endpoint}: ${seen}`);
  const missing = outcome.kind === 'refusal' && outcome.error === 'ExtendedCardNotConfigured';
  return missing || outcome.kind === 'result' || outcome.kind === 'denied' ? newer : first;
}

/** 0.1 is not tested, but a person should learn that it is what is spoken. */
async function lookForOldest(options: DetectionOptions, heard: Heard | undefined, evidence: string[]): Promise<void> {
  if (heard?.probe.understood !== 'other') return;
  const { outcome, seen } = await ask(options, heard.endpoint, heard.dialect, 'tasks/send');
  evidence.push(`POST ${heard.endpoint}: ${seen}`);
  const known = outcome.kind === 'refusal' && outcome.error === 'InvalidParams';
  if (known) evidence.push('the agent speaks A2A 0.1 (tasks/send), which the kit does not test');
}

/** What follows from all that was seen, for people. */
function conclusion(
  dialect: Dialect,
  claims: readonly CardClaim[],
  forced: Dialect | undefined,
  understood: Understood | undefined,
): string {
  const claimed = claims.map((claim) => claim.dialect.id);
  if (forced !== undefined) {
    const foreign = claimed.length > 0 && !claimed.includes(dialect.id);
    return `profile ${dialect.id}, as asked for${foreign ? `; the card claims ${claimed.join(' and ')}` : ''}`;
  }
  // What is claimed first was asked for first.
  const [first = dialect.id] = claimed;
  if (first !== dialect.id && understood === 'spoken')
    return `the card claims ${first}, the agent speaks ${dialect.id}`;
  if (understood === 'denied') {
    const source = claims.length > 0 ? 'the card' : 'a guess';
    if (dialect.signed !== undefined) return `the agent wants signed requests; profile ${dialect.id} is from ${source}`;
    return `the agent wants credentials, give them with --bearer-env or --header; profile ${dialect.id} is from ${source}`;
  }
  const sure = understood === 'spoken' || understood === 'answered';
  return sure ? `profile ${dialect.id}` : `profile ${dialect.id}, though the agent was not heard to speak it`;
}

function chosenDialect(profile: string): Dialect | undefined {
  const forced = profile === 'auto' ? undefined : dialectById(profile);
  if (profile === 'auto' || forced !== undefined) return forced;
  const known = ['auto', ...dialects.map((dialect) => dialect.id)].join(', ');
  throw new TckError('usage', `--profile ${profile} is not known`, `known profiles: ${known}`);
}

/**
 * Finds the card, the endpoint and the dialect. What is spoken counts for more than what the card claims. Throws
 * `TckError('unreachable')` when nothing answers at all; an answer that is no agent's is told by `isAgent`.
 */
export async function detect(options: DetectionOptions): Promise<Detected> {
  const url = parseTargetUrl(options.url);
  const forced = chosenDialect(options.profile);
  const evidence: string[] = [];
  const candidates = forced === undefined ? dialects : [forced];
  const paths = [...new Set(candidates.flatMap((dialect) => dialect.cardPaths))];
  const others: Exchange[] = [];
  const found = await findCard(options, url, paths, evidence, others);
  const instead = found === undefined ? cardInstead(others) : undefined;
  const claims = claimsOf(found?.document, evidence);
  const ranked = inOrder(candidates, claims, found);
  const endpointsOf = (dialect: Dialect) => {
    const named = namedEndpoints(dialect, claims, cardOf(dialect, found));
    return endpoints(options, url, dialect, named, found?.url, evidence);
  };
  const heard = await listen(options, ranked, endpointsOf, evidence);
  if (forced === undefined) await lookForOldest(options, heard, evidence);
  const understood = heard?.probe.understood;
  // Whoever wants credentials first has not said what he speaks.
  const isTold = heard !== undefined && (understood === 'spoken' || understood === 'answered');
  const dialect = isTold ? await settleVersion(options, heard, ranked, claims, evidence) : ranked[0];
  if (dialect === undefined) throw new TckError('internal', 'no dialect to choose from');
  const words = stringMember(member(found?.document, 'metadata'), 'a2a_version');
  if (words !== undefined) evidence.push(`the metadata of the card claim A2A ${words}`);
  evidence.push(conclusion(dialect, claims, forced, understood));
  return {
    dialect,
    target: {
      url: options.url,
      endpoint: heard?.endpoint ?? url.href,
      cardUrl: found?.url,
      card: cardOf(dialect, found),
      cardDocument: found?.document,
      cardExchange: found?.exchange,
      ...(instead === undefined ? {} : { cardInstead: instead }),
      origins: originsOf(options),
    },
    evidence,
    isAgent:
      found !== undefined || heard?.probe.enveloped === true || understood === 'answered' || understood === 'denied',
    probed: heard?.probe.exchange,
    redirect: heard?.redirect,
  };
}
