import { describe, expect, test } from 'vitest';
import { onX402, selling } from '../packs/x402/agent/index.js';
import {
  caip2Of,
  type Domain,
  localToken,
  metadataKeys,
  readPayment,
  readWallet,
  recoverAuthorization,
  type Token,
} from '../packs/x402/payments/index.js';
import { isObject, type JsonObject, type Message, member } from '../src/model/index.js';
import { type Patch, together } from '../src/reference/index.js';
import { rules } from '../suites/index.js';
import { type Sold, sell } from './charging.js';

// Merchants that want more than their due, before a wallet with money in it: the run ends, nothing above the limits is
// signed, and the report says what can still be cashed.

const wallet = readWallet(`0x${'4b'.repeat(32)}`);
const maxAmount = 10_000n;
const maxTotal = 30_000n;
const domain: Domain = {
  name: localToken.name,
  version: localToken.version,
  chainId: localToken.chainId,
  verifyingContract: localToken.asset,
};
const ours = rules.filter(({ id }) => id.startsWith('x402/'));
const some = ['paid', 'receipts-kept', 'replay-same-task', 'replay-other-task', 'race-same-task', 'amount-low'];
const ofThem = ours.filter(({ id }) => some.includes(id.slice('x402/'.length)));

type Options = readonly JsonObject[];

/** What is asked for, made worse each time that it is made. */
const offering = (edit: (option: JsonObject, times: number) => JsonObject | Options): Patch =>
  onX402((inner) => {
    let times = 0;
    return {
      offer(skill, step) {
        const offer = inner.offer(skill, step);
        times++;
        const accepts = (offer['accepts'] as Options).flatMap((option) => edit(option, times));
        return { ...offer, accepts };
      },
    };
  });

/** Every reading of a waiting task shows another offer. */
const restless = (edit: (option: JsonObject, times: number) => JsonObject): Patch => {
  let times = 0;
  const changed = (message: Message): Message => {
    const offer = member(message.metadata, metadataKeys.required);
    if (!isObject(offer)) return message;
    times++;
    const accepts = (offer['accepts'] as Options).map((option) => edit(option, times));
    return { ...message, metadata: { ...message.metadata, [metadataKeys.required]: { ...offer, accepts } } };
  };
  return (inner) => ({
    view(task, length) {
      const seen = inner.view(task, length);
      const { message } = seen.status;
      return message === undefined ? seen : { ...seen, status: { ...seen.status, message: changed(message) } };
    },
  });
};

const flowing = ({ extra }: JsonObject, paymentFlow: unknown): JsonObject => ({
  extra: { ...(isObject(extra) ? extra : {}), paymentFlow },
});

/** The merchant looks at payments forever. */
const undecided: Patch = onX402(() => ({
  pay(account) {
    account.status = 'payment-submitted';
    account.underWay = 'verifying';
  },
}));

/** Whatever comes, the offer is made again. */
const insatiable: Patch = onX402((inner) => ({
  intent: (message) => (inner.intent(message) === 'pay' ? 'other' : inner.intent(message)),
}));

const other: Token = {
  ...localToken,
  asset: '0x00000000000000000000000000000000000000E1',
  name: 'Other',
  version: '9',
};

interface Hostile {
  readonly about: string;
  readonly patch: Patch;
  /** What the verdict of x402/paid says. */
  readonly why: RegExp;
  /** How many payments of the funded wallet are seen at most. */
  readonly most: number;
  /** Its answers take their time to be read: only what the funded wallet pays is judged. */
  readonly few?: true;
}

