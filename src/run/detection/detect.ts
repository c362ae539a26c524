import { type BindingId, bindings, grpc, jsonrpc } from '../../binding/index.js';
import { isSomebody, type Parameter } from '../../client/index.js';
import {
  type Dialect,
  dialectById,
  dialects,
  lineage,
  methodOf,
  namedAs,
  profilesLike,
  withoutVersionInPaths,
} from '../../dialect/index.js';
import { giveCredentials, type Target } from '../../kit/index.js';
import { type Card, member, stringMember, TckError, unknownCard } from '../../model/index.js';
import type { InterfaceReport } from '../../report/index.js';
import type { Exchange, Header } from '../../wire/index.js';
import { excerpt, isGrpcAddress, parseTargetUrl } from '../../wire/index.js';
import { type CardClaim, type Claims, claimsOf, inOrder } from './card-claims.js';
import { cardDigest } from './card-digest.js';
import { type FoundCard, type FoundCards, findCards, type SearchOptions, whyNoCard } from './card-search.js';
import { versionIn } from './declared.js';
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
import { type BarredInterface, interfacesOf, type OtherInterface, versionOf } from './interfaces.js';
import { ask, type Probe, type ProbeOptions, probeMessage, type Understood } from './probe.js';
import { describeRedirect, probeFollowing, type Redirect } from './redirects.js';
import { tenantOf } from './tenant.js';

export { type Probe, probe } from './probe.js';

export interface DetectionOptions extends Omit<SearchOptions, 'versioned'>, ProbeOptions {
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

export interface Detected {
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
  /** Which interfaces the card declares, and which one is judged. */
  readonly interfaces: readonly InterfaceReport[];
  /** Those of them that are not judged and could be. */
  readonly others: readonly OtherInterface[];
  /** Those of them whose origin the user has not allowed. */
  readonly barred?: readonly BarredInterface[];
  /** The tenant of the judged interface. */
  readonly tenant: string | undefined;
  /** Why no failure counts for the card: it has the form of another version, and correctly lists this one. */
  readonly otherForm?: string;
  /**
   * Why nothing is sent to an endpoint: the card declares no binding that the kit can judge, and no JSON-RPC was found.
   */
  readonly unspoken?: Unspoken;
}

const cardOf = (dialect: Dialect, found: FoundCard | undefined): Card =>
  (found === undefined ? undefined : dialect.card.decode(found.document)) ?? unknownCard;

/** The card as a client of the dialect gets it. */
const seenBy = ({ headers }: Dialect, { plain, versioned }: FoundCards): FoundCard | undefined =>
  headers.length > 0 ? (versioned ?? plain) : (plain ?? versioned);

/** The same text for dialects whose probe is the same request: the probe cannot tell them apart. */
const spellingOf = ({ binding, headers, operations: { get } }: Dialect): string =>
  JSON.stringify([
    binding.id,
    binding === jsonrpc ? get.rpc : binding === grpc ? get.grpc : get.http,
    get.params.encode({ id: '' }),
    headers,
  ]);

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
  ...new Set([parseTargetUrl(url).origin, ...allowedOrigins]),
];

/** "POST http://…", "GET http://…": the request of a probe. */
const asked = ({ request }: Exchange): string => `${request.method} ${excerpt(request.url, 300)}`;

/**
 * Probes over one binding after the other, in the order of the dialects, until the agent answers in one of them; returns
 * the best answer.
 */
async function listen(
  options: DetectionOptions,
  ranked: readonly Dialect[],
  endpoints: (dialect: Dialect) => readonly Endpoint[],
  evidence: string[],
): Promise<Heard | undefined> {
  let best: Heard | undefined;
  for (const binding of new Set(ranked.map((one) => one.binding.id))) {
    // The paths of 0.3 begin with /v1, which some agents have in their base, and some have nowhere (AMB03-40).
    const own = ranked
      .filter((one) => one.binding.id === binding)
      .flatMap((one) => [one, withoutVersionInPaths(one)])
      .filter((one) => one !== undefined);
    await own[0]?.binding.load?.();
    const heard = await listenOver(options, own, endpoints, evidence);
    if (heard !== undefined && better(heard, best)) best = heard;
    if (best !== undefined && best.probe.understood !== 'no') return best;
  }
  return best;
}

