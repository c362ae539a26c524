import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  activated,
  caip2Of,
  chainIdOf,
  defects,
  defectsOf,
  domainOf,
  errorCodeOf,
  extensionUris,
  flowOf,
  headerEntries,
  isStatus,
  isX402Extension,
  localToken,
  metadataKeys,
  payable,
  payment,
  readOffer,
  readPayment,
  readReceipts,
  readStatus,
  rewritings,
  testNetworks,
  throwawayWallet,
  tokenOf,
  tokens,
  unknownTerms,
  v1NameOf,
} from './index.js';

const option = {
  scheme: 'exact',
  network: 'eip155:31337',
  amount: '100',
  asset: localToken.asset,
  payTo: `0x${'12'.repeat(20)}`,
  maxTimeoutSeconds: 300,
  extra: { name: 'TCK Dollar', version: '1' },
};
/** An offer that asks for an id of each payment: extension payment-identifier. */
const offerWithIds = readOffer({
  x402Version: 2,
  resource: { url: 'u' },
  accepts: [option],
  extensions: { 'payment-identifier': { info: { required: true }, schema: { type: 'object' } } },
})!;
type Members = Readonly<Record<string, unknown>>;
const read = (members: Members, x402Version = 2) => readOffer({ x402Version, accepts: [{ ...option, ...members }] })!;
const without = (name: string): Members =>
  Object.fromEntries(Object.entries(option).filter(([other]) => other !== name));