const hostile: readonly Hostile[] = [
  {
    about: 'another price each time that the offer is read',
    patch: restless((option, times) => ({ ...option, amount: String(1000 + times) })),
    why: /the offer differs from the earlier one/,
    most: 0,
  },
  {
    about: 'another recipient each time that the offer is read',
    patch: restless((option, times) => ({ ...option, payTo: `0x${String(times).padStart(40, '0')}` })),
    why: /the offer differs from the earlier one/,
    most: 0,
  },
  {
    about: 'a price one unit above the limit',
    patch: offering((option) => ({ ...option, amount: String(maxAmount + 1n) })),
    why: /above the limit of one payment/,
    most: 0,
  },
  {
    about: 'all the money there can be',
    patch: offering((option) => ({ ...option, amount: String(2n ** 256n - 1n) })),
    why: /above the limit of one payment/,
    most: 0,
  },
  {
    about: 'prices that grow with each task, until they are above the limit',
    patch: offering((option, times) => ({ ...option, amount: String(1000 * times) })),
    why: /^$|above the limit/,
    most: 30,
  },
  {
    about: 'nothing, to have a signature',
    patch: offering((option) => ({ ...option, amount: '0' })),
    why: /the amount is 0/,
    most: 0,
  },
  {
    about: 'the domain of another token for the asset that is known',
    patch: offering((option) => ({ ...option, extra: { name: other.name, version: other.version } })),
    why: /refused/,
    most: 3,
  },
  ...['escrow', 'prepaid', 7, ['authorization']].map((paymentFlow) => ({
    about: `a payment flow that exact does not have: ${JSON.stringify(paymentFlow)}`,
    patch: offering((option) => ({ ...option, ...flowing(option, paymentFlow) })),
    why: /the scheme exact has no payment flow escrow|the kit does not know the payment flow/,
    most: 0,
  })),
  {
    about: 'to be paid before the work',
    patch: selling({ flows: ['upfront'] }),
    why: /the agent would be paid before the work, and give nothing back \(--x402-allow-upfront\)/,
    most: 0,
  },
  {
    about: 'to be paid before the work, but says so only each second time that the offer is read',
    patch: restless((option, times) => ({
      ...option,
      ...flowing(option, times % 2 === 1 ? 'authorization' : 'upfront'),
      visit: times,
    })),
    why: /the offer differs from the earlier one/,
    most: 0,
  },
  {
    about: 'another term of its own each time that the offer is read',
    patch: restless((option, times) => ({ ...option, months: times })),
    why: /the offer differs from the earlier one/,
    most: 0,
  },
  {
    about: 'to be paid before the work, and after it for a higher price',
    patch: offering((option) => [
      { ...option, ...flowing(option, 'upfront'), amount: '1' },
      { ...option, amount: String(maxAmount + 1n) },
    ]),
    why: /the agent would be paid before the work/,
    most: 0,
  },
  {
    about: 'a network by its name of version 1',
    patch: offering((option) => ({ ...option, network: 'base-sepolia' })),
    why: /version 2 names networks by CAIP-2 ids/,
    most: 0,
  },
  {
    about: 'a token that nobody knows',
    patch: selling({ tokens: [other] }),
    why: /the token is neither known nor named/,
    most: 0,
  },
  {
    about: 'a network that nobody allowed',
    patch: offering((option) => ({ ...option, network: 'eip155:8453' })),
    why: /the network is not allowed/,
    most: 0,
  },
  {
    about: 'money for the payer',
    patch: selling({ payTo: wallet.address }),
    why: /the recipient is the payer/,
    most: 0,
  },
  {
    about: 'time without end',
    patch: selling({ maxTimeoutSeconds: 1e9 }),
    why: /^$/,
    most: 3,
  },
  { about: 'a payment, whatever is paid', patch: insatiable, why: /the payment was refused|not decided/, most: 3 },
  {
    about: 'patience: payments are never decided',
    patch: undecided,
    why: /did not decide the payment within/,
    most: 3,
  },
  {
    about: 'an offer of one mebibyte',
    patch: offering((option) => ({ ...option, description: 'x'.repeat(1024 * 1024) })),
    // No client need take as much back.
    why: /^$|larger than/,
    most: 3,
    few: true,
  },
  {
    about: 'thousands of options above the limit',
    patch: offering((option) =>
      Array.from({ length: 3000 }, (_, at) => ({ ...option, amount: String(maxAmount + 1n + BigInt(at)) })),
    ),
    why: /above the limit of one payment/,
    most: 0,
    few: true,
  },
];

const hour = 3_600_000;

