import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byDay } from '../../../test/property-runs.js';
import { hex, keccak } from './addresses.js';
import {
  createFundedSigner,
  type Domain,
  type FundedSigner,
  localToken,
  type Offer,
  type Option,
  type PaymentPayload,
  readOffer,
  recoverAuthorization,
  sameAddress,
  testNetworks,
  tokens,
  walletFor,
} from './index.js';

// Whatever merchants offer: no more is signed than the limits say, and only for whom and what was offered.

const wallet = walletFor(keccak('a funded wallet of tests'));
const merchant = walletFor(keccak('a merchant of tests')).address;
const named = { chainId: 84532n, asset: merchant, name: 'Named', version: '3' };

const amount: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 120 }).map(String) },
  { weight: 2, arbitrary: fc.bigInt({ min: -5n, max: 2n ** 257n }).map(String) },
  fc.constantFrom(
    '0x10',
    '1e1',
    '1E1',
    '10.0',
    ' 10',
    '10 ',
    '10\n',
    '+10',
    '-10',
    '010',
    '١٠',
    '１０',
    '',
    'NaN',
    '1_0',
    '10n',
  ),
  fc.integer(),
  fc.double(),
  fc.constantFrom(null, true, [], ['10'], { toString: '10' }),
);
const asset: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...tokens.map((token) => token.asset), named.asset) },
  fc.constantFrom(...tokens.map((token) => token.asset.toLowerCase()), '0x', 'constructor', null, 7),
  fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hex),
);
const payTo: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(merchant) },
  fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hex),
  fc.constantFrom(wallet.address, wallet.address.toLowerCase(), `0x${'0'.repeat(40)}`, '', 0, {}),
);
const network: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom('eip155:31337', 'eip155:84532', 'base-sepolia', 'eip155:43113', 'avalanche-fuji'),
  },
  fc.constantFrom(
    'base',
    'eip155:8453',
    'eip155:1',
    'ethereum',
    'eip155:031337',
    'eip155:31337 ',
    'eip155:0x7a69',
    'EIP155:31337',
    'eip155:-31337',
    'eip155:３１３３７',
    `eip155:${'9'.repeat(32)}`,
    'constructor',
    '__proto__',
    'toString',
    31337,
    null,
  ),
);
const timeout: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer({ min: 1, max: 1000 }),
  fc.double(),
  fc.constantFrom('300', null, 1e308, -1, 0),
);
const extra: fc.Arbitrary<unknown> = fc.oneof(
  ...tokens.map(({ name, version }) => fc.constant({ name, version })),
  fc.constantFrom({}, null, 'x', { name: 'USDC', version: 2 }, { name: ['USDC'], version: {} }),
  fc.constant({ name: 'USDC', version: '2', assetTransferMethod: 'permit2' }),
  fc.object({ maxDepth: 2 }),
);

const wellFormed = fc.record({
  scheme: fc.constantFrom('exact', 'exact', 'exact', 'upto'),
  network,
  amount,
  maxAmountRequired: amount,
  asset,
  payTo,
  maxTimeoutSeconds: timeout,
  extra,
});
/** An option whose members come from its prototype, as `__proto__` in JSON or a polluted parser would have it. */
const inherited = wellFormed.map((option): unknown => Object.create(option));
const spelledProto = wellFormed.map((option): unknown => JSON.parse(`{"__proto__":${JSON.stringify(option)}}`));
/** An option whose price and recipient differ from look to look. */
const restless = fc
  .tuple(wellFormed, fc.array(amount, { minLength: 1 }), fc.array(payTo, { minLength: 1 }))
  .map(([option, amounts, recipients]): unknown => {
    let looks = 0;
    return {
      ...option,
      get amount() {
        return amounts[looks++ % amounts.length];
      },
      get payTo() {
        return recipients[looks++ % recipients.length];
      },
    };
  });
const option: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 10, arbitrary: wellFormed },
  inherited,
  spelledProto,
  restless,
  fc.constantFrom(null, [], 'exact', 0),
);
/** Cheap, payable options: without them the limits would never be reached. */
const fair = fc.record({
  scheme: fc.constant('exact'),
  network: fc.constantFrom('eip155:31337'),
  amount: fc.integer({ min: 1, max: 110 }).map(String),
  asset: fc.constant(localToken.asset),
  payTo: fc.constant(merchant),
  maxTimeoutSeconds: fc.integer({ min: 1, max: 600 }),
  extra: fc.constant({ name: 'lie', version: '9' }),
});
/** Fair but for one member. */
const nearlyFair = fc
  .tuple(
    fair,
    fc.oneof(
      fc.record({ amount }),
      fc.record({ amount: fc.constantFrom<unknown>('0', '101') }),
      fc.record({ asset }),
      fc.record({ payTo }),
      fc.record({ payTo: fc.constant<unknown>(wallet.address) }),
      fc.record({ network }),
      fc.record({ network: fc.constantFrom<unknown>('base', 'eip155:8453') }),
      fc.record({ extra }),
      fc.record({ maxTimeoutSeconds: timeout }),
    ),
  )
  .map(([item, member]): unknown => ({ ...item, ...member }));
