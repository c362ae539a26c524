import { type Dialect, dialectById, dialects } from '../dialect/index.js';
import { giveCredentials, type Target } from '../kit/index.js';
import { type Card, member, stringMember, TckError, unknownCard } from '../model/index.js';
import type { InterfaceReport } from '../report/index.js';
import type { Exchange, Header } from '../wire/index.js';
import { parseTargetUrl } from '../wire/index.js';
import { type CardClaim, type Claims, claimsOf, inOrder } from './card-claims.js';
import { cardDigest } from './card-digest.js';
import { cardInstead, type FoundCard, type FoundCards, findCards, type SearchOptions } from './card-search.js';
import { versionIn } from './declared.js';
import { type Endpoint, endpointsOf, namedEndpoints } from './endpoints.js';
import { interfacesOf } from './interfaces.js';
import { ask, type Probe, type ProbeOptions, type Understood } from './probe.js';
import { describeRedirect, probeFollowing, type Redirect } from './redirects.js';

export { type Probe, probe } from './probe.js';

export interface DetectionOptions extends Omit<SearchOptions, 'versioned'>, ProbeOptions {
  /** Base URL, card URL or endpoint URL of the agent. */
  readonly url: string;
  /** A profile, or `auto`. */
  readonly profile: string;
  /** Origins, other than the given one, that a card may send us to. */
  readonly allowedOrigins: readonly string[];
}

/** What of the agent keeps the kit from calling it, and what the user can do. */
export interface Unspoken {
  readonly fact: string;
  readonly advice: string;
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
  /** Which interfaces the card declares, and which one is judged. */
  readonly interfaces: readonly InterfaceReport[];
  /** Why the card cannot be held against the agent: it has the form of another version, and names this one rightly. */
  readonly otherForm?: string;
  /** Why nothing is sent to an endpoint: the card declares no binding that the kit can judge, and none was heard. */
  readonly unspoken?: Unspoken;
}

const cardOf = (dialect: Dialect, found: FoundCard | undefined): Card =>
  (found === undefined ? undefined : dialect.card.decode(found.document)) ?? unknownCard;

/** The card as a client of the dialect gets it. */
const seenBy = ({ headers }: Dialect, { plain, versioned }: FoundCards): FoundCard | undefined =>
  headers.length > 0 ? (versioned ?? plain) : (plain ?? versioned);

/** Dialects whose probe is the same request cannot be told apart by it. */
const spellingOf = ({ headers, operations }: Dialect): string =>
  JSON.stringify([operations.get.rpc, operations.get.params.encode({ id: '' }), headers]);

