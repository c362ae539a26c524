import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cast, serve } from '../src/cli/reference-agent.js';
import { dialectById } from '../src/dialect/index.js';
import type { Served } from '../src/reference/index.js';

// The way of somebody who has a folder, an agent and npx, and nothing else: the packed tarball, installed by npx into a
// cache of its own, on an agent that has one fault.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-newcomer-'));
const cwd = mkdtempSync(join(folder, 'empty-'));
let tarball = '';
let served: Served;
let stop = (): void => {};

async function put(port: number, fault: readonly string[]): Promise<void> {
  const dialect = dialectById('a2a-1.0');
  if (dialect === undefined) throw new Error('no dialect a2a-1.0');
  const agent = cast(dialect, { fault });
  served = await serve(agent.resident, { port });
  stop = agent.stop;
}

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    maxBuffer: 1 << 26,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
  tarball = join(folder, filename);
  await put(0, ['cancel-accepts-terminal']);
}, 120_000);
afterAll(async () => {
  stop();
  await served.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

interface Ended {
  readonly code: number;
  readonly out: string;
}
const cache = join(folder, 'cache');
/** What npx has installed and runs; it would unpack a tarball anew each time. */
function installed(): string {
  const [one = ''] = readdirSync(join(cache, '_npx'));
  return join(cache, '_npx', one, 'node_modules/.bin/a2a-tck');
}
const npx = (...words: readonly string[]): Promise<Ended> =>
  ended('npx', ['--yes', '--cache', cache, '--package', tarball, 'a2a-tck', ...words]);
const tck = (...words: readonly string[]): Promise<Ended> => ended(installed(), words);

async function ended(command: string, words: readonly string[]): Promise<Ended> {
  const env = { ...process.env, CI: 'true', npm_config_update_notifier: 'false' };
  try {
    return { code: 0, out: (await run(command, words, { cwd, env, maxBuffer: 1 << 26 })).stdout };
  } catch (error) {
    const { code, stdout } = error as { readonly code: number; readonly stdout: string };
    return { code, out: stdout };
  }
}

test('init, run, report, baseline, second run, and the day on which the fault is gone', {
  timeout: 240_000,
}, async () => {
  expect(readdirSync(cwd)).toEqual([]);
  const port = Number(new URL(served.url).port);

  const init = await npx('init', '--url', served.url);
  expect(init.code).toBe(0);
  const config = readFileSync(join(cwd, 'a2a-tck.config.yaml'), 'utf8');
  expect((parse(config) as { readonly url: string }).url).toBe(served.url);
  expect(existsSync(join(cwd, '.github/workflows/a2a-tck.yml'))).toBe(true);

  const chosen = ['--config', 'a2a-tck.config.yaml', '--fuzz-runs', '0'];
  const first = await tck(...chosen, '--report', 'console', '--report', 'json=run.json');
  expect(first.code).toBe(1);
  expect(first.out).toContain('FAIL MUST task/cancel-terminal-refused');

  const html = await tck('report', 'run.json', '--report', 'html=run.html');
  expect(html.code).toBe(0);
  expect(readFileSync(join(cwd, 'run.html'), 'utf8')).toContain('task/cancel-terminal-refused');

  const renewed = await tck(...chosen, '--baseline', 'known.yaml', '--update-baseline');
  expect(renewed.code).toBe(0);
  const { known } = parse(readFileSync(join(cwd, 'known.yaml'), 'utf8')) as {
    readonly known: readonly { readonly check: string; readonly reason: string }[];
  };
  expect(known.map(({ check }) => check)).toContain('task/cancel-terminal-refused');

  const second = await tck(...chosen, '--baseline', 'known.yaml');
  expect(second.code).toBe(0);
  expect(second.out).toMatch(/known failure/);

  stop();
  await served.close();
  await put(port, []);
  const mended = await tck(...chosen, '--baseline', 'known.yaml');
  expect(mended.code).toBe(1);
  expect(mended.out).toMatch(/stale/);
});
