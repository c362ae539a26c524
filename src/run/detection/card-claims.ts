import { type Dialect, dialectOfVersion, dialects, lineage, profileOver } from '../../dialect/index.js';
import { firstOfEach, stringMember } from '../../model/index.js';
import { excerpt } from '../../wire/index.js';
import type { FoundCard } from './card-search.js';
import { bindingNamed, bindingsOf, type DeclaredInterface, declaredIn, versionIn } from './declared.js';

/** One dialect that the agent speaks according to the card. */
export interface CardClaim {
  readonly dialect: Dialect;
  /** Where the card says so: "supportedInterfaces", "protocolVersion". */
  readonly by: string;
  /** The endpoint that the card names for it. */
  readonly url: string | undefined;
}

/** Whether the form of the card shows this dialect: surely, or possibly and the card is at the dialect's own path. */
const marked = ({ recognises, cardPaths }: Dialect, document: unknown, url: string): boolean => {
  const found = recognises?.(document) ?? 'no';
  return found === 'yes' || (found === 'maybe' && new URL(url).pathname.endsWith(cardPaths[0] ?? '/'));
};

/** The claim of an interface, or a text that says why the kit cannot judge it; undefined: no claim. */
function claimOf({ version, by, binding, url }: DeclaredInterface): CardClaim | string | undefined {
  if (version === undefined) return undefined;
  const plain = dialectOfVersion(version);
  const spoken = bindingNamed(binding);
  const dialect = (plain && spoken && profileOver(plain, spoken)) ?? plain;
  if (dialect === undefined && by === 'supportedInterfaces')
    return `the card names an interface of version ${excerpt(version, 40)}, which the kit does not know`;
  if (dialect === undefined) return undefined;
  const where = by === 'supportedInterfaces' ? by : 'protocolVersion';
  return { dialect, by: where, url: dialect.binding.id === spoken?.id ? url : undefined };
}

export interface Claims {
  /** The first claim first, each dialect once. */
  readonly claims: readonly CardClaim[];
  /** All interfaces that the card declares. */
  readonly declared: readonly DeclaredInterface[];
  /** The declared bindings ("HTTP+JSON") if the kit can judge none of them. */
  readonly only: string | undefined;
}

/** Whether the kit judges a version over a binding that a card names. */
function isSpoken(name: string, dialect: Dialect | undefined): boolean {
  const binding = bindingNamed(name);
  return dialect !== undefined && binding !== undefined && profileOver(dialect, binding) !== undefined;
}

/** Adds an observation that was not made before. */
export function noteOnce(evidence: string[], line: string): void {
  if (!evidence.includes(line)) evidence.push(line);
}

/**
 * Everything that the card claims; claims that the kit cannot judge become evidence. `isMeant`: whether the user gave
 * this URL of an interface, whose claim is the first one then.
 */
export function claimsOf(
  found: FoundCard | undefined,
  evidence: string[],
  isMeant: (url: string) => boolean = () => false,
): Claims {
  const document = found?.document;
  const declared = declaredIn(document);
  const made = declared.map(claimOf);
  const note = (line: string): void => noteOnce(evidence, line);
  for (const claim of made) if (typeof claim === 'string') note(claim);
  const inCard = made.filter((claim) => typeof claim === 'object');
  const isFirst = ({ url }: CardClaim): boolean => url !== undefined && isMeant(url);
  const known = [...inCard.filter(isFirst), ...inCard.filter((claim) => !isFirst(claim))];
  const callable = known.filter(({ url }) => url !== undefined);
  // A card that names a version but no interface claims that version as well.
  const root = versionIn(document);
  const named = root === undefined ? undefined : dialectOfVersion(root);
  if (root !== undefined && named === undefined && declared.every(({ by }) => by !== 'supportedInterfaces'))
    note(`the card claims version ${excerpt(root, 40)}, which the kit does not know`);
  const bare =
    named !== undefined && known.length === 0 ? [{ dialect: named, by: 'protocolVersion', url: undefined }] : [];
  const own = dialects
    .filter((dialect) => found !== undefined && marked(dialect, document, found.url))
    .map((dialect) => ({ dialect, by: 'its members', url: stringMember(document, 'url') }));
  const all = [...(callable.length > 0 ? callable : known), ...bare, ...own];
  const claims = firstOfEach(all, ({ dialect }) => dialect);
  if (claims.length > 1) {
    const list = claims.map(({ dialect, by }) => `${dialect.id} (${by})`).join(' and ');
    note(`a dual card: it claims ${list}; --profile chooses another one`);
  }
  const isJudged = ({ binding, version }: DeclaredInterface): boolean =>
    isSpoken(binding, version === undefined ? dialects[0] : dialectOfVersion(version));
  const cannot = declared.length > 0 && !declared.some(isJudged);
  return { claims, declared, only: cannot ? bindingsOf(declared) : undefined };
}

/** 1.0 §4.4.6: a 1.0 card may list interfaces of earlier versions, and is correct by the rows of 1.0. */
export function otherFormOf(
  dialect: Dialect,
  { claims }: Pick<Claims, 'claims'>,
  document: unknown,
): string | undefined {
  const isListed = claims.some((claim) => claim.dialect === dialect && claim.by === 'supportedInterfaces');
  if (lineage(dialect).includes('a2a-1.0') || !isListed || versionIn(document) !== undefined) return undefined;
  return `the card has the 1.0 form, which may list interfaces of ${dialect.id}; judge it with --profile a2a-1.0 --suite card`;
}

const likely = ['yes', 'maybe', 'no'];

/** Versions guessed from the form of a card that names none, the likeliest first. */
const byForm = ({ document, url }: FoundCard): readonly string[] =>
  dialects
    .filter(({ id, version, protocolVersion }) => id === version && protocolVersion !== undefined)
    .map(({ version, fits }) => ({ version, rank: likely.indexOf(fits?.(document, url) ?? 'maybe') }))
    .sort((candidate, other) => candidate.rank - other.rank)
    .map(({ version }) => version);

/** The order in which dialects are tried: the claimed ones, then the versions that fit the card, then the rest. */
export function inOrder(
  candidates: readonly Dialect[],
  claims: readonly CardClaim[],
  found: FoundCard | undefined,
): readonly Dialect[] {
  if (found === undefined) return candidates;
  const form = byForm(found);
  const rank = (dialect: Dialect): number => {
    const claimed = claims.findIndex((claim) => claim.dialect === dialect);
    if (claimed >= 0) return claimed;
    const fits = form.indexOf(dialect.version);
    // JSON-RPC first: it has been the only binding of most agents.
    if (fits >= 0) return (dialect.id === dialect.version ? 100 : 200) + fits;
    return dialect.recognises?.(found.document) === 'maybe' ? 300 : 400;
  };
  return [...candidates].sort((a, b) => rank(a) - rank(b));
}
