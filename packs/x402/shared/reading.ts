import type { Document, Inspector, MoreDocuments } from '../../../src/kit/index.js';
import { isObject, type JsonObject, member } from '../../../src/model/index.js';
import { metadataKeys, readOffer } from '../payments/index.js';

// Documents about payments in answers, for laws: `schemas/x402`. a2a-x402 v0.1 §4.

const deepest = 12;

interface Found {
  readonly path: string;
  readonly metadata: JsonObject;
}

/** Metadata of payments in messages of the agent, wherever they are: status messages, history, events. */
function metadataIn(value: unknown, path = '', depth = 0): readonly Found[] {
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  const metadata = member(value, 'metadata');
  const isOurs =
    isObject(metadata) &&
    /agent/i.test(String(member(value, 'role'))) &&
    Object.values(metadataKeys).some((key) => Object.hasOwn(metadata, key));
  const inside = Object.entries(value).flatMap(([name, inner]) => metadataIn(inner, `${path}/${name}`, depth + 1));
  return isOurs ? [{ path: `${path}/metadata`, metadata }, ...inside] : inside;
}

/** Whether an offer is in an artifact: the embedded flow of v0.2. */
function embeds(value: unknown, within = false, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > 2 * deepest) return false;
  if (within && readOffer(value) !== undefined) return true;
  return Object.entries(value).some(([name, inner]) => embeds(inner, within || name === 'artifacts', depth + 1));
}

/** One document for each message of the agent with metadata of a payment. */
export function paymentsIn(result: unknown, name: string, inspector: Inspector): readonly Document[] {
  const found = metadataIn(result);
  const kind = found.length > 0 && embeds(result) ? 'agent' : 'standalone';
  return found.map(({ path, metadata }) => ({
    of: 'payment',
    name: `${name}${path}`,
    value: metadata,
    inspection: inspector.inspect(`metadata.schema.json#/$defs/${kind}`, metadata),
  }));
}

/** The card as a document, inspected for the declaration of the extension. */
export const declarationIn = (card: unknown, inspector: Inspector): Document => ({
  of: 'payment-card',
  name: 'card',
  value: card,
  inspection: inspector.inspect('agent-card.schema.json', card),
});

/** What laws read of payments. */
export const documentsBy = (inspector: Inspector): MoreDocuments => ({
  inCard: (card) => [declarationIn(card, inspector)],
  inResult: (result, name) => paymentsIn(result, name, inspector),
});
