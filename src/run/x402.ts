import type { Dialect } from '../dialect/index.js';
import type { X402Scene } from '../kit/index.js';
import { createInspector } from '../ledger/schemas.js';
import { TckError } from '../model/index.js';
import type { PaymentReport } from '../report/index.js';
import type { Clock, Header, LateSecret } from '../wire/index.js';
import {
  createTreasurer,
  extensionHeaders,
  extensionUris,
  type FacilitatorControl,
  type Funded,
  headerEntries,
  isX402Extension,
  type NamedAsset,
  shownSignature,
  type ThrowawayWallet,
  type Treasurer,
  throwawayWallet,
  type Wallet,
} from '../x402/index.js';
import type { Detected } from './detect.js';
import { skewOf } from './xpr-clock.js';

/** Money that the user gives, and how far it may go. */
export interface Funds {
  readonly wallet: Wallet;
  /** Atomic units a payment, and of all together; one payment by default. */
  readonly maxAmount: bigint;
  readonly maxTotal?: bigint;
  /** Chain ids; test networks by default. */
  readonly allowedNetworks?: ReadonlySet<bigint>;
  readonly assets?: readonly NamedAsset[];
  /** Nothing is signed. */
  readonly dryRun: boolean;
}

/** What is needed to judge an agent that charges. */
export interface X402Options {
  /** Text that the agent charges for. */
  readonly message: string;
  /** How long a payment may take until it is decided, ms. */
  readonly timeoutMs: number;
  /** Left out: nothing that is signed can move money. */
  readonly funds?: Funds;
  /** Control of the facilitator that the agent asks, where it is one of the kit's. Play money pays then. */
  readonly lab?: FacilitatorControl;
  /** So many random bytes: of keys and nonces, so that they must be unguessable outside of proofs. */
  readonly random: (length: number) => Uint8Array;
}

export interface PreparedX402 {
  readonly scene: X402Scene;
  /** What every call is sent with, in place of what the user gave. */
  readonly credentials: readonly Header[];
  /** Whole signatures of payments with funds, so far: whoever reads one in time can cash it. */
  signatures(): readonly string[];
  /** What was signed and can still be cashed, and what would have been signed; undefined without funds. */
  payments(): readonly PaymentReport[] | undefined;
}

/** Signatures by their halves r and s, since somebody may tell those apart, and what reports show in their place. */
export const lateSecrets = (prepared: PreparedX402 | undefined): readonly LateSecret[] =>
  (prepared?.signatures() ?? []).flatMap((signature) => [
    // What stands in bodies must be ASCII.
    { secret: signature.slice(2, 66), shown: shownSignature(signature).slice(2).replace('…', '...') },
    { secret: signature.slice(66, 130), shown: '...' },
  ]);

export interface PreparingX402 {
  readonly x402: X402Options;
  readonly clock: Clock;
  readonly credentials: readonly Header[];
  /** Hears of all payments whenever one was signed or settled, before it is sent. */
  hear(list: readonly PaymentReport[]): void;
}

const dialects: readonly Dialect['id'][] = ['a2a-0.3', 'a2a-1.0'];
const noLab =
  "the agent must settle through the kit's facilitator; a2a-tck lab --x402 starts one, then give --x402-lab";

/** Of what stands in metadata, offers and receipts. It has no state, and its files are read at the first use. */
const inspector = createInspector('x402');

/**
 * What the checks of payments need. Throws `TckError` for an agent that speaks what the extension is not made for, and
 * for a lab that does not answer.
 */
export async function prepareX402(preparing: PreparingX402, { dialect, target }: Detected): Promise<PreparedX402> {
  if (!dialects.includes(dialect.id)) {
    throw new TckError('usage', `--x402 is for A2A 0.3 and 1.0, and the agent speaks ${dialect.title}`, 'leave it out');
  }
  const { x402, clock, credentials, hear } = preparing;
  const { random, lab, funds } = x402;
  await lab?.now();
  const skew = skewOf(target.cardExchange);
  const seconds = (): number => Math.floor((clock.now() + skew) / 1000);
  const declared = target.card.capabilities.extensions.map(({ uri }) => uri).filter(isX402Extension);
  const uris = declared.length > 0 ? [...new Set(declared)] : [extensionUris.v01];
  // By the kit's own clock: an agent whose clock is ahead, or says so, must not get a cheque that lives for long.
  const own = (): number => Math.floor(clock.now() / 1000);
  const given =
    lab === undefined ? funds && heard(userTreasurer(funds, own, random), hear) : playTreasurer(seconds, random);
  return {
    credentials: activating(credentials, uris),
    signatures: () => (lab === undefined ? (given?.signatures() ?? []) : []),
    payments: () => (lab === undefined ? given?.list().flatMap(reported) : undefined),
    scene: {
      trigger: x402.message,
      wallet: throwawayWallet(random),
      treasurer: given,
      lab,
      labOff: lab === undefined ? noLab : '',
      patienceMs: x402.timeoutMs,
      activation: extensionHeaders.map((name) => [name, uris.join(', ')] as const),
      inspector,
      seconds,
      nonce: () => `0x${Buffer.from(random(32)).toString('hex')}`,
      stranger: () => throwawayWallet(random),
    },
  };
}

/** A treasurer that tells of its list each time that it has changed. */
function heard(treasurer: Treasurer, hear: PreparingX402['hear']): Treasurer {
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
  extensionHeaders.some((one) => one.toLowerCase() === name.toLowerCase());

/** The same headers, with the extension activated beside what the user activates, under both names. */
function activating(headers: readonly Header[], uris: readonly string[]): readonly Header[] {
  const asked = headers.filter(isActivation).flatMap(([, value]) => headerEntries(value));
  const all = [...new Set([...asked, ...uris])].join(', ');
  return [...headers.filter((one) => !isActivation(one)), ...extensionHeaders.map((name) => [name, all] as const)];
}

const userTreasurer = (funds: Funds, now: () => number, random: X402Options['random']): Treasurer =>
  createTreasurer({ ...funds, now, random });

const boundless = 2n ** 256n - 1n;

/**
 * Pays with play money, whatever is offered: its wallet was made up just now, so that what it signs is worth nothing but
 * at the kit's facilitator. For each payment there is a treasurer who may pay just that.
 */
function playTreasurer(now: () => number, random: X402Options['random']): Treasurer {
  const wallet: ThrowawayWallet = throwawayWallet(random);
  const treasurers: Treasurer[] = [];
  return {
    payer: wallet.address,
    pay(seen, again, option) {
      const { chainId, asset } = option;
      const one = createTreasurer({
        wallet,
        maxAmount: boundless,
        allowedNetworks: new Set(chainId === undefined ? [] : [chainId]),
        assets: chainId === undefined ? [] : [{ chainId, asset }],
        now,
        random,
      });
      treasurers.push(one);
      return one.pay(seen, again, option);
    },
    settled(nonce) {
      for (const one of treasurers) one.settled(nonce);
    },
    list: () => treasurers.flatMap((one) => one.list()),
    signatures: () => treasurers.flatMap((one) => one.signatures()),
  };
}

/** What the user must know of when the run is over. */
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
  const told = state === 'settled' ? 'receipted' : state;
  const expires = new Date(validBefore * 1000).toISOString();
  return [{ state: told, network, asset, payTo, amount, nonce, expires, ...(signature === '' ? {} : { signature }) }];
}