/** Probes each endpoint in each dialect until one is understood or credentials are needed; returns the best answer. */
async function listenOver(
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
      if (heard.redirect !== undefined)
        evidence.push(`${asked(heard.redirect.exchange)}: ${describeRedirect(heard.redirect)}`);
      evidence.push(`${asked(heard.probe.exchange)}: ${seen}`);
      if (better(heard, best)) best = heard;
      if (understood === 'spoken' || understood === 'denied') return best;
      // Without JSON-RPC no other dialect of it is spoken there; over HTTP+JSON other paths may be there.
      if (understood === 'no' && dialect.binding.hasEnvelope) break;
    }
    // The binding was found here. The next endpoint is tried only if several dialects were probed and none was known.
    const heard = best?.probe.understood;
    if (heard === 'answered' || (heard === 'other' && spellings.length === 1)) return best;
  }
  return best;
}

/**
 * 0.2, 0.3 and OpenClaw all use `tasks/get`. If the card does not decide between them, a method that only 0.3 has is
 * called without params: an agent that knows it speaks 0.3. For any other agent the first of `ranked` is taken.
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
  const isOpen =
    heard.dialect.binding === jsonrpc && alike.length > 1 && !claims.some(({ dialect }) => alike.includes(dialect));
  if (!isOpen || newer === undefined || heard.probe.understood !== 'spoken') return first;
  const method = newer.operations.extendedCard?.rpc ?? '';
  const { outcome, seen } = await ask(options, heard.endpoint.url, newer, method);
  evidence.push(`POST ${heard.endpoint.url}: ${seen}`);
  const missing = outcome.kind === 'refusal' && outcome.error === 'ExtendedCardNotConfigured';
  return missing || outcome.kind === 'result' || outcome.kind === 'denied' ? newer : first;
}

/**
 * The methods of another dialect under which the agent reads the objects of the claimed one; undefined: it has the
 * methods of the claimed dialect, or is an agent of another one.
 */
async function settleNames(
  options: DetectionOptions,
  heard: Heard | undefined,
  claims: readonly CardClaim[],
  evidence: string[],
): Promise<(NonNullable<Target['misnamed']> & { readonly dialect: Dialect }) | undefined> {
  const [claimed] = claims;
  if (heard === undefined || claimed === undefined || options.readOnly === true) return undefined;
  const { dialect: own } = claimed;
  const isForeign = heard.dialect !== own || heard.probe.understood === 'other';
  if (!isForeign && !heard.probe.isVague) return undefined;
  if (own.binding !== jsonrpc || heard.dialect.binding !== jsonrpc || heard.probe.understood === 'no') return undefined;
  const { url } = heard.endpoint;
  const inName = isForeign ? undefined : await probeMessage(options, url, own);
  if (inName !== undefined) evidence.push(`POST ${url}: ${inName.seen}`);
  if (inName !== undefined && (inName.isRead || !inName.isRefused)) return undefined;
  const other = (id: Dialect): boolean => id.binding === jsonrpc && methodOf(id, 'send') !== methodOf(own, 'send');
  const strangers = dialects.filter(other);
  for (const stranger of strangers.filter((one, at) => at === strangers.findIndex((two) => sendsAs(one, two)))) {
    const mixed = namedAs(own, stranger);
    const inOwn = await probeMessage(options, url, mixed);
    if (inOwn === undefined) continue;
    evidence.push(`POST ${url}: ${inOwn.seen}`);
    // An agent that reads the objects of the other dialect too is taken for one of that dialect.
    if (!inOwn.isRead || (await probeMessage(options, url, stranger))?.isRead === true) continue;
    const [has, lacks] = [methodOf(stranger, 'send'), methodOf(own, 'send')];
    const missing =
      inName === undefined ? `${methodOf(own, 'get')} is not there` : `that is answered with ${inName.said}`;
    return {
      dialect: mixed,
      exchange: inOwn.exchange,
      told: `the method ${has} does the work of ${lacks}, and ${missing}`,
    };
  }
  return undefined;
}
const sendsAs = (one: Dialect, other: Dialect): boolean => methodOf(one, 'send') === methodOf(other, 'send');

/** 0.1 is not tested, but the user should learn that the agent speaks it. */
async function lookForOldest(options: DetectionOptions, heard: Heard | undefined, evidence: string[]): Promise<void> {
  if (heard?.probe.understood !== 'other' || heard.dialect.binding !== jsonrpc) return;
  const { outcome, seen } = await ask(options, heard.endpoint.url, heard.dialect, 'tasks/send');
  evidence.push(`POST ${heard.endpoint.url}: ${seen}`);
  const known = outcome.kind === 'refusal' && outcome.error === 'InvalidParams';
  if (known) evidence.push('the agent speaks A2A 0.1 (tasks/send), which the kit does not test');
}

