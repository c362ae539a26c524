import { type BindingId, bindings, grpc } from '../../binding/index.js';
import { isSomebody, type Parameter } from '../../client/index.js';
import { type Dialect, dialects, profilesLike } from '../../dialect/index.js';
import { giveCredentials, type Target, type WhyNoCard } from '../../kit/index.js';
import { type Card, defined, firstOfEach, member, stringMember, TckError, unknownCard } from '../../model/index.js';
import type { Exchange, Header } from '../../wire/index.js';
import { excerpt, isGrpcAddress, parseTargetUrl } from '../../wire/index.js';
import { type Claims, claimsOf, inOrder, noteOnce, otherFormOf } from './card-claims.js';
import { cardDigest } from './card-digest.js';
import { type FoundCard, type FoundCards, findCards, type SearchOptions, whyNoCard } from './card-search.js';
import {
  type Endpoint,
  endpointsOf,
  isMeant,
  namedEndpoints,
  placeNamed,
  type Reach,
  whyNotAt,
  whyNotGiven,
} from './endpoints.js';
import { type Interfaces, interfacesOf, versionOf } from './interfaces.js';
import type { ProbeOptions } from './probe.js';
import { type Answer, probeAll } from './probe-all.js';
import type { Redirect } from './redirects.js';
import { lookForOldest, type Misnamed, settleNames, settleVersion } from './settle.js';
import { tenantOf } from './tenant.js';

export { type Probe, probe } from './probe.js';

export interface DetectionOptions extends Omit<SearchOptions, 'dialects'>, ProbeOptions {
  /** Base URL, card URL or endpoint URL of the agent. */
  readonly url: string;
  /** A profile, or `auto`. */
  readonly profile: string;
  /** A binding; `auto` and `all`: the first interface of the card that the kit speaks. Default auto. */
  readonly binding?: BindingId | 'auto' | 'all';
  /** Origins beside the given one that the kit may call if the card names them. */
  readonly allowedOrigins: readonly string[];
  /** Those of a second caller are sent to the same places. */
  readonly secondCredentials?: readonly Header[];
  readonly secondQuery?: readonly Parameter[];
  /** No message may be sent. */
  readonly readOnly?: boolean;
  /** TLS shows a certificate of the kit. */
  readonly hasCertificate?: boolean;
}

/** Why the kit cannot call the agent, and what the user can do. */
export interface Unspoken {
  readonly fact: string;
  readonly advice: string;
}

/** `interfaces`: which ones the card declares, and which one is judged. */
export interface Detected extends Interfaces {
  readonly dialect: Dialect;
  readonly target: Target;
  /** Observations in order, one line each; the last one is the conclusion. */
  readonly evidence: readonly string[];
  /** It answers like an agent: a card, or a JSON-RPC answer to the probe. */
  readonly isAgent: boolean;
  /** The probe that decided; undefined when none was sent. */
  readonly probed: Exchange | undefined;
  /** Set if the endpoint redirects its callers. */
  readonly redirect: Redirect | undefined;
  /** The tenant of the judged interface. */
  readonly tenant: string | undefined;
  /** Why no failure counts for the card: it has the form of another version, and correctly lists this one. */
  readonly otherForm?: string;
  /**
   * Why nothing is sent to an endpoint: the card declares no binding that the kit can judge, and no JSON-RPC was found.
   */
  readonly unspoken?: Unspoken;
}

/** What the user lets the kit look for, and where. */
interface Search {
  readonly options: DetectionOptions;
  /** The dialects that the user lets the kit choose from. */
  readonly candidates: readonly Dialect[];
  /** The user has chosen a profile. */
  readonly isForced: boolean;
  /** The given port may serve gRPC alone. */
  readonly isOfGrpc: boolean;
  readonly reach: Reach;
  /** Observations in order, one line each: each step adds its own. */
  readonly evidence: string[];
}

/**
 * Finds the card, the endpoint and the dialect. The dialect that the agent speaks counts for more than the claims of
 * the card. Throws `TckError('unreachable')` when nothing answers at all; answers that are not those of an agent give
 * `isAgent` false.
 */
export async function detect(options: DetectionOptions): Promise<Detected> {
  const search = searchFor(options);
  const withCards = await readCards(search);
  const withDialects = { ...withCards, ranked: dialectsToTry(withCards) };
  const withAnswer = { ...withDialects, answer: await probeEndpoints(withDialects) };
  const withChoice = { ...withAnswer, ...(await choose(withAnswer)) };
  search.evidence.push(conclusion(withChoice));
  return described(withChoice);
}

