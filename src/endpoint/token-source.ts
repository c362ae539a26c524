import { CarrierFailure, type Clock, longestSecret } from '../wire/index.js';

/** What a token endpoint gave. */
export interface Grant {
  readonly token: string;
  /** Seconds from now; undefined: the endpoint does not say. */
  readonly lifetime?: number;
}

/** The access token of a caller, renewed before it expires. */
export interface TokenSource {
  /** Rejects with a `CarrierFailure` (`aborted`) where the old token has expired and no new one came. */
  token(): Promise<string>;
}

/** A token is renewed this long before it expires, ms, or when three quarters of its time are over. */
const margin = 30_000;
/** Shortest time between two requests to the endpoint, ms, whatever it says. */
const leastPause = 1000;
/** After a renewal that failed while the old token still holds, ms. */
const pauseAfterFailure = 5000;

/** Throws an error for a token that cannot stand in a header. */
export function checkedToken(text: string): string {
  if (text.length > longestSecret) {
    throw new Error(`its token has ${text.length} characters, and the kit takes at most ${longestSecret}`);
  }
  // RFC 6749 §A.12.
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error('its token has characters that no token has');
  return text;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Begins with a token that was asked for at `at`, and renews it on the clock of the run. Requests that ask at the same
 * time share one renewal.
 */
export function createTokenSource(first: Grant, at: number, clock: Clock, renew: () => Promise<Grant>): TokenSource {
  let current = first.token;
  let expires = Number.POSITIVE_INFINITY;
  let due = Number.POSITIVE_INFINITY;
  let renewing: Promise<void> | undefined;
  let why = '';
  function take({ token, lifetime }: Grant, asked: number): void {
    current = token;
    const ms = lifetime === undefined ? Number.POSITIVE_INFINITY : Math.max(lifetime * 1000, 0);
    expires = asked + ms;
    due = Math.max(expires - Math.min(margin, ms / 4), clock.now() + leastPause);
  }
  async function renewed(): Promise<void> {
    const asked = clock.now();
    try {
      take(await renew(), asked);
      why = '';
    } catch (error) {
      why = messageOf(error);
      due = clock.now() + pauseAfterFailure;
    }
  }
  take(first, at);
  return {
    async token() {
      if (clock.now() >= due) {
        renewing ??= renewed().finally(() => {
          renewing = undefined;
        });
      }
      // While the old token holds, no request waits for the new one.
      if (clock.now() < expires) return current;
      await renewing;
      // A new token is used, whatever is said about its time.
      if (why === '') return current;
      throw new CarrierFailure('aborted', `the access token has expired, and no new token came: ${why}`);
    },
  };
}