/** The conclusion from all observations, for people. */
function conclusion(
  dialect: Dialect,
  { claims, only }: Claims,
  {
    isForced,
    source,
    understood,
    isUnspoken,
  }: {
    readonly isForced: boolean;
    readonly source: string;
    readonly understood: Understood | undefined;
    readonly isUnspoken: boolean;
  },
): string {
  const claimed = claims.map((claim) => claim.dialect.id);
  if (isUnspoken && only === undefined)
    return `profile ${dialect.id} is from ${source}, which names it on a host that the kit may not call`;
  if (isUnspoken)
    return `profile ${dialect.id} is from ${source}, which declares only ${only}; the kit found no binding that it speaks`;
  if (isForced) {
    const foreign = claimed.length > 0 && !claimed.includes(dialect.id);
    return `profile ${dialect.id}, as asked for${foreign ? `; the card claims ${claimed.join(' and ')}` : ''}`;
  }
  // The dialect that the card claims first was probed first.
  const [first = dialect.id] = claimed;
  if (first !== dialect.id && understood === 'spoken')
    return `the card claims ${first}, the agent speaks ${dialect.id}`;
  if (understood === 'denied') {
    if (dialect.signed !== undefined) return `the agent wants signed requests; profile ${dialect.id} is from ${source}`;
    return `the agent wants credentials; ${giveCredentials()}; profile ${dialect.id} is from ${source}`;
  }
  const sure = understood === 'spoken' || understood === 'answered';
  return sure ? `profile ${dialect.id}` : `profile ${dialect.id}, but the agent did not answer in it`;
}

/** The dialects that the user lets the kit choose from. */
function chosenDialects({ url, profile, binding = 'auto' }: DetectionOptions): readonly Dialect[] {
  const named = profile === 'auto' ? dialects : profilesLike(profile);
  if (named.length === 0) {
    const known = ['auto', ...dialects.map((dialect) => dialect.id)].join(', ');
    throw new TckError('usage', `--profile ${profile} is not known`, `known profiles: ${known}`);
  }
  const wanted = isGrpcAddress(url) ? grpc.id : binding;
  const chosen = named.filter((one) => wanted === 'auto' || wanted === 'all' || one.binding.id === wanted);
  if (chosen.length > 0) return chosen;
  const spoken = [...new Set(named.map((one) => one.binding.id))].join(', ');
  throw new TckError('usage', `the kit does not judge ${profile} over ${binding}`, `bindings: auto, ${spoken}, all`);
}

/** The same versions over every binding: relations between interfaces are judged whichever binding is chosen. */
function overAnyBinding(chosen: readonly Dialect[]): readonly Dialect[] {
  const versions = new Set(chosen.map(({ version }) => version));
  return dialects.filter(({ version }) => versions.has(version));
}

/**
 * The bindings that are looked for: those that the card declares, in its order, or else all. Nobody speaks gRPC where
 * HTTP/1.1 is answered, as far as no card says so.
 */
function bindingsToTry(claims: readonly CardClaim[], isHttp2Alone: boolean): readonly BindingId[] {
  const claimed = claims.filter(({ url }) => url !== undefined).map(({ dialect }) => dialect.binding.id);
  if (claimed.length > 0) return [...new Set(claimed)];
  return bindings.filter((one) => one !== grpc || isHttp2Alone).map(({ id }) => id);
}

const noCards: FoundCards = { plain: undefined, versioned: undefined };

/** The cards; a port that speaks gRPC alone has none, and nothing else answers there. */
async function cardsFor(
  options: SearchOptions,
  given: URL,
  paths: readonly string[],
  evidence: string[],
  answers: Exchange[],
  mayHaveNone: boolean,
): Promise<FoundCards & { readonly nobody?: TckError }> {
  try {
    return await findCards(options, given, paths, evidence, answers);
  } catch (error) {
    if (!mayHaveNone || !(error instanceof TckError)) throw error;
    return { ...noCards, nobody: error };
  }
}

/** Headers with which a client names its version: those of the newest candidate. */
const versionedOf = (candidates: readonly Dialect[]): readonly Header[] =>
  candidates.find(({ headers }) => headers.length > 0)?.headers ?? [];

