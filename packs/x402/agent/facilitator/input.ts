import {
  flag,
  object,
  oneOf,
  optional,
  StubInputError,
  text,
  textThat,
  whole,
} from '../../../../src/reference/patching.js';
import {
  chainIdOf,
  type FacilitatorOrder,
  type FacilitatorToken,
  isAddress,
  isUint256,
  type Token,
} from '../../payments/index.js';
import { behaviours } from './behaving.js';
import type { Ledger } from './ledger.js';

// Readers of the settings that a client may change in the stub. All of them throw `StubInputError`.

const year = 366 * 24 * 60 * 60 * 1000;

export const readAddress = textThat(100, isAddress, 'must be an address: 0x and 40 hexadecimal digits');
export const readAmount = textThat(100, isUint256, 'must be a decimal text below 2^256');
export const readToken = object<FacilitatorToken>({ network: text(100), asset: readAddress });
export const readOffset = whole(-100 * year, 100 * year);
export const readOrder = object<FacilitatorOrder>({
  behaviour: oneOf(behaviours),
  on: optional(oneOf(['verify', 'settle'])),
  sticky: optional(flag),
  delayMs: optional(whole(0, 600_000)),
});

/** The token of the stub. */
export function tokenIn(ledger: Ledger, { network, asset }: FacilitatorToken): Token {
  const found = ledger.token(chainIdOf(network), asset);
  if (found === undefined) throw new StubInputError(`unknown token ${asset} on ${network}`);
  return found;
}
