import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { member } from '../../../../src/model/index.js';
import { bodyText, type Carrier, CarrierFailure, type Clock, virtualClock } from '../../../../src/wire/index.js';
import { type ChainControl, legacyPublicKeyText, privateKeyFor, publicKeyText } from '../../signing/index.js';
import { createChain, testChainId } from './chain.js';
import { failureModes } from './input.js';
import { nameValue } from './name-value.js';
import { residentKey, residents } from './residents.js';

const encoder = new TextEncoder();
const patient = new AbortController().signal;

let clock: Clock;
let handle: Carrier;
let control: ChainControl;
beforeEach(async () => {
  clock = virtualClock();
  const chain = createChain({ clock });
  handle = chain.handle;
  control = await residents(chain.control);
});

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
  readonly json: unknown;
}

async function post(path: string, body: string | Uint8Array | undefined, method = 'POST'): Promise<Answer> {
  const url = `http://chain.test${path}`;
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const headers = [['content-type', 'text/plain;charset=UTF-8']] as const;
  const response = await handle({ method, url, headers, ...(bytes === undefined ? {} : { body: bytes }) }, patient);
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const text = bodyText(Buffer.concat(chunks));
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {}
  return { status: response.status, type: response.headers[0]?.[1], text, json };
}
const ask = (question: string, body: unknown = {}) => post(`/v1/chain/${question}`, JSON.stringify(body));
const account = (name: unknown) => ask('get_account', { account_name: name });
const agents = { json: true, code: 'agentcore', scope: 'agentcore', table: 'agents' };
const people = { json: true, code: 'eosio.proton', scope: 'eosio.proton', table: 'usersinfo' };
const row = (table: object, name: string) => ask('get_table_rows', { ...table, lower_bound: name, upper_bound: name });
const rowsOf = ({ json }: Answer): readonly Record<string, unknown>[] =>
  member(json, 'rows') as readonly Record<string, unknown>[];

describe('accounts', () => {
  test('show their keys, the owner another than active', async () => {
    const { status, type, json } = await account('alice');
    expect({ status, type }).toEqual({ status: 200, type: 'application/json' });
    const key = publicKeyText(residentKey('alice').publicKey);
    expect(json).toMatchObject({
      account_name: 'alice',
      permissions: [
        { perm_name: 'active', parent: 'owner', required_auth: { threshold: 1, keys: [{ key, weight: 1 }] } },
        { perm_name: 'owner', parent: '', required_auth: { accounts: [], waits: [] } },
      ],
    });
    expect(JSON.stringify(json).split(key)).toHaveLength(2);
  });

  test('show K1 keys in the requested form, and other keys unchanged', async () => {
    const { publicKey } = privateKeyFor('some');
    const other = `PUB_R1_${publicKeyText(publicKey).slice(7)}`;
    const permissions = [
      {
        name: 'active',
        threshold: 3,
        keys: [publicKeyText(publicKey), legacyPublicKeyText(publicKey), other].map((key) => ({ key, weight: 1 })),
        accounts: [{ actor: 'bob', permission: 'active', weight: 2 }],
        waits: [{ seconds: 60, weight: 1 }],
      },
      { name: 'a2a', threshold: 1, keys: [] },
    ];
    for (const legacyKeys of [true, false]) {
      await control.setAccount({ name: 'erin', permissions, legacyKeys });
      const text = (legacyKeys ? legacyPublicKeyText : publicKeyText)(publicKey);
      expect((await account('erin')).json).toMatchObject({
        permissions: [
          {
            required_auth: {
              threshold: 3,
              keys: [{ key: text }, { key: text }, { key: other }],
              accounts: [{ permission: { actor: 'bob', permission: 'active' }, weight: 2 }],
              waits: [{ wait_sec: 60, weight: 1 }],
            },
          },
          { perm_name: 'a2a', parent: 'active', required_auth: { keys: [] } },
        ],
      });
    }
  });

  test('can be removed', async () => {
    await control.removeAccount('alice');
    expect((await account('alice')).status).toBe(500);
  });

  test('that are unknown get the answer that nodes give', async () => {
    expect(await account('nobody')).toMatchObject({
      status: 500,
      json: {
        code: 500,
        message: 'Internal Service Error',
        error: {
          code: 0,
          name: 'exception',
          what: 'unspecified',
          details: [{ message: expect.stringMatching(/unknown key.*nobody/) }],
        },
      },
    });
  });

  test.each(['Alice', 'alice.', 'ALICE', 'averylongname1', 'a b', 'ali6e', '', 'alice, bob', '__proto__'])(
    'no account is called %j',
    async (name) => {
      const { status, json } = await account(name);
      expect(status).toBe(400);
      expect(json).toMatchObject({ code: 400, error: { code: 3010001, details: [{ file: expect.any(String) }] } });
    },
  );

  test.each([7, null, ['alice'], { toString: 1 }, undefined])('%j is not a name', async (name) => {
    expect((await account(name)).status).toBe(400);
  });
});

