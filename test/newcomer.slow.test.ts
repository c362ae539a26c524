import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cast, serve } from '../src/cli/reference-agent.js';
import { dialectById } from '../src/dialect/index.js';
import type { Served } from '../src/reference/index.js';
import { packedInto } from './packed.js';

// The way of a user who has a folder, an agent and npx, and nothing else: the packed tarball, installed by npx into a
// cache of its own, on an agent that has one fault.

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
  tarball = await packedInto(folder);
  await put(0, ['cancel-accepts-terminal']);
}, 120_000);
afterAll(async () => {
  stop();
  await served.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

interface Ended {
  readonly code: number;
  /** stdout. */
  readonly out: string;
}

/** NEWCOMER_TRANSCRIPT=docs/newcomer.md writes what was typed and what came, as it came. */
const transcript = process.env['NEWCOMER_TRANSCRIPT'];
const typed: string[] = [];
const say = (text: string): void => {
  typed.push(text);
};
function record(words: readonly string[], { code, out }: Ended, err: string): void {
  const shown = words.map((word) => (/^[\w./:=@-]+$/.test(word) ? word : `'${word}'`)).join(' ');
  const lines = ['```', `$ a2a-tck ${shown}`, `${err}${out}`.trimEnd(), '$ echo $?', String(code), '```'];
  say(lines.join('\n').replaceAll(served.url, 'http://127.0.0.1:4000').replaceAll(folder, '~'));
}
const cache = join(folder, 'cache');
/** What npx has installed and runs; it would unpack a tarball anew each time. */
function installed(): string {
  const [text = ''] = readdirSync(join(cache, '_npx'));
  return join(cache, '_npx', text, 'node_modules/.bin/a2a-tck');
}
const npx = (...words: readonly string[]): Promise<Ended> =>
  ended('npx', ['--yes', '--cache', cache, '--package', tarball, 'a2a-tck', ...words]);
const tck = (...words: readonly string[]): Promise<Ended> => ended(installed(), words);

async function ended(command: string, words: readonly string[]): Promise<Ended> {
  const env = { ...process.env, CI: 'true', npm_config_update_notifier: 'false' };
  const own = words.slice(words.indexOf('a2a-tck') + 1);
  try {
    const { stdout, stderr } = await run(command, words, { cwd, env, maxBuffer: 1 << 26 });
    record(own, { code: 0, out: stdout }, stderr);
    return { code: 0, out: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as Ended & { readonly stdout: string; readonly stderr: string };
    record(own, { code, out: stdout }, stderr);
    return { code, out: stdout };
  }
}

test('init, run, report, baseline, second run, and the day on which the fault is gone', {
  timeout: 240_000,
}, async () => {
  expect(readdirSync(cwd)).toEqual([]);
  const port = Number(new URL(served.url).port);

  say('## A configuration\n\nThe agent listens on port 4000; the folder is empty.');
  const init = await npx('init', '--url', served.url);
  expect(init.code).toBe(0);
  const config = readFileSync(join(cwd, 'a2a-tck.config.yaml'), 'utf8');
  expect((parse(config) as { readonly url: string }).url).toBe(served.url);
  expect(existsSync(join(cwd, '.github/workflows/a2a-tck.yml'))).toBe(true);

  say('## The first run\n\nThe configuration is found by itself.');
  const chosen = ['--fuzz-runs', '0'];
  const first = await tck(...chosen, '--report', 'console', '--report', 'json=run.json');
  expect(first.code).toBe(1);
  expect(first.out).toContain('FAIL MUST task/cancel-terminal-refused');

  say('## What does it want, and the edit loop');
  const explained = await tck('explain', 'task/cancel-terminal-refused', '--profile', 'a2a-1.0');
  expect(explained.out).toContain('https://a2a-protocol.org/v1.0.0/specification/#');
  const again = await tck('--last-failed');
  expect(again.code).toBe(1);
  expect(again.out).toContain('FAIL MUST task/cancel-terminal-refused');

  say('## A page for the others');
  const html = await tck('report', 'run.json', '--report', 'html=run.html');
  expect(html.code).toBe(0);
  expect(readFileSync(join(cwd, 'run.html'), 'utf8')).toContain('task/cancel-terminal-refused');

  say('## Not today: a baseline\n\nEach entry gets a reason and perhaps a last day; then the gate passes.');
  const renewed = await tck(...chosen, '--baseline', 'a2a-baseline.yaml', '--update-baseline');
  expect(renewed.code).toBe(0);
  const { known } = parse(readFileSync(join(cwd, 'a2a-baseline.yaml'), 'utf8')) as {
    readonly known: readonly { readonly check: string; readonly reason: string }[];
  };
  expect(known.map(({ check }) => check)).toContain('task/cancel-terminal-refused');

  say('## The step in CI\n\n`init` has written the workflow; this is what it runs.');
  const second = await tck(...chosen, '--baseline', 'a2a-baseline.yaml');
  expect(second.code).toBe(0);
  expect(second.out).toMatch(/known failure/);

  stop();
  await served.close();
  await put(port, []);
  say('## The day on which it is mended\n\nThe entry is stale then, and the gate says so.');
  const mended = await tck(...chosen, '--baseline', 'a2a-baseline.yaml');
  expect(mended.code).toBe(1);
  expect(mended.out).toMatch(/stale/);

  if (transcript !== undefined) {
    const head = [
      '# The first hour, as it came',
      '',
      'What a newcomer types and what the kit answers, from an empty folder, on an agent that has one defect: it accepts the',
      'cancellation of a task that has ended. `test/newcomer.slow.test.ts` plays it on the packed package and writes this page.',
      '',
    ].join('\n');
    writeFileSync(transcript, `${head}\n${typed.join('\n\n')}\n`);
  }
});
