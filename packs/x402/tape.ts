import {
  isString,
  type Law,
  member,
  NotApplicable,
  noteOf,
  type Reading,
  type Recorded,
  sentText,
  weakMemo,
} from '../../src/kit/index.js';
import * as x402Text from './payments/index.js';

// What was offered and paid in a run, for laws that compare one answer with the others. No rules: index.ts does not
// collect this file.

const { metadataKeys } = x402Text;
const deepest = 24;

interface Trade {
  /** The x402Version of each offer in metadata, whatever its type. */
  readonly versions: ReadonlySet<unknown>;
  /** An offer was in an artifact: the embedded flow. */
  readonly isEmbedded: boolean;
  /** Networks of options for which a payment was sent, as the offers spell them. */
  readonly paidNetworks: ReadonlySet<unknown>;
}

/** What an answer offers. */
export const offered = noteOf((reading) => {
  const offers = offersIn(reading);
  const options = offers.flatMap((offer) => listed(member(offer, 'accepts')));
  return {
    versions: new Set(offers.map((offer) => asWord(member(offer, 'x402Version')))),
    networks: new Set(options.map((option) => asWord(member(option, 'network')))),
    isEmbedded: reading.documents.some(({ of, value }) => of === 'result' && embeds(value)),
  };
});

/** The offers and payments of a run; computed once. */
export const tradeOf = weakMemo((tape: readonly Recorded[]): Trade => {
  const offers = tape.map(offered);
  const networks = new Set(offers.flatMap((offer) => [...offer.networks]));
  return {
    versions: new Set(offers.flatMap(({ versions }) => [...versions])),
    isEmbedded: offers.some(({ isEmbedded }) => isEmbedded),
    paidNetworks: new Set(
      tape
        .flatMap(paymentsIn)
        .map(networkOf)
        .filter((network) => networks.has(network)),
    ),
  };
});

/** Longer texts name no network, characters. */
const longestName = 256;
/** A version or a network as the tape notes it: no list, no object, no text of megabytes. */
const asWord = (value: unknown): unknown =>
  (isString(value) && value.length > longestName) || (typeof value === 'object' && value !== null) ? null : value;

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Values of a key in the agent's payment metadata. */
export const saidIn = ({ documents }: Reading, key: string): readonly unknown[] =>
  documents.flatMap(({ of, value }) => {
    const said = of === 'payment' ? member(value, key) : undefined;
    return said === undefined ? [] : [said];
  });

const offersIn = (reading: Reading): readonly unknown[] => saidIn(reading, metadataKeys.required);

function embeds(value: unknown, within = false, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > deepest) return false;
  if (within && x402Text.readOffer(value) !== undefined) return true;
  return Object.entries(value).some(([name, inner]) => embeds(inner, within || /^artifacts?$/.test(name), depth + 1));
}

/** The payments that the kit sent in a request. */
function paymentsIn({ exchange }: Recorded): readonly unknown[] {
  const text = sentText(exchange);
  if (!text.includes(metadataKeys.payload)) return [];
  const found: unknown[] = [];
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (name === metadataKeys.payload) found.push(value);
      return value;
    });
  } catch {
    // Broken JSON is sent on purpose and contains no payment.
  }
  return found;
}

/** Version 2 copies the option, version 1 names only its network. */
const networkOf = (payment: unknown): unknown => member(member(payment, 'accepted') ?? payment, 'network');

/** Receipts in all messages of the agent in an answer. */
export const receiptsIn = (reading: Reading): readonly x402Text.Receipt[] =>
  saidIn(reading, metadataKeys.receipts).flatMap((item) => x402Text.readReceipts(item) ?? []);

/** Why the offers of the run do not concern a law; thrown as `NotApplicable`. */
function unclaimed({ versions, isEmbedded }: Trade, version: x402Text.X402Version | undefined): string | undefined {
  if (versions.size === 0) {
    return isEmbedded ? 'the offer is in an artifact: the embedded flow is not exercised' : undefined;
  }
  const other = version === 1 ? 2 : 1;
  const isOther = version !== undefined && !versions.has(version) && versions.has(other);
  return isOther ? `the offer is of payment version ${other}` : undefined;
}

/**
 * Makes a law about offers, of one version if it is given. It is not applicable where all offers are of another
 * version.
 */
export const ofOffers = (leakLaw: Law, version?: x402Text.X402Version): Law => ({
  ...leakLaw,
  notes: [...leakLaw.notes, offered],
  judge(reading, target, tape) {
    const because = unclaimed(tradeOf(tape), version);
    if (because !== undefined) throw new NotApplicable(because);
    return leakLaw.judge(reading, target, tape);
  },
});

/** Makes a law about optional members: it also holds where none of them is present. */
export const ofOptional = (leakLaw: Law, isThere: (reading: Reading) => boolean): Law => ({
  ...leakLaw,
  judge(reading, target, tape) {
    const judged = leakLaw.judge(reading, target, tape);
    return judged === 'not-concerned' && reading.valid && isThere(reading) ? 'holds' : judged;
  },
});

/** Options of all offers in an answer, as they came. */
export const optionsIn = (reading: Reading): readonly x402Text.Option[] =>
  offersIn(reading).flatMap((offer) => x402Text.readOffer(offer)?.options ?? []);
