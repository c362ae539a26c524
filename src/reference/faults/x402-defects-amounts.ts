import type { JsonObject } from '../../model/index.js';
import type { PaymentPayload } from '../../x402/index.js';
import { type Fault, fault } from '../fault.js';
import { requiring, takingSignatures } from '../x402/lenient-verification.js';

const paidBy = ({ payload }: PaymentPayload): bigint => BigInt(payload.authorization.value);
/** The price, with the member names of both payment versions. */
const price = (value: bigint): JsonObject => ({ amount: String(value), maxAmountRequired: String(value) });
const cents = (value: bigint): bigint => (value + 5000n) / 10_000n;

/** Payments of too little or too much that are accepted. */
export const x402AmountFaults: readonly Fault[] = [
  fault('x402-amount-less-is-enough', {
    about: 'The price is read as the most that a payment may be.',
    breaks: ['x402.amount-low', 'x402.amount-zero'],
    patch: requiring((payment, { amount }) => (paidBy(payment) < BigInt(amount) ? price(paidBy(payment)) : {})),
  }),
  fault('x402-amount-more-is-enough', {
    about: 'A payment of more than the price is taken.',
    breaks: ['x402.amount-high'],
    patch: requiring((payment, { amount }) => (paidBy(payment) > BigInt(amount) ? price(paidBy(payment)) : {})),
  }),
  fault('x402-amount-unchecked', {
    about: 'The value of a payment is not compared with the price.',
    breaks: ['x402.amount-low', 'x402.amount-high', 'x402.amount-zero'],
    patch: requiring((payment) => price(paidBy(payment))),
  }),
  fault('x402-amount-rounded', {
    about: 'Value and price are compared in whole cents.',
    breaks: ['x402.amount-low', 'x402.amount-high'],
    patch: requiring((payment, { amount }) =>
      cents(paidBy(payment)) === cents(BigInt(amount)) ? price(paidBy(payment)) : {},
    ),
  }),
  fault('x402-amount-zero-is-none', {
    about: 'A value of 0 counts as one that is not stated, and is not compared.',
    breaks: ['x402.amount-zero'],
    patch: requiring((payment) => (paidBy(payment) === 0n ? price(0n) : {})),
  }),
  fault('x402-amount-of-offer-recovered', {
    about: 'The signature is verified with the price of the offer, whatever value the authorization has.',
    breaks: ['x402.amount-edited'],
    patch: takingSignatures(({ authorization }, { amount }) => [
      { authorization: { ...authorization, value: amount } },
    ]),
  }),
];
