import { HTTPFacilitatorClient } from '@x402/core/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Served, serveAgent } from '../../../../src/reference/node-port.js';
import { bodyText, type Carrier, virtualClock } from '../../../../src/wire/index.js';
import {
  type Authorization,
  caip2Of,
  defectsOf,
  type FacilitatorBehaviour,
  type FacilitatorControl,
  localToken,
  type Offer,
  type Paying,
  payment,
  readOffer,
  rewritings,
  type Token,
  throwawayWallet,
  tokens,
  type X402Version,
} from '../../payments/index.js';
import { createFacilitator, type FacilitatorOptions } from './facilitator.js';

// The stub of a facilitator: what it verifies, what it settles, how it fails.

const clock = virtualClock();
const bytes =
  (fill: number): (() => Uint8Array) =>
  () =>
    new Uint8Array(32).fill(fill);
const wallet = throwawayWallet(bytes(7));
const payTo = throwawayWallet(bytes(9)).address;
const local = { network: caip2Of(localToken.chainId), asset: localToken.asset };

function offerOf(version: X402Version, token: Token = localToken): Offer {
  const common = {
    scheme: 'exact',
    network: caip2Of(token.chainId),
    asset: token.asset,
    payTo,
    maxTimeoutSeconds: 300,
    extra: { name: token.name, version: token.version },
  };
  return readOffer(
    version === 2
      ? { x402Version: 2, resource: { url: 'https://a.test/' }, accepts: [{ ...common, amount: '10000' }] }
      : {
          x402Version: 1,
          error: '',
          accepts: [{ ...common, maxAmountRequired: '10000', resource: '', description: '' }],
        },
  )!;
}
let count = 0;
function payingOf(version: X402Version, token?: Token, overrides?: Partial<Authorization>): Paying {
  const offer = offerOf(version, token);
  const nonce = `0x${(++count).toString(16).padStart(64, 'a')}`;
  const now = Math.floor(clock.now() / 1000);
  return { offer, option: offer.options[0]!, wallet, now, nonce, ...(overrides === undefined ? {} : { overrides }) };
}

async function post(handle: Carrier, path: string, body: unknown, signal = new AbortController().signal) {
  const sent = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  const headers = [['content-type', 'application/json']] as const;
  const answer = await handle({ method: 'POST', url: `http://f.test${path}`, headers, body: sent }, signal);
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  const text = bodyText(Buffer.concat(chunks));
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect to be there
  const json: any = text.startsWith('{') && text.endsWith('}') ? JSON.parse(text) : text;
  return { status: answer.status, json };
}

async function stub(options: Partial<FacilitatorOptions> = {}) {
  const facilitator = createFacilitator({ clock, ...options });
  await facilitator.control.fund(wallet.address, local, '1000000');
  const call = (path: string) => (paying: Paying, made: unknown, signal?: AbortSignal) =>
    post(
      facilitator.handle,
      path,
      { x402Version: paying.offer.x402Version, paymentPayload: made, paymentRequirements: paying.option.raw },
      signal,
    );
  return { ...facilitator, verify: call('/verify'), settle: call('/settle') };
}

describe.each([1, 2] as const)('version %i', (version) => {
  test('verifies and settles a payment, once', async () => {
    const { verify, settle, control } = await stub();
    const paying = payingOf(version);
    const made = payment(paying);
    expect((await verify(paying, made)).json).toEqual({ isValid: true, payer: wallet.address });
    const settled = await settle(paying, made);
    expect(settled.json).toEqual({
      success: true,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network: paying.option.network,
      payer: wallet.address,
    });
    const used = 'invalid_exact_evm_nonce_already_used';
    for (const other of [made, ...Object.values(rewritings).map((rewrite) => rewrite(made))]) {
      const [again, looked] = [await settle(paying, other), await verify(paying, other)];
      expect([used, 'invalid_exact_evm_signature']).toContain(looked.json.invalidReason);
      expect(again.json).toMatchObject({ success: false, transaction: '', errorReason: looked.json.invalidReason });
    }
    expect(await control.balance(wallet.address, local)).toBe('990000');
    expect(await control.balance(payTo.toLowerCase(), local)).toBe('10000');
    expect(await control.settlements()).toEqual([
      {
        number: 1,
        at: clock.now(),
        ...local,
        from: wallet.address,
        to: payTo,
        value: '10000',
        nonce: paying.nonce,
        transaction: settled.json.transaction,
      },
    ]);
  });

  test('copies at once are settled once', async () => {
    const { settle, control } = await stub();
    const paying = payingOf(version);
    const answers = await Promise.all(Array.from({ length: 10 }, () => settle(paying, payment(paying))));
    expect(answers.filter(({ json }) => json.success)).toHaveLength(1);
    expect(await control.settlements()).toHaveLength(1);
  });

  const reasons: Readonly<Record<string, string>> = {
    n01: 'value',
    n02: 'value',
    n03: 'value',
    n05: 'recipient',
    n14: 'valid_before',
    n15: 'valid_before',
    n16: 'valid_after',
    n17: 'valid_after',
    n26: 'network',
    n27: 'scheme',
    // What it is to be paid stands in the requirements, not in the copy.
    n28: 'value',
    n29: 'recipient',
  };
  test.each(defectsOf(version))('$id is refused: $about', async (defect) => {
    const { verify, settle, control } = await stub();
    const paying = payingOf(version);
    const made = defect.make(paying);
    const { status, json } = await verify(paying, made);
    // A member more does no harm.
    expect({ status, isValid: json.isValid }).toEqual({ status: 200, isValid: defect.id === 'm27' });
    if (defect.id === 'm27') return;
    const expected = defect.malformed
      ? /invalid_(payload|x402_version)/
      : new RegExp(reasons[defect.id] ?? 'signature');
    expect(json.invalidReason).toMatch(expected);
    expect((await settle(paying, made)).json).toMatchObject({ success: false, errorReason: json.invalidReason });
    expect(await control.settlements()).toEqual([]);
  });

  test('in the words of the documents', async () => {
    const { verify } = await stub({ wording: 'core' });
    const paying = payingOf(version);
    const poor = { ...paying, wallet: throwawayWallet(bytes(8)) };
    expect((await verify(poor, payment(poor))).json.invalidReason).toBe('insufficient_funds');
    const signed = { ...paying, domain: { name: 'x', version: '1', chainId: 31337n, verifyingContract: local.asset } };
    expect((await verify(paying, payment(signed))).json.invalidReason).toBe('invalid_exact_evm_payload_signature');
  });
});

