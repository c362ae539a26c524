import { describe, expect, test } from 'vitest';
import { xprV2 } from '../../../src/dialect/xpr.js';
import { CarrierFailure } from '../../../src/wire/index.js';
import { type ChainControl, type ChainKey, type FailureMode, privateKeyFor, publicKeyText } from '../signing/index.js';
import { residentKey } from './chain/residents.js';
import { known, meet, refused } from './guest.js';
import { kycLevel, trustScore } from './levels.js';
import type { XprSettings } from './settings.js';

const keyOf = (name: string, weight = 1): ChainKey => ({ key: publicKeyText(residentKey(name).publicKey), weight });
const nobodyKey: ChainKey = { key: publicKeyText(privateKeyFor('nobody').publicKey), weight: 1 };
const setActive = (control: ChainControl, threshold: number, ...keys: readonly ChainKey[]) =>
  control.setAccount({ name: 'alice', permissions: [{ name: 'active', threshold, keys }] });

describe('the keys of an account', () => {
  test('act alone where their weight is enough', async () => {
    const verdict = async (threshold: number, ...keys: readonly ChainKey[]) => {
      const { ask, control } = await meet();
      await setActive(control, threshold, ...keys);
      return ask();
    };
    expect(await verdict(1, keyOf('alice'))).toBe(known);
    expect(await verdict(1, nobodyKey, keyOf('alice'))).toBe(known);
    expect(await verdict(2, keyOf('alice', 2), nobodyKey)).toBe(known);
    expect(await verdict(2, keyOf('alice'), nobodyKey)).toBe(refused);
    expect(await verdict(3, keyOf('alice', 2), nobodyKey)).toBe(refused);
    expect(await verdict(1, nobodyKey)).toBe(refused);
  });

  test('are read in the text of old', async () => {
    const { ask, control } = await meet();
    const active = { name: 'active', threshold: 1, keys: [nobodyKey, keyOf('alice')] };
    await control.setAccount({ name: 'alice', permissions: [active], legacyKeys: true });
    expect([await ask(), await ask({ key: residentKey('bob') })]).toEqual([known, refused]);
  });

  test('are those of active, and of a2a where requests are bound to a recipient', async () => {
    for (const dialect of [undefined, xprV2]) {
      const { ask, control } = await meet(dialect === undefined ? {} : { dialect });
      const permission = (name: string, ...keys: readonly ChainKey[]) => ({ name, threshold: 1, keys });
      const owner = permission('owner', keyOf('alice'));
      await control.setAccount({ name: 'alice', permissions: [owner, permission('active', nobodyKey)] });
      expect(await ask()).toBe(refused);
      await control.setAccount({
        name: 'bob',
        permissions: [owner, permission('active', nobodyKey), permission('a2a', keyOf('bob'))],
      });
      expect(await ask({ account: 'bob' })).toBe(dialect === undefined ? refused : known);
    }
  });

  test('are kept for five minutes', async () => {
    const { ask, control, wait } = await meet();
    const key = residentKey('bob');
    expect(await ask()).toBe(known);
    await setActive(control, 1, keyOf('bob'));
    await wait(299_000);
    expect([await ask(), await ask({ key })]).toEqual([known, refused]);
    await wait(1_000);
    expect([await ask(), await ask({ key })]).toEqual([refused, known]);
    expect((await control.calls()).filter(({ path }) => path.endsWith('get_account'))).toHaveLength(2);
  });
});

