import { describe, expect, test } from 'vitest';
import { check, conforms } from '../../../src/kit/index.js';
import { RpcFailure } from '../../../src/reference/failure.js';
import type { Patch } from '../../../src/reference/index.js';
import { sleep } from '../../../src/wire/index.js';
import { type Selling, sell } from '../../../test/charging.js';
import { onX402, selling } from '../agent/index.js';
import { PaymentRefusal } from '../agent/seams.js';
import { metadataKeys, readPayment } from '../payments/index.js';
import { type Offered, ofVersion } from './asking.js';
import * as x402 from './index.js';

const refused = check('x402/amount-low', 'x402.amount-low')
  .given('control', x402.control)
  .given('offered', x402.offered)
  .when('a payment is one unit short', async (scene) => {
    const payload = await x402.defective(scene, scene.offered, 'n01');
    return x402.submit(scene, scene.offered, payload);
  })
  .expects('refuse the payment', (attempt, { control }) => x402.refusedPayment(attempt, control))
  .advice('Do so.');
const paid = check('x402/paid', 'x402.paid')
  .when('it is paid', (scene) => scene.use(x402.funded))
  .expects('take the payment', (attempt, scene) => x402.paid(scene)(attempt))
  .advice('Do so.');

/** What the two checks say of a merchant. */
async function judged(...patches: readonly Patch[]): Promise<readonly [refused: string, paid: string]> {
  const { of } = await sell({ rules: [refused, paid], patches });
  return [of('x402/amount-low'), of('x402/paid')];
}
const judgedBlind = async (...patches: readonly Patch[]): Promise<string> =>
  (await sell({ rules: [refused], patches, stub: false })).of('x402/amount-low');

const refusing = (reason: string): Patch => onX402(() => ({ verify: async () => new PaymentRefusal(reason) }));
/** Says more when a payment has failed. */
const failing = (more: (request: string) => string): Patch =>
  onX402((inner) => ({
    words(account, state) {
      const [part] = account.message.parts;
      const request = part?.kind === 'text' ? part.text : '';
      return `${inner.words(account, state)}${account.status === 'payment-failed' ? more(request) : ''}`;
    },
  }));

describe('a wrong payment', () => {
  test('is refused by the merchant, with and without play money', async () => {
    expect(await judged()).toEqual(['pass', 'pass']);
    expect(await judgedBlind()).toBe('pass');
  });

  test('is refused in vain by who refuses all', async () => {
    const [wrong, right] = await judged(refusing('invalid_exact_evm_signature'));
    expect(wrong).toMatch(/^inconclusive: no positive control: the payment was refused/);
    expect(right).toMatch(/^fail: the payment was refused .*INVALID_SIGNATURE/);
    expect(await judgedBlind(refusing('unexpected_verify_error'))).toMatch(/^inconclusive: no positive control/);
  });

  test('counts without money where an empty wallet gets another answer than others', async () => {
    expect(await judgedBlind(refusing('insufficient_funds'))).toBe('pass');
  });

  test('that is taken is a failure, whether there is a control or not', async () => {
    const taking = onX402((inner) => ({
      verify: async () => undefined,
      settle: async () => `0x${'ab'.repeat(32)}`,
      mark: inner.mark,
    }));
    expect(await judged(taking)).toEqual(['fail: the payment was taken: a successful receipt came', 'pass']);
    expect(await judgedBlind(taking)).toBe('fail: the payment was taken: a successful receipt came');
  });

  test('with the work in the text of the refusal', async () => {
    const leaking = failing((request) => ` Paid answer: ${request.slice('paid-echo '.length)}`);
    expect((await judged(leaking))[0]).toMatch(/^fail: the work was delivered: the task says "Paid answer: tck\w+"/);
    // Without a paid task the kit does not know what the work is.
    expect(await judgedBlind(leaking)).toMatch(/^inconclusive: the refusal repeats a word of the request/);
  });

  test('may be refused in words that repeat the request', async () => {
    const quoting = failing((request) => ` for "${request}".`);
    expect(await judged(quoting)).toEqual(['pass', 'pass']);
    expect(await judgedBlind(quoting)).toBe('pass');
  });

  test('may be answered with an error', async () => {
    const strict = onX402((inner) => ({
      answer(account, message) {
        const { value } = readPayment(message.metadata?.[metadataKeys.payload])?.payload.authorization ?? {};
        if (value !== account.skill.amount) throw new RpcFailure('InvalidParams', 'the payment is wrong');
        inner.answer(account, message);
      },
    }));
    expect(await judged(strict)).toEqual(['pass', 'pass']);
  });

  test.for(['failed', 'input-required', 'ask-again'] as const)('leaves the task %s', async (onFailure) => {
    expect(await judged(selling({ onFailure }))).toEqual(['pass', 'pass']);
  });
});

