import type { JsonObject } from '../../../src/model/index.js';

// How a stub of a facilitator is controlled, in the same process or over HTTP. x402 core v2 §7: what a merchant asks.

/** A token contract; the network in the spelling of either version. */
export interface FacilitatorToken {
  readonly network: string;
  readonly asset: string;
}

/** The ways in which the stub fails, by name; the names travel over HTTP. */
export type FacilitatorBehaviour =
  /** The connection is lost. */
  | 'down'
  /** The answer comes late. A request that is aborted before then settles nothing. */
  | 'delay'
  /** HTTP 500 with plain text. */
  | 'http-500'
  /** HTTP 200 with an HTML page. */
  | 'html'
  /** HTTP 200 with the first half of the JSON text of a positive answer. */
  | 'invalid-json'
  /** Every payment is verified as valid, and no payment can be settled. */
  | 'valid-then-fail'
  /** Payments are verified correctly, but the transaction fails. */
  | 'settle-fails'
  /** `success: true` with an empty transaction; nothing is settled. */
  | 'success-without-transaction'
  /** The first settle call of a payment answers `settlement_pending`, the same call again settles it. */
  | 'settlement-pending-once';

export interface FacilitatorOrder {
  readonly behaviour: FacilitatorBehaviour;
  /** Only these calls; by default all that the behaviour can change. */
  readonly on?: 'verify' | 'settle';
  /** Lasts until it is changed. Default: only once; `valid-then-fail` ends after a settle call has failed. */
  readonly sticky?: boolean;
  /** For `delay`, milliseconds. Default 8000: longer than callers wait. */
  readonly delayMs?: number;
}

/** One request that the stub was sent. */
export interface FacilitatorCall {
  /** 1, 2, 3 … since the last reset. Old calls are forgotten, so count by it and not by the length of a list. */
  readonly number: number;
  /** Milliseconds since the epoch, of the stub's clock. */
  readonly at: number;
  readonly method: string;
  /** `/verify`, `/settle`, `/supported`, or another one, cut. */
  readonly path: string;
  /** The JSON of the request; absent when the body is large, or not JSON. */
  readonly request?: unknown;
  /** HTTP status of the answer; absent until there is one. */
  readonly status?: number;
  /** The answer, when it was an object of JSON. */
  readonly answer?: JsonObject;
}

/** A payment that was made. Addresses checksummed, the nonce in lower case, the network as CAIP-2. */
export interface FacilitatorSettlement extends FacilitatorToken {
  /** 1, 2, 3 … since the last reset. */
  readonly number: number;
  /** Milliseconds since the epoch, of the stub's clock. */
  readonly at: number;
  readonly from: string;
  readonly to: string;
  /** Atomic units. */
  readonly value: string;
  readonly nonce: string;
  readonly transaction: string;
}

/** Controls the stub. Everything that could not be on a chain is rejected. */
export interface FacilitatorControl {
  /** Adds to a balance. `amount`: atomic units as decimal text. */
  fund(address: string, token: FacilitatorToken, amount: string): Promise<void>;
  /** Atomic units as decimal text. */
  balance(address: string, token: FacilitatorToken): Promise<string>;
  /** Makes the next calls fail; undefined ends that. A new order replaces the old one. */
  setBehaviour(order: FacilitatorOrder | undefined): Promise<void>;
  /** The newest settlements, oldest first. */
  settlements(): Promise<readonly FacilitatorSettlement[]>;
  /** The newest requests, oldest first. */
  calls(): Promise<readonly FacilitatorCall[]>;
  /** Milliseconds since the epoch, of the stub's clock. */
  now(): Promise<number>;
  /** Sets the stub's clock so many milliseconds ahead of the real one, or behind it. */
  setClockOffset(ms: number): Promise<void>;
  /** Restores the initial state: no money, no payments, no calls, no failures, the real time. */
  reset(): Promise<void>;
}