describe('a chain that fails', () => {
  const modes = ['down', 'slow', 'html', 'not-found', 'wrong-shape', 'null', 'server-error'] as const;
  test.each(modes)('refuses each caller: %s', async (mode: FailureMode) => {
    for (const dialect of [undefined, xprV2]) {
      for (const about of ['alice', '*']) {
        const { write, post, ask, control, clock, agent } = await meet(dialect === undefined ? {} : { dialect });
        await control.setFailure(about, mode);
        const before = clock.now();
        const answer = await post(write());
        expect(answer.json.error.code).toBe(refused);
        expect(answer.text).not.toMatch(/chain\.test|http|stack|v1/i);
        expect(clock.now() - before).toBeLessThan(10_000);
        if (about === 'alice') expect(await ask({ account: 'bob' })).toBe(known);
        await control.setFailure(about, undefined);
        expect(await ask()).toBe(known);
        expect(agent.crashes).toEqual([]);
      }
    }
  });

  test('that answers with a stranger registers no account', async () => {
    const { ask, control } = await meet();
    await control.setFailure('*', 'foreign-row');
    expect([await ask(), await ask({ account: 'carol' })]).toEqual([refused, refused]);
  });

  test('that is deaf, or not there, makes the agent refuse each caller', async () => {
    const deaf = await meet({ chain: { url: 'http://chain.test', carrier: () => new Promise(() => {}) } });
    const before = deaf.clock.now();
    expect(await deaf.ask()).toBe(refused);
    expect(deaf.clock.now() - before).toBe(5000);
    const gone = await meet({
      chain: { url: 'http://chain.test', carrier: () => Promise.reject(new CarrierFailure('refused', 'chain.test')) },
    });
    const { text, json } = await gone.post(gone.write());
    expect([json.error.code, /chain\.test/.test(text)]).toEqual([refused, false]);
  });
});

describe('the gates', () => {
  const within = (xpr: Partial<XprSettings>) => meet({ settings: xpr });

  test('are open to registered, active agents', async () => {
    const { ask, as } = await meet();
    expect(await ask({ account: 'carol' })).toBe(refused);
    expect(await ask({ account: 'dave' })).toBe(refused);
    expect((await as('dave')('tasks/get', { id: 'x' })).error.message).toMatch(/not active/);
    const open = await within({ requireRegistered: false });
    for (const account of ['carol', 'dave']) expect(await open.ask({ account })).toBe(known);
  });

  test('ask for a level of KYC', async () => {
    const { ask, control } = await within({ minKyc: 2 });
    expect(await ask()).toBe(refused);
    await control.setKyc({ account: 'bob', kyc: [2] });
    expect(await ask({ account: 'bob' })).toBe(known);
    const unregistered = await within({ minKyc: 1, requireRegistered: false });
    await unregistered.control.setKyc({ account: 'carol', kyc: [3] });
    expect(await unregistered.ask({ account: 'carol' })).toBe(refused);
    expect(await (await within({ minKyc: Number.NaN })).ask()).toBe(refused);
  });

  test('ask for a score of trust', async () => {
    for (const [minTrust, code] of [
      [24, known],
      [25, refused],
    ] as const) {
      const { ask, control, seconds } = await within({ minTrust });
      await control.setKyc({ account: 'alice', kyc: [2] });
      await control.setAgent({ account: 'alice', active: true, registeredAt: seconds() - 4.5 * 30 * 86_400 });
      expect(await ask()).toBe(code);
    }
  });

  test('look at the tables every five minutes', async () => {
    const { ask, control, wait } = await meet();
    expect(await ask()).toBe(known);
    await control.removeAgent('alice');
    await wait(299_999);
    expect(await ask()).toBe(known);
    await wait(1);
    expect(await ask()).toBe(refused);
    await control.setAgent({ account: 'alice' });
    expect(await ask()).toBe(known);
  });
});

test('levels are read from numbers and from claims', () => {
  const claims = (kyc_level: string) => ({ kyc: [{ kyc_provider: 'x', kyc_level, kyc_date: 0 }] });
  const levels: readonly (readonly [number, Parameters<typeof kycLevel>[0]])[] = [
    [0, undefined],
    [0, { kyc: [] }],
    [0, { kyc: 'all' }],
    [0, { verified: 0, kyc: [null, 'x', {}, Number.NaN, -1] }],
    [1, { verified: 1 }],
    [1, { verified: true, kyc: [] }],
    [2, { kyc: [1, 2] }],
    [3, { kyc: [9] }],
    [2, claims('x:2')],
    [1, claims('1')],
    [1, claims('firstname,lastname')],
    [2, claims('firstname, lastname,address,birthdate')],
    [3, claims('a,b,c,d,e,f,g,h,i,j,k')],
  ];
  for (const [level, row] of levels) expect([row, kycLevel(row)]).toEqual([row, level]);
  expect([trustScore(0, 3, 1e9), trustScore(1e9, 0, 0), trustScore(0, 0, 2_592_000)]).toEqual([40, 0, 1]);
});
