import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cast, serve } from '../src/cli/reference-agent.js';
import { dialectById } from '../src/dialect/index.js';
import type { Served } from '../src/reference/index.js';
import { filesIn } from './page-files.js';

// The wheel of docs/python.md, in a virtual environment whose programs are the only ones on the path: Node is not among
// them.

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-wheel-test-'));
const programs = join(folder, 'venv/bin');
const minutes = (count: number): number => count * 60_000;
let served: Served;
let stop = (): void => {};

beforeAll(async () => {
  const { stdout } = await run(process.execPath, [join(root, 'scripts/wheel.js'), '--out', folder]);
  const wheel = stdout.trim();
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  const requirements = join(root, 'targets/python-sdk-1/requirements.txt');
  const pip = (...words: readonly string[]) => run(join(programs, 'pip'), ['install', '--quiet', ...words]);
  // Alone: requirements may have digests, which pip then wants of each package of the command.
  await pip('-r', requirements);
  await pip(wheel, 'pytest');
  const dialect = dialectById('a2a-1.0');
  if (dialect === undefined) throw new Error('no dialect a2a-1.0');
  const agent = cast(dialect, { fault: ['cancel-accepts-terminal'] });
  served = await serve(agent.resident, {});
  stop = agent.stop;
}, minutes(10));
afterAll(async () => {
  stop();
  await served.close();
  rmSync(folder, { recursive: true, force: true });
}, minutes(1));

/** Runs a program of the environment, with nothing else on the path. */
async function python(program: string, words: readonly string[], cwd: string) {
  mkdirSync(cwd, { recursive: true });
  const env = { PATH: programs, HOME: folder };
  return run(join(programs, program), [...words], { cwd, env, maxBuffer: 1 << 26, timeout: minutes(4) }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: error.stdout + error.stderr,
    }),
  );
}

test('the command is the kit, of the version of the npm package', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const empty = join(folder, 'empty');
  expect(await python('a2a-tck', ['--version'], empty)).toEqual({ code: 0, said: `${version}\n` });
  const demo = await python('a2a-tck', ['demo', '--suite', 'card', '--profile', 'a2a-1.0'], empty);
  expect(demo).toEqual({ code: 0, said: expect.stringContaining('PASSED') });
  expect(await python('a2a-tck', ['--url', 'nowhere'], empty)).toMatchObject({ code: 2 });
});

test('pytest --a2a-url makes each check a test', { timeout: minutes(2) }, async () => {
  const cwd = join(folder, 'by-url');
  const all = await python('pytest', ['--a2a-url', served.url], cwd);
  expect(all.code).toBe(1);
  expect(all.said).toMatch(/^collected 7\d\d items$/m);
  expect(all.said).toMatch(/^FAILED a2a::task\/cancel-terminal-refused/m);
  for (const part of ['sentence: A2A10-CANCEL-004, 3.1.5', 'expected: refuse the call', 'reproduce: curl -sS']) {
    expect(all.said).toContain(part);
  }
  expect(all.said).toMatch(/^=+ 2 failed, 2\d\d passed, \d+ skipped/m);
  const failed = await python('pytest', ['--a2a-url', served.url, '--lf'], cwd);
  expect(failed.said).toMatch(/^=+ 2 failed, \d+ deselected/m);
  const chosen = await python('pytest', ['--a2a-url', served.url, '-k', 'card/'], cwd);
  expect(chosen).toMatchObject({ code: 0, said: expect.stringMatching(/\d+ passed, \d+ skipped, \d+ deselected/) });
});

test('each expectation of the configuration is a test of pytest', { timeout: minutes(2) }, async () => {
  const cwd = join(folder, 'expecting');
  mkdirSync(cwd);
  const [says, holds] = ['prompt: tck-complete-task hi', 'state: completed'];
  const rows = [`- name: ends\n    ${says}\n    ${holds}`, `- name: waits\n    ${says}\n    state: input-required`];
  writeFileSync(join(cwd, 'own.yaml'), `expect:\n  ${rows.join('\n  ')}\n`);
  const words = ['--a2a-url', served.url, '--a2a-args', '--config own.yaml', '-k', 'expect or is-object'];
  const { code, said } = await python('pytest', [...words, '-v'], cwd);
  expect(code, said).toBe(1);
  expect(said).toMatch(/^a2a::expect\/ends .*PASSED/m);
  expect(said).toMatch(/^a2a::expect\/waits .*FAILED/m);
  expect(said).toContain('expected: the state is input-required');
});

test('an agent that is not there fails one test and skips the others', async () => {
  const { code, said } = await python('pytest', ['--a2a-url', 'http://127.0.0.1:1'], join(folder, 'nobody'));
  expect(code).toBe(1);
  expect(said).toContain('http://127.0.0.1:1 cannot be reached');
  expect(said).toMatch(/^=+ 1 failed, \d+ skipped/m);
});

test('the programs of the page judge an agent on the SDK of Python', { timeout: minutes(4) }, async () => {
  const cwd = join(folder, 'page');
  mkdirSync(cwd);
  for (const [name, text] of filesIn(join(root, 'docs/python.md'))) writeFileSync(join(cwd, name), text);
  cpSync(join(root, 'targets/python-sdk-1/server.py'), join(cwd, 'server.py'));
  const { code, said } = await python('pytest', ['-v'], cwd);
  expect(code, said).toBe(1);
  expect(said).toMatch(/^test_a2a.py::test_a2a\[card\/is-object\] PASSED/m);
  expect(said).toMatch(/^test_a2a.py::test_a2a\[stream\/first-event\] FAILED/m);
  expect(said).toMatch(/\d failed, 3\d\d passed/);
  expect(said).not.toContain('During handling');
});