const raw = fc.record({
  x402Version: fc.constantFrom(2, 2, 1),
  accepts: fc.array(fc.oneof(option, nearlyFair, fair), { minLength: 1, maxLength: 3 }),
  resource: fc.option(fc.object({ maxDepth: 1 })),
});
const mostly = <T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

interface Asking {
  readonly raw: unknown;
  /** What is asked when asking again; the same when undefined. */
  readonly again: unknown;
  /** Which option is to be paid, of the offer seen first or of the one asked again. */
  readonly at: number;
  readonly ofSeen: boolean;
  /** Members that the option got on the way. */
  readonly forged: Partial<Option>;
}
const hostile: fc.Arbitrary<Asking> = fc.record({
  raw,
  again: mostly<unknown>(undefined, raw),
  at: fc.nat({ max: 2 }),
  ofSeen: fc.boolean(),
  forged: mostly<Partial<Option>>({}, fc.constantFrom({ amount: '1' }, { payTo: merchant }, { chainId: 31337n })),
});
const single: fc.Arbitrary<Asking> = fc.oneof(fair, nearlyFair).map((item) => ({
  raw: { x402Version: 2, accepts: [item] },
  again: undefined,
  at: 0,
  ofSeen: true,
  forged: {},
}));
const asking = fc.oneof({ weight: 3, arbitrary: hostile }, { weight: 2, arbitrary: single });
const limits = fc.record({ maxAmount: fc.bigInt({ min: 0n, max: 100n }), maxTotal: fc.bigInt({ min: 0n, max: 400n }) });

interface Signed {
  readonly payment: PaymentPayload;
  readonly offered: Offer;
}

const domains: readonly Domain[] = [...tokens, named].map(({ chainId, asset, name, version }) => ({
  name,
  version,
  chainId,
  verifyingContract: asset,
}));
const sum = (list: readonly bigint[]): bigint => list.reduce((total, value) => total + value, 0n);
const isSteady = ({ raw }: Option): boolean => Object.getOwnPropertyDescriptor(Object(raw), 'payTo')?.get === undefined;

function judge({ payment, offered }: Signed, treasurer: FundedSigner, latest: number): void {
  const { authorization, signature } = payment.payload;
  const { from, to, value, nonce, validBefore } = authorization;
  const record = treasurer.list().find((funded) => funded.nonce === nonce)!;
  expect(testNetworks.has(record.chainId)).toBe(true);
  expect(record).toMatchObject({ payTo: to, amount: value });
  // The signature is for one of the tokens that may be paid with, on its chain, by the domain that the kit knows.
  const domain = domains.find((domain) => recoverAuthorization(domain, authorization, signature) === wallet.address)!;
  expect([domain.chainId, sameAddress(domain.verifyingContract, record.asset)]).toEqual([record.chainId, true]);
  expect([from, sameAddress(to, wallet.address)]).toEqual([wallet.address, false]);
  expect(Number(validBefore)).toBeLessThanOrEqual(latest + 120);
  if (payment.x402Version === 2) expect(payment.accepted).toMatchObject({ payTo: to, amount: value });
  // Options that change from look to look have no one price to compare with.
  const isOffered = offered.options.some(({ payTo, amount }) => payTo === to && amount === value);
  if (offered.options.every(isSteady)) expect(isOffered).toBe(true);
}

/** What a member of JSON may be, mostly one that means something as a flow. */
const paymentFlow: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>('authorization', 'upfront', 'escrow', 'prepaid', null, undefined, '', 'Upfront', [
    'upfront',
  ]),
  fc.jsonValue(),
);

