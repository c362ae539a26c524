import { describe, expect, test } from 'vitest';
import { hex, keccak } from './addresses.js';
import {
  createFundedSigner,
  defects,
  type FundedSigner,
  type FundedSignerSettings,
  localToken,
  type Offer,
  payment,
  readOffer,
  recoverAuthorization,
  type Treatment,
  walletFor,
} from './index.js';

const start = 1767225700;
const wallet = walletFor(keccak('a funded wallet of tests'));
const merchant = walletFor(keccak('a merchant of tests')).address;

const option = {
  scheme: 'exact',
  network: 'eip155:31337',
  amount: '100',
  asset: localToken.asset,
  payTo: merchant,
  maxTimeoutSeconds: 300,
  extra: { name: 'TCK Dollar', version: '1' },
};
type Members = Readonly<Record<string, unknown>>;
const offerOf = (members: Members = {}, around: Members = {}): Offer =>
  readOffer({
    x402Version: 2,
    resource: { url: 'https://merchant.test' },
    accepts: [{ ...option, ...members }],
    ...around,
  })!;

/** Members of an option that wants to be paid in that way: x402 core v2 §6.1. */
const flow = (paymentFlow: unknown) => ({ extra: { ...option.extra, paymentFlow } });

function treasurer(settings: Partial<FundedSignerSettings> = {}): FundedSigner {
  let drawn = 0;
  const random = (): Uint8Array => keccak(`nonce ${drawn++}`);
  return createFundedSigner({ wallet, maxAmount: 100n, maxTotal: 250n, now: () => start, random, ...settings });
}
const payWith = (fundedSigner: FundedSigner, offer: Offer, again: Offer = offer): Treatment =>
  fundedSigner.pay(offer, again, again.options[0]!);
const refusal = (treatment: Treatment): string | undefined => ('refused' in treatment ? treatment.refused : undefined);
const paid = (treatment: Treatment) => {
  if (!('payment' in treatment)) throw new Error('not paid');
  return treatment.payment;
};

test('pays what was offered', () => {
  const fundedSigner = treasurer();
  const offer = offerOf();
  const made = paid(payWith(fundedSigner, offer));
  const { authorization, signature } = made.payload;
  expect(made).toMatchObject({ x402Version: 2, accepted: option, resource: { url: 'https://merchant.test' } });
  expect(authorization).toEqual({
    from: wallet.address,
    to: merchant,
    value: '100',
    validAfter: String(start - 600),
    validBefore: String(start + 120),
    nonce: hex(keccak('nonce 0')),
  });
  const domain = { ...localToken, verifyingContract: localToken.asset };
  expect(recoverAuthorization(domain, authorization, signature)).toBe(wallet.address);
  expect(fundedSigner.signatures()).toEqual([signature]);
  expect(fundedSigner.list()).toEqual([
    {
      x402Version: 2,
      network: 'eip155:31337',
      chainId: 31337n,
      asset: localToken.asset,
      payTo: merchant,
      amount: '100',
      nonce: authorization.nonce,
      validBefore: start + 120,
      state: 'outstanding',
      signature: `${signature.slice(0, 10)}…`,
    },
  ]);
});

test.each([
  ['no-wallet', {}, { wallet: undefined }],
  ['option-not-usable', { scheme: 'upto' }, {}],
  ['option-not-usable', { amount: 100 }, {}],
  ['option-not-usable', { amount: '1e2' }, {}],
  ['option-not-usable', { amount: '0x64' }, {}],
  ['option-not-usable', { amount: '-1' }, {}],
  ['option-not-usable', { amount: '١٠' }, {}],
  ['option-not-usable', { amount: ['1'] }, {}],
  ['option-not-usable', { maxTimeoutSeconds: -1 }, {}],
  ['option-not-usable', { extra: { ...option.extra, assetTransferMethod: 'permit2' } }, {}],
  ['option-not-usable', { network: 'constructor' }, {}],
  ['network-not-allowed', { network: 'eip155:8453' }, {}],
  ['option-not-usable', { network: 'base-sepolia' }, {}],
  ['option-not-usable', flow('escrow'), {}],
  ['option-not-usable', flow('prepaid'), {}],
  ['option-not-usable', flow('AUTHORIZATION'), {}],
  ['option-not-usable', flow(''), {}],
  ['option-not-usable', flow(7), {}],
  ['option-not-usable', flow(['authorization']), { allowUpfront: true }],
  ['option-not-usable', flow('escrow'), { allowUpfront: true }],
  ['flow-not-allowed', flow('upfront'), {}],
  ['network-not-allowed', {}, { allowedNetworks: new Set([84532n]) }],
  ['unknown-token', { asset: merchant }, {}],
  ['unknown-token', { network: 'eip155:84532' }, {}],
  ['amount-zero', { amount: '0' }, {}],
  ['above-limit', { amount: '101' }, {}],
  ['above-limit', { amount: String(2n ** 256n - 1n) }, {}],
  ['above-total', {}, { maxTotal: 99n }],
  ['pays-itself', { payTo: wallet.address }, {}],
  ['pays-itself', { payTo: wallet.address.toLowerCase() }, {}],
  ['no-time', { maxTimeoutSeconds: 0.5 }, {}],
  ['no-time', {}, { now: () => Number.NaN }],
  ['nonce-used', {}, { random: () => new Uint8Array(31) }],
] as const)('refuses: %s %j %o', (reason, members, settings) => {
  const { wallet: given = wallet, ...others } = settings as Partial<FundedSignerSettings>;
  const fundedSigner =
    'wallet' in settings
      ? createFundedSigner({ maxAmount: 100n, now: () => start, random: () => new Uint8Array(32) })
      : treasurer({ wallet: given, ...others });
  const treatment = payWith(fundedSigner, offerOf(members));
  expect(refusal(treatment)).toBe(reason);
  expect(treatment).toMatchObject({ about: expect.stringMatching(/./) });
  expect([fundedSigner.list(), fundedSigner.signatures()]).toEqual([[], []]);
});