describe('rows', () => {
  test('of agents are found by their name only', async () => {
    expect(rowsOf(await row(agents, 'bob'))).toEqual([
      expect.objectContaining({ account: 'bob', active: 1, registered_at: clock.now() / 1000, capabilities: '[]' }),
    ]);
    expect(rowsOf(await row(agents, 'carol'))).toEqual([]);
    expect(rowsOf(await row(agents, 'dave'))).toMatchObject([{ account: 'dave', active: 0 }]);
    await control.removeAgent('bob');
    expect(rowsOf(await row(agents, 'bob'))).toEqual([]);
  });

  test('are given as they were set', async () => {
    await control.setAgent({ account: 'erin', active: true, registeredAt: 5, owner: 'alice', capabilities: ['x'] });
    expect(rowsOf(await row(agents, 'erin'))).toMatchObject([
      { active: true, registered_at: 5, owner: 'alice', capabilities: '["x"]' },
    ]);
    const kyc = [2, { kyc_provider: 'metal.kyc', kyc_level: 'trulioo:address,trulioo:name', kyc_date: 1 }];
    await control.setKyc({ account: 'erin', verified: 1, kyc });
    expect(rowsOf(await row(people, 'erin'))).toMatchObject([{ acc: 'erin', verified: 1, kyc }]);
    await control.removeKyc('erin');
    expect(rowsOf(await row(people, 'erin'))).toEqual([]);
  });

  test('are bounded, sorted, limited and continued', async () => {
    const first = await ask('get_table_rows', { ...agents, limit: 2 });
    expect(rowsOf(first).map((row) => row['account'])).toEqual(['alice', 'bob']);
    expect(first.json).toMatchObject({ more: true, next_key: String(nameValue('dave')) });
    const next = { ...agents, lower_bound: member(first.json, 'next_key') };
    const second = await ask('get_table_rows', next);
    expect(rowsOf(second).map((row) => row['account'])).toEqual(['dave', 'tckagent']);
    expect(second.json).toMatchObject({ more: false, next_key: '' });
    const back = await ask('get_table_rows', { ...agents, upper_bound: 'bob', reverse: true, show_payer: true });
    expect(rowsOf(back).map((row) => member(row['data'], 'account'))).toEqual(['bob', 'alice']);
  });

  test('sort by name as nodes do', () => {
    const names = ['a', 'a.b', 'a1', 'a5', 'aa', 'b', 'zzzzzzzzzzzz'];
    expect(names.map(nameValue).every((value, at, all) => at === 0 || value > (all[at - 1] ?? 0n))).toBe(true);
    // eosio: the value that every node has for it.
    expect(nameValue('eosio')).toBe(6138663577826885632n);
  });

  test('of tables that are not kept are none; other contracts do not exist', async () => {
    expect(rowsOf(await ask('get_table_rows', { ...agents, table: 'plugins' }))).toEqual([]);
    expect(rowsOf(await ask('get_table_rows', { ...agents, scope: 'alice' }))).toEqual([]);
    expect(await ask('get_table_rows', { ...agents, code: 'nobody' })).toMatchObject({
      status: 500,
      json: { error: { code: 3060002, details: [{ message: "Fail to retrieve account for 'nobody'" }] } },
    });
  });

  test.each([
    { lower_bound: 'Alice' },
    { upper_bound: 'alice.' },
    { lower_bound: {} },
    { json: false },
    { index_position: 2 },
    { code: { toString: 1 } },
  ])('a request with %j is refused', async (part) => {
    expect((await ask('get_table_rows', { ...agents, ...part })).status).toBeGreaterThanOrEqual(400);
  });
});