describe('offers', () => {
  test.each([
    undefined,
    null,
    'offer',
    [],
    {},
    { x402Version: 3, accepts: [option] },
    { x402Version: '2', accepts: [option] },
    { accepts: [option] },
    { x402Version: 2 },
    { x402Version: 2, accepts: option },
    Object.create({ x402Version: 2, accepts: [option] }),
  ])('none: %j', (value) => {
    expect(readOffer(value)).toBeUndefined();
  });

  test('members around the options', () => {
    const around = { resource: { url: 'u' }, error: 'e', extensions: { x: {} } };
    const raw = { x402Version: 2, accepts: [], ...around };
    expect(readOffer(raw)).toEqual({ x402Version: 2, options: [], ...around, raw });
    const odd = { x402Version: 1, accepts: [], resource: 'u', error: 5, extensions: [] };
    expect(readOffer(odd)).toEqual({ x402Version: 1, options: [], raw: odd });
  });

  test.each([
    ['the right one', {}, true],
    ['of addresses in small letters', { asset: localToken.asset.toLowerCase() }, true],
    ['of EIP-3009', { extra: { ...option.extra, assetTransferMethod: 'eip3009' } }, true],
    ['of a known token without extra', { extra: undefined }, true],
    ['with a numeric version of the domain', { extra: { name: 'A', version: 2 } }, true],
    ['without a time to pay', { maxTimeoutSeconds: undefined }, true],
    ['paid after the work', { extra: { ...option.extra, paymentFlow: 'authorization' } }, true],
    ['paid before the work', { extra: { ...option.extra, paymentFlow: 'upfront' } }, true],
    ['paid in a flow of null', { extra: { ...option.extra, paymentFlow: null } }, true],
    ['paid in a flow that exact does not have', { extra: { ...option.extra, paymentFlow: 'escrow' } }, false],
    ['paid in an unknown flow', { extra: { ...option.extra, paymentFlow: 'prepaid' } }, false],
    ['paid in a flow of another type', { extra: { ...option.extra, paymentFlow: ['upfront'] } }, false],
    ['with a name of version 1', { network: 'base-sepolia' }, false],
    ['of another scheme', { scheme: 'upto' }, false],
    ['of another kind of network', { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }, false],
    ['of Permit2', { extra: { ...option.extra, assetTransferMethod: 'permit2' } }, false],
    ['with a price of a number', { amount: 100 }, false],
    ['with a price of 257 bits', { amount: String(2n ** 256n) }, false],
    ['with a name in place of an address', { payTo: 'merchant.eth' }, false],
    ['of no asset', { asset: '' }, false],
    ['of an unknown token without extra', { asset: option.payTo, extra: {} }, false],
    ['of an unknown token without a name', { asset: option.payTo, extra: { name: '', version: '1' } }, false],
    ['without time', { maxTimeoutSeconds: 0 }, false],
  ] as const)('an option %s', (_, members, usable) => {
    const [found] = read(members).options;
    expect(found?.usable).toBe(usable);
    expect(found?.unusableBecause === undefined).toBe(usable);
  });

  test.each(['scheme', 'network', 'amount', 'asset', 'payTo'])('an option without %s is kept', (name) => {
    const [found] = readOffer({ x402Version: 2, accepts: [without(name)] })!.options;
    expect(found).toMatchObject({ [name]: '', usable: false });
  });

  test('options that are not objects are kept in their places', () => {
    const { options } = readOffer({ x402Version: 2, accepts: [null, option, 'exact'] })!;
    expect(options.map(({ usable }) => usable)).toEqual([false, true, false]);
  });

  test('the price of each version', () => {
    const both = { amount: '1', maxAmountRequired: '2' };
    expect([1, 2].map((version) => read(both, version).options[0]?.amount)).toEqual(['2', '1']);
  });

  test('domains: as offered, else of the token', () => {
    const domains = [{ name: 'A', version: 2 }, { name: 'A' }, {}].map((extra) =>
      domainOf(read({ extra }).options[0]!),
    );
    expect(domains.map((domain) => [domain?.name, domain?.version])).toEqual([
      ['A', '2'],
      ['A', '1'],
      ['TCK Dollar', '1'],
    ]);
  });

  test('any JSON can be read, and any usable option be paid', () => {
    // The right option but for one or two members.
    const member = fc.tuple(fc.constantFrom(...Object.keys(option)), fc.jsonValue());
    const options = fc.array(
      fc
        .array(member, { maxLength: 2 })
        .map((wrong) => ({ ...option, maxAmountRequired: '7', ...Object.fromEntries(wrong) })),
      { maxLength: 2 },
    );
    const wallet = throwawayWallet(() => new Uint8Array(32).fill(7));
    const nonce = `0x${'ab'.repeat(32)}`;
    let paid = 0;
    const property = fc.property(fc.jsonValue(), options, fc.constantFrom(1, 2), (any, accepts, x402Version) => {
      readOffer(any);
      readReceipts(any);
      readStatus(any);
      readPayment(any);
      const offer = readOffer({ x402Version, accepts })!;
      for (const option of offer.options.filter(({ usable }) => usable)) {
        const paying = { offer, option: option, wallet, now: 1767225700, nonce };
        expect(readPayment(payment(paying))).toBeDefined();
        for (const { make } of defectsOf(offer.x402Version)) if (paid < 20) make(paying);
        paid += 1;
      }
    });
    fc.assert(property, { numRuns: 100 });
    expect(paid).toBeGreaterThan(20);
  });

  test('no time is before the epoch', () => {
    const offer = read({});
    const wallet = throwawayWallet(() => new Uint8Array(32).fill(7));
    const paying = { offer, option: offer.options[0]!, wallet, now: 0, nonce: `0x${'ab'.repeat(32)}` };
    expect(payment(paying).payload.authorization).toMatchObject({ validAfter: '0', validBefore: '120' });
    for (const { make } of defectsOf(2)) expect(make(paying)).toBeDefined();
  });

  test('where nothing can be cheaper, no payment is cheaper', () => {
    const wallet = throwawayWallet(() => new Uint8Array(32).fill(7));
    const impossible = (amount: string): readonly string[] => {
      const offer = read({ amount });
      const paying = { offer, option: offer.options[0]!, wallet, now: 9, nonce: `0x${'ab'.repeat(32)}` };
      return defectsOf(2).flatMap(({ id, make }) => (make(paying) === undefined ? [id] : []));
    };
    expect(['0', '1', String(2n ** 256n - 1n)].map(impossible)).toEqual([['n01', 'n03', 'n28'], [], ['n02']]);
  });
});