describe('offers that change', () => {
  test.each([
    { amount: '99' },
    { payTo: wallet.address },
    { network: 'eip155:84532' },
    { asset: merchant },
    { maxTimeoutSeconds: 301 },
    { extra: { name: 'TCK Dollar', version: '2' } },
    flow('authorization'),
    { extra: { ...option.extra, refundable: false } },
    { deposit: '1000' },
  ])('%j', (members) => {
    expect(refusal(payWith(treasurer(), offerOf(), offerOf(members)))).toBe('offer-changed');
    expect(refusal(payWith(treasurer(), offerOf(members), offerOf()))).toBe('offer-changed');
  });

  test('in the payment flow, where both are allowed', () => {
    const fundedSigner = treasurer({ allowUpfront: true });
    expect(refusal(payWith(fundedSigner, offerOf(), offerOf(flow('upfront'))))).toBe('offer-changed');
    expect(refusal(payWith(fundedSigner, offerOf(flow('upfront')), offerOf()))).toBe('offer-changed');
  });

  test('in what belongs to a scheme that the kit cannot pay', () => {
    const sponsored = (feePayer: string): Offer => {
      const other = { ...option, network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', extra: { feePayer } };
      return readOffer({ x402Version: 2, accepts: [option, other] })!;
    };
    expect(paid(payWith(treasurer(), sponsored('A'), sponsored('B')))).toMatchObject({ accepted: option });
  });

  test('one option more', () => {
    const more = readOffer({ x402Version: 2, accepts: [option, option] })!;
    expect(refusal(payWith(treasurer(), offerOf(), more))).toBe('offer-changed');
  });

  test('only in what has nothing to do with money', () => {
    const again = offerOf({ description: 'new' }, { resource: { url: 'https://merchant.test/2' }, error: 'Pay!' });
    expect(paid(payWith(treasurer(), offerOf(), again))).toMatchObject({
      accepted: { description: 'new' },
      resource: { url: 'https://merchant.test/2' },
    });
  });

  test('after they were read', () => {
    const raw = { x402Version: 2, accepts: [{ ...option }] };
    const offer = readOffer(raw)!;
    raw.accepts[0]!.amount = '90';
    expect(refusal(treasurer().pay(offer, offer, offer.options[0]!))).toBe('option-not-offered');
  });

  test('while they are looked at', () => {
    let looks = 0;
    const restless = {
      ...option,
      get amount() {
        looks += 1;
        return looks < 3 ? '100' : '1';
      },
    };
    const made = paid(payWith(treasurer(), offerOf(), readOffer({ x402Version: 2, accepts: [restless] })!));
    expect([made.payload.authorization.value, made]).toEqual(['100', expect.objectContaining({ accepted: option })]);
  });

  test('an option of another offer', () => {
    const other = offerOf({ amount: '5' }).options[0]!;
    expect(refusal(treasurer().pay(offerOf(), offerOf(), other))).toBe('option-not-offered');
  });
});

describe('payment flows', () => {
  test.each([{}, flow('authorization'), flow(null)])('charged after the work: %j', (members) => {
    expect(paid(payWith(treasurer(), offerOf(members)))).toMatchObject({ accepted: { ...option, ...members } });
  });

  test('charged before the work, where the user allows it', () => {
    const made = paid(payWith(treasurer({ allowUpfront: true }), offerOf(flow('upfront'))));
    expect(made).toMatchObject({ accepted: flow('upfront') });
  });

  test('of two options that differ in nothing else, the one that was chosen is signed', () => {
    const accepts = [{ ...option, ...flow('upfront') }, option];
    const offer = readOffer({ x402Version: 2, accepts })!;
    const fundedSigner = treasurer({ allowUpfront: true });
    for (const [at, chosen] of offer.options.entries())
      expect(paid(fundedSigner.pay(offer, offer, chosen))).toHaveProperty('accepted', accepts[at]);
  });
});

describe('domains', () => {
  const domain = {
    name: localToken.name,
    version: localToken.version,
    chainId: 31337n,
    verifyingContract: localToken.asset,
  };

  test('of a known token: what the merchant says does not count', () => {
    const lie = offerOf({ extra: { name: 'USD Coin', version: '2' } });
    const { authorization, signature } = paid(payWith(treasurer(), lie)).payload;
    expect(recoverAuthorization(domain, authorization, signature)).toBe(wallet.address);
  });

  test('of a named token: that of the user, or else of the merchant', () => {
    const asset = merchant;
    const offer = offerOf({ asset, payTo: localToken.asset, extra: { name: 'A', version: '7' } });
    const named = { ...domain, verifyingContract: asset };
    for (const [given, name, version] of [
      [{}, 'A', '7'],
      [{ name: 'B', version: '8' }, 'B', '8'],
    ] as const) {
      const fundedSigner = treasurer({ assets: [{ chainId: 31337n, asset: asset.toLowerCase(), ...given }] });
      const { authorization, signature } = paid(payWith(fundedSigner, offer)).payload;
      expect(recoverAuthorization({ ...named, name, version }, authorization, signature)).toBe(wallet.address);
    }
    const elsewhere = treasurer({ assets: [{ chainId: 84532n, asset }] });
    expect(refusal(payWith(elsewhere, offer))).toBe('unknown-token');
  });
});

test('the total counts everything that was ever signed', () => {
  let time = start;
  const fundedSigner = treasurer({ now: () => time });
  const nonces = [0, 1].map(() => paid(payWith(fundedSigner, offerOf())).payload.authorization.nonce);
  expect(refusal(payWith(fundedSigner, offerOf()))).toBe('above-total');
  fundedSigner.settled(nonces[0]!.toUpperCase().replace('0X', '0x'));
  expect(fundedSigner.list().map(({ state }) => state)).toEqual(['settled', 'outstanding']);
  time = start + 119;
  expect(fundedSigner.list().map(({ state }) => state)).toEqual(['settled', 'outstanding']);
  time = start + 120;
  expect(fundedSigner.list().map(({ state }) => state)).toEqual(['settled', 'expired']);
  expect(refusal(payWith(fundedSigner, offerOf()))).toBe('above-total');
  expect(paid(payWith(fundedSigner, offerOf({ amount: '50' })))).toBeDefined();
  expect(refusal(payWith(fundedSigner, offerOf({ amount: '1' })))).toBe('above-total');
});

test('the total is one payment by default', () => {
  const fundedSigner = createFundedSigner({ wallet, maxAmount: 100n, now: () => start, random: () => keccak('once') });
  expect(paid(payWith(fundedSigner, offerOf()))).toBeDefined();
  expect(refusal(payWith(fundedSigner, offerOf({ amount: '1' })))).toBe('nonce-used');
});

test('validity is that of the merchant when it is short', () => {
  const { authorization } = paid(payWith(treasurer(), offerOf({ maxTimeoutSeconds: 7 }))).payload;
  expect(authorization.validBefore).toBe(String(start + 7));
});

test('version 1', () => {
  const { amount, network: _, ...rest } = option;
  const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
  const offer = readOffer({
    x402Version: 1,
    accepts: [{ ...rest, network: 'base-sepolia', maxAmountRequired: amount, asset }],
  })!;
  const made = paid(payWith(treasurer(), offer));
  expect(made).toMatchObject({ x402Version: 1, scheme: 'exact', network: 'base-sepolia' });
});

test('a dry run signs nothing, within the same limits', () => {
  const fundedSigner = treasurer({ dryRun: true });
  const treatment = payWith(fundedSigner, offerOf());
  expect(treatment).toMatchObject({ wouldSign: { authorization: { value: '100', to: merchant } } });
  expect(JSON.stringify(treatment, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
    'signature',
  );
  payWith(fundedSigner, offerOf());
  expect(refusal(payWith(fundedSigner, offerOf()))).toBe('above-total');
  expect(fundedSigner.signatures()).toEqual([]);
  expect(fundedSigner.list().map(({ state, signature }) => [state, signature])).toEqual([
    ['planned', ''],
    ['planned', ''],
  ]);
});

test('limits below 0 are refused', () => {
  for (const limits of [{ maxAmount: -1n }, { maxTotal: -1n }]) expect(() => treasurer(limits)).toThrow(/below 0/);
});

test('outside of the treasurer nothing is signed with its wallet', () => {
  const offer = offerOf();
  const forged = { address: wallet.address, throwaway: true as const };
  const base = { offer, option: offer.options[0]!, now: start, nonce: hex(keccak('n')) };
  expect(() => payment({ ...base, wallet: wallet as typeof forged })).toThrow(/only the treasurer/);
  expect(() => payment({ ...base, wallet: forged })).toThrow(/only the treasurer/);
  expect(() => payment({ ...base, wallet: Object.assign(Object.create(wallet), { throwaway: true }) })).toThrow();
  expect(() => defects.n05.make({ ...base, wallet: wallet as typeof forged })).toThrow(/only the treasurer/);
});