test('get_info tells the chain and the time', async () => {
  expect((await ask('get_info')).json).toMatchObject({
    chain_id: testChainId,
    head_block_time: '2026-01-01T00:00:00.000',
  });
  expect((await post('/v1/chain/get_info', undefined, 'GET')).status).toBe(200);
  const chainId = 'ab'.repeat(32);
  expect(await createChain({ clock, chainId }).control.chainId()).toBe(chainId);
  expect(() => createChain({ clock, chainId: 'xyz' })).toThrow('64');
});

test.each(['/', '/v1/chain/get_block', '/v1/chain/get_account/', '//v1/chain/get_account', '/v1/chain/__proto__'])(
  '%s is not there',
  async (path) => {
    expect(await post(path, '{}')).toMatchObject({ status: 404, json: { code: 404 } });
  },
);

describe('failures', () => {
  const seen: Readonly<Record<(typeof failureModes)[number], unknown>> = {
    down: new CarrierFailure('reset', ''),
    slow: { status: 200, json: { account_name: 'alice' } },
    html: { status: 200, type: /text\/html/, json: undefined },
    'not-found': { status: 200, json: { code: 404 } },
    'wrong-shape': { status: 200, json: { account_name: 7, permissions: 'active' } },
    null: { status: 200, json: null },
    'foreign-row': { status: 200, json: { account_name: 'alice' } },
    'server-error': { status: 500, type: /text\/plain/, json: undefined },
  };

  test.each(failureModes)('%s hits the account that it was set for, until it is taken away', async (mode) => {
    await control.setFailure('alice', mode);
    const expected = seen[mode];
    if (expected instanceof CarrierFailure) {
      await expect(account('alice')).rejects.toMatchObject({ kind: expected.kind });
    } else {
      const { type, ...rest } = expected as { readonly type?: RegExp };
      const answer = await account('alice');
      expect(answer).toMatchObject(rest);
      if (type !== undefined) expect(answer.type).toMatch(type);
    }
    expect((await account('bob')).json).toMatchObject({ account_name: 'bob' });
    await control.setFailure('alice', undefined);
    expect((await account('alice')).json).toMatchObject({ account_name: 'alice' });
  });

  test('slow is later than callers wait', async () => {
    await control.setFailure('*', 'slow');
    const before = clock.now();
    await ask('get_info');
    expect(clock.now() - before).toBe(8000);
  });

  test('of all requests hit everything but the accounts with failures of their own', async () => {
    await control.setFailure('*', 'null');
    await control.setFailure('alice', 'html');
    expect((await ask('get_info')).json).toBe(null);
    expect((await row(agents, 'bob')).json).toBe(null);
    expect((await account('alice')).type).toMatch('text/html');
  });

  test('a foreign row belongs to another account, which the agent would accept', async () => {
    await control.setFailure('carol', 'foreign-row');
    expect(rowsOf(await row(agents, 'carol'))).toMatchObject([{ account: 'somebodyelse', active: 1 }]);
    expect(rowsOf(await row(people, 'carol'))).toMatchObject([{ acc: 'somebodyelse', verified: 1, kyc: [3] }]);
  });
});

