import type { ValuesOf } from '../../../src/options/shared/option.js';
import { createPurse, leftIn } from '../payments/purse.js';
import type { X402Target } from '../run/index.js';
import type { x402Options } from './rows.js';

/** What all payments of several runs may cost together, in atomic units. */
export interface SharedTotal {
  readonly total: bigint;
  spent(): bigint;
  /** The options of one of the runs, which then takes from the total. */
  shared<T extends { readonly x402?: X402Target }>(target: T): T;
}

/**
 * One purse for all targets with a wallet: of `x402-max-total` of the defaults, or of the largest total of a target;
 * undefined: none has a wallet. Throws `TckError('usage')` for a total that is not an amount.
 */
export function sharedTotal(
  targets: readonly X402Target[],
  { x402MaxTotal: given }: Pick<ValuesOf<typeof x402Options>, 'x402MaxTotal'>,
): SharedTotal | undefined {
  const totals = targets
    .filter(({ key }) => key !== undefined)
    .map(({ maxAmount = '0', maxTotal = maxAmount }) => maxTotal);
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