function searchFor(options: DetectionOptions): Search {
  const { url, profile, allowedOrigins, credentials, query = [], secondCredentials = [], secondQuery = [] } = options;
  const given = parseTargetUrl(url);
  const candidates = chosenDialects(options);
  const callers = { headers: [...credentials, ...secondCredentials], query: [...query, ...secondQuery] };
  const sendsCredentials = options.hasCertificate === true || isSomebody(callers);
  return {
    options,
    candidates,
    isForced: profile !== 'auto',
    isOfGrpc: candidates.every(({ binding }) => binding === grpc),
    reach: { given, origins: [...new Set([given.origin, ...allowedOrigins])], sendsCredentials },
    evidence: [],
  };
}

/** The dialects that the user lets the kit choose from. */
function chosenDialects({ url, profile, binding = 'auto' }: DetectionOptions): readonly Dialect[] {
  const named = profile === 'auto' ? dialects : profilesLike(profile);
  if (named.length === 0) {
    const known = ['auto', ...dialects.map((dialect) => dialect.id)].join(', ');
    throw new TckError('usage', `--profile ${profile} is not known`, `known profiles: ${known}`);
  }
  const wanted = isGrpcAddress(url) ? grpc.id : binding;
  const chosen = named.filter((dialect) => wanted === 'auto' || wanted === 'all' || dialect.binding.id === wanted);
  if (chosen.length > 0) return chosen;
  const spoken = [...new Set(named.map((dialect) => dialect.binding.id))].join(', ');
  throw new TckError('usage', `the kit does not judge ${profile} over ${binding}`, `bindings: auto, ${spoken}, all`);
}

// 1. Read the card.

interface WithCards extends Search, FoundCards, Claims {
  /** The one for clients that name their version, or else the other one. */
  readonly any: FoundCard | undefined;
  readonly whyNone: WhyNoCard | undefined;
  /** Why nothing was reached over HTTP, where the port may speak gRPC alone: such a port has no card. */
  readonly unreached?: TckError;
}

async function readCards(search: Search): Promise<WithCards> {
  const { options, candidates, isOfGrpc, reach, evidence } = search;
  const answers: Exchange[] = [];
  const looking = { ...options, dialects: candidates };
  const cards = await findCards(looking, reach.given, evidence, answers).catch((unreached: unknown) => {
    if (!isOfGrpc || !(unreached instanceof TckError)) throw unreached;
    return { plain: undefined, versioned: undefined, unreached };
  });
  const any = cards.versioned ?? cards.plain;
  const whyNone = any === undefined ? whyNoCard(answers) : undefined;
  return { ...search, ...cards, ...claimsIn(cards, reach.given, evidence), any, whyNone };
}

/** The card may depend on the version that the client names (1.0 §3.6): the claims of both cards count. */
function claimsIn({ plain, versioned }: FoundCards, given: URL, evidence: string[]): Claims {
  const read = (found: FoundCard | undefined): Claims =>
    claimsOf(found, evidence, (url) => isMeant(url, given, found?.url ?? given.href));
  if (plain === undefined || versioned === undefined) return read(versioned ?? plain);
  const digest = cardDigest(versioned.document);
  if (digest !== undefined && digest === cardDigest(plain.document)) return read(plain);
  evidence.push('the card differs by whether the client names its version with A2A-Version; each client gets its own');
  const [young, old] = [read(versioned), read(plain)];
  const all = [...young.claims, ...old.claims];
  const claims = [...all.filter(({ url }) => url !== undefined), ...all.filter(({ url }) => url === undefined)];
  return {
    claims: firstOfEach(claims, ({ dialect }) => dialect),
    declared: [...young.declared, ...old.declared],
    only: old.only === undefined ? undefined : young.only,
  };
}

/** The card as a client of the dialect gets it. */
const seenBy = ({ headers }: Dialect, { plain, versioned }: FoundCards): FoundCard | undefined =>
  headers.length > 0 ? (versioned ?? plain) : (plain ?? versioned);

const cardOf = (dialect: Dialect, cards: FoundCards): Card => {
  const found = seenBy(dialect, cards);
  return (found && dialect.card.decode(found.document)) ?? unknownCard;
};

// 2. List what may be spoken, and where.

interface WithDialects extends WithCards {
  /** The dialects to try, the likeliest first. */
  readonly ranked: readonly Dialect[];
}