interface Heard {
  readonly dialect: Dialect;
  readonly endpoint: Endpoint;
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
  endpoints: (dialect: Dialect) => readonly Endpoint[],
  evidence: string[],
): Promise<Heard | undefined> {
  const spellings = ranked.filter(
    (one, at) => ranked.findIndex((other) => spellingOf(other) === spellingOf(one)) === at,
  );
  let best: Heard | undefined;
  const all = spellings.flatMap(endpoints);
  for (const endpoint of all.filter((one, at) => all.findIndex(({ url }) => url === one.url) === at)) {
    for (const dialect of spellings) {
      const probed = await probeFollowing(options, endpoint.url, dialect, originsOf(options));
      const heard = { ...probed, dialect, endpoint: { ...endpoint, url: probed.endpoint } };
      const { understood, seen } = heard.probe;
      if (heard.redirect !== undefined) evidence.push(`POST ${endpoint.url}: ${describeRedirect(heard.redirect)}`);
      evidence.push(`POST ${heard.endpoint.url}: ${seen}`);
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
  const method = newer.operations.extendedCard?.rpc ?? '';
  const { outcome, seen } = await ask(options, heard.endpoint.url, newer, method);
  evidence.push(`POST ${heard.endpoint.url}: ${seen}`);
  const missing = outcome.kind === 'refusal' && outcome.error === 'ExtendedCardNotConfigured';
  return missing || outcome.kind === 'result' || outcome.kind === 'denied' ? newer : first;
}

/** 0.1 is not tested, but a person should learn that it is what is spoken. */
async function lookForOldest(options: DetectionOptions, heard: Heard | undefined, evidence: string[]): Promise<void> {
  if (heard?.probe.understood !== 'other') return;
  const { outcome, seen } = await ask(options, heard.endpoint.url, heard.dialect, 'tasks/send');
  evidence.push(`POST ${heard.endpoint.url}: ${seen}`);
  const known = outcome.kind === 'refusal' && outcome.error === 'InvalidParams';
  if (known) evidence.push('the agent speaks A2A 0.1 (tasks/send), which the kit does not test');
}

/** What follows from all that was seen, for people. */
function conclusion(
  dialect: Dialect,
  { claims, only }: Claims,
  {
    forced,
    source,
    understood,
    isUnspoken,
  }: {
    readonly forced: Dialect | undefined;
    readonly source: string;
    readonly understood: Understood | undefined;
    readonly isUnspoken: boolean;
  },
): string {
  const claimed = claims.map((claim) => claim.dialect.id);
  if (isUnspoken) return `profile ${dialect.id} is from ${source}, which declares only ${only}; no JSON-RPC was heard`;
  if (forced !== undefined) {
    const foreign = claimed.length > 0 && !claimed.includes(dialect.id);
    return `profile ${dialect.id}, as asked for${foreign ? `; the card claims ${claimed.join(' and ')}` : ''}`;
  }
  // What is claimed first was asked for first.
  const [first = dialect.id] = claimed;
  if (first !== dialect.id && understood === 'spoken')
    return `the card claims ${first}, the agent speaks ${dialect.id}`;
  if (understood === 'denied') {
    if (dialect.signed !== undefined) return `the agent wants signed requests; profile ${dialect.id} is from ${source}`;
    return `the agent wants credentials; ${giveCredentials()}; profile ${dialect.id} is from ${source}`;
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

/** What a client of the newest version that is asked for sends to name it. */
const versionedOf = (candidates: readonly Dialect[]): readonly Header[] =>
  candidates.find(({ headers }) => headers.length > 0)?.headers ?? [];

/** A card may differ by the version that the client names (1.0 §3.6): each claims what it claims. */
function readCards({ plain, versioned }: FoundCards, evidence: string[]): Claims {
  if (plain === undefined || versioned === undefined) return claimsOf(versioned ?? plain, evidence);
  const digest = cardDigest(versioned.document);
  if (digest !== undefined && digest === cardDigest(plain.document)) return claimsOf(plain, evidence);
  evidence.push('the card differs by whether the client names its version with A2A-Version; each client gets its own');
  const [young, old] = [claimsOf(versioned, evidence), claimsOf(plain, evidence)];
  const all = [...young.claims, ...old.claims];
  const claims = [...all.filter(({ url }) => url !== undefined), ...all.filter(({ url }) => url === undefined)];
  return {
    claims: claims.filter((one, at) => claims.findIndex(({ dialect }) => dialect === one.dialect) === at),
    declared: [...young.declared, ...old.declared],
    only: young.only !== undefined && old.only !== undefined ? young.only : undefined,
  };
}

/** 1.0 §4.4.6: a card of 1.0 may list interfaces of earlier versions; it is right by the rows of 1.0. */
function otherFormOf(dialect: Dialect, { claims }: Claims, document: unknown): string | undefined {
  const isListed = claims.some((one) => one.dialect === dialect && one.by === 'supportedInterfaces');
  if (dialect.id === 'a2a-1.0' || !isListed || versionIn(document) !== undefined) return undefined;
  return `the card has the form of 1.0, which may list interfaces of ${dialect.id}; --profile a2a-1.0 --suite card judges it`;
}

/** The control of what no card declares: it must be seen to be spoken, in a dialect that the card claims. */
function isHeard(understood: Understood | undefined, forced: Dialect | undefined): boolean {
  if (understood === 'spoken') return true;
  return forced !== undefined && understood !== undefined && understood !== 'no';
}

const unspokenOf = (only: string): Unspoken => ({
  fact: `the card declares only ${only}`,
  advice:
    'declare a JSONRPC interface beside it, for the kit judges no other yet, or judge the card alone with --suite card',
});

/**
 * Finds the card, the endpoint and the dialect. What is spoken counts for more than what the card claims. Throws
 * `TckError('unreachable')` when nothing answers at all; an answer that is no agent's is told by `isAgent`.
 */
export async function detect(options: DetectionOptions): Promise<Detected> {
  const given = parseTargetUrl(options.url);
  const forced = chosenDialect(options.profile);
  const evidence: string[] = [];
  const note = (line: string): void => {
    if (!evidence.includes(line)) evidence.push(line);
  };
  const candidates = forced === undefined ? dialects : [forced];
  const paths = [...new Set(candidates.flatMap((dialect) => dialect.cardPaths))];
  const others: Exchange[] = [];
  const cards = await findCards({ ...options, versioned: versionedOf(candidates) }, given, paths, evidence, others);
  const any = cards.versioned ?? cards.plain;
  const instead = any === undefined ? cardInstead(others) : undefined;
  const claims = readCards(cards, evidence);
  const ranked = inOrder(candidates, claims.claims, any);
  // What the card rules out is not guessed.
  const claimed = ranked.filter((dialect) => claims.claims.some((one) => one.dialect === dialect));
  const asked =
    claims.only === undefined || forced !== undefined ? ranked : claimed.length > 0 ? claimed : ranked.slice(0, 1);
  const endpoints = (dialect: Dialect): readonly Endpoint[] => {
    const named = namedEndpoints(dialect, claims.claims, cardOf(dialect, seenBy(dialect, cards)));
    return endpointsOf(dialect, named, { given, allowedOrigins: options.allowedOrigins, cardUrl: any?.url }, note);
  };
  const heard = await listen(options, asked, endpoints, evidence);
  const understood = heard?.probe.understood;
  const isUnspoken = claims.only !== undefined && !isHeard(understood, forced);
  if (forced === undefined && !isUnspoken) await lookForOldest(options, heard, evidence);
  // Whoever wants credentials first has not said what he speaks.
  const isTold = !isUnspoken && heard !== undefined && (understood === 'spoken' || understood === 'answered');
  const dialect = isTold ? await settleVersion(options, heard, asked, claims.claims, evidence) : asked[0];
  if (dialect === undefined) throw new TckError('internal', 'no dialect to choose from');
  const found = seenBy(dialect, cards);
  const words = stringMember(member(found?.document, 'metadata'), 'a2a_version');
  if (words !== undefined) evidence.push(`the metadata of the card claim A2A ${words}`);
  const source = claims.claims.length > 0 ? 'the card' : any === undefined ? 'a guess' : 'the form of the card';
  evidence.push(conclusion(dialect, claims, { forced, source, understood, isUnspoken }));
  const target: Target = {
    url: options.url,
    endpoint: heard?.endpoint.url ?? given.href,
    cardUrl: found?.url,
    card: cardOf(dialect, found),
    cardDocument: found?.document,
    cardExchange: found?.exchange,
    ...(instead === undefined ? {} : { cardInstead: instead }),
    origins: originsOf(options),
  };
  const otherForm = otherFormOf(dialect, claims, found?.document);
  return {
    dialect,
    target,
    evidence,
    isAgent:
      found !== undefined || heard?.probe.enveloped === true || understood === 'answered' || understood === 'denied',
    probed: heard?.probe.exchange,
    redirect: heard?.redirect,
    interfaces: interfacesOf(claims.declared, dialect, target, heard?.endpoint.named, isUnspoken),
    ...(otherForm === undefined ? {} : { otherForm }),
    ...(isUnspoken && claims.only !== undefined ? { unspoken: unspokenOf(claims.only) } : {}),
  };
}
