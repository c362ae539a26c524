import { describe, expect, test } from 'vitest';
import { TckError } from '../../../src/model/index.js';
import { createPurse, testNetworks } from '../payments/index.js';
import { type X402Target, x402For } from './target.js';

const digits = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const nothing = () => Promise.reject(new Error('nothing is sent'));
const chosen = (target: X402Target) => x402For(target, nothing);

async function refusal(target: X402Target): Promise<string> {
  const error = await chosen(target).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof TckError)) throw new Error(`no TckError: ${String(error)}`);
  expect(error.code).toBe('usage');
  // Half a key is too much as well.
  expect(`${error.message} ${error.hint} ${error.stack}`.toLowerCase()).not.toContain(digits.slice(0, 20));
  return error.message;
}

test('nothing given: no money, a minute, and the message of the reference agent', async () => {
  const { options, secrets } = await chosen({});
  expect(options).toMatchObject({ message: 'paid-echo', timeoutMs: 60_000 });
  expect(options).not.toHaveProperty('funds');
  expect(options).not.toHaveProperty('stub');
  expect(secrets).toEqual([]);
  expect(options.random(32)).toHaveLength(32);
  expect(options.random(32)).not.toEqual(options.random(32));
});

test('a wallet, with limits of all kinds', async () => {
  const purse = createPurse('90000');
  const { options, secrets } = await chosen({
    key: ` 0x${digits}\n`,
    maxAmount: '10000',
    maxTotal: 30_000n,
    allowNetworks: ['eip155:8453', 'polygon', '10'],
    assets: [`base:${usdc}`, `eip155:10:${usdc.toLowerCase()}`],
    allowUpfront: true,
    purse,
    timeoutMs: 5,
    dryRun: true,
  });
  expect(options.funds).toMatchObject({
    maxAmount: 10_000n,
    maxTotal: 30_000n,
    allowUpfront: true,
    purse,
    dryRun: true,
  });
  expect(options.funds?.allowedNetworks).toEqual(new Set([...testNetworks, 8453n, 137n, 10n]));
  expect(options.funds?.assets).toEqual([
    { chainId: 8453n, asset: usdc },
    { chainId: 10n, asset: usdc.toLowerCase() },
  ]);
  expect(options.timeoutMs).toBe(5);
  expect(secrets).toContain(digits);
  expect(secrets).toContain(digits.toUpperCase());
  expect(secrets).toContain(BigInt(`0x${digits}`).toString());
  expect(JSON.stringify(options, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
    digits.slice(0, 20),
  );
});

describe('what does not go together', () => {
  const key = digits;
  const maxAmount = '1';
  test.for([
    [{ key }, 'a key needs --x402-max-amount'],
    [{ key: `${digits}00`, maxAmount }, 'the x402 key is not a private key'],
    [{ key: '0'.repeat(64), maxAmount }, 'the x402 key is not a private key'],
    [{ key, maxAmount: '1.5' }, '--x402-max-amount 1.5 is not an amount'],
    [{ key, maxAmount: '-1' }, '--x402-max-amount -1 is not an amount'],
    [{ key, maxAmount: '0x10' }, '--x402-max-amount 0x10 is not an amount'],
    [{ key, maxAmount: digits }, '--x402-max-amount [hidden] is not an amount'],
    [{ key, maxAmount: '5', maxTotal: '4' }, '--x402-max-total is below --x402-max-amount'],
    [{ key, maxAmount, allowNetworks: ['mainnet'] }, '--x402-allow-network mainnet is not an EVM network'],
    [{ key, maxAmount, allowNetworks: [digits] }, '--x402-allow-network [hidden] is not an EVM network'],
    [{ key, maxAmount, assets: [usdc] }, `--x402-asset ${usdc} is not a token`],
    [{ key, maxAmount, assets: [`base:${digits}`] }, '--x402-asset [hidden] is not a token'],
    [
      { key, maxAmount, assets: [`base:${usdc.replace('fCD', 'fcD')}`] },
      `--x402-asset base:${usdc.replace('fCD', 'fcD')}: the checksum of the address is wrong`,
    ],
    [{ key, maxAmount, stub: 'http://127.0.0.1:1' }, 'a key and --x402-stub do not go together'],
    [{ maxAmount }, 'there are limits of payments, and no key that could pay'],
    [{ assets: [`base:${usdc}`] }, 'there are limits of payments, and no key that could pay'],
    [{ allowUpfront: true }, 'there are limits of payments, and no key that could pay'],
    [{ purse: createPurse(1n) }, 'there are limits of payments, and no key that could pay'],
    [{ key, maxAmount, purse: { memory: new SharedArrayBuffer(4) } }, 'x402.purse is not a purse'],
    [{ dryRun: true }, '--dry-run has no key that would sign'],
    [{ message: ' ' }, '--x402-message is empty'],
    [{ stub: 'no url' }, expect.stringContaining('no url')],
  ] as const satisfies readonly (readonly [X402Target, unknown])[])('%j', async ([target, message]) => {
    expect(await refusal(target)).toEqual(message);
  });
});