/**
 * Over the bindings that the card declares, or else over all, but over gRPC only where no HTTP/1.1 is answered. If the
 * kit can judge none of the declared bindings, only claimed dialects are tried, or the likeliest one.
 */
function dialectsToTry({ candidates, isForced, isOfGrpc, evidence, claims, only, any }: WithCards): readonly Dialect[] {
  const ranked = inOrder(candidates, claims, any);
  const claimed = ranked.filter((dialect) => claims.some((claim) => claim.dialect === dialect));
  const likely = only === undefined || isForced ? ranked : claimed.length > 0 ? claimed : ranked.slice(0, 1);
  const isHttp2Alone = any === undefined && (isOfGrpc || evidence.some((line) => /: (malformed|reset)$/.test(line)));
  const declared = claims.filter(({ url }) => url !== undefined).map(({ dialect }) => dialect.binding);
  const tried = declared.length > 0 ? declared : bindings.filter((binding) => binding !== grpc || isHttp2Alone);
  const inBindings = likely.filter(({ binding }) => tried.some(({ id }) => id === binding.id));
  return inBindings.length > 0 ? inBindings : likely;
}

function endpointsFor(dialect: Dialect, cards: WithCards): readonly Endpoint[] {
  const named = namedEndpoints(dialect, cards.claims, cardOf(dialect, cards));
  return endpointsOf(dialect, named, { ...cards.reach, cardUrl: cards.any?.url }, cards.evidence);
}

// 3. Probe: probe-all.ts.

interface WithAnswer extends WithDialects {
  /** The best answer; undefined: none came. */
  readonly answer: Answer | undefined;
}

async function probeEndpoints(list: WithDialects): Promise<Answer | undefined> {
  const { options, reach, evidence, ranked, unreached } = list;
  const endpoints = (dialect: Dialect): readonly Endpoint[] => endpointsFor(dialect, list);
  const answer = await probeAll({ ...options, origins: reach.origins, endpoints, evidence }, ranked);
  if (unreached !== undefined && answer?.probe.exchange.response === undefined) throw unreached;
  return answer;
}

// 4. Choose: settle.ts asks what the probe leaves open.

interface Choice {
  readonly dialect: Dialect;
  readonly misnamed: Misnamed | undefined;
  readonly unspoken: Unspoken | undefined;
}

/** The dialect in which the agent answered; where it did not answer, the likeliest one. */
async function choose(found: WithAnswer): Promise<Choice> {
  const { options, isForced, evidence, claims, ranked, answer } = found;
  const unspoken = whyUnspoken(found);
  const asking = answer && unspoken === undefined ? { ...options, answer, claims, evidence } : undefined;
  if (asking !== undefined && !isForced) await lookForOldest(asking);
  const misnamed = asking && (await settleNames(asking));
  // An agent that wants credentials first has not shown its dialect.
  const plain = asking && isInDialect(asking.answer) ? await settleVersion(asking, ranked) : ranked[0];
  const dialect = misnamed?.dialect ?? plain;
  if (dialect === undefined) throw new TckError('internal', 'no dialect to choose from');
  const words = stringMember(member(seenBy(dialect, found)?.document, 'metadata'), 'a2a_version');
  if (words !== undefined) evidence.push(`the metadata of the card claim A2A ${words}`);
  return { dialect, misnamed, unspoken };
}

const isInDialect = (answer: Answer | undefined): boolean =>
  answer?.probe.understood === 'spoken' || answer?.probe.understood === 'answered';

/**
 * Why nothing is sent. Not where the probe was understood in a dialect that the card claims, or, with a chosen profile,
 * got any answer of the binding.
 */
function whyUnspoken(found: WithAnswer): Unspoken | undefined {
  const understood = found.answer?.probe.understood ?? 'no';
  if (understood === 'spoken' || (found.isForced && understood !== 'no')) return undefined;
  const elsewhere = whyElsewhere(found);
  if (elsewhere !== undefined || found.only === undefined) return elsewhere;
  return {
    fact: `the card declares only ${found.only}`,
    advice: 'declare a JSONRPC, HTTP+JSON or GRPC interface as well, or judge only the card with --suite card',
  };
}

