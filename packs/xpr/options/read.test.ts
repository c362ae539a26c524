import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { CliOptions } from '../../../src/cli/cli-options.js';
import { readConfig } from '../../../src/cli/config.js';
import { readKeyFile } from '../../../src/cli/key-file.js';
import { readSettings } from '../../../src/cli/settings.js';
import { commandLine } from '../../../test/terminal.js';
import { xprFor } from '../run/target.js';
import { privateKeyFor, pvtText, wif } from '../signing/index.js';
import { readXpr } from './read.js';

const library = vi.hoisted(() => ({ loaded: false }));
vi.mock('@proton/js', (original) => {
  library.loaded = true;
  return original();
});

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-xpr-'));
afterAll(() => rmSync(folder, { recursive: true }));
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const privateKey = privateKeyFor('one');
const two = privateKeyFor('two');
const three = privateKeyFor('three');
const keys = [privateKey, two, three].flatMap((key) => [
  wif(key),
  pvtText(key),
  Buffer.from(key.secret).toString('hex'),
]);
const env = {
  A2A_TCK_XPR_KEY: ` ${wif(privateKey)}\n`,
  A2A_TCK_XPR_SECOND_KEY: pvtText(two),
  A2A_TCK_XPR_UNREGISTERED_KEY: '',
};
const noCarrier = () => Promise.reject(new Error('nothing is sent'));

/** An error must hold no secret. */
function expectNoKey(text: string): void {
  // Half a key is too much as well.
  const pieces = keys.map((key) => key.replace(/^PVT_K1_/, '').slice(8, 28));
  expect(pieces.filter((piece) => text.includes(piece))).toEqual([]);
}

describe('all options', () => {
  test('reach the run', async () => {
    const given: CliOptions = {
      profile: 'xpr',
      xprAccount: 'alice',
      xprSecondAccount: 'bob.agent',
      xprUnregisteredAccount: 'carol',
      xprUnregisteredKeyFile: file('carol.key', `${wif(three)}\r\n`),
      xprDigest: 'v2',
      xprAudience: 'tckagent',
      xprChainId: 'AB'.repeat(32),
      xprRate: 30,
      xprAllowSend: true,
      xprMinKyc: 2,
      xprMinTrust: 15,
      xprStub: 'http://127.0.0.1:1',
      slow: true,
    };
    const { xpr } = readXpr(given, env, readKeyFile);
    expect(xpr).toMatchObject({ key: wif(privateKey), secondKey: pvtText(two), unregisteredKey: wif(three) });
    const { options, secrets } = await xprFor(xpr ?? {}, noCarrier);
    expect(options).toMatchObject({
      first: { account: 'alice', key: { publicKey: privateKey.publicKey } },
      second: { account: 'bob.agent', key: { publicKey: two.publicKey } },
      unregistered: { account: 'carol', key: { publicKey: three.publicKey } },
      digest: 'v2',
      audience: 'tckagent',
      chainId: 'ab'.repeat(32),
      rate: 30,
      allowSend: true,
      minKyc: 2,
      minTrust: 15,
      slow: true,
      stub: { reset: expect.any(Function) },
    });
    expect([...secrets].sort()).toEqual([...keys].sort());
    // A program that prints the options prints no key.
    expectNoKey(JSON.stringify(options));
  });

  test('left out mean no account, and no sends', async () => {
    expect(readXpr({}, env, readKeyFile)).toEqual({});
    const { options, secrets } = await xprFor({}, noCarrier);
    expect(options).toEqual({ digest: 'auto', allowSend: false, slow: false });
    expect(secrets).toEqual([]);
  });

  test('a key in the environment belongs to no account where none is named', () => {
    expect(readXpr({ xprRate: 20 }, env, readKeyFile).xpr).toEqual({ rate: 20 });
    expect(readXpr({ xprSecondAccount: 'bob' }, env, readKeyFile).xpr).toEqual({
      secondAccount: 'bob',
      secondKey: pvtText(two),
    });
  });

  test('what was given wins over the environment', () => {
    expect(readXpr({ xprAccount: 'alice', xprKey: wif(two) }, env, readKeyFile).xpr?.key).toBe(wif(two));
    expect(readXpr({ xprAccount: 'alice', xprKeyFile: file('two.key', wif(two)) }, env, readKeyFile).xpr?.key).toBe(
      wif(two),
    );
  });

  test('other profiles may wait too', () => {
    expect(readXpr({ profile: 'a2a-0.3', slow: true }, {}, readKeyFile)).toEqual({ xpr: { slow: true } });
  });

  test('stand in a configuration file by the same names, but no key', async () => {
    const text = [
      'profile: xpr',
      'xpr-account: alice',
      'xpr-second-account: bob',
      `xpr-key-file: ${file('one.key', wif(privateKey))}`,
      `xpr-second-key-file: ${file('second.key', wif(two))}`,
      'xpr-unregistered-account: carol',
      `xpr-unregistered-key-file: ${file('third.key', wif(three))}`,
      'xpr-digest: v1',
      'xpr-audience: tckagent',
      `xpr-chain-id: "${'0'.repeat(64)}"`,
      'xpr-rpc: http://127.0.0.1:1',
      'xpr-rate: 12',
      'xpr-allow-send: true',
      'xpr-min-kyc: 1',
      'xpr-min-trust: 5',
      'xpr-stub: http://127.0.0.1:2',
      'slow: true',
    ].join('\n');
    const { target } = await readSettings(
      { config: file('all.yaml', text), xprRate: 15 },
      { env: {}, err: () => undefined },
    );
    expect(target.xpr).toEqual({
      account: 'alice',
      key: wif(privateKey),
      secondAccount: 'bob',
      secondKey: wif(two),
      unregisteredAccount: 'carol',
      unregisteredKey: wif(three),
      digest: 'v1',
      audience: 'tckagent',
      chainId: '0'.repeat(64),
      rpc: 'http://127.0.0.1:1',
      rate: 15,
      allowSend: true,
      slow: true,
      minKyc: 1,
      minTrust: 5,
      stub: 'http://127.0.0.1:2',
    });
  });

  test.each([
    [`xpr-key: ${wif(privateKey)}`, 'unknown key "xpr-key"'],
    [`xpr-second-key: ${wif(privateKey)}`, 'unknown key "xpr-second-key"'],
    ['xpr-acount: alice', 'did you mean xpr-account?'],
    ['xpr-digest: v3', '"xpr-digest" must be one of v1, v2, auto'],
    ['xpr-rate: 1', '"xpr-rate"'],
    ['xpr-allow-send: perhaps', '"xpr-allow-send" must be boolean'],
    [`xpr-chain-id: ${wif(privateKey)}`, '"xpr-chain-id"'],
    [`xpr-account: [${wif(privateKey)}]`, '"xpr-account"'],
  ])('%j in one is refused in one sentence', async (text, message) => {
    const error = await readConfig(file('bad.yaml', text)).then(String, String);
    expect(error).toContain(message);
    expectNoKey(error);
    expect(error).not.toContain('\n');
  });
});

