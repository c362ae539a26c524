import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, test } from 'vitest';
import { xprV2 } from '../../../src/dialect/xpr.js';
import { createExpiring } from '../../../src/reference/expiring.js';
import { digest, headerNames, isCanonical, signatureText, signedHash, twins } from '../signing/index.js';
import { residentKey } from './chain/residents.js';
import { changed, known, type Letter, meet, refused } from './guest.js';
import { onXpr, setting } from './patches.js';

const count = (codes: readonly number[], code: number): number => codes.filter((answer) => answer === code).length;

describe('a request', () => {
  test.each([['three lines'], ['five lines']])('of %s is used once, however it comes again', async (lines) => {
    const { ask, write, wait, http } = await meet(lines === 'five lines' ? { dialect: xprV2 } : {});
    const letter = write();
    expect(await ask(letter)).toBe(known);
    const again: readonly Letter[] = [
      letter,
      { ...letter, headers: [['x-other', '1'], ...letter.headers.toReversed()] },
      ...twins(letter.headers.find(([name]) => name === headerNames.signature)?.[1] ?? '').map(({ text }) =>
        changed(letter, headerNames.signature, text),
      ),
    ];
    expect(again.length).toBeGreaterThan(5);
    for (const letterAgain of again) expect(await ask(letterAgain)).toBe(refused);
    const elsewhere = await http('POST', '/a2a?again', letter.headers, letter.body);
    expect(elsewhere.json.error.code).toBe(refused);
    for (const ms of [5_000, 294_000, 1_500, 10_000]) {
      await wait(ms);
      expect(await ask(letter)).toBe(refused);
    }
  });

  test('is used once, however often it is signed', async () => {
    const { ask, write, seconds } = await meet();
    const letter = write();
    const hash = signedHash(
      digest({ lines: 3 }, { account: 'alice', timestamp: String(seconds()), body: letter.body }),
    );
    const signatures = Array.from({ length: 60 }, (_, at) => {
      const options = { prehash: false, extraEntropy: Uint8Array.of(100 + at), format: 'recovered' } as const;
      const made = secp256k1.sign(hash, residentKey('alice').secret, options);
      return made.with(0, 31 + (made[0] ?? 0));
    }).filter(isCanonical);
    expect(signatures.length).toBeGreaterThan(1);
    const codes = [];
    for (const signature of signatures)
      codes.push(await ask(changed(letter, headerNames.signature, signatureText(signature))));
    expect(codes).toEqual([known, ...codes.slice(1).map(() => refused)]);
  });

  test('from ahead of the time is used once until it is too old', async () => {
    const { ask, write, wait, seconds } = await meet();
    const ahead = write({ timestamp: String(seconds() + 300) });
    expect(await ask(ahead)).toBe(known);
    for (let passed = 0; passed < 620; passed += 20) {
      await wait(20_000);
      expect(await ask(ahead)).toBe(refused);
    }
  });

  test('of which fifty copies come at once is accepted once', async () => {
    for (let round = 0; round < 20; round++) {
      const { ask, write, control } = await meet();
      const letter = write();
      const codes = await Promise.all(Array.from({ length: 50 }, () => ask(letter)));
      expect([count(codes, known), count(codes, refused)]).toEqual([1, 49]);
      const paths = (await control.calls()).map(({ path }) => path);
      expect(paths).toEqual(['/v1/chain/get_account', '/v1/chain/get_table_rows']);
      expect(await ask()).toBe(known);
    }
  });

  test('that a slow chain keeps waiting until it is too old is not accepted, nor is its copy', async () => {
    const slow = onXpr((inner, { clock }) => ({
      async permissions(account) {
        const found = await inner.permissions(account);
        await new Promise<void>((resolve) => void clock.after(4000, resolve));
        return found;
      },
    }));
    const { ask, write, seconds } = await meet({ patches: [slow] });
    const letter = write({ timestamp: String(seconds() - 299) });
    expect(await Promise.all([ask(letter), ask(letter)])).toEqual([refused, refused]);
    const young = write({ timestamp: String(seconds() - 290) });
    expect(count(await Promise.all([ask(young), ask(young)]), known)).toBe(1);
  });

  test('differs from others of the same second', async () => {
    const { ask, write } = await meet();
    const letters = Array.from({ length: 10 }, () => write());
    expect(await Promise.all(letters.map(ask))).toEqual(letters.map(() => known));
    expect(await ask({ account: 'bob', body: letters[0]?.body ?? '' })).toBe(known);
  });
});

describe('the limit', () => {
  test('is for each account, and slides', async () => {
    const { ask, wait } = await meet();
    for (let calls = 0; calls < 10; calls++) expect(await ask()).toBe(known);
    await wait(30_000);
    for (let calls = 0; calls < 10; calls++) expect(await ask()).toBe(known);
    for (let calls = 0; calls < 3; calls++) expect(await ask()).toBe(refused);
    expect(await ask({ account: 'bob' })).toBe(known);
    await wait(29_999);
    expect(await ask()).toBe(refused);
    await wait(1);
    for (let calls = 0; calls < 10; calls++) expect(await ask()).toBe(known);
    expect(await ask()).toBe(refused);
  });

  test('holds for calls that race', async () => {
    const { ask } = await meet({ patches: [setting({ rateLimit: 7 })] });
    const codes = await Promise.all(Array.from({ length: 30 }, () => ask()));
    expect([count(codes, known), count(codes, refused)]).toEqual([7, 23]);
  });

  test('is not used up by strangers, replays and refusals', async () => {
    const { ask, write } = await meet({ settings: { rateLimit: 2 } });
    const letter = write();
    expect(await ask(letter)).toBe(known);
    for (let calls = 0; calls < 30; calls++) {
      expect(await ask(letter)).toBe(refused);
      expect(await ask({ key: residentKey('bob') })).toBe(refused);
    }
    expect(await ask()).toBe(known);
    expect(await ask()).toBe(refused);
  });

  test('that is not a number refuses each caller', async () => {
    const { ask } = await meet({ settings: { rateLimit: Number.NaN } });
    expect(await ask()).toBe(refused);
  });
});

test('what was seen is forgotten in time, and there is an end to it', () => {
  let now = 0;
  const seen = createExpiring<number>({ now: () => now }, 3);
  expect([1, 2, 3].map((number) => seen.set(`${number}`, number, number * 1000))).toEqual([true, true, true]);
  expect([seen.set('4', 4, 9000), seen.set('1', 10, 1000)]).toEqual([false, true]);
  now = 999;
  expect(seen.get('1')).toBe(10);
  now = 1000;
  expect([seen.get('1'), seen.get('2')]).toEqual([undefined, 2]);
  expect([seen.set('4', 4, 90_000), seen.size]).toEqual([true, 3]);
  now = 20_000;
  expect([seen.set('5', 5, 90_000), seen.size]).toEqual([true, 2]);
});
