import type { Header } from '../wire/index.js';
import type { FacilitatorControl, ThrowawayWallet, Treasurer } from '../x402/index.js';
import type { Inspector } from './inspection.js';

/** What checks of payments need beyond a scene: who pays, with whose money, and when. */
export interface X402Scene {
  /** Text of the message that the agent charges for. */
  readonly trigger: string;
  /** Nobody funds it. Where the agent settles through the kit's facilitator, `x402.payer` gives it play money. */
  readonly wallet: ThrowawayWallet;
  /** Pays what the user allows, or with play money; undefined: nobody has any. */
  readonly treasurer: Treasurer | undefined;
  /** The facilitator of the agent, where it is one of the kit's; else `labOff` says what would be needed. */
  readonly lab: FacilitatorControl | undefined;
  readonly labOff: string;
  /** How long to wait until a payment is decided, ms. */
  readonly patienceMs: number;
  /** Headers that activate the extension by the URIs of the card, under both names. Every call has them anyway. */
  readonly activation: readonly Header[];
  /** Validates what stands in metadata, offers and receipts: `schemas/x402`. */
  readonly inspector: Inspector;
  /** Unix seconds by the agent's clock, told by its Date header. */
  seconds(): number;
  /** 32 fresh bytes in hex. */
  nonce(): string;
  /** A wallet that nobody knows and that has nothing, not even play money. */
  stranger(): ThrowawayWallet;
}
