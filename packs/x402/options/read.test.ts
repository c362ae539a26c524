import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { CliOptions } from '../../../src/cli/cli-options.js';
import { runCommandLine } from '../../../src/cli/command-line.js';
import { readConfig } from '../../../src/cli/config.js';
import { readKeyFile } from '../../../src/cli/key-file.js';
import type { Terminal } from '../../../src/cli/terminal.js';
import { silentTerminal } from '../../../test/terminal.js';
import { readX402 } from './read.js';

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-x402-'));
afterAll(() => rmSync(folder, { recursive: true }));
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const key = `0x${'5a'.repeat(32)}`;
const other = `0x${'6b'.repeat(32)}`;

describe('the key', () => {
  test.for([
    [{ x402: true }, { A2A_TCK_X402_KEY: ` ${key}\n` }, key],
    [{ x402: true, x402Key: other }, { A2A_TCK_X402_KEY: key }, other],
    [{ x402: true, x402KeyFile: file('key', `${other}\n`) }, { A2A_TCK_X402_KEY: key }, other],
    [{ x402: true }, { A2A_TCK_X402_KEY: ' ' }, undefined],
    [{ x402: true }, {}, undefined],
  ] as const)('of %j', ([given, env, found]) => {
    expect(readX402(given, env, readKeyFile).x402?.key).toBe(found);
  });

  test('is not read without --x402', () => {
    expect(readX402({}, { A2A_TCK_X402_KEY: key }, readKeyFile)).toEqual({});
  });
});

test('all options reach the run, from a configuration file too', async () => {
  const path = file(
    'config.yaml',
    [
      'x402: true',
      'x402-message: Buy a poem',
      'x402-max-amount: 10000',
      "x402-max-total: '20000'",
      'x402-allow-network: base',
      "x402-asset: ['base:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913']",
      'x402-allow-upfront: true',
      'x402-timeout: 90000',
      'x402-stub: http://127.0.0.1:1',
      'dry-run: true',
    ].join('\n'),
  );
  expect(readX402(await readConfig(path), {}, readKeyFile)).toEqual({
    x402: {
      message: 'Buy a poem',
      maxAmount: '10000',
      maxTotal: '20000',
      allowNetworks: ['base'],
      assets: ['base:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
      allowUpfront: true,
      timeoutMs: 90_000,
      stub: 'http://127.0.0.1:1',
      dryRun: true,
    },
  });
});

test.for([
  [{ x402Message: 'x' }, '--x402-* have no effect without --x402'],
  [{ x402Key: key }, '--x402-* have no effect without --x402'],
  [{ x402: true, profile: 'xpr' }, '--profile xpr has no payments, so --x402 has no effect'],
  [{ x402: true, x402Key: key, x402KeyFile: key }, '--x402-key and --x402-key-file do not go together'],
  [{ x402: true, x402KeyFile: key }, '--x402-key-file [hidden] cannot be read: the file does not exist'],
  [{ x402: true, x402KeyFile: file('empty', '\n') }, 'empty cannot be read: it holds no key'],
] as const satisfies readonly (readonly [CliOptions, string])[])('%j', ([given, message]) => {
  expect(() => readX402(given, {}, readKeyFile)).toThrow(message);
});

async function said(argv: readonly string[], env: Terminal['env'] = {}) {
  const terminal = silentTerminal();
  const errors: string[] = [];
  const code = await runCommandLine(argv, { ...terminal, env, err: (text) => void errors.push(text) });
  return { code, out: terminal.said(), errors: errors.join('') };
}

test('the demo charges, and a key in the arguments is warned of', { timeout: 60_000 }, async () => {
  const { code, out } = await said(['demo', '--x402', '--check', 'x402/paid']);
  expect(out).toContain('PASSED');
  expect(code).toBe(0);
  const warned = await said(['--url', 'http://127.0.0.1:1', '--x402', '--x402-key', key, '--x402-max-amount', '1']);
  expect(warned.errors).toMatch(/Every user of this machine can read --x402-key/);
  expect(warned.code).toBe(3);
  expect(warned.errors).not.toContain(key.slice(2, 20));
});

test('faults of payments are seen where something costs only', { timeout: 30_000 }, async () => {
  const fault = ['--fault', 'x402-right-payments-refused'];
  const free = await said(['demo', ...fault]);
  expect([free.code, free.errors]).toEqual([2, expect.stringContaining('give --x402 too')]);
  const charging = await said(['demo', '--x402', '--check', 'x402/paid', ...fault]);
  expect([charging.code, charging.out]).toEqual([1, expect.stringContaining('the payment was refused')]);
});

test('an error in the options is reported before anything is sent', async () => {
  const keyless = await said(['--url', 'http://127.0.0.1:1', '--x402'], { A2A_TCK_X402_KEY: key });
  expect([keyless.code, keyless.errors]).toEqual([2, expect.stringContaining('a key needs --x402-max-amount')]);
});

test('only what is about payments is listed and explained', async () => {
  expect((await said(['list', '--x402'])).out).toContain('x402/paid');
  expect((await said(['list', 'checks', '--profile', 'a2a-1.0'])).out).not.toContain('x402/paid');
  expect((await said(['list', 'faults', '--x402'])).out).toContain('x402-right-payments-refused');
  expect((await said(['explain', 'x402/paid'])).out).toMatch(
    /MUST in runs with --x402[\s\S]*demo --x402 --check x402\/paid/,
  );
});
