import { bodyText, type Law, member, NotClaimed, type Reading, rememberedOn, x402Text } from '../../src/kit/index.js';

// What was offered and paid in a run, for laws that judge one answer by the others. No rules: index.ts does not collect
// this file.

const { metadataKeys } = x402Text;
const deepest = 24;

interface Trade {
  /** Of offers in metadata: whatever stands in x402Version. */
  readonly versions: ReadonlySet<unknown>;
  /** An offer was in an artifact: the embedded flow. */
  readonly isEmbedded: boolean;
  /** Networks of options that were paid, or tried to be, as the offers spell them. */
  readonly paidNetworks: ReadonlySet<unknown>;
}

/** All of a run; read once. */
export const tradeOf = rememberedOn((tape: readonly Reading[]): Trade => {
  const offers = tape.flatMap(offersIn);
  const offered = new Set(
    offers.flatMap((offer) => listed(member(offer, 'accepts'))).map((one) => member(one, 'network')),
  );
  return {
    versions: new Set(offers.map((offer) => member(offer, 'x402Version'))),
    isEmbedded: tape.some(({ documents }) => documents.some(({ of, value }) => of === 'result' && embeds(value))),
    paidNetworks: new Set(
      tape
        .flatMap(paymentsIn)
        .map(networkOf)
        .filter((network) => offered.has(network)),
    ),
  };
});

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Members of metadata of the agent by one of the keys. */
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
function paymentsIn({ exchange }: Reading): readonly unknown[] {
  const text = bodyText(exchange.request.body ?? new Uint8Array());
  if (!text.includes(metadataKeys.payload)) return [];
  const found: unknown[] = [];
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (name === metadataKeys.payload) found.push(value);
      return value;
    });
  } catch {
    // What was sent broken on purpose paid nothing.
  }
  return found;
}

/** Version 2 has a copy of the option, version 1 names its network. */
const networkOf = (payment: unknown): unknown => member(member(payment, 'accepted') ?? payment, 'network');

/** Receipts in all messages of the agent in an answer. */
export const receiptsIn = (reading: Reading): readonly x402Text.Receipt[] =>
  saidIn(reading, metadataKeys.receipts).flatMap((one) => x402Text.readReceipts(one) ?? []);

/** Why offers of the run say nothing of a law: thrown as `NotClaimed`. */
function unclaimed({ versions, isEmbedded }: Trade, version: x402Text.X402Version | undefined): string | undefined {
  if (versions.size === 0) {
    return isEmbedded ? 'the offer is in an artifact: the embedded flow is not exercised' : undefined;
  }
  const other = version === 1 ? 2 : 1;
  const isOther = version !== undefined && !versions.has(version) && versions.has(other);
  return isOther ? `the offer is of payment version ${other}` : undefined;
}

/** A law about offers, of one version if it is given: not applicable where there are others only. */
export const ofOffers = (made: Law, version?: x402Text.X402Version): Law => ({
  ...made,
  judge(reading, target, tape) {
    const because = unclaimed(tradeOf(tape), version);
    if (because !== undefined) throw new NotClaimed(because);
    return made.judge(reading, target, tape);
  },
});

/** A law about members that may be left out: it holds also where none of them is there. */
export const ofOptional = (made: Law, isThere: (reading: Reading) => boolean): Law => ({
  ...made,
  judge(reading, target, tape) {
    const judged = made.judge(reading, target, tape);
    return judged === 'silent' && reading.valid && isThere(reading) ? 'holds' : judged;
  },
});

/** Options of all offers in an answer, as they came. */
export const optionsIn = (reading: Reading): readonly x402Text.Option[] =>
  offersIn(reading).flatMap((offer) => x402Text.readOffer(offer)?.options ?? []);
