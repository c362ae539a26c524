import { check } from '../../src/kit/index.js';
import * as x402 from './shared/index.js';
import { allRefused, flaw, onlyIn, trying } from './trying.js';

// Amounts. x402 core v2 §6.1.2; scheme exact on EVM.

const whole = 'Compare the value of the authorization with the price of the offer that the task has: it must be equal.';

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): An authorization of less than the price is refused.
export const amountLow = check('x402/amount-low', 'x402.amount-low')
  .given('control', x402.control)
  .when('a payment is one unit short', trying(flaw('n01')))
  .expects('refuse the payment', allRefused)
  .advice(whole);

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): In version 2 an authorization of more than the price is
//   refused.
export const amountHigh = check('x402/amount-high', 'x402.amount-high')
  .given('control', x402.control)
  .when('a payment is one unit above the price', trying(onlyIn(2, flaw('n02'))))
  .expects('refuse the payment', allRefused)
  .advice(whole);

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): An authorization of nothing is refused.
export const amountZero = check('x402/amount-zero', 'x402.amount-zero')
  .given('control', x402.control)
  .when('a payment is of nothing', trying(flaw('n03')))
  .expects('refuse the payment', allRefused)
  .advice(whole);

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): A value that was edited after signing is refused.
export const amountEdited = check('x402/amount-edited', 'x402.amount-edited')
  .given('control', x402.control)
  .when('the value of a payment was edited after signing', trying(flaw('n04')))
  .expects('refuse the payment', allRefused)
  .advice('Recover the signer from what the authorization says, not from what the offer says.');