interface Ended {
  readonly code: number;
  readonly said: string;
}

/** The command as a user types it; no server listens where it would ask. */
async function command(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const ended = await commandLine(args, { ...env, A2A_TCK_DEBUG: '1', ...more });
  return { code: ended.code, said: ended.out + ended.err };
}

const oneWrong = wif(privateKey).replace(/.$/, (last) => (last === '2' ? '3' : '2'));
const alice = ['--xpr-account', 'alice'];
const missing = join(folder, 'no-such-file');

describe('what does not go together ends with 2, says why, and never shows a key', () => {
  test.each<[string[], RegExp, Record<string, string>?]>([
    [[...alice], /--xpr-account alice has no key/, { A2A_TCK_XPR_KEY: '' }],
    [[...alice], /has no key\n {2}put it into A2A_TCK_XPR_KEY, or give --xpr-key-file/, { A2A_TCK_XPR_KEY: ' ' }],
    [['--xpr-key', wif(privateKey)], /--xpr-key has no account/],
    [['--xpr-key-file', file('k', wif(privateKey))], /--xpr-key-file has no account\n {2}give --xpr-account/],
    [
      ['--xpr-second-key-file', file('k', wif(privateKey))],
      /--xpr-second-key-file has no account\n {2}give --xpr-second-account/,
    ],
    [['--xpr-unregistered-key-file', file('k', wif(privateKey))], /--xpr-unregistered-key-file has no account/],
    [[...alice, '--xpr-key', wif(privateKey), '--xpr-key-file', file('k', wif(privateKey))], /do not go together/],
    [[...alice, '--xpr-key', oneWrong], /the key of --xpr-account alice cannot be read \(private key: .*checksum/],
    [[...alice, '--xpr-key', pvtText(privateKey).slice(0, -1)], /cannot be read/],
    [[...alice, '--xpr-key', Buffer.from(privateKey.secret).toString('hex')], /cannot be read/],
    [[...alice, '--xpr-key-file', file('rubbish', `key: ${wif(privateKey)}`)], /cannot be read/],
    [[...alice, '--xpr-key-file', file('empty', '\n')], /cannot be read/],
    [[...alice, '--xpr-key-file', missing], /--xpr-key-file .*no-such-file cannot be read: the file does not exist/],
    [[...alice, '--xpr-key-file', folder], /cannot be read: it is a folder/],
    [[...alice, '--xpr-key-file', wif(privateKey)], /--xpr-key-file \[hidden\] cannot be read/],
    [['--xpr-account', wif(privateKey)], /--xpr-account \[hidden\] is not an account name/],
    [['--xpr-account', 'Alice'], /--xpr-account Alice is not an account name\n {2}a-z, 1-5/],
    [['--xpr-account', 'alice.'], /is not an account name/],
    [['--xpr-account', 'thirteenchars'], /is not an account name/],
    [['--xpr-account', ''], /is not an account name/],
    [[...alice, '--xpr-second-account', 'BOB'], /--xpr-second-account BOB is not an account name/],
    [[...alice, '--xpr-second-account', 'alice'], /the account alice is given twice/],
    [
      [...alice, '--xpr-unregistered-account', 'alice', '--xpr-unregistered-key-file', file('u', wif(three))],
      /given twice/,
    ],
    [
      [...alice, '--xpr-unregistered-account', 'carol'],
      /carol has no key\n {2}put it into A2A_TCK_XPR_UNREGISTERED_KEY/,
    ],
    [['--xpr-audience', 'The Agent'], /--xpr-audience The Agent is not an account name/],
    [['--xpr-audience', wif(privateKey)], /--xpr-audience \[hidden\] is not an account name/],
    [['--xpr-chain-id', 'abc'], /--xpr-chain-id must be 64 hexadecimal digits/],
    [['--xpr-chain-id', wif(privateKey)], /--xpr-chain-id must be 64/],
    [['--xpr-rpc', 'rpc.example'], /--xpr-rpc rpc.example is not a URL/],
    [['--xpr-rpc', 'file:///etc/passwd'], /neither http nor https/],
    [['--xpr-stub', 'localhost:1'], /the chain stub localhost:1 is not an http\(s\) URL/],
    [['--xpr-digest', 'v3'], /--xpr-digest/],
    [['--xpr-digest', wif(privateKey)], /--xpr-digest/],
    [['--xpr-rate', '2'], /--xpr-rate/],
    [['--xpr-rate', wif(privateKey)], /--xpr-rate/],
    [['--xpr-min-kyc', '4'], /--xpr-min-kyc/],
    [['--xpr-min-trust', '101'], /--xpr-min-trust/],
    [['--profile', 'a2a-0.3', ...alice], /--profile a2a-0.3 signs no requests/],
    [['--profile', 'a2a-1.0', '--xpr-allow-send'], /--profile a2a-1.0 signs no requests/],
    [['--profile', 'xpr-v3', ...alice], /unknown profile xpr-v3/],
    [['--profile', 'xpr-v2', '--xpr-digest', 'v1'], /--profile xpr-v2 signs five lines/],
    [[wif(privateKey)], /unknown command \[hidden\]/],
    [['--xpr-kye', wif(privateKey)], /unknown option '--xpr-kye'/],
    [[...alice, wif(privateKey)], /unknown command \[hidden\]/],
  ])('%j', async (args, message, more) => {
    const { code, said } = await command(['--url', 'http://127.0.0.1:1', ...args], more);
    expect(said).toMatch(message);
    expect(code).toBe(2);
    expectNoKey(said);
  });
});

test('a key among the arguments is warned of', async () => {
  const { code, said } = await command(['--url', 'http://127.0.0.1:1', ...alice, '--xpr-key', wif(privateKey)]);
  expect(code).toBe(3);
  expect(said).toContain('Every user of this machine can read --xpr-key');
  expectNoKey(said);
});

test('an account for an agent whose callers do not sign is wrong usage, and nothing is judged', async () => {
  const { code, said } = await command(['demo', ...alice, '--check', 'card/*']);
  expect(code).toBe(2);
  expect(said).toMatch(/the agent speaks a2a-\S+, whose requests are not signed, and alice was given to sign them/);
  expect(said).toContain('--profile xpr judges it as an XPR agent');
});

test('@proton/js is loaded only where a chain is asked', async () => {
  const target = ['--url', 'http://127.0.0.1:1', ...alice];
  expect((await command(target)).code).toBe(3);
  expect((await command(['demo', '--profile', 'xpr', '--check', 'card/*'])).code).toBe(0);
  expect(library.loaded).toBe(false);
  expect((await command([...target, '--xpr-rpc', 'http://127.0.0.1:1'])).code).toBe(3);
  expect(library.loaded).toBe(true);
});