/** Why nothing is sent: the card names a binding with a port of its own, at a place that the user has not named. */
function whyElsewhere(found: WithAnswer): Unspoken | undefined {
  const [first] = found.ranked;
  const claimed = found.claims.find(({ dialect, url }) => dialect === first && url !== undefined)?.url;
  if (first?.binding.hasOwnPort !== true || claimed === undefined || found.answer?.endpoint.named !== undefined)
    return undefined;
  if (endpointsFor(first, found).some(({ named }) => named !== undefined)) return undefined;
  const at = placeNamed(claimed, first.binding);
  const where = at === undefined ? 'at an address that is not a URL' : whyNotAt(at, found.reach);
  return {
    fact: `the card names ${first.binding.title} ${where}: ${excerpt(claimed, 200)}`,
    advice: at === undefined ? 'correct the URL in the card' : `--allow-origin ${at.origin} allows it`,
  };
}

/** The conclusion from all observations, for people. */
function conclusion(chosen: WithAnswer & Choice): string {
  const { isForced, claims, only, any, answer, dialect, misnamed, unspoken } = chosen;
  const profile = `profile ${dialect.id}`;
  if (misnamed !== undefined) return `${profile}, with the methods that the agent has: ${misnamed.told}`;
  const source = claims.length > 0 ? 'the card' : any === undefined ? 'a guess' : 'the form of the card';
  if (unspoken !== undefined && only === undefined)
    return `${profile} is from ${source}, which names it on a host that the kit may not call`;
  if (unspoken !== undefined)
    return `${profile} is from ${source}, which declares only ${only}; the kit found no binding that it speaks`;
  const claimed = claims.map((claim) => claim.dialect.id);
  if (isForced) {
    const foreign = claimed.length > 0 && !claimed.includes(dialect.id);
    return `${profile}, as asked for${foreign ? `; the card claims ${claimed.join(' and ')}` : ''}`;
  }
  const understood = answer?.probe.understood;
  // The dialect that the card claims first was probed first.
  const [first = dialect.id] = claimed;
  if (first !== dialect.id && understood === 'spoken')
    return `the card claims ${first}, the agent speaks ${dialect.id}`;
  if (understood === 'denied') {
    const wanted = dialect.signed === undefined ? `credentials; ${giveCredentials()}` : 'signed requests';
    return `the agent wants ${wanted}; ${profile} is from ${source}`;
  }
  return isInDialect(answer) ? profile : `${profile}, but the agent did not answer in it`;
}

/** Everything that a run needs to know of the choice. */
function described(chosen: WithAnswer & Choice): Detected {
  const { options, candidates, evidence, any, declared, answer, dialect, misnamed, unspoken } = chosen;
  const { given, origins, sendsCredentials } = chosen.reach;
  const found = seenBy(dialect, chosen);
  const { understood, enveloped = false, exchange: probed } = answer?.probe ?? {};
  const target: Target = {
    url: /^https?:/i.test(options.url) ? options.url : given.href,
    endpoint: answer?.endpoint.url ?? given.href,
    cardUrl: found?.url,
    card: cardOf(dialect, chosen),
    cardDocument: found?.document,
    cardExchange: found?.exchange,
    origins,
    ...defined({ whyNoCard: chosen.whyNone, misnamed, sendsCredentials: sendsCredentials || undefined }),
  };
  const otherForm = otherFormOf(dialect, chosen, found?.document);
  // A card that has the form of another version is read as a card of that version.
  const cardSeenBy = (other: Dialect): Card =>
    versionOf(other) === versionOf(dialect) || otherFormOf(other, chosen, found?.document) !== undefined
      ? target.card
      : cardOf(other, chosen);
  const tenant = tenantOf(target, dialect);
  const isUnspoken = unspoken !== undefined;
  const notGiven = isUnspoken ? undefined : whyNotGiven(given, any?.url, target.endpoint, declared);
  if (notGiven !== undefined) noteOnce(evidence, notGiven);
  // Relations between interfaces are judged whichever binding is chosen.
  const versions = new Set(candidates.map(({ version }) => version));
  const overAnyBinding = dialects.filter(({ version }) => versions.has(version));
  return {
    dialect,
    target,
    evidence,
    isAgent: found !== undefined || enveloped || understood === 'answered' || understood === 'denied',
    probed,
    redirect: answer?.redirect,
    ...interfacesOf(
      declared,
      { dialect, target, tenant, named: answer?.endpoint.named, isUnspoken, notGiven },
      { candidates: overAnyBinding, given, cardSeenBy },
    ),
    tenant,
    ...defined({ otherForm, unspoken }),
  };
}
