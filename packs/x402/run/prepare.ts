import { createInspector } from '../../../src/ledger/schemas.js';
import { TckError } from '../../../src/model/index.js';
import type { PaymentReport } from '../../../src/report/index.js';
import {
  type Charging,
  type Detected,
  type PreparedCharges,
  type PreparingCharges,
  skewOf,
} from '../../../src/run/index.js';
import { excerpt, type Header, type LateSecret } from '../../../src/wire/index.js';
import {
  createFundedSigner,
  extensionHeaders,
  extensionUris,
  type FacilitatorControl,
  type Funded,
  type FundedSigner,
  headerEntries,
  isX402Extension,
  type NamedAsset,
  type Offer,
  type Purse,
  payable,
  shownSignature,
  type ThrowawayWallet,
  throwawayWallet,
  unknownTerms,
  type Wallet,
} from '../payments/index.js';
import { x402Ledger } from '../shared/ledger.js';
import { documentsBy } from '../shared/reading.js';
import { type X402Scene, x402Part } from '../shared/scene.js';

/** The user's money, and the limits for using it. */
export interface Funds {
  readonly wallet: Wallet;
  /** Most atomic units per payment, and of all payments together; `maxTotal` defaults to one payment. */
  readonly maxAmount: bigint;
  readonly maxTotal?: bigint;
  /** Shared with other runs, which may happen at the same time. */
  readonly purse?: Purse;
  /** Chain ids; test networks by default. */
  readonly allowedNetworks?: ReadonlySet<bigint>;
  readonly assets?: readonly NamedAsset[];
  /** Pays options too that charge before the work; default false. */
  readonly allowUpfront?: boolean;
  /** Nothing is signed. */
  readonly dryRun: boolean;
}

/** Options for judging an agent that charges. */
export interface X402Options {
  /** Text that the agent charges for. */
  readonly message: string;
  /** How long a payment may take until it is decided, ms. */
  readonly timeoutMs: number;
  /** Left out: no signed payment can move money. */
  readonly funds?: Funds;
  /** Controls the facilitator that the agent asks, if it is one of the kit's; payments then use play money. */
  readonly stub?: FacilitatorControl;
  /** Returns `length` random bytes for keys and nonces; they must be unguessable, except in proofs. */
  readonly random: (length: number) => Uint8Array;
}

/** The halves r and s of each signature, since they may be shown separately, and the text that reports show instead. */
export const halvesOf = (signatures: readonly string[]): readonly LateSecret[] =>
  signatures.flatMap((signature) => [
    // The replacement may stand in a body and must be ASCII.
    { secret: signature.slice(2, 66), shown: shownSignature(signature).slice(2).replace('…', '...') },
    { secret: signature.slice(66, 130), shown: '...' },
  ]);

const noStub = "give --x402-stub, after a2a-tck stub --x402: the agent must settle through the kit's facilitator";

/** Validates metadata, offers and receipts. It has no state, and its files are read at the first use. */
const inspector = createInspector('x402');

/** How an agent that charges is judged with these options. */
export const chargingBy = (x402: X402Options): Charging => ({
  pack: x402Part.pack,
  ledger: x402Ledger(),
  prepare: (preparing, detected) => prepareX402(x402, preparing, detected),
});

/**
 * Prepares the checks of payments. Throws `TckError` for a dialect that the extension is not made for, and for a stub
 * that does not answer.
 */
