import type { JsonObject } from '../model/index.js';

// What a stub of a facilitator can be told, in the same process or over HTTP. x402 core v2 §7: what a merchant asks.

/** A token contract; the network in the spelling of either version. */
export interface FacilitatorToken {
  readonly network: string;
  readonly asset: string;
}

/** The ways in which the stub fails, by name; the names travel over HTTP. */
export type FacilitatorBehaviour =
  /** The connection is lost. */
  | 'down'
  /** The answer comes late. Who has gone by then is not charged. */
  | 'delay'
  /** HTTP 500 with plain text. */
  | 'http-500'
  /** HTTP 200 with a page. */
  | 'html'
  /** HTTP 200 with half of a JSON text that begins like a yes. */
  | 'invalid-json'
  /** Every payment is called valid, and none can be settled. */
  | 'valid-then-fail'
  /** Payments are verified rightly, and the transaction fails. */
  | 'settle-fails'
  /** `success: true` with an empty transaction; nothing is settled. */
  | 'success-without-transaction'
  /** The first settle call of a payment answers `settlement_pending`, the same call again settles it. */
  | 'settlement-pending-once';

export interface FacilitatorOrder {
  readonly behaviour: FacilitatorBehaviour;
  /** Only these calls; by default all that the behaviour can change. */
  readonly on?: 'verify' | 'settle';
  /** Until told otherwise. Default: once; `valid-then-fail` has happened when a settle call failed. */
  readonly sticky?: boolean;
  /** Of `delay`. Default 8000: later than callers wait. */
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
  /** The JSON that was sent; absent when it was none, or large. */
  readonly request?: unknown;
  /** Of the answer; absent until there is one. */
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

/** What the stub can be told. Everything is rejected that could not be on a chain. */
export interface FacilitatorControl {
  /** Adds to a balance. `amount`: atomic units as decimal text. */
  fund(address: string, token: FacilitatorToken, amount: string): Promise<void>;
  /** Atomic units as decimal text. */
  balance(address: string, token: FacilitatorToken): Promise<string>;
  /** How the next calls fail; undefined: they do not. A new order replaces the old one. */
  setBehaviour(order: FacilitatorOrder | undefined): Promise<void>;
  /** The newest settlements, oldest first. */
  settlements(): Promise<readonly FacilitatorSettlement[]>;
  /** The newest requests, oldest first. */
  calls(): Promise<readonly FacilitatorCall[]>;
  /** Milliseconds since the epoch, of the stub's clock. */
  now(): Promise<number>;
  /** Sets the stub's clock so many milliseconds ahead of the real one, or behind it. */
  setClockOffset(ms: number): Promise<void>;
  /** The state of the beginning: no money, no payments, no calls, no failures, the real time. */
  reset(): Promise<void>;
}
