import { member } from '../../model/index.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { authorizationIn, takingUnread } from '../x402/lenient-verification.js';

/** Accepts payments whose value is spelled like this, and settles nothing for them. */
const taking = (spelled: RegExp): Patch =>
  takingUnread((payload) => spelled.test(String(member(authorizationIn(payload), 'value'))));

/** Values that are no plain decimal text, and are accepted. */
export const x402ValueFaults: readonly Fault[] = [
  fault('x402-value-number-taken', {
    about: 'A value that is a number is taken unseen.',
    breaks: ['x402.value-forms'],
    patch: takingUnread((payload) => typeof member(authorizationIn(payload), 'value') === 'number'),
  }),
  fault('x402-value-hex-taken', {
    about: 'A value in hex is taken unseen.',
    breaks: ['x402.value-forms'],
    patch: taking(/^0x/),
  }),
  fault('x402-value-fraction-taken', {
    about: 'A value with a fraction is taken unseen.',
    breaks: ['x402.value-forms'],
    patch: taking(/^\d+\./),
  }),
  fault('x402-value-sign-ignored', {
    about: 'The sign of a value is left out.',
    breaks: ['x402.value-forms'],
    patch: taking(/^-/),
  }),
  fault('x402-value-spaces-taken', {
    about: 'A value with spaces is taken unseen.',
    breaks: ['x402.value-forms'],
    patch: taking(/^\s/),
  }),
  fault('x402-value-zeros-taken', {
    about: 'A value with zeros in front is taken unseen.',
    breaks: ['x402.value-forms'],
    patch: taking(/^0\d/),
  }),
  fault('x402-value-overflow-taken', {
    about: 'A value that is too large for a token is enough.',
    breaks: ['x402.value-forms'],
    patch: taking(/^\d{78,}$/),
  }),
];