test('no payment is signed in a flow that the user did not allow', () => {
  const reached = new Set<string>();
  const property = fc.property(
    paymentFlow,
    paymentFlow,
    fc.boolean(),
    fc.boolean(),
    (first, second, steady, allowed) => {
      const asked = (flow: unknown): Offer => {
        const extra = { name: 'lie', version: '9', ...(flow === undefined ? {} : { paymentFlow: flow }) };
        const item = {
          scheme: 'exact',
          network: 'eip155:31337',
          amount: '1',
          asset: localToken.asset,
          payTo: merchant,
        };
        return readOffer({ x402Version: 2, accepts: [{ ...item, maxTimeoutSeconds: 60, extra }] })!;
      };
      const [seen, again] = [asked(first), asked(steady ? first : second)];
      const treasurer = createFundedSigner({
        wallet,
        maxAmount: 1n,
        allowUpfront: allowed,
        now: () => 1767225700,
        random: () => keccak('a nonce'),
      });
      for (const option of [...seen.options, ...again.options]) {
        const treatment = treasurer.pay(seen, again, option);
        reached.add('refused' in treatment ? treatment.refused : `signed: ${String(first)}`);
        if (!('payment' in treatment) || treatment.payment.x402Version !== 2) continue;
        const { paymentFlow: signed } = treatment.payment.accepted['extra'] as { readonly paymentFlow?: unknown };
        const allowedFlows: readonly unknown[] = [undefined, null, 'authorization', ...(allowed ? ['upfront'] : [])];
        expect(allowedFlows).toContain(signed);
        expect(signed).toEqual(first);
      }
    },
  );
  fc.assert(property, byDay(400));
  expect([...reached].filter((text) => text.startsWith('signed')).sort()).toEqual([
    'signed: authorization',
    'signed: null',
    'signed: undefined',
    'signed: upfront',
  ]);
  expect([...reached]).toEqual(expect.arrayContaining(['flow-not-allowed', 'offer-changed', 'option-not-usable']));
});

test('nothing beyond the limits is ever signed', { timeout: 120_000 }, () => {
  const reached = { paid: 0, total: 0, refused: new Set<string>() };
  const askings = fc.array(asking, { minLength: 1, maxLength: 12 });
  const nested = fc.infiniteStream(mostly(false, fc.constant(true)));
  const property = fc.property(askings, limits, nested, mostly(false, fc.constant(true)), (all, ...given) => {
    const [{ maxAmount, maxTotal }, isNested, dryRun] = given;
    const waiting = [...all];
    const signed: Signed[] = [];
    const planned: bigint[] = [];
    let [time, drawn] = [1767225700, 0];
    // A clock that lets a second payment begin while the first is being made.
    const now = (): number => {
      if (isNested.next().value === true) askNext();
      return time++;
    };
    // Few different nonces, so that some are drawn twice.
    const random = (): Uint8Array => keccak(`nonce ${drawn++ % 9}`);
    const treasurer = createFundedSigner({ wallet, maxAmount, maxTotal, assets: [named], now, random, dryRun });

    function askNext(): void {
      const next = waiting.pop();
      const seen = readOffer(next?.raw);
      const offered = readOffer(next?.again ?? next?.raw);
      const chosen = (next?.ofSeen ? seen : offered)?.options[next?.at ?? 0];
      if (seen === undefined || offered === undefined || chosen === undefined) return;
      const treatment = treasurer.pay(seen, offered, { ...chosen, ...next?.forged });
      if ('payment' in treatment) signed.push({ payment: treatment.payment, offered });
      else if ('wouldSign' in treatment) planned.push(BigInt(treatment.wouldSign.authorization.value));
      else reached.refused.add(treatment.refused);
    }
    while (waiting.length > 0) askNext();

    const values = signed.map(({ payment }) => BigInt(payment.payload.authorization.value));
    expect(sum([...values, ...planned])).toBeLessThanOrEqual(maxTotal);
    expect([...values, ...planned].every((value) => value > 0n && value <= maxAmount)).toBe(true);
    expect(dryRun ? values : planned).toEqual([]);
    const signatures = signed.map(({ payment }) => payment.payload.signature);
    expect([...treasurer.signatures()].sort()).toEqual(signatures.sort());
    expect(treasurer.list().length).toBe(signed.length + planned.length);
    expect(new Set(signed.map(({ payment }) => payment.payload.authorization.nonce)).size).toBe(signed.length);
    for (const item of signed) judge(item, treasurer, time);
    reached.paid += signed.length;
    if (signed.length > 1 && sum(values) + maxAmount > maxTotal) reached.total += 1;
  });
  fc.assert(property, byDay(120));
  // It has looked at something: payments, limits that were reached, and refusals of each kind that an offer brings about.
  expect([reached.paid > 40, reached.total > 1]).toEqual([true, true]);
  expect([...reached.refused]).toEqual(
    expect.arrayContaining([
      'above-limit',
      'above-total',
      'amount-zero',
      'network-not-allowed',
      'offer-changed',
      'option-not-offered',
      'option-not-usable',
      'pays-itself',
      'unknown-token',
    ]),
  );
});