/** The card may depend on the version that the client names (1.0 §3.6): the claims of both cards count. */
function readCards({ plain, versioned }: FoundCards, given: URL, evidence: string[]): Claims {
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
    claims: claims.filter((one, at) => claims.findIndex(({ dialect }) => dialect === one.dialect) === at),
    declared: [...young.declared, ...old.declared],
    only: young.only !== undefined && old.only !== undefined ? young.only : undefined,
  };
}

/** 1.0 §4.4.6: a 1.0 card may list interfaces of earlier versions, and is correct by the rows of 1.0. */
export function otherFormOf(
  dialect: Dialect,
  { claims }: Pick<Claims, 'claims'>,
  document: unknown,
): string | undefined {
  const isListed = claims.some((one) => one.dialect === dialect && one.by === 'supportedInterfaces');
  if (lineage(dialect).includes('a2a-1.0') || !isListed || versionIn(document) !== undefined) return undefined;
  return `the card has the 1.0 form, which may list interfaces of ${dialect.id}; judge it with --profile a2a-1.0 --suite card`;
}

/**
 * Whether JSON-RPC counts as found although no card declares it: the probe was understood in a dialect that the card
 * claims, or, with a chosen profile, got any JSON-RPC answer.
 */
function isHeard(understood: Understood | undefined, isForced: boolean): boolean {
  if (understood === 'spoken') return true;
  return isForced && understood !== undefined && understood !== 'no';
}

const unspokenOf = (only: string): Unspoken => ({
  fact: `the card declares only ${only}`,
  advice: 'declare a JSONRPC, HTTP+JSON or GRPC interface as well, or judge only the card with --suite card',
});

/** Whether requests carry anything that could identify a caller. */
const sendsCredentials = ({
  credentials,
  query = [],
  secondCredentials = [],
  secondQuery = [],
  hasCertificate = false,
}: DetectionOptions): boolean =>
  hasCertificate || isSomebody({ headers: [...credentials, ...secondCredentials], query: [...query, ...secondQuery] });

/** Why nothing is sent: the card names a binding with a port of its own, at a place that the user has not named. */
function isElsewhere(
  reach: Reach,
  probed: readonly Dialect[],
  claims: readonly CardClaim[],
  endpoints: (dialect: Dialect) => readonly Endpoint[],
  heard: Heard | undefined,
): Unspoken | undefined {
  const [first] = probed;
  const claim = claims.find(({ dialect, url }) => dialect === first && url !== undefined);
  if (first?.binding.hasOwnPort !== true || claim?.url === undefined || heard?.endpoint.named !== undefined)
    return undefined;
  if (endpoints(first).some(({ named }) => named !== undefined)) return undefined;
  const at = placeNamed(claim.url, first.binding);
  const where = at === undefined ? 'at an address that is not a URL' : whyNotAt(at, reach);
  return {
    fact: `the card names ${first.binding.title} ${where}: ${excerpt(claim.url, 200)}`,
    advice: at === undefined ? 'correct the URL in the card' : `--allow-origin ${at.origin} allows it`,
  };
}

/**
 * Finds the card, the endpoint and the dialect. The dialect that the agent speaks counts for more than the claims of
 * the card. Throws `TckError('unreachable')` when nothing answers at all; answers that are not those of an agent give
 * `isAgent` false.
 */