describe('payments with a defect, for one of several options', () => {
  const wallet = throwawayWallet(() => new Uint8Array(32).fill(7));
  const pay = (accepts: readonly Members[], id: 'n01' | 'n02' | 'n28' | 'n30') => {
    const offer = readOffer({ x402Version: 2, accepts })!;
    return defects[id].make({ offer, option: offer.options[0]!, wallet, now: 9999, nonce: `0x${'ab'.repeat(32)}` });
  };

  test('never pay for another option', () => {
    expect(pay([option, { ...option, amount: '99' }], 'n01')).toBeUndefined();
    expect(pay([option, { ...option, amount: '101' }], 'n02')).toBeUndefined();
    expect(pay([option, { ...option, amount: '1' }], 'n28')).toBeUndefined();
    const [usdc] = tokens;
    const asset = (made: unknown) => (made as { accepted: { asset: string } }).accepted.asset;
    expect(asset(pay([option], 'n30'))).toBe(usdc?.asset);
    expect(asset(pay([option, { ...option, asset: usdc?.asset }], 'n30'))).toBe(tokens[1]?.asset);
  });
});

describe('the id of a payment', () => {
  const offer = offerWithIds;
  const wallet = throwawayWallet(() => new Uint8Array(32).fill(7));
  const paid = (nonce: string, extensions: unknown = offer.extensions) =>
    payment({
      offer: readOffer({ ...offer.raw, extensions })!,
      option: offer.options[0]!,
      wallet,
      now: 9999,
      nonce: `0x${nonce.repeat(64)}`,
    });
  const idOf = (made: ReturnType<typeof paid>): unknown =>
    (made as unknown as { readonly extensions: { readonly 'payment-identifier': { readonly info: { id?: unknown } } } })
      .extensions['payment-identifier'].info.id;

  test('is in the extensions as they came, for each payment another one', () => {
    const made = paid('a');
    expect(made).toMatchObject({ extensions: offer.extensions });
    expect(idOf(made)).toMatch(/^[A-Za-z0-9_-]{16,128}$/);
    expect(idOf(paid('a'))).toBe(idOf(made));
    expect(idOf(paid('b'))).not.toBe(idOf(made));
    expect(JSON.stringify(offer.raw)).not.toContain('"id"');
  });

  test('is there where it is not required, and never replaces what the agent sent', () => {
    const schema = { type: 'object' };
    expect(idOf(paid('a', { 'payment-identifier': { info: { required: false }, schema } }))).toBeTypeOf('string');
    expect(idOf(paid('a', { 'payment-identifier': { info: { id: 'given-by-the-agent' }, schema } }))).toBe(
      'given-by-the-agent',
    );
  });

  test.each([
    undefined,
    {},
    { bazaar: { info: {}, schema: {} } },
    { 'payment-identifier': [] },
    { 'payment-identifier': {} },
  ])('is not there for %j', (extensions) => {
    expect(paid('a', extensions)).toEqual(
      extensions === undefined ? expect.not.objectContaining({ extensions }) : expect.objectContaining({ extensions }),
    );
  });
});

describe('the options to pay', () => {
  const flows = (...all: readonly unknown[]) =>
    payable(
      readOffer({
        x402Version: 2,
        accepts: all.map((paymentFlow) => ({ ...option, extra: { ...option.extra, paymentFlow } })),
      })!,
    ).map(flowOf);

  test('those that charge after the work come first, in their order', () => {
    expect(flows('upfront', 'authorization', 'escrow', undefined, 'upfront', null, 7)).toEqual([
      'authorization',
      'authorization',
      'authorization',
      'upfront',
      'upfront',
    ]);
    expect(flows('escrow', 'prepaid')).toEqual([]);
  });

  test('the kit names members of extra that it does not know', () => {
    const extra = {
      ...option.extra,
      paymentFlow: 'upfront',
      assetTransferMethod: 'eip3009',
      refundable: false,
      tip: 1,
    };
    const [item] = readOffer({ x402Version: 2, accepts: [{ ...option, extra }] })!.options;
    expect(unknownTerms(item!)).toEqual(['refundable', 'tip']);
  });
});

