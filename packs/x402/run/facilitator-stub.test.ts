import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Served, serveAgent } from '../../../src/reference/index.js';
import { createHttpCarrier } from '../../../src/wire/http.js';
import { bodyText, type Carrier, CarrierFailure, realClock, virtualClock } from '../../../src/wire/index.js';
import { createFacilitator, facilitatorControlHandle } from '../agent/index.js';
import { caip2Of, type FacilitatorControl, localToken } from '../payments/index.js';
import { createFacilitatorStub } from './facilitator-stub.js';

const carrier = createHttpCarrier();
const token = { network: caip2Of(localToken.chainId), asset: localToken.asset };
const address = localToken.asset;
let served: Served;
let inside: FacilitatorControl;
let stub: FacilitatorControl;
beforeEach(async () => {
  inside = createFacilitator({ clock: realClock }).control;
  served = await serveAgent(() => facilitatorControlHandle(inside));
  stub = createFacilitatorStub(`${served.url}/`, { carrier, clock: realClock });
});
afterEach(() => served.close());

test('does over HTTP what is done in the same process', async () => {
  const orders: unknown[] = [];
  const tell =
    (name: string) =>
    async (...given: unknown[]): Promise<void> =>
      void orders.push([name, ...given]);
  inside.fund = tell('fund');
  inside.setBehaviour = tell('setBehaviour');
  inside.setClockOffset = tell('setClockOffset');
  inside.reset = tell('reset');
  const order = { behaviour: 'delay', on: 'settle', sticky: true, delayMs: 300 } as const;
  await stub.fund(address, token, '12');
  await stub.setBehaviour(order);
  await stub.setBehaviour({ behaviour: 'settlement-pending-once' });
  await stub.setBehaviour(undefined);
  await stub.setClockOffset(-5000);
  await stub.reset();
  expect(orders).toEqual([
    ['fund', address, token, '12'],
    ['setBehaviour', order],
    ['setBehaviour', { behaviour: 'settlement-pending-once' }],
    ['setBehaviour', undefined],
    ['setClockOffset', -5000],
    ['reset'],
  ]);
});

test('reads balances, calls, settlements and the time', async () => {
  await inside.fund(address, token, String(2n ** 255n));
  expect(await stub.balance(address, token)).toBe(String(2n ** 255n));
  const calls = [
    { number: 1, at: 5, method: 'POST', path: '/verify', request: [1], status: 200, answer: { isValid: true } },
    { number: 2, at: 6, method: 'GET', path: '/' },
  ];
  inside.calls = async () => calls;
  const settlement = { ...token, from: address, to: address, value: '1', nonce: '0x', transaction: '0x' };
  const settlements = [{ number: 1, at: 7, ...settlement }];
  inside.settlements = async () => settlements;
  inside.now = async () => 77;
  expect(await stub.calls()).toEqual(calls);
  expect(await stub.settlements()).toEqual(settlements);
  expect(await stub.now()).toBe(77);
});

test('the error has the words of the stub that refuses', async () => {
  await expect(stub.fund('x', token, '1')).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('refused fund: body.address must be an address'),
  });
  await expect(stub.fund(address, token, '1.5')).rejects.toThrow('body.amount must be a decimal text');
  await expect(stub.balance(address, { ...token, network: 'eip155:1' })).rejects.toThrow('unknown token');
  await expect(stub.fund(address, token, String(2n ** 256n - 1n))).resolves.toBeUndefined();
  await expect(stub.fund(address, token, '1')).rejects.toThrow('a balance is below 2^256');
});

describe('a stub that is none', () => {
  test.each(['', 'localhost:80', 'ftp://a/', '/x'])('%j is not a URL of one', (url) => {
    expect(() => createFacilitatorStub(url, { carrier, clock: realClock })).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
  });

  test('no server answers', async () => {
    await served.close();
    await expect(stub.reset()).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(`the facilitator stub at ${served.url} does not answer`),
      hint: expect.stringContaining('a2a-tck stub --x402'),
    });
  });

  const answers = (status: number, body: string): Carrier => {
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(body);
    }
    return async () => ({ status, headers: [], body: bytes() });
  };
  test.each([
    [200, '<html>'],
    [200, 'null'],
    [200, '{}'],
    [200, '{"calls":[{"number":"1"}],"settlements":[{"number":1,"at":1}],"balance":"01","now":"1","done":1}'],
    [200, '{"calls":{},"settlements":{},"balance":7,"now":null,"done":"yes"}'],
    [200, '['.repeat(100_000)],
    [302, '{"done":true,"calls":[]}'],
    [404, '{"error":"there is only …"}'],
    [500, ''],
    [400, '{"error":7}'],
  ])('answers %i %.40s', async (status, body) => {
    const strange = createFacilitatorStub('http://stub.test', {
      carrier: answers(status, body),
      clock: virtualClock(),
    });
    const asked = [
      strange.calls(),
      strange.settlements(),
      strange.balance(address, token),
      strange.now(),
      strange.reset(),
    ];
    for (const call of asked) {
      await expect(call).rejects.toMatchObject({
        code: 'config',
        message: expect.stringContaining('http://stub.test'),
      });
    }
  });

  test('hangs, or breaks off', async () => {
    const hanging: Carrier = () => new Promise(() => undefined);
    const broken: Carrier = () => Promise.reject(new CarrierFailure('reset', 'gone'));
    for (const strange of [hanging, broken]) {
      const asked = createFacilitatorStub('http://stub.test', { carrier: strange, clock: virtualClock() }).reset();
      await expect(asked).rejects.toMatchObject({ code: 'unreachable' });
    }
  });
});

describe('the control over HTTP serves nothing else', () => {
  const json = [['content-type', 'application/json; charset=utf-8']] as const;
  async function send(method: string, path: string, body: string, headers: typeof json | readonly [] = json) {
    const request = { method, url: `${served.url}${path}`, headers, body: new TextEncoder().encode(body) };
    const response = await carrier(request, new AbortController().signal);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    return { status: response.status, body: JSON.parse(bodyText(Buffer.concat(chunks))) as unknown };
  }

  test.each([
    ['POST', '/', '{}', 404],
    ['POST', '/control/constructor', '{}', 404],
    ['POST', '/verify', '{}', 404],
    ['PUT', '/control/reset', '{}', 405],
    ['POST', '/control/reset', '', 400],
    ['POST', '/control/reset', '[]', 400],
    ['POST', '/control/reset', '{"all":true}', 400],
    ['POST', '/control/set-behaviour', '{"order":{"behaviour":"toString"}}', 400],
    ['POST', '/control/set-behaviour', '{"order":null}', 400],
    ['POST', '/control/set-behaviour', '{"order":{"behaviour":"delay","delayMs":-1}}', 400],
    ['POST', '/control/set-clock-offset', '{"ms":1e300}', 400],
    ['POST', '/control/fund', ' '.repeat(20 * 1024), 413],
  ])('%s %s %.60s', async (method, path, body, status) => {
    expect(await send(method, path, body)).toEqual({ status, body: { error: expect.any(String) } });
  });

  test('nor text, which any page can send', async () => {
    expect((await send('POST', '/control/reset', '{}', [])).status).toBe(415);
  });
});