async function prepareX402(
  x402: X402Options,
  { clock, credentials, hear }: PreparingCharges,
  { dialect, target }: Detected,
): Promise<PreparedCharges> {
  if (!dialect.pays) {
    throw new TckError('usage', `--x402 is for A2A 0.3 and 1.0, and the agent speaks ${dialect.title}`, 'leave it out');
  }
  const { random, stub, funds } = x402;
  await stub?.now();
  const skew = skewOf(target.cardExchange);
  const seconds = (): number => Math.floor((clock.now() + skew) / 1000);
  const declared = target.card.capabilities.extensions.map(({ uri }) => uri).filter(isX402Extension);
  const uris = declared.length > 0 ? [...new Set(declared)] : [extensionUris.v01];
  // The user's money is signed by the kit's own clock: an agent with a clock ahead must not get a long-lived payment.
  const own = (): number => Math.floor(clock.now() / 1000);
  const given =
    stub === undefined ? funds && reporting(userTreasurer(funds, own, random), hear) : playTreasurer(seconds, random);
  const strange = new Set<string>();
  const scene: X402Scene = {
    trigger: x402.message,
    wallet: throwawayWallet(random),
    treasurer: given,
    stub,
    stubOff: stub === undefined ? noStub : '',
    patienceMs: x402.timeoutMs,
    activation: extensionHeaders.map((name) => [name, uris.join(', ')] as const),
    inspector,
    notice: (offer) => strangeIn(offer, strange),
    seconds,
    nonce: () => `0x${Buffer.from(random(32)).toString('hex')}`,
    stranger: () => throwawayWallet(random),
  };
  return {
    charges: { pack: x402Part.pack, message: x402.message, seconds },
    addition: { pack: x402Part.pack, of: () => scene },
    credentials: activating(credentials, uris),
    documents: documentsBy(inspector),
    lateSecrets: () => (stub === undefined ? halvesOf(given?.signatures() ?? []) : []),
    payments: () => (stub === undefined ? given?.list().flatMap(reported) : undefined),
    remarks: () =>
      [...strange].map(
        (name) => `the offer has extra.${name}, which the kit does not know: it may be a term of payment`,
      ),
  };
}

/** Most members that the report names, and most characters of each. */
const mostStrange = 10;
const longestName = 60;

/** Adds the members of `extra` that the kit does not know, of the options that it can pay. */
function strangeIn(offer: Offer, found: Set<string>): void {
  for (const option of payable(offer)) {
    for (const name of unknownTerms(option)) {
      if (found.size >= mostStrange) return;
      found.add(excerpt(name, longestName));
    }
  }
}

/** A treasurer that reports its list after each change. */
function reporting(treasurer: FundedSigner, hear: PreparingCharges['hear']): FundedSigner {
  const tell = () => hear(treasurer.list().flatMap(reported));
  return {
    ...treasurer,
    pay(seen, again, option) {
      const treatment = treasurer.pay(seen, again, option);
      tell();
      return treatment;
    },
    settled(nonce) {
      treasurer.settled(nonce);
      tell();
    },
  };
}

const isActivation = ([name]: Header): boolean =>
  extensionHeaders.some((extensionHeader) => extensionHeader.toLowerCase() === name.toLowerCase());

/** The same headers, which also activate the extension, under both header names, beside those of the user. */
function activating(headers: readonly Header[], uris: readonly string[]): readonly Header[] {
  const asked = headers.filter(isActivation).flatMap(([, value]) => headerEntries(value));
  const all = [...new Set([...asked, ...uris])].join(', ');
  return [
    ...headers.filter((header) => !isActivation(header)),
    ...extensionHeaders.map((name) => [name, all] as const),
  ];
}

const userTreasurer = (funds: Funds, now: () => number, random: X402Options['random']): FundedSigner =>
  createFundedSigner({ ...funds, now, random });

const boundless = 2n ** 256n - 1n;

/**
 * Pays every offer with play money: its wallet is new, so its signatures are worth something only at the kit's
 * facilitator. Each payment gets a treasurer that may make only this one.
 */
function playTreasurer(now: () => number, random: X402Options['random']): FundedSigner {
  const wallet: ThrowawayWallet = throwawayWallet(random);
  const treasurers: FundedSigner[] = [];
  return {
    payer: wallet.address,
    pay(seen, again, option) {
      const { chainId, asset } = option;
      const signer = createFundedSigner({
        wallet,
        maxAmount: boundless,
        allowedNetworks: new Set(chainId === undefined ? [] : [chainId]),
        assets: chainId === undefined ? [] : [{ chainId, asset }],
        allowUpfront: true,
        now,
        random,
      });
      treasurers.push(signer);
      return signer.pay(seen, again, option);
    },
    settled(nonce) {
      for (const signer of treasurers) signer.settled(nonce);
    },
    list: () => treasurers.flatMap((signer) => signer.list()),
    signatures: () => treasurers.flatMap((signer) => signer.signatures()),
  };
}

/** The entry of a payment in the report; none for an expired one. */
function reported({
  state,
  network,
  asset,
  payTo,
  amount,
  nonce,
  validBefore,
  signature,
}: Funded): readonly PaymentReport[] {
  if (state === 'expired') return [];
  const stateShown = state === 'settled' ? 'receipted' : state;
  const expires = new Date(validBefore * 1000).toISOString();
  return [
    { state: stateShown, network, asset, payTo, amount, nonce, expires, ...(signature === '' ? {} : { signature }) },
  ];
}
