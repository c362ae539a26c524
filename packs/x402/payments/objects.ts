import type { JsonObject } from '../../../src/model/index.js';

// The types of payments for the rest of the kit, in both versions of the protocol. x402 core v1 §5, v2 §5.

export type X402Version = 1 | 2;

/** One way to pay: a member of `accepts`. Texts are as offered, and empty when the member is missing or no text. */
export interface Option {
  readonly scheme: string;
  /** `eip155:84532` in version 2, `base-sepolia` in version 1. */
  readonly network: string;
  /** For an EVM network that the kit knows or whose name has the id. */
  readonly chainId?: bigint;
  /** Atomic units: `amount` of version 2, `maxAmountRequired` of version 1. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  /** Seconds; absent unless a number above 0. */
  readonly maxTimeoutSeconds?: number;
  readonly extra: JsonObject;
  readonly raw: unknown;
  /** Whether the kit can build a payment for it: scheme exact, EIP-3009, well-formed. */
  readonly usable: boolean;
  readonly unusableBecause?: string;
}

/** PaymentRequired of version 2, PaymentRequirementsResponse of version 1. */
export interface Offer {
  readonly x402Version: X402Version;
  readonly options: readonly Option[];
  /** Version 2 only; version 1 has a resource in each option. */
  readonly resource?: JsonObject;
  readonly extensions?: JsonObject;
  readonly error?: string;
  readonly raw: JsonObject;
}

/** The six signed fields. EIP-3009. Numbers are decimal texts, times Unix seconds, the nonce 32 bytes in hex. */
export type Authorization = {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: string;
};

/** r ‖ s ‖ v in hex and what it signs. Scheme exact on EVM. */
export type ExactPayload = { readonly signature: string; readonly authorization: Authorization };

export type PaymentV1 = {
  readonly x402Version: 1;
  readonly scheme: string;
  readonly network: string;
  readonly payload: ExactPayload;
};
export type PaymentV2 = {
  readonly x402Version: 2;
  readonly resource?: JsonObject;
  /** The chosen option, whole. */
  readonly accepted: JsonObject;
  readonly payload: ExactPayload;
  readonly extensions?: JsonObject;
};
export type PaymentPayload = PaymentV1 | PaymentV2;

/** SettlementResponse. A member is absent when it is missing or of the wrong type; `raw` has what was sent. */
export interface Receipt {
  readonly success?: boolean;
  readonly transaction?: string;
  readonly network?: string;
  readonly payer?: string;
  readonly errorReason?: string;
  readonly amount?: string;
  readonly raw: unknown;
}

/** Thrown for wrong arguments from the kit or the user, never for something that the agent sent. */
export class X402Error extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'X402Error';
  }
}