test('a token of its own, and one whose name the merchant has wrong', async () => {
  const own = { ...localToken, asset: payTo, name: 'Mine' };
  const { verify, control } = await stub({ tokens: [own] });
  const at = { network: local.network, asset: own.asset };
  await control.fund(wallet.address, at, '10000');
  const paying = payingOf(2, own);
  expect((await verify(paying, payment(paying))).json.isValid).toBe(true);
  const renamed = payingOf(2, { ...own, name: 'Yours' });
  expect((await verify(renamed, payment(renamed))).json.invalidReason).toBe('invalid_exact_evm_token_name_mismatch');
  const other = payingOf(2, { ...own, version: '7' });
  expect((await verify(other, payment(other))).json.invalidReason).toBe('invalid_exact_evm_token_version_mismatch');
  await expect(control.fund(wallet.address, { ...at, network: 'eip155:1' }, '1')).rejects.toThrow('unknown token');
});

test.each([
  ['{', 400],
  ['[]', 400],
  ['{}', 200],
  ['{"x402Version":2,"paymentPayload":{},"paymentRequirements":[]}', 200],
  [`"${'x'.repeat(70_000)}"`, 413],
])('a body that is not a call: %.30s', async (body, status) => {
  const { handle } = await stub();
  for (const path of ['/verify', '/settle']) expect((await post(handle, path, body)).status).toBe(status);
  expect((await post(handle, '/other', body)).status).toBe(404);
});

