import { createPurse, leftIn } from '../payments/purse.js';
import type { X402Target } from './target.js';

/** What all payments of several runs may cost together, in atomic units. */
export interface SharedTotal {
  readonly total: bigint;
  spent(): bigint;
  /** The options of one of the runs, which then takes from the total. */
  shared<T extends { readonly x402?: X402Target }>(target: T): T;
}

/**
 * One purse for targets that have a wallet: of `x402-max-total` of the defaults, or of the largest total of a target;
 * undefined: without a target. Throws `TckError('usage')` for a total that is not an amount.
 */
export function sharedTotal(
  targets: readonly X402Target[],
  { x402MaxTotal: given }: { readonly x402MaxTotal?: string | number },
): SharedTotal | undefined {
  const totals = targets.map(({ maxAmount = '0', maxTotal = maxAmount }) => maxTotal);
  const [first] = totals;
  if (first === undefined) return undefined;
  const largest = () => totals.map(BigInt).reduce((most, item) => (item > most ? item : most));
  const total = given ?? (totals.length === 1 ? first : largest());
  const purse = createPurse(typeof total === 'number' ? String(total) : total);
  return {
    total: BigInt(total),
    spent: () => BigInt(total) - leftIn(purse),
    shared: (target) => (target.x402?.key === undefined ? target : { ...target, x402: { ...target.x402, purse } }),
  };
}
