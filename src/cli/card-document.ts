import { readWithin } from '../files/index.js';
import { TckError } from '../model/tck-error.js';
import { findCards } from '../run/detection/card-search.js';
import { cardDigest } from '../run/index.js';
import { type Network, parseTargetUrl } from '../wire/index.js';
import { causeOf } from './cause.js';
import { lookingAt } from './looking.js';

/** The card in each form that the agent serves: it may differ by the version that the client names. */
async function fetched(text: string, network: Network): Promise<readonly unknown[]> {
  const url = parseTargetUrl(text);
  return lookingAt(
    text,
    async (wire) => {
      const evidence: string[] = [];
      const found = await findCards({ wire, credentials: [] }, url, evidence);
      const cards = [found.plain, found.versioned].filter((foundCard) => foundCard !== undefined);
      if (cards.length > 0) return cards.map(({ document }) => document);
      throw new TckError('not-an-agent', `the agent card is missing: ${evidence.join('; ')}`);
    },
    network,
  );
}

/** Bytes of a card, as of every answer of an agent. */
const longest = 4 * 1024 * 1024;

function fromFile(file: string): unknown {
  try {
    return JSON.parse(readWithin(file, longest).toString('utf8'));
  } catch (error) {
    throw new TckError('usage', `the card ${file} cannot be read: ${causeOf(error)}`);
  }
}

/**
 * SHA-256 of the canonical form of a card, one for each form that the agent serves. `from`: URL of an agent or of its
 * card, or a file.
 */
export async function digestsOfCard(from: string, network: Network = {}): Promise<readonly string[]> {
  const cards = /^https?:/i.test(from) ? await fetched(from, network) : [fromFile(from)];
  return cards.flatMap((card) => cardDigest(card) ?? []);
}
