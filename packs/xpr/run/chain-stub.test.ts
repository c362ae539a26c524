import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Served, serveAgent } from '../../../src/reference/index.js';
import { createHttpCarrier } from '../../../src/wire/http.js';
import { bodyText, type Carrier, CarrierFailure, realClock, virtualClock } from '../../../src/wire/index.js';
import { controlHandle, createChain, residents } from '../agent/index.js';
import { type ChainControl, privateKeyFor, publicKeyText } from '../signing/index.js';
import { createChainStub } from './chain-stub.js';

const carrier = createHttpCarrier();
let served: Served;
let inside: ChainControl;
let stub: ChainControl;
beforeEach(async () => {
  inside = await residents(createChain({ clock: realClock }).control);
  served = await serveAgent(() => controlHandle(inside));
  stub = createChainStub(`${served.url}/`, { carrier, clock: realClock });
});
afterEach(() => served.close());

test('does over HTTP what is done in the same process', async () => {
  const key = publicKeyText(privateKeyFor('erin').publicKey);
  const full = {
    name: 'erin',
    permissions: [
      {
        name: 'active',
        parent: 'owner',
        threshold: 2,
        keys: [{ key, weight: 1 }],
        accounts: [{ actor: 'bob', permission: 'active', weight: 1 }],
        waits: [{ seconds: 5, weight: 1 }],
      },
    ],
    legacyKeys: true,
  };
  const orders: unknown[] = [];
  const tell =
    (name: string) =>
    async (...given: unknown[]): Promise<void> =>
      void orders.push([name, ...given]);
  inside.setAccount = tell('setAccount');
  inside.removeAccount = tell('removeAccount');
  inside.setAgent = tell('setAgent');
  inside.removeAgent = tell('removeAgent');
  inside.setKyc = tell('setKyc');
  inside.removeKyc = tell('removeKyc');
  inside.setFailure = tell('setFailure');
  inside.reset = tell('reset');
  const agent = { account: 'erin', active: false, registeredAt: 5, capabilities: ['x'] } as const;
  const kyc = { account: 'erin', verified: 1, kyc: [1, { kyc_provider: 'p', kyc_level: 'a,b', kyc_date: 0 }] } as const;
  await stub.setAccount(full);
  await stub.removeAccount('erin');
  await stub.setAgent(agent);
  await stub.removeAgent('erin');
  await stub.setKyc(kyc);
  await stub.removeKyc('erin');
  await stub.setFailure('*', 'slow');
  await stub.setFailure('erin', undefined);
  await stub.reset();
  expect(orders).toEqual([
    ['setAccount', full],
    ['removeAccount', 'erin'],
    ['setAgent', agent],
    ['removeAgent', 'erin'],
    ['setKyc', kyc],
    ['removeKyc', 'erin'],
    ['setFailure', '*', 'slow'],
    ['setFailure', 'erin', undefined],
    ['reset'],
  ]);
});

test('reads the calls and the chain id', async () => {
  const calls = [
    { number: 1, at: 5, path: '/v1/chain/get_account', account: 'alice' },
    { number: 2, at: 6, path: '/' },
  ];
  inside.calls = async () => calls;
  expect(await stub.calls()).toEqual(calls);
  expect(await stub.chainId()).toBe(await inside.chainId());
});

test('the error has the words of the stub that refuses', async () => {
  await expect(stub.setAccount({ name: 'Erin', permissions: [] })).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('refused set-account: body.name must be a name of the chain'),
  });
});

describe('a stub that is none', () => {
  test.each(['', 'localhost:80', 'ftp://a/', '/x'])('%j is not a URL of one', (url) => {
    expect(() => createChainStub(url, { carrier, clock: realClock })).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
  });

  test('no server answers', async () => {
    await served.close();
    await expect(stub.reset()).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(`the chain stub at ${served.url} does not answer`),
      hint: expect.stringContaining('a2a-tck stub'),
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
    [200, '{"calls":[{"number":"1"}],"chainId":"xyz","done":1}'],
    [200, '{"calls":{},"chainId":7,"done":"yes"}'],
    [200, '[1]'],
    [200, '['.repeat(100_000)],
    [200, `"${'x'.repeat(5 * 1024 * 1024)}"`],
    [302, '{"done":true,"calls":[]}'],
    [404, '{"error":"there is only …"}'],
    [500, ''],
    [400, '{"error":7}'],
  ])('answers %i %.40s', async (status, body) => {
    const strange = createChainStub('http://stub.test', { carrier: answers(status, body), clock: virtualClock() });
    for (const asked of [strange.calls(), strange.chainId(), strange.reset()]) {
      await expect(asked).rejects.toMatchObject({
        code: 'config',
        message: expect.stringContaining('http://stub.test'),
      });
    }
  });

  test('hangs, or breaks off', async () => {
    const hanging: Carrier = () => new Promise(() => undefined);
    const broken: Carrier = () => Promise.reject(new CarrierFailure('reset', 'gone'));
    for (const strange of [hanging, broken]) {
      const asked = createChainStub('http://stub.test', { carrier: strange, clock: virtualClock() }).reset();
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
    ['POST', '/control/', '{}', 404],
    ['POST', '/control/constructor', '{}', 404],
    ['POST', '/v1/chain/get_info', '{}', 404],
    ['PUT', '/control/reset', '{}', 405],
    ['POST', '/control/reset', '', 400],
    ['POST', '/control/reset', '[]', 400],
    ['POST', '/control/reset', '{"all":true}', 400],
    ['POST', '/control/set-account', '{"name":"__proto__","permissions":[]}', 400],
    ['POST', '/control/set-account', '{"__proto__":{},"name":"alice","permissions":[]}', 400],
    ['POST', '/control/set-failure', '{"account":"*","mode":"toString"}', 400],
    ['POST', '/control/set-failure', '{"account":"*","mode":null}', 400],
    ['POST', '/control/set-account', ' '.repeat(300 * 1024), 413],
  ])('%s %s %.60s', async (method, path, body, status) => {
    expect(await send(method, path, body)).toEqual({ status, body: { error: expect.any(String) } });
  });

  test('nor text, which any page can send', async () => {
    expect((await send('POST', '/control/reset', '{}', [])).status).toBe(415);
  });
});