describe('a right payment', () => {
  test('is waited for', async () => {
    const slow = onX402((inner, world) => ({
      async verify(attempt) {
        await sleep(world.clock, 30_000);
        return inner.verify(attempt);
      },
    }));
    expect(await judged(slow)).toEqual(['pass', 'pass']);
  });

  test('that is never decided', async () => {
    const stuck = onX402(() => ({ verify: () => new Promise<undefined>(() => {}) }));
    const [wrong, right] = await judged(stuck);
    // The whole time is waited for once.
    expect(wrong).toMatch(/^inconclusive: the agent did not decide the payment .*, nor an earlier one within 60 s$/);
    expect(right).toMatch(/^fail: the agent did not decide the payment within 60 s \(working, payment-submitted\)/);
  });

  test('without a receipt is none', async () => {
    const silent = onX402(() => ({ receiptsFor: () => [] }));
    expect((await judged(silent))[1]).toBe(
      'fail: the task has no successful receipt and is completed, payment-completed, and an artifact came',
    );
  });

  test('in steps', async () => {
    expect(await judged(selling({ steps: 2 }))).toEqual(['pass', 'pass']);
  });

  test.for([1, 2] as const)('of version %s, with the work first', async (x402Version) => {
    expect(await judged(selling({ x402Version, order: 'work-first' }))).toEqual(['pass', 'pass']);
  });
});

test('what keeps an offer from coming is said', async () => {
  const asks: Omit<Selling, 'rules'> = { x402: { message: 'Hello' } };
  expect((await sell({ rules: [refused], ...asks })).of('x402/amount-low')).toMatch(
    /^inconclusive: .*--x402-message .*: the agent asks for no payment /,
  );
  const strange = selling({ tokens: [] });
  expect((await judged(strange))[0]).toMatch(
    /^inconclusive: offer an option that the kit can pay: the offer has no option/,
  );
});

test('one version only', () => {
  const offered = { offer: { x402Version: 1 } } as Offered;
  expect(() => ofVersion(1, offered)).not.toThrow();
  expect(() => ofVersion(2, offered)).toThrow('the offer is of payment version 1');
});

describe('laws of the schemas', () => {
  const shape = conforms('x402/receipt-shape', 'x402.receipt-shape', 'be right', { otherwise: 'none came' });
  const entry = conforms('x402/card-entry', 'x402.card-entry', 'be right', { otherwise: 'none came' });
  const rules = [paid, shape, entry];

  test('hold on the merchant', async () => {
    const { of } = await sell({ rules });
    expect([of('x402/receipt-shape'), of('x402/card-entry')]).toEqual(['pass', 'pass']);
  });
  test('are broken by metadata and by the card', async () => {
    const wrong = onX402((inner) => ({ receipt: (...all) => ({ ...inner.receipt(...all), success: 'yes' }) }));
    const { of } = await sell({ rules, patches: [wrong] });
    expect(of('x402/receipt-shape')).toMatch(
      /^fail: result of (send|get).*metadata\/x402.payment.receipts\/0\/success/,
    );
  });
  test('say nothing where nothing was paid', async () => {
    const { of } = await sell({ rules, options: { readOnly: true } });
    expect(of('x402/receipt-shape')).toBe('inconclusive: none came');
  });
});