test('calls are kept with their number, and the oldest are forgotten', async () => {
  await account('alice');
  await row(agents, 'bob');
  await ask('get_info');
  const at = clock.now();
  expect(await control.calls()).toEqual([
    { number: 1, at, path: '/v1/chain/get_account', account: 'alice' },
    { number: 2, at, path: '/v1/chain/get_table_rows', account: 'bob' },
    { number: 3, at, path: '/v1/chain/get_info' },
  ]);
  await account('x'.repeat(5000));
  expect((await control.calls()).at(-1)?.account).toHaveLength(100);
  for (let count = 0; count < 5000; count++) await ask('get_info');
  const calls = await control.calls();
  expect(calls).toHaveLength(2000);
  expect(calls.at(-1)?.number).toBe(5004);
});

test('a reset leaves the residents and nothing else', async () => {
  await control.setAccount({ name: 'erin', permissions: [] });
  await control.removeAgent('alice');
  await control.setFailure('*', 'down');
  await control.reset();
  expect(await control.calls()).toEqual([]);
  expect((await account('erin')).status).toBe(500);
  expect(rowsOf(await row(agents, 'alice'))).toHaveLength(1);
});

test.each([
  ['setAccount', { name: 'Alice', permissions: [] }, 'account.name must be a name'],
  ['setAccount', { name: 'alice' }, 'account.permissions must be an array'],
  ['setAccount', { name: 'alice', permissions: [], keys: [] }, 'account has no member "keys"'],
  [
    'setAccount',
    { name: 'a', permissions: [{ name: 'active', threshold: 1.5, keys: [] }] },
    'threshold must be a whole',
  ],
  [
    'setAccount',
    { name: 'a', permissions: [{ name: 'active', threshold: 1, keys: [{ key: 'EOS1', weight: 1 }] }] },
    'account.permissions[0].keys[0].key must be the text of a public key',
  ],
  ['setAgent', { account: 'alice', active: 2 }, 'agent.active must be one of'],
  ['setKyc', { account: 'alice', kyc: ['1'] }, 'kyc.kyc[0] must be an object'],
  ['setKyc', null, 'kyc must be an object'],
] as const)('%s refuses %j', async (name, value, sentence) => {
  await expect((control[name] as (given: unknown) => Promise<void>)(value)).rejects.toThrow(sentence);
});

test('only failures that there are can be set', async () => {
  await expect(control.setFailure('Alice', 'down')).rejects.toThrow('failure.account');
  await expect(control.setFailure('alice', 'constructor' as 'down')).rejects.toThrow('failure.mode');
});

describe('hostile requests', () => {
  test('bad JSON, no object, too much', async () => {
    for (const body of ['', '{', 'null', '[]', '"alice"', '['.repeat(60_000), '\u0000', new Uint8Array([0xff, 0xfe])]) {
      expect((await post('/v1/chain/get_account', body)).status).toBe(400);
    }
    expect((await post('/v1/chain/get_account', ' '.repeat(65 * 1024))).status).toBe(413);
  });

  test('whatever comes, under whatever failure, an answer is given', async () => {
    const names = [
      'account_name',
      'json',
      'code',
      'scope',
      'table',
      'lower_bound',
      'upper_bound',
      'limit',
      '__proto__',
    ];
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>('agentcore', 'agents', 'alice', true, 1, { toString: 1, valueOf: 1 }, { toJSON: 1 }),
    );
    const body = fc.oneof(
      fc.dictionary(fc.constantFrom(...names), value).map((found) => JSON.stringify(found)),
      fc.jsonValue().map((found) => JSON.stringify(found)),
      fc.string({ unit: 'binary' }),
      fc.constant(' '.repeat(65 * 1024)),
    );
    const modes = failureModes.filter((mode) => mode !== 'down' && mode !== 'slow');
    const path = fc.constantFrom('get_account', 'get_table_rows', 'get_info', 'other');
    await fc.assert(
      fc.asyncProperty(path, body, fc.option(fc.constantFrom(...modes)), async (question, text, mode) => {
        await control.setFailure('*', mode ?? undefined);
        const { status, json } = await post(`/v1/chain/${question}`, text);
        expect([200, 400, 404, 413, 500]).toContain(status);
        if (mode === null && status !== 200) expect(json).toMatchObject({ code: status, error: { details: [{}] } });
      }),
      { numRuns: 1000 },
    );
  });
});
