import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import type { JsonObject } from '../../../src/model/index.js';
import { requiring, takingSignatures } from '../agent/index.js';
import type { PaymentPayload } from '../payments/index.js';

const paidBy = ({ payload }: PaymentPayload): bigint => BigInt(payload.authorization.value);

/** The price, with the member names of both payment versions. */
const price = (value: bigint): JsonObject => ({ amount: String(value), maxAmountRequired: String(value) });

const cents = (value: bigint): bigint => (value + 5000n) / 10_000n;

export const faults: readonly Fault[] = [
  fault('x402-amount-less-is-enough', {
    about: 'The agent reads the price as the most that a payment may be.',
    breaks: ['x402.amount-low', 'x402.amount-zero'],
    patch: requiring((payment, { amount }) => (paidBy(payment) < BigInt(amount) ? price(paidBy(payment)) : {})),
  }),
  fault('x402-amount-more-is-enough', {
    about: 'The agent accepts a payment of more than the price.',
    breaks: ['x402.amount-high'],
    patch: requiring((payment, { amount }) => (paidBy(payment) > BigInt(amount) ? price(paidBy(payment)) : {})),
  }),
  fault('x402-amount-unchecked', {
    about: 'The agent does not compare the value of a payment with the price.',
    breaks: ['x402.amount-low', 'x402.amount-high', 'x402.amount-zero'],
    patch: requiring((payment) => price(paidBy(payment))),
  }),
  fault('x402-amount-rounded', {
    about: 'The agent compares value and price in whole cents.',
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
    about: 'The agent verifies the signature with the price of the offer, whatever value the authorization has.',
    breaks: ['x402.amount-edited'],
    patch: takingSignatures(({ authorization }, { amount }) => [
      { authorization: { ...authorization, value: amount } },
    ]),
  }),
];
