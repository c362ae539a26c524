import { type Dialect, dialectById, dialects } from '../../dialect/index.js';
import type { Exchange } from '../../wire/index.js';
import { claimsOf, inOrder, otherFormOf } from './card-claims.js';

/** As which version a card is to be judged. */
export interface CardProfile {
  readonly dialect: Dialect;
  /** For people: "it lists interfaces of that version". */
  readonly because: string;
  /** Further observations: versions that the kit does not know, and others that the card claims as well. */
  readonly evidence: readonly string[];
}

const reasons: Readonly<Record<string, string>> = {
  supportedInterfaces: 'it lists an interface of that version',
  protocolVersion: 'its protocolVersion says so',
  'its members': 'it has members of that dialect',
};

/** The version that a card claims, or else the likeliest by its form: what detection finds before it asks the agent. */
export function profileOfCard(document: unknown): CardProfile {
  const found = { url: 'https://agent.example/', document, exchange: {} as Exchange };
  const notes: string[] = [];
  const { claims } = claimsOf(found, notes);
  const [first] = inOrder(dialects, claims, found);
  const chosen = first ?? dialects[0];
  if (chosen === undefined) throw new Error('the kit has no dialects');
  const dialect = dialectById(chosen.version) ?? chosen;
  const young = dialectById('a2a-1.0');
  const others = (judged: Dialect): readonly string[] =>
    [...new Set(claims.map((claim) => claim.dialect.version))]
      .filter((id) => id !== judged.version)
      .map((id) => `the card also claims ${id}: --profile ${id} judges it as a card of that`);
  const unknown = notes.filter((line) => line.endsWith('which the kit does not know'));
  const isOnlyListed = claims.some((claim) => otherFormOf(claim.dialect, { claims }, document) !== undefined);
  if (young !== undefined && isOnlyListed && dialect !== young)
    return {
      dialect: young,
      because: 'it has the form of 1.0, and lists interfaces of another version',
      evidence: unknown,
    };
  const claim = claims.find((claim) => claim.dialect === chosen);
  const because = claim === undefined ? 'it names no version; this is the likeliest' : (reasons[claim.by] ?? claim.by);
  return { dialect, because, evidence: [...unknown, ...others(dialect)] };
}
