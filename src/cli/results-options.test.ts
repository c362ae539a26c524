import { describe, expect, test } from 'vitest';
import { generateKeys } from '../attest/index.js';
import { TckError } from '../model/tck-error.js';
import type { CliOptions } from './cli-options.js';
import { resolveSettings } from './settings.js';

// What the options about results mean, and what does not go together.

const { privateKey } = generateKeys();
const env = { A2A_TCK_ATTEST_KEY: privateKey };
const wallet = { x402: true, x402MaxAmount: '1', x402Key: `0x${'1'.repeat(64)}` };

describe('shards', () => {
  test('the kit chooses a seed that the user did not give, one for all shards', () => {
    expect(resolveSettings({ shard: '2/3' }, {}).target).toMatchObject({ shard: { index: 2, of: 3 } });
    expect(resolveSettings({ shard: '2/3', seed: 9 }, {}).target.seed).toBe(9);
    for (const given of [{ shard: '2/3' }, {}]) expect(resolveSettings(given, {}).target.seed).toBeUndefined();
  });

  test('money is not spent once for each shard', () => {
    expect(() => resolveSettings({ ...wallet, shard: '1/2' }, {})).toThrow('--shard takes no wallet');
    expect(resolveSettings({ ...wallet, shard: '1/2', dryRun: true }, {}).target.shard).toBeDefined();
    expect(resolveSettings(wallet, {}).target.x402?.key).toBeDefined();
  });
});

test.for<[string, CliOptions, Readonly<Record<string, string>>]>([
  ['no key', { attest: 'a' }, {}],
  ['an empty key', { attest: 'a' }, { A2A_TCK_ATTEST_KEY: ' ' }],
  ['what is no key', { attest: 'a' }, { A2A_TCK_ATTEST_KEY: 'sesame' }],
  ['a file that is not there', { attest: 'a', attestKeyFile: '/no/such' }, {}],
  ['a key for nothing', { attestKeyFile: 'a' }, {}],
  ['a part of a run', { attest: 'a', shard: '1/2' }, env],
])('no signed result with %s', ([, given, environment]) => {
  const settling = () => resolveSettings(given, environment);
  expect(settling).toThrow(TckError);
  expect(settling).toThrow(expect.not.objectContaining({ message: expect.stringContaining('sesame') }));
});

test('a key on one line, as some CI systems keep it', () => {
  const oneLine = { A2A_TCK_ATTEST_KEY: privateKey.replaceAll('\n', '\\n') };
  expect(resolveSettings({ attest: 'a' }, oneLine).attestation).toMatchObject({ file: 'a' });
});

test('a badge leads to https only', () => {
  expect(resolveSettings({ badgeLink: 'https://ci.example/a b' }, {}).badgeLink).toBe('https://ci.example/a%20b');
  for (const badgeLink of ['http://ci.example', 'https://u:p@ci.example', 'data:text/html,x', '/report']) {
    expect(() => resolveSettings({ badgeLink }, {})).toThrow(TckError);
  }
});