describe('failures', () => {
  const twice = async (behaviour: FacilitatorBehaviour, sticky = false) => {
    const made = await stub();
    await made.control.setBehaviour({ behaviour, sticky });
    const paying = payingOf(2);
    const tries = async (path: 'verify' | 'settle') =>
      made[path](paying, payment(paying)).catch((cause: Error) => ({ status: 0, json: cause.message }));
    return { ...made, paying, tries };
  };

  test.each([
    ['down', 0, /closed/],
    ['http-500', 500, /error/],
    ['html', 200, /It works/],
    ['invalid-json', 200, /^\{"isValid":true/],
  ] as const)('%s, once', async (behaviour, status, text) => {
    const { tries, control } = await twice(behaviour);
    expect(await tries('verify')).toEqual({ status, json: expect.stringMatching(text) });
    expect((await tries('verify')).json.isValid).toBe(true);
    const calls = await control.calls();
    expect(calls.map((call) => call.status)).toEqual([status || undefined, 200]);
    expect(calls[1]).toMatchObject({ number: 2, method: 'POST', path: '/verify', answer: { isValid: true } });
    expect(calls[1]?.request).toMatchObject({ x402Version: 2, paymentRequirements: { amount: '10000' } });
  });

  test('until it is set anew, and on some calls only', async () => {
    const { tries, control } = await twice('html', true);
    for (const path of ['verify', 'settle', 'verify'] as const) expect((await tries(path)).json).toContain('works');
    await control.setBehaviour({ behaviour: 'html', on: 'settle', sticky: true });
    expect((await tries('verify')).json.isValid).toBe(true);
    expect((await tries('settle')).json).toContain('works');
    await control.setBehaviour(undefined);
    expect((await tries('settle')).json.success).toBe(true);
  });

  test('delay: late, and who has gone is not charged', async () => {
    const { settle, control, paying } = await twice('delay');
    const begun = clock.now();
    const gone = new AbortController();
    const asked = settle(paying, payment(paying), gone.signal);
    clock.after(5000, () => gone.abort());
    await expect(asked).rejects.toThrow();
    await new Promise<void>((resolve) => void clock.after(10_000, resolve));
    expect(await control.settlements()).toEqual([]);
    await control.setBehaviour({ behaviour: 'delay', delayMs: 300 });
    const since = clock.now();
    expect((await settle(paying, payment(paying))).json.success).toBe(true);
    expect(clock.now() - since).toBe(300);
    expect(since).toBe(begun + 15_000);
  });

  test('settle-fails', async () => {
    const { tries, control } = await twice('settle-fails');
    expect((await tries('verify')).json.isValid).toBe(true);
    expect((await tries('settle')).json).toMatchObject({ success: false, transaction: '' });
    expect(await control.settlements()).toEqual([]);
    expect((await tries('settle')).json.success).toBe(true);
  });

  test('valid-then-fail, whatever is sent', async () => {
    const { verify, tries, paying } = await twice('valid-then-fail');
    expect((await verify(paying, { wrong: true })).json.isValid).toBe(true);
    expect((await tries('verify')).json.isValid).toBe(true);
    expect((await tries('settle')).json).toMatchObject({
      success: false,
      errorReason: expect.stringContaining('insufficient'),
    });
    expect((await verify(paying, { wrong: true })).json.isValid).toBe(false);
  });

  test('success-without-transaction settles nothing', async () => {
    const { tries, control } = await twice('success-without-transaction');
    expect((await tries('settle')).json).toMatchObject({ success: true, transaction: '' });
    expect(await control.settlements()).toEqual([]);
  });

  test.each([false, true])('settlement-pending-once, sticky %s', async (sticky) => {
    const { tries, control } = await twice('settlement-pending-once', sticky);
    const pending = (await tries('settle')).json;
    expect(pending).toMatchObject({ success: false, errorReason: 'settlement_pending' });
    expect(await control.settlements()).toEqual([]);
    const { transaction } = (await tries('settle')).json;
    expect(transaction).toBe(pending.transaction);
    expect(await control.settlements()).toHaveLength(1);
  });
});

test('a clock of its own', async () => {
  const { verify, control } = await stub();
  const paying = payingOf(2);
  await control.setClockOffset(3_600_000);
  expect(await control.now()).toBe(clock.now() + 3_600_000);
  expect((await verify(paying, payment(paying))).json.invalidReason).toContain('valid_before');
  await control.setClockOffset(-3_600_000);
  expect((await verify(paying, payment(paying))).json.invalidReason).toContain('valid_after');
});

test('reset', async () => {
  const { settle, control } = await stub();
  const paying = payingOf(2);
  await settle(paying, payment(paying));
  await control.setBehaviour({ behaviour: 'down', sticky: true });
  await control.setClockOffset(5);
  await control.reset();
  expect(await control.calls()).toEqual([]);
  expect(await control.settlements()).toEqual([]);
  expect(await control.balance(wallet.address, local)).toBe('0');
  expect(await control.now()).toBe(clock.now());
  await control.fund(wallet.address, local, '10000');
  expect((await settle(paying, payment(paying))).json.success).toBe(true);
  expect((await control.calls()).map(({ number }) => number)).toEqual([1]);
});

describe('over HTTP, for the published client', () => {
  let served: Served;
  let control: FacilitatorControl;
  let client: HTTPFacilitatorClient;
  beforeEach(async () => {
    const made = await stub();
    control = made.control;
    served = await serveAgent(() => made.handle);
    client = new HTTPFacilitatorClient({ url: served.url });
  });
  afterEach(() => served.close());

  type Payload = Parameters<HTTPFacilitatorClient['verify']>[0];
  type Requirements = Parameters<HTTPFacilitatorClient['verify']>[1];

  test('verifies, settles, supports', async () => {
    const paying = payingOf(2);
    const [made, required] = [payment(paying) as unknown as Payload, paying.option.raw as Requirements];
    expect(await client.verify(made, required)).toMatchObject({ isValid: true, payer: wallet.address });
    expect(await client.settle(made, required)).toMatchObject({ success: true, network: local.network });
    expect(await client.settle(made, required)).toMatchObject({ success: false });
    expect(await control.settlements()).toHaveLength(1);
    const { kinds } = await client.getSupported();
    expect(kinds).toContainEqual({ x402Version: 2, scheme: 'exact', network: local.network });
    expect(kinds).toContainEqual({ x402Version: 1, scheme: 'exact', network: 'base-sepolia' });
    expect(kinds).toHaveLength(2 * new Set(tokens.map(({ chainId }) => chainId)).size);
  });

  test.each(['down', 'http-500', 'html', 'invalid-json'] as const)('fails: %s', async (behaviour) => {
    await control.setBehaviour({ behaviour });
    const paying = payingOf(2);
    const asked = client.verify(payment(paying) as unknown as Payload, paying.option.raw as Requirements);
    await expect(asked).rejects.toThrow();
  });
});
