import { describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { onX402 } from '../packs/x402/agent/index.js';
import { PaymentRefusal } from '../packs/x402/agent/seams.js';
import * as suite from '../packs/x402/defects.js';
import { caip2Of, localToken, readWallet } from '../packs/x402/payments/index.js';
import type { Rule } from '../src/kit/index.js';
import type { Patch } from '../src/reference/index.js';
import { type Selling, type Sold, sell } from './charging.js';

// Without a stub wrong payments come from an empty wallet: a refusal for that says nothing of what is wrong.
// No fault of the matrix can show it: there every fault must make checks fail, and here they must be left open.

const rules = Object.values(suite) as readonly Rule[];
const mostlyFunds = /^inconclusive: .*--x402-stub: .*only for lack of funds/;

/** The reference agent with one of its weaknesses; its facilitator looks at the balance. */
const weakened = (id: string): Patch => {
  const found = faults.find((fault) => fault.id === id);
  if (found === undefined) throw new Error(`no fault ${id}`);
  return found.patch;
};

const wallet = readWallet(`0x${'4c'.repeat(32)}`);
/** The user's wallet pays, without a stub. */
const withWallet = (patches: readonly Patch[], chosen = rules): Promise<Sold> =>
  sell({
    rules: chosen,
    patches,
    stub: false,
    x402: { funds: { wallet, maxAmount: 10_000n, maxTotal: 30_000n, dryRun: false } },
    prepare: ({ control }) =>
      control.fund(wallet.address, { network: caip2Of(localToken.chainId), asset: localToken.asset }, '1000000'),
  });
const withoutMoney = (patches: readonly Patch[], more: Partial<Selling> = {}): Promise<Sold> =>
  sell({ rules, patches, stub: false, ...more });

/** An agent that looks at the balance first; what else it looks at is not seen. */
const balanceFirst: Patch = onX402((inner) => ({
  async verify(attempt) {
    const isFunded = attempt.payment.payload.authorization.from.toLowerCase() === wallet.address.toLowerCase();
    return isFunded ? inner.verify(attempt) : new PaymentRefusal('insufficient_funds');
  },
}));

/** What only the facilitator of the reference agent looks at. */
const unseen = [
  'x402/amount-low',
  'x402/amount-zero',
  'x402/amount-edited',
  'x402/recipient-other',
  'x402/recipient-edited',
  'x402/asset-other',
  'x402/chain-other',
  'x402/signature-broken',
  'x402/signature-high-s',
  'x402/signer-other',
  'x402/domain-other',
  'x402/expired',
  'x402/expires-now',
  'x402/not-yet-valid',
  'x402/window-inverted',
];

describe.each([
  ['without money', withoutMoney],
  ['with the wallet of a user', withWallet],
] as const)('%s', (_, judge) => {
  test.each([
    ['x402-amount-unchecked', 'x402/amount-low'],
    ['x402-amount-unchecked', 'x402/amount-high'],
    ['x402-amount-rounded', 'x402/amount-low'],
    ['x402-recipient-unchecked', 'x402/recipient-other'],
  ])('%s leaves %s open', async (fault, id) => {
    const sold = await judge([weakened(fault)]);
    expect(sold.of(id)).toMatch(mostlyFunds);
    expect(sold.of('x402/signer-other')).toBe('pass');
  });

  test('who looks at the balance first has passed nothing that it may not look at', async () => {
    const sold = await judge([balanceFirst]);
    for (const id of unseen) expect(`${id} ${sold.of(id)}`).toMatch(/^\S+ inconclusive: .*only for lack of funds/);
    expect(sold.of('x402/accepted-cheaper')).toBe('pass');
  });

  test('who looks at it last passes all', async () => {
    const sold = await judge([]);
    for (const id of unseen) expect(`${id} ${sold.of(id)}`).toBe(`${id} pass`);
  });
});

describe('with the wallet of a user', () => {
  const chosen = rules.filter(({ id }) => id === 'x402/amount-low' || id === 'x402/expired');
  const verdicts = async (...patches: readonly Patch[]): Promise<readonly string[]> => {
    const { of } = await withWallet(patches, chosen);
    return [of('x402/amount-low'), of('x402/expired')];
  };
  const oneCode = onX402(() => ({ code: () => 'SETTLEMENT_FAILED' }));
  const oneText = onX402((inner) => ({
    words: (account, state) => (account.status === 'payment-failed' ? 'Sorry.' : inner.words(account, state)),
    receipt: (...all) => {
      const receipt = inner.receipt(...all);
      return receipt['success'] === true ? receipt : { ...receipt, errorReason: `no ${receipt['network']}` };
    },
  }));

  test('one code for all says nothing, unless words tell the cause', async () => {
    const [low] = await verdicts(oneCode, oneText);
    expect(low).toMatch(
      /^inconclusive: .*in the same way as a correct payment from an empty wallet, so perhaps only for lack of funds/,
    );
    expect(await verdicts(oneCode)).toEqual(['pass', 'pass']);
  });

  test('nor does one error for all', async () => {
    const same = onX402((inner) => ({
      onRefused(account, _, attempt) {
        inner.onRefused(account, new PaymentRefusal('invalid_payment'), attempt);
      },
    }));
    for (const verdict of await verdicts(same))
      expect(verdict).toMatch(/^inconclusive: .*perhaps only for lack of funds/);
  });

  test('the kit keeps a code of the facilitator apart from a lack of funds, whatever the words', async () => {
    const wordy = onX402((inner) => ({
      words: (account, state) => `${inner.words(account, state)} Is your balance insufficient?`,
    }));
    expect(await verdicts(wordy)).toEqual(['pass', 'pass']);
  });

  test('a reason that speaks of funds counts under a code for all', async () => {
    const allSignatures = onX402(() => ({ code: () => 'INVALID_SIGNATURE' }));
    const [low, expired] = await verdicts(allSignatures, weakened('x402-amount-unchecked'));
    expect(low).toMatch(/^inconclusive: .*for lack of funds/);
    expect(expired).toBe('pass');
  });
});
