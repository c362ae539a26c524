import { type Dialect, dialectById, dialects } from '../dialect/index.js';
import { isObject, member, stringMember } from '../model/index.js';
import type { FoundCard } from './card-search.js';

/** One thing that a card says the agent speaks. */
export interface CardClaim {
  readonly dialect: Dialect;
  /** Where the card says so: "supportedInterfaces", "protocolVersion". */
  readonly by: string;
  /** The endpoint that the card names for it. */
  readonly url: string | undefined;
}

const dialectOfVersion = (version: string): Dialect | undefined => {
  const line = /^(?:1|0\.\d+)(?=\.|$)/.exec(version)?.[0];
  return line === undefined ? undefined : dialectById(line === '1' ? 'a2a-1.0' : `a2a-${line}`);
};

/** 1.0 §4.4.6: each interface has a version of its own; one of 0.3 is tested as 0.3. */
function ofInterfaces(document: unknown): readonly (CardClaim | string)[] {
  const entries = member(document, 'supportedInterfaces');
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry): readonly (CardClaim | string)[] => {
    if (stringMember(entry, 'protocolBinding') !== 'JSONRPC') return [];
    const version = stringMember(entry, 'protocolVersion') ?? '1.0';
    const dialect = dialectOfVersion(version);
    if (dialect === undefined)
      return [`the card names an interface of version ${version}, which the kit does not know`];
    return [{ dialect, by: 'supportedInterfaces', url: stringMember(entry, 'url') }];
  });
}

/** What the members say that cards had before 1.0; in a dual card they stand beside the interfaces. */
function ofRoot(document: unknown): readonly CardClaim[] {
  if (!isObject(document)) return [];
  const { supportedInterfaces: _, ...root } = document;
  const by = stringMember(root, 'protocolVersion') === undefined ? 'its members' : 'protocolVersion';
  return dialects
    .filter((dialect) => dialect.recognises(root) === 'yes')
    .map((dialect) => ({ dialect, by, url: stringMember(root, 'url') }));
}

/** Everything that the card claims, the first claim first; claims that the kit cannot judge become evidence. */
export function claimsOf(document: unknown, evidence: string[]): readonly CardClaim[] {
  const claims = [...ofInterfaces(document), ...ofRoot(document)];
  const known = claims.filter((claim) => typeof claim !== 'string');
  evidence.push(...claims.filter((claim) => typeof claim === 'string'));
  const first = known.filter((one, at) => known.findIndex(({ dialect }) => dialect === one.dialect) === at);
  if (first.length > 1) {
    const all = first.map(({ dialect, by }) => `${dialect.id} (${by})`).join(' and ');
    evidence.push(`a dual card: it claims ${all}; --profile chooses the other side`);
  }
  return first;
}

/** The order in which spellings are tried: what is claimed, then what the card does not rule out, then the rest. */
export function inOrder(
  candidates: readonly Dialect[],
  claims: readonly CardClaim[],
  found: FoundCard | undefined,
): readonly Dialect[] {
  const rank = (dialect: Dialect): number => {
    const claimed = claims.findIndex((claim) => claim.dialect === dialect);
    if (claimed >= 0) return claimed;
    if (found === undefined || dialect.recognises(found.document) !== 'maybe') return found === undefined ? 50 : 90;
    // Only 0.2 looks there first, and cards of that time often name no version.
    return found.url.endsWith(dialect.cardPaths[0] ?? '') && dialect.id === 'a2a-0.2' ? 49 : 50;
  };
  return [...candidates].sort((a, b) => rank(a) - rank(b));
}