/** Everything that the funded wallet has signed, as it was sent. */
const signedIn = ({ bodies }: Sold) => {
  const found = bodies.flatMap((body) => {
    if (!body.toLowerCase().includes(wallet.address.slice(2).toLowerCase())) return [];
    const sent: unknown = JSON.parse(body);
    const message = member(member(sent, 'params'), 'message');
    const payment = readPayment(member(member(message, 'metadata'), metadataKeys.payload));
    const isOurs = payment?.payload.authorization.from.toLowerCase() === wallet.address.toLowerCase();
    return payment === undefined || !isOurs ? [] : [payment.payload];
  });
  return [...new Map(found.map((exactPayload) => [exactPayload.authorization.nonce, exactPayload])).values()];
};

const fund = async (
  address: string,
  amount: string,
  sold: Parameters<NonNullable<Parameters<typeof sell>[0]['prepare']>>[0],
) => sold.control.fund(address, { network: caip2Of(localToken.chainId), asset: localToken.asset }, amount);

async function judged(patch: Patch, chosen = ours): Promise<Sold> {
  return sell({
    rules: chosen,
    stub: false,
    patches: [patch],
    x402: { funds: { wallet, maxAmount, maxTotal, dryRun: false } },
    prepare: (facilitator) => fund(wallet.address, '1000000', facilitator),
  });
}

describe.each(hostile)('$about', ({ patch, why, most, few }) => {
  test('costs no more than the limits, and no more than time', { timeout: 120_000 }, async () => {
    const sold = await judged(patch, few ? ofThem : ours);
    const { report, of, facilitator } = sold;
    expect(report.run.durationMs).toBeLessThan(5 * hour);
    expect(of('x402/paid').replace(/^pass$/, '')).toMatch(why);
    expect(report.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);

    const signed = signedIn(sold);
    expect(signed.length).toBeLessThanOrEqual(most);
    for (const { authorization, signature } of signed) {
      expect(BigInt(authorization.value)).toBeLessThanOrEqual(maxAmount);
      expect(authorization.to.toLowerCase()).not.toBe(wallet.address.toLowerCase());
      // Whatever domain was asked for, the token is the one that the kit knows.
      expect(recoverAuthorization(domain, authorization, signature)).toBe(wallet.address);
    }
    const total = signed.reduce((sum, { authorization }) => sum + BigInt(authorization.value), 0n);
    expect(total).toBeLessThanOrEqual(maxTotal);

    // The kit reports all payments that a program can still cash, and none that it has cashed.
    const settled = new Set((await facilitator.control.settlements()).map(({ nonce }) => nonce));
    const ended = Date.parse(report.run.startedAt) + report.run.durationMs;
    const open = signed
      .filter(({ authorization: { nonce, validBefore } }) => !settled.has(nonce) && Number(validBefore) * 1000 > ended)
      .map(({ authorization: { nonce, validBefore } }) => ({
        state: 'outstanding',
        nonce,
        expires: new Date(Number(validBefore) * 1000).toISOString(),
      }));
    expect(report.payments ?? []).toMatchObject(open);
    expect(report.payments ?? []).toHaveLength(open.length);
  });
});

test.each([
  ['never decides', undecided],
  ['always asks again', insatiable],
  ['names another domain', hostile.find(({ about }) => about.startsWith('the domain'))?.patch ?? expect.fail('gone')],
])('what was signed for a merchant that %s is listed with its expiry', async (_, patch) => {
  const sold = await judged(
    patch,
    ours.filter(({ id }) => id === 'x402/paid'),
  );
  const [exactPayload] = signedIn(sold);
  const { nonce, validBefore } = exactPayload?.authorization ?? expect.fail('nothing was signed');
  expect(sold.report.payments).toMatchObject([
    { state: 'outstanding', nonce, amount: '10000', expires: new Date(Number(validBefore) * 1000).toISOString() },
  ]);
});

test('options without end are not gone through one by one', { timeout: 60_000 }, async () => {
  const patch = together(
    offering((option) => Array.from({ length: 5000 }, (_, at) => ({ ...option, amount: String(20_000 + at) }))),
  );
  const started = performance.now();
  const sold = await judged(
    patch,
    ours.filter(({ id }) => id === 'x402/paid'),
  );
  expect(sold.of('x402/paid')).toMatch(/above the limit/);
  expect(performance.now() - started).toBeLessThan(20_000);
});
