import { type Inspector, scenePart } from '../../../src/kit/index.js';
import type { Header } from '../../../src/wire/index.js';
import type { FacilitatorControl, FundedSigner, Offer, ThrowawayWallet } from '../payments/index.js';

/** Additions to a scene for checks of payments: wallets, the facilitator, the agent's time. */
export interface X402Scene {
  /** Text of the message that the agent charges for. */
  readonly trigger: string;
  /** A wallet without funds. If the agent settles through the kit's facilitator, `x402.payer` gives it play money. */
  readonly wallet: ThrowawayWallet;
  /** Pays what the user allows, or with play money; undefined: there is neither. */
  readonly treasurer: FundedSigner | undefined;
  /** The agent's facilitator, if it is one of the kit's; else `stubOff` says what is needed. */
  readonly stub: FacilitatorControl | undefined;
  readonly stubOff: string;
  /** How long to wait until a payment is decided, ms. */
  readonly patienceMs: number;
  /** Headers that activate the extension by the URIs of the card, under both names. Every call has them anyway. */
  readonly activation: readonly Header[];
  /** Validates metadata, offers and receipts: `schemas/x402`. */
  readonly inspector: Inspector;
  /** Called with each offer, so that the report can name what in it the kit does not know. */
  notice(offer: Offer): void;
  /** Unix seconds by the agent's clock, read from its Date header. */
  seconds(): number;
  /** 32 fresh bytes in hex. */
  nonce(): string;
  /** A new wallet without any funds, not even play money. */
  stranger(): ThrowawayWallet;
}

/** Payments, in scenes of runs that judge them. */
export const x402Part = scenePart<X402Scene>('x402');