export async function detect(options: DetectionOptions): Promise<Detected> {
  const given = parseTargetUrl(options.url);
  const reach: Reach = {
    given,
    allowedOrigins: options.allowedOrigins,
    sendsCredentials: sendsCredentials(options),
  };
  const candidates = chosenDialects(options);
  const isForced = options.profile !== 'auto';
  const evidence: string[] = [];
  const note = (line: string): void => {
    if (!evidence.includes(line)) evidence.push(line);
  };
  const paths = [...new Set(candidates.flatMap((dialect) => dialect.cardPaths))];
  const answers: Exchange[] = [];
  // A user who gives an address of gRPC, or asks for this binding, may give the port that serves it alone.
  const isOfGrpc = candidates.every(({ binding }) => binding === grpc);
  const search = { ...options, versioned: versionedOf(candidates) };
  const cards = await cardsFor(search, given, paths, evidence, answers, isOfGrpc);
  const any = cards.versioned ?? cards.plain;
  const why = any === undefined ? whyNoCard(answers) : undefined;
  const claims = readCards(cards, given, evidence);
  const ranked = inOrder(candidates, claims.claims, any);
  // If the card declares no binding that the kit can judge, only claimed dialects are probed, or the likeliest one.
  const claimed = ranked.filter((dialect) => claims.claims.some((one) => one.dialect === dialect));
  const likely = claims.only === undefined || isForced ? ranked : claimed.length > 0 ? claimed : ranked.slice(0, 1);
  const isHttp2Alone = any === undefined && (isOfGrpc || evidence.some((line) => /: (malformed|reset)$/.test(line)));
  const tried = bindingsToTry(claims.claims, isHttp2Alone);
  const inBindings = likely.filter((one) => tried.includes(one.binding.id));
  const probed = inBindings.length > 0 ? inBindings : likely;
  const endpoints = (dialect: Dialect): readonly Endpoint[] => {
    const named = namedEndpoints(dialect, claims.claims, cardOf(dialect, seenBy(dialect, cards)));
    return endpointsOf(dialect, named, { ...reach, cardUrl: any?.url }, note);
  };
  const heard = await listen(options, probed, endpoints, evidence);
  const understood = heard?.probe.understood;
  if (cards.nobody !== undefined && heard?.probe.exchange.response === undefined) throw cards.nobody;
  const away = isElsewhere(reach, probed, claims.claims, endpoints, heard);
  const isUnspoken = (claims.only !== undefined || away !== undefined) && !isHeard(understood, isForced);
  if (!isForced && !isUnspoken) await lookForOldest(options, heard, evidence);
  // An agent that wants credentials first has not shown its dialect.
  const isTold = !isUnspoken && heard !== undefined && (understood === 'spoken' || understood === 'answered');
  const mixed = isUnspoken ? undefined : await settleNames(options, heard, claims.claims, evidence);
  const plain = isTold ? await settleVersion(options, heard, probed, claims.claims, evidence) : probed[0];
  const dialect = mixed?.dialect ?? plain;
  if (dialect === undefined) throw new TckError('internal', 'no dialect to choose from');
  const found = seenBy(dialect, cards);
  const words = stringMember(member(found?.document, 'metadata'), 'a2a_version');
  if (words !== undefined) evidence.push(`the metadata of the card claim A2A ${words}`);
  const source = claims.claims.length > 0 ? 'the card' : any === undefined ? 'a guess' : 'the form of the card';
  evidence.push(
    mixed === undefined
      ? conclusion(dialect, claims, { isForced, source, understood, isUnspoken })
      : `profile ${dialect.id}, with the methods that the agent has: ${mixed.told}`,
  );
  const target: Target = {
    url: /^https?:/i.test(options.url) ? options.url : given.href,
    endpoint: heard?.endpoint.url ?? given.href,
    cardUrl: found?.url,
    card: cardOf(dialect, found),
    cardDocument: found?.document,
    cardExchange: found?.exchange,
    ...(why === undefined ? {} : { whyNoCard: why }),
    ...(mixed === undefined ? {} : { misnamed: mixed }),
    origins: originsOf(options),
    ...(reach.sendsCredentials ? { sendsCredentials: true } : {}),
  };
  const otherForm = otherFormOf(dialect, claims, found?.document);
  // A card that has the form of another version is read as a card of that version.
  const cardSeenBy = (other: Dialect): Card =>
    versionOf(other) === versionOf(dialect) || otherFormOf(other, claims, found?.document) !== undefined
      ? target.card
      : cardOf(other, seenBy(other, cards));
  const tenant = tenantOf(target, dialect);
  const notGiven = isUnspoken
    ? undefined
    : whyNotGiven({ given, cardUrl: any?.url, endpoint: target.endpoint, declared: claims.declared });
  if (notGiven !== undefined) note(notGiven);
  const ours = { dialect, target, tenant, named: heard?.endpoint.named, isUnspoken, notGiven };
  const listed = interfacesOf(claims.declared, ours, { candidates: overAnyBinding(candidates), given, cardSeenBy });
  return {
    dialect,
    target,
    evidence,
    isAgent:
      found !== undefined || heard?.probe.enveloped === true || understood === 'answered' || understood === 'denied',
    probed: heard?.probe.exchange,
    redirect: heard?.redirect,
    interfaces: listed.map(({ report }) => report),
    others: listed.flatMap(({ other }) => other ?? []),
    barred: listed.flatMap(({ barred }) => barred ?? []),
    tenant,
    ...(otherForm === undefined ? {} : { otherForm }),
    ...(isUnspoken ? { unspoken: away ?? unspokenOf(claims.only ?? '') } : {}),
  };
}
