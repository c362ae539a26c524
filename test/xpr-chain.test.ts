import { JsonRpc, Key } from '@proton/js';
import { AgentRegistry } from '@xpr-agents/sdk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createChain, residentKey, residents, testChainId } from '../packs/xpr/agent/index.js';
import { type ChainControl, legacyPublicKeyText, pvtText, wif } from '../packs/xpr/signing/index.js';
import { type Served, serveAgent } from '../src/reference/index.js';
import { realClock } from '../src/wire/index.js';

// The stub of the chain as the published library meets it, over a real port.

let served: Served;
let control: ChainControl;
let rpc: JsonRpc;
beforeEach(async () => {
  // The library prints what fails.
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const chain = createChain({ clock: realClock });
  control = await residents(chain.control);
  served = await serveAgent(() => chain.handle);
  rpc = new JsonRpc(served.url);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await served.close();
});

const agents = { code: 'agentcore', scope: 'agentcore', table: 'agents', limit: 1 };
const rowOf = async (name: string) =>
  (await rpc.get_table_rows<{ account: string }>({ ...agents, lower_bound: name, upper_bound: name })).rows;

async function activeKey(name: string): Promise<string | undefined> {
  const { permissions } = await rpc.get_account(name);
  return permissions.find((permission) => permission.perm_name === 'active')?.required_auth.keys[0]?.key;
}

test('accounts are read, with keys that the library takes for those of their private keys', async () => {
  const key = residentKey('alice');
  for (const legacyKeys of [false, true]) {
    const permissions = [
      { name: 'active', threshold: 1, keys: [{ key: legacyPublicKeyText(key.publicKey), weight: 1 }] },
    ];
    await control.setAccount({ name: 'alice', permissions, legacyKeys });
    const text = (await activeKey('alice')) ?? '';
    expect(text.startsWith(legacyKeys ? 'EOS' : 'PUB_K1_')).toBe(true);
    const read = Key.PublicKey.fromString(text);
    for (const secret of [wif(key), pvtText(key)]) {
      expect(Key.PrivateKey.fromString(secret).getPublicKey().toString()).toBe(read.toString());
    }
    expect(read.toLegacyString()).toBe(legacyPublicKeyText(key.publicKey));
  }
});

test('rows of agents and of the chain are read', async () => {
  expect(await rowOf('tckagent')).toMatchObject([{ account: 'tckagent', active: 1 }]);
  expect(await rowOf('carol')).toEqual([]);
  const info = await rpc.get_info();
  expect(info.chain_id).toBe(testChainId);
  expect(Math.abs(Date.parse(`${info.head_block_time}Z`) - Date.now())).toBeLessThan(60_000);
});

test('the registry of the published kit reads agents and their trust', async () => {
  const registry = new AgentRegistry(rpc);
  expect(await registry.getAgent('alice')).toMatchObject({ account: 'alice', active: true, capabilities: [] });
  expect(await registry.getAgent('dave')).toMatchObject({ active: false });
  expect(await registry.getAgent('carol')).toBe(null);
  await control.setAgent({ account: 'alice', owner: 'bob' });
  await control.setKyc({ account: 'bob', verified: 1, kyc: [2] });
  expect(await registry.getTrustScore('alice')).toMatchObject({ agent: 'alice', breakdown: { kyc: 20 } });
});

test.each([
  ['nobody', 'unknown key'],
  ['Alice', 'Name not properly normalized'],
  ['alice.', 'Name not properly normalized'],
])('the account %s is an exception that says why', async (name, message) => {
  await expect(rpc.get_account(name)).rejects.toThrow(message);
});

test('another request is an exception', async () => {
  await expect(rpc.get_block(1)).rejects.toThrow('Unknown Endpoint');
});

test.each(['down', 'html', 'not-found', 'null', 'server-error'] as const)('%s is an exception', async (mode) => {
  await control.setFailure('alice', mode);
  await expect(rpc.get_account('alice')).rejects.toThrow();
  expect(await activeKey('bob')).toBeDefined();
});

test('a slow answer is one that does not come', async () => {
  await control.setFailure('alice', 'slow');
  const impatient = new JsonRpc(served.url, { timeout: 200 });
  await expect(impatient.get_account('alice')).rejects.toThrow();
});

test('wrong shapes and foreign rows arrive', async () => {
  await control.setFailure('alice', 'wrong-shape');
  expect(await rpc.get_account('alice')).toMatchObject({ permissions: 'active' });
  await control.setFailure('alice', 'foreign-row');
  expect(await rowOf('alice')).toMatchObject([{ account: 'somebodyelse' }]);
});

test('the calls of the library are all in the log', async () => {
  await rpc.get_account('alice');
  await rowOf('bob');
  expect((await control.calls()).map(({ path, account }) => `${path} ${account}`)).toEqual([
    '/v1/chain/get_account alice',
    '/v1/chain/get_table_rows bob',
  ]);
});
