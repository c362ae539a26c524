import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Served, serveAgent } from '../../../src/reference/index.js';
import { realClock } from '../../../src/wire/index.js';
import { createChain, residentKey, residents, testChainId } from '../agent/index.js';
import { type ChainControl, type ChainPermission, privateKeyFor, publicKeyText } from '../signing/index.js';
import { createChainReader } from './chain-reader.js';

const alice = { account: 'alice', key: residentKey('alice') };
const textOf = (label: string): string => publicKeyText(privateKeyFor(label).publicKey);
const mine = publicKeyText(alice.key.publicKey);

/** All texts that a program wrote to standard output, standard error or the console. */
const written: unknown[] = [];
beforeEach(() => {
  written.length = 0;
  const keep = (...texts: unknown[]): boolean => {
    written.push(...texts);
    return true;
  };
  for (const method of ['log', 'error', 'warn', 'info', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation(keep);
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
});
afterEach(() => {
  const noise = [...written];
  vi.restoreAllMocks();
  expect(noise).toEqual([]);
});

describe('on a chain', () => {
  let served: Served;
  let control: ChainControl;
  beforeEach(async () => {
    const chain = createChain({ clock: realClock });
    control = await residents(chain.control);
    served = await serveAgent(() => chain.handle);
  });
  afterEach(() => served.close());

  const reported = async (...permissions: ChainPermission[]): Promise<string> => {
    await control.setAccount({ name: 'alice', permissions });
    return (await (await createChainReader(`${served.url}/`)).keysOf(alice)).lines.join('\n');
  };
  const permission = (name: string, ...keys: [key: string, weight: number][]): ChainPermission => ({
    name,
    threshold: 1,
    keys: keys.map(([key, weight]) => ({ key, weight })),
  });

  test('the chain id is read', async () => {
    expect(await (await createChainReader(served.url)).chainId()).toBe(testChainId);
  });

  test('a key on active', async () => {
    expect(await reported(permission('active', [textOf('other'), 1], [mine, 1]))).toBe(
      'the chain: alice has 2 keys on active, and 2 that suffice alone (threshold 1)\n' +
        'the key that was given is on active of alice',
    );
  });

  test('a key on a2a, and on owner', async () => {
    const seen = await reported(
      permission('active', [textOf('other'), 1]),
      permission('a2a', [mine, 1]),
      permission('owner', [mine, 1]),
    );
    expect(seen).toContain('alice has 1 key on active, and 1 that suffices alone');
    expect(seen).toContain('is on a2a of alice; agents that verify three lines refuse it');
    expect(seen).toContain('is on owner of alice; agents refuse it');
  });

  test('a key of no account', async () => {
    expect(await reported(permission('active', [textOf('other'), 1]))).toContain(
      'does not belong to alice: a correct agent refuses it',
    );
  });

  test('a weight below the threshold', async () => {
    const shared = { ...permission('active', [mine, 1], [textOf('other'), 2]), threshold: 2 };
    const seen = await reported(shared);
    expect(seen).toContain('2 keys on active, and 1 that suffices alone (threshold 2)');
    expect(seen).toContain('is on active of alice, where its weight does not reach the threshold 2');
  });

  test('an account without active', async () => {
    expect(await reported(permission('owner', [mine, 1]))).toContain('alice has no active permission');
  });

  test('keys in the older spelling', async () => {
    await control.setAccount({ name: 'alice', permissions: [permission('active', [mine, 1])], legacyKeys: true });
    expect((await (await createChainReader(served.url)).keysOf(alice)).lines.join()).toContain('is on active of alice');
  });

  test('an account that does not exist', async () => {
    const asked = (await createChainReader(served.url)).keysOf({ ...alice, account: 'nobody' });
    await expect(asked).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(/--xpr-rpc .*the account nobody cannot be read: .*unknown key/),
    });
  });

  test.each(['down', 'html', 'not-found', 'wrong-shape', 'null', 'server-error'] as const)(
    'a node that fails (%s) is reported in one sentence',
    async (mode) => {
      await control.setFailure('alice', mode);
      const error = await (await createChainReader(served.url)).keysOf(alice).then(String, String);
      expect(error).toContain(`--xpr-rpc ${served.url}/: the account alice`);
      expect(error).not.toMatch(/\n|undefined|\[object/);
    },
  );
});

describe('a server that is not a chain', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });
  async function listen(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const failing = async (url: string): Promise<void> => {
    const reader = await createChainReader(url);
    for (const asked of [reader.chainId(), reader.keysOf(alice)]) {
      await expect(asked).rejects.toMatchObject({
        code: 'config',
        message: expect.stringContaining(`--xpr-rpc ${url}`),
      });
    }
  };

  test.each([
    [200, '<h1>Welcome</h1>'],
    [200, ''],
    [200, 'null'],
    [200, '[]'],
    [200, '{}'],
    [200, '7'],
    [200, '{"chain_id":"xyz","permissions":{}}'],
    [200, '{"chain_id":7,"permissions":[]}'],
    [200, '{"code":404}'],
    [302, ''],
    [404, '{}'],
    [500, '{"error":{"details":[]}}'],
    [500, '{"error":{"details":[{"message":{"a":1}}]}}'],
    [503, '<h1>Busy</h1>'],
  ])('answers %i %s', async (status, body) => {
    await failing(await listen((_, response) => response.writeHead(status).end(body)));
  });

  test('no server answers', async () => {
    const url = await listen(() => undefined);
    servers.splice(0).map((server) => server.close());
    await failing(url);
  });

  test('ends the connection', async () => {
    await failing(await listen((request) => request.socket.destroy()));
  });

  test('begins an answer and never ends it', async () => {
    const url = await listen((_, response) => response.writeHead(200).write('{'));
    await failing(url);
  });

  test.each(['', 'localhost:80', 'ftp://a/', '/x', 'http://user:sesame@a.test/'])(
    '%j is not a URL of one',
    async (url) => {
      await expect(createChainReader(url)).rejects.toMatchObject({
        code: 'usage',
        message: expect.not.stringContaining('sesame'),
      });
    },
  );
});