describe('rewritings', () => {
  const offer = readOffer({ x402Version: 2, resource: { url: 'u' }, accepts: [option] })!;
  const wallet = throwawayWallet(() => new Uint8Array(32).fill(7));
  const paying = { offer, option: offer.options[0]!, wallet, now: 9999, nonce: `0x${'ab'.repeat(32)}` };
  const made = payment(paying);
  const identified = payment({ ...paying, offer: offerWithIds });

  test('leave what they are given alone, and change something', () => {
    const before = structuredClone(identified);
    for (const [name, rewrite] of Object.entries(rewritings)) {
      expect([name, JSON.stringify(rewrite(identified)) === JSON.stringify(identified)]).toEqual([name, false]);
    }
    expect(identified).toEqual(before);
  });

  test('what they change', () => {
    expect(rewritings.nonceCase(made).payload.authorization.nonce).toBe(`0x${'AB'.repeat(32)}`);
    expect(rewritings.highS(rewritings.highS(made))).toEqual(made);
    expect(rewritings.reordered(made)).toEqual(made);
    expect(rewritings.withoutResource(made)).not.toHaveProperty('resource');
    expect(rewritings.withoutId(identified)).toEqual({ ...made, extensions: offerWithIds.extensions });
    expect(rewritings.withoutId(made)).toEqual(made);
    expect(rewritings.extraMember(made)).toMatchObject({ accepted: { extra: { ...option.extra, note: 'added' } } });
    expect(JSON.stringify(rewritings.lowerCase(made))).not.toContain(localToken.asset);
  });
});

describe('words', () => {
  test('extensions are compared whole and with case', () => {
    const { v01, v02 } = extensionUris;
    expect([v01, v02].every(isX402Extension)).toBe(true);
    const others = [`${v01}0`, v01.slice(0, -1), v01.toUpperCase(), ` ${v01}`, `${v02}.1`, '', 5];
    expect(others.some(isX402Extension)).toBe(false);
    expect(activated(`urn:x,  ${v02}\t, ${v01}0,${v01},,`)).toEqual([v02, v01]);
    expect(headerEntries('a, b ,,c d')).toEqual(['a', 'b', 'c d']);
    expect([activated(undefined), activated(''), activated(`${v01}0`)]).toEqual([[], [], []]);
  });

  test('statuses and codes', () => {
    const status = (value: unknown) => readStatus({ [metadataKeys.status]: value });
    expect([status('payment-failed'), status('paid'), status(1), readStatus(null)]).toEqual([
      'payment-failed',
      'paid',
      undefined,
      undefined,
    ]);
    expect([isStatus('payment-failed'), isStatus('Payment-Failed'), isStatus('toString')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([errorCodeOf('invalid_amount'), errorCodeOf('INVALID'), errorCodeOf(1)]).toEqual([
      'INVALID_AMOUNT',
      undefined,
      undefined,
    ]);
  });

  test('receipts', () => {
    const good = { success: true, transaction: '0x', network: 'base', payer: 'p', amount: '1', more: 1 };
    const odd = { success: 'true', transaction: null, errorReason: 'no' };
    expect(readReceipts([good, odd, 'x'])).toEqual([
      { success: true, transaction: '0x', network: 'base', payer: 'p', amount: '1', raw: good },
      { errorReason: 'no', raw: odd },
      { raw: 'x' },
    ]);
    expect([readReceipts(good), readReceipts(undefined)]).toEqual([undefined, undefined]);
  });
});

describe('networks', () => {
  test('names of both versions', () => {
    expect(chainIdOf('base-sepolia')).toBe(84532n);
    expect(chainIdOf('eip155:84532')).toBe(84532n);
    expect([v1NameOf(84532n), v1NameOf(31337n), caip2Of(84532n)]).toEqual(['base-sepolia', undefined, 'eip155:84532']);
    expect(testNetworks.has(8453n)).toBe(false);
  });

  test.each([
    '',
    'Base',
    'constructor',
    'eip155:',
    'eip155:0',
    'eip155:01',
    'eip155:1 ',
    'eip155:1\n',
    `eip155:${'1'.repeat(33)}`,
  ])('%j is none', (name) => {
    expect(chainIdOf(name)).toBeUndefined();
  });

  test('tokens by network and address of any case', () => {
    expect(tokenOf(31337n, localToken.asset.toLowerCase())).toBe(localToken);
    expect([tokenOf(84532n, localToken.asset), tokenOf(undefined, localToken.asset)]).toEqual([undefined, undefined]);
  });
});
