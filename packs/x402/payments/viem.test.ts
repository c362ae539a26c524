import fc from 'fast-check';
import { checksumAddress, hashDomain, hashTypedData, isAddress as isChecksummed, recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { byDay } from '../../../test/property-runs.js';
import { hex } from './addresses.js';
import {
  type Authorization,
  checksummed,
  type Domain,
  domainSeparator,
  hasRightChecksum,
  isAddress,
  recoverAuthorization,
  sameAddress,
  signAuthorization,
  signingHash,
  throwawayWallet,
} from './index.js';

// The same hashes, signatures and addresses as viem, in both directions.

type Hex = `0x${string}`;
const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

const typedData = ({ name, version, chainId, verifyingContract }: Domain, authorization: Authorization) => ({
  domain: { name, version, chainId, verifyingContract: verifyingContract as Hex },
  types,
  primaryType: 'TransferWithAuthorization' as const,
  message: {
    from: authorization.from as Hex,
    to: authorization.to as Hex,
    value: BigInt(authorization.value),
    validAfter: BigInt(authorization.validAfter),
    validBefore: BigInt(authorization.validBefore),
    nonce: authorization.nonce as Hex,
  },
});

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
const address = bytes(20).map((data) => checksummed(hex(data)));
const uint = fc
  .oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 12n }))
  .map(String);
const secret = bytes(32).filter((data) => data.some((byte) => byte !== 0) && data[0] !== 0xff);
const domain: fc.Arbitrary<Domain> = fc.record({
  // viem leaves members without content out of the domain; offers with such ones are not usable.
  name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  version: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }),
  chainId: fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
  verifyingContract: address,
});
const payments = fc.record({
  secret,
  domain,
  to: address,
  value: uint,
  validAfter: uint,
  validBefore: uint,
  nonce: bytes(32).map(hex),
});

test('hashes and signatures', { timeout: 120_000 }, async () => {
  const run = async ({ secret, domain, ...fields }: typeof payments extends fc.Arbitrary<infer One> ? One : never) => {
    const wallet = throwawayWallet(() => secret);
    const account = privateKeyToAccount(hex(secret) as Hex);
    expect(wallet.address).toBe(account.address);
    const authorization = { from: wallet.address, ...fields };
    const data = typedData(domain, authorization);
    expect(domainSeparator(domain)).toBe(
      hashDomain({
        domain: data.domain,
        types: {
          EIP712Domain: [
            { name: 'name', type: 'string' },
            { name: 'version', type: 'string' },
            { name: 'chainId', type: 'uint256' },
            { name: 'verifyingContract', type: 'address' },
          ],
        },
      }),
    );
    expect(signingHash(domain, authorization)).toBe(hashTypedData(data));
    const ours = signAuthorization(wallet, domain, authorization);
    expect(ours).toBe(await account.signTypedData(data));
    expect(await recoverTypedDataAddress({ ...data, signature: ours as Hex })).toBe(wallet.address);
    expect(recoverAuthorization(domain, authorization, ours)).toBe(wallet.address);
  };
  await fc.assert(fc.asyncProperty(payments, run), byDay(60));
});

test('nothing but the signed authorization has its signature', () => {
  const property = fc.property(payments, payments, ({ secret, domain, ...fields }, other) => {
    const wallet = throwawayWallet(() => secret);
    const authorization: Authorization = { from: wallet.address, ...fields };
    const signature = signAuthorization(wallet, domain, authorization);
    for (const name of ['to', 'value', 'validAfter', 'validBefore', 'nonce'] as const) {
      fc.pre(other[name] !== authorization[name]);
      const changed = { ...authorization, [name]: other[name] };
      expect(recoverAuthorization(domain, changed, signature)).not.toBe(wallet.address);
    }
    fc.pre(domainSeparator(other.domain) !== domainSeparator(domain));
    expect(recoverAuthorization(other.domain, authorization, signature)).not.toBe(wallet.address);
  });
  fc.assert(property, byDay(10));
});

test('addresses', () => {
  const spelled = bytes(20).map(hex);
  const property = fc.property(spelled, fc.nat(), (text, at) => {
    const right = checksummed(text);
    expect(right).toBe(checksumAddress(text as Hex));
    expect([isAddress(text), hasRightChecksum(text), hasRightChecksum(right)]).toEqual([true, true, true]);
    expect(hasRightChecksum(`0x${text.slice(2).toUpperCase()}`)).toBe(true);
    expect(sameAddress(text, right)).toBe(true);
    // One letter of the other case: wrong, unless all letters are of one case then.
    const place = 2 + (at % 40);
    const letter = right[place]!;
    const turned = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    const wrong = right.slice(0, place) + turned + right.slice(place + 1);
    const oneCase = [wrong.slice(2).toLowerCase(), wrong.slice(2).toUpperCase()].includes(wrong.slice(2));
    expect(hasRightChecksum(wrong)).toBe(oneCase || isChecksummed(wrong));
  });
  fc.assert(property, byDay(60));
});

test.each(['', '0x', '0x12', `0x${'1'.repeat(41)}`, `0X${'1'.repeat(40)}`, `0x${'g'.repeat(40)}`, 5, null, undefined])(
  '%j is not an address',
  (value) => {
    expect([isAddress(value), sameAddress(value, value)]).toEqual([false, false]);
  },
);
