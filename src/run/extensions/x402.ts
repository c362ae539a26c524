import type { X402Scene } from '../../kit/index.js';
import { createInspector } from '../../ledger/schemas.js';
import { TckError } from '../../model/index.js';
import type { PaymentReport } from '../../report/index.js';
import { type Clock, excerpt, type Header, type LateSecret } from '../../wire/index.js';
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
} from '../../x402/index.js';
import type { Detected } from '../detection/detect.js';
import { skewOf } from './agent-clock.js';

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

export interface PreparedX402 {
  readonly scene: X402Scene;
  /** The headers of every call, in place of the user's. */
  readonly credentials: readonly Header[];
  /** Whole signatures of payments with funds so far. Secret: a reader could cash one before it expires. */
  signatures(): readonly string[];
  /** Signed payments that have not expired, and those that would have been signed; undefined without funds. */
  payments(): readonly PaymentReport[] | undefined;
  /** What the user should know of the offers, one line each. */
  remarks(): readonly string[];
}

/** The halves r and s of each signature, since they may be shown separately, and the text that reports show instead. */
export const lateSecrets = (prepared: PreparedX402 | undefined): readonly LateSecret[] =>
  (prepared?.signatures() ?? []).flatMap((signature) => [
    // The replacement may stand in a body and must be ASCII.
    { secret: signature.slice(2, 66), shown: shownSignature(signature).slice(2).replace('…', '...') },
    { secret: signature.slice(66, 130), shown: '...' },
  ]);

export interface PreparingX402 {
  readonly x402: X402Options;
  readonly clock: Clock;
  readonly credentials: readonly Header[];
  /** Called with all payments whenever one was signed or settled, before it is sent. */
  hear(list: readonly PaymentReport[]): void;
}

const noStub = "give --x402-stub, after a2a-tck stub --x402: the agent must settle through the kit's facilitator";

/** Validates metadata, offers and receipts. It has no state, and its files are read at the first use. */
const inspector = createInspector('x402');

/**
 * Prepares the checks of payments. Throws `TckError` for a dialect that the extension is not made for, and for a stub
 * that does not answer.
 */
export async function prepareX402(preparing: PreparingX402, { dialect, target }: Detected): Promise<PreparedX402> {
  if (!dialect.pays) {
    throw new TckError('usage', `--x402 is for A2A 0.3 and 1.0, and the agent speaks ${dialect.title}`, 'leave it out');
  }
  const { x402, clock, credentials, hear } = preparing;
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
  return {
    remarks: () =>
      [...strange].map(
        (name) => `the offer has extra.${name}, which the kit does not know: it may be a term of payment`,
      ),
    credentials: activating(credentials, uris),
    signatures: () => (stub === undefined ? (given?.signatures() ?? []) : []),
    payments: () => (stub === undefined ? given?.list().flatMap(reported) : undefined),
    scene: {
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
    },
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
function reporting(treasurer: FundedSigner, hear: PreparingX402['hear']): FundedSigner {
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
