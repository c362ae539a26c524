import type { JsonObject } from '../../../src/model/index.js';
import { bothVersions, changed, edited, type Flaw, without } from './defect.js';
import { type Paying, payment } from './payments.js';

// Malformed payments: members missing, of another type, or sloppily spelled. x402 core v1 §5.2, v2 §5.2.

const broken = (name: string, about: string, make: Flaw['make'], versions: Flaw['versions'] = bothVersions): Flaw => ({
  name,
  about,
  codes: 'any',
  versions,
  make,
});

const topWithout = (name: string) => (paying: Paying) => without(payment(paying), name);
const topWith = (members: JsonObject) => (paying: Paying) => ({ ...payment(paying), ...members });
const innerWithout = (name: string) => (paying: Paying) => changed(paying, (payload) => without(payload, name));
const fieldWithout = (name: string) => (paying: Paying) =>
  changed(paying, ({ signature, authorization }) => ({ signature, authorization: without(authorization, name) }));
const value = (spell: (amount: string) => unknown) => (paying: Paying) =>
  edited(paying, { value: spell(paying.option.amount) });

export const malformedPayments = {
  m01: broken('no-payload', 'payload missing', topWithout('payload')),
  m02: broken('payload-null', 'payload is null', topWith({ payload: null })),
  m03: broken('payload-array', 'payload is an array', topWith({ payload: [] })),
  m04: broken('no-authorization', 'authorization missing', innerWithout('authorization')),
  m05: broken('no-signature', 'signature missing', innerWithout('signature')),
  m06: broken('no-from', 'authorization.from missing', fieldWithout('from')),
  m07: broken('no-to', 'authorization.to missing', fieldWithout('to')),
  m08: broken('no-value', 'authorization.value missing', fieldWithout('value')),
  m09: broken('no-validAfter', 'authorization.validAfter missing', fieldWithout('validAfter')),
  m10: broken('no-validBefore', 'authorization.validBefore missing', fieldWithout('validBefore')),
  m11: broken('no-nonce', 'authorization.nonce missing', fieldWithout('nonce')),
  m12: broken(
    'value-number',
    'value as a JSON number',
    value((amount) => Number(amount)),
  ),
  m13: broken(
    'value-hex',
    'value in hex',
    value((amount) => `0x${BigInt(amount).toString(16)}`),
  ),
  m14: broken(
    'value-decimal',
    'value with a fraction',
    value((amount) => `${amount}.0`),
  ),
  m15: broken(
    'value-negative',
    'negative value',
    value((amount) => `-${amount}`),
  ),
  m16: broken(
    'value-spaces',
    'value with spaces',
    value((amount) => ` ${amount} `),
  ),
  m17: broken(
    'value-leading-zero',
    'value with a leading zero',
    value((amount) => `0${amount}`),
  ),
  m18: broken(
    'value-overflow',
    'value 2^256',
    value(() => String(2n ** 256n)),
  ),
  m19: broken('nonce-31', 'nonce of 31 bytes', (paying) => edited(paying, { nonce: `0x${'11'.repeat(31)}` })),
  m20: broken('nonce-number', 'nonce as a JSON number', (paying) => edited(paying, { nonce: 1 })),
  m21: broken('from-short', 'payer address of 19 bytes', (paying) => edited(paying, { from: `0x${'11'.repeat(19)}` })),
  m22: broken('no-accepted', 'accepted missing', topWithout('accepted'), [2]),
  m23: broken('no-version', 'x402Version missing', topWithout('x402Version')),
  m24: broken('version-3', 'x402Version 3', topWith({ x402Version: 3 })),
  m25: broken('version-text', 'x402Version as text', (paying) => ({
    ...payment(paying),
    x402Version: String(paying.offer.x402Version),
  })),
  m26: broken('other-version', 'x402Version of the other version, on an object of this version', (paying) => ({
    ...payment(paying),
    x402Version: paying.offer.x402Version === 1 ? 2 : 1,
  })),
  m27: broken('extra-nonce', 'nonce twice, once as an extra member in other case', (paying) =>
    edited(paying, { Nonce: `0x${'d9'.repeat(32)}` }),
  ),
} as const satisfies Readonly<Record<string, Flaw>>;
