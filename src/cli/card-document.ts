import { readFileSync } from 'node:fs';
import { dialects } from '../dialect/index.js';
import { TckError } from '../model/tck-error.js';
import { findCard } from '../run/card-search.js';
import { cardDigest, parseTargetUrl } from '../run/index.js';
import { causeOf } from './cause.js';
import { lookingAt } from './looking.js';

async function fetched(text: string): Promise<unknown> {
  const url = parseTargetUrl(text);
  return lookingAt(text, async (wire) => {
    const paths = [...new Set(dialects.flatMap((dialect) => dialect.cardPaths))];
    const evidence: string[] = [];
    const found = await findCard({ wire, credentials: [] }, url, paths, evidence);
    if (found !== undefined) return found.document;
    throw new TckError('not-an-agent', `there is no agent card: ${evidence.join('; ')}`);
  });
}

function fromFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new TckError('usage', `the card ${file} cannot be read: ${causeOf(error)}`);
  }
}

/**
 * SHA-256 of the canonical form of a card; undefined when it has none. `from`: URL of an agent or of its card, or a
 * file.
 */
export const digestOfCard = async (from: string): Promise<string | undefined> =>
  cardDigest(/^https?:/i.test(from) ? await fetched(from) : fromFile(from));
