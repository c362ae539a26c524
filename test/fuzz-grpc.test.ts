import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fuzzFaults } from '../fixtures/faults/index.js';
import type { Dialect } from '../src/dialect/index.js';
import type { Patch } from '../src/reference/index.js';
import { main } from './child.js';
import { servedAgent } from './served.js';
import { commandLine } from './terminal.js';

// The fuzzer over gRPC, as people and scripts meet it: on a port, where frames and connections are real.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-fuzz-grpc-'));
const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
  rmSync(folder, { recursive: true });
});

async function served(profile: Dialect['id'], ...patches: readonly Patch[]): Promise<{ readonly url: string }> {
  const agent = await servedAgent(profile, patches);
  ends.push(agent.stop);
  return agent;
}
const tck = async (...argv: readonly string[]) => {
  const { code, out: said } = await commandLine(argv);
  return { code, said };
};
const faulty = (id: string): Patch => {
  const found = fuzzFaults.find((fuzzFault) => fuzzFault.id === id);
  if (found === undefined) throw new Error(`no fault ${id}`);
  return found.patch;
};
const stored = (name: string, dialect: string, trick: object, more: object = {}): string => {
  const file = join(folder, `${name}.json`);
  const steps = [{ step: 'call', operation: 'get', params: { id: 'task' }, tricks: [trick] }];
  writeFileSync(file, JSON.stringify({ schema: 'a2a-tck-fuzz-case/1', dialect, steps, ...more }));
  return file;
};

test('a fault is found, reported with its bytes, and shown again by a replay and by a script', async () => {
  const bad = await served('a2a-1.0-grpc', faulty('fuzz-grpc-wire-type-leaks'));
  const clean = await served('a2a-1.0-grpc');
  const corpus = join(folder, 'corpus');
  mkdirSync(corpus);
  stored('corpus/seed', 'a2a-1.0-grpc', { trick: 'message-end', hex: 'c73e', inside: 0 });
  const out = join(folder, 'findings');
  const given = ['--seed', '3', '--runs', '2', '--timeout', '1000', '--out', out, '--corpus', corpus];
  const { code, said } = await tck('fuzz', '--url', bad.url, ...given);
  expect(code).toBe(1);
  expect(said).toMatch(/an answer to get shows a stack trace/);
  const [script = '', file = ''] = ['.sh', '.json'].map((end) => readdirSync(out).find((name) => name.endsWith(end)));
  expect(said).toContain(`--binding grpc --replay ${join(out, file)}`);
  const text = readFileSync(join(out, script), 'utf8');
  expect(text).toContain('messages of gRPC');
  expect(text).toContain(' --binding grpc --timeout 1000 --replay ');

  const again = await tck('fuzz', '--url', bad.url, '--binding', 'grpc', '--replay', join(out, file), '--out', out);
  expect(again).toMatchObject({ code: 1, said: expect.stringContaining('still shows') });
  const gone = await tck('fuzz', '--url', clean.url, '--binding', 'grpc', '--replay', join(out, file));
  expect(gone).toMatchObject({ code: 0, said: expect.stringContaining('no longer shows') });

  const kit = `${process.execPath} ${main}`;
  const exit = (url: string): Promise<number> =>
    new Promise((resolve) => {
      const env = { PATH: process.env['PATH'], A2A_TCK: kit };
      execFile('sh', [join(out, script), url], { timeout: 60_000, env, cwd: folder }, (error) =>
        resolve(error === null ? 0 : Number(error.code)),
      );
    });
  expect(await exit(bad.url)).toBe(0);
  expect(await exit(clean.url)).toBe(1);
}, 120_000);

test('what only one binding has is not run in another, and said so', async () => {
  const { url } = await served('a2a-1.0');
  const about = { bucket: 'alive/hang get trick frame-flag', why: 'w' };
  const file = stored('flag', 'a2a-1.0-grpc', { trick: 'frame-flag', flag: 1, encoding: null }, about);
  const { code, said } = await tck('fuzz', '--url', url, '--replay', file);
  expect(code).toBe(0);
  expect(said).toContain('nothing for the trick frame-flag');
});

test.each(['a2a-1.0-grpc', 'a2a-0.3-grpc'] as const)(
  'nothing is held against a conforming agent of %s, with resets, windows and pieces on real connections',
  async (profile) => {
    const { url } = await served(profile);
    const { code, said } = await tck('fuzz', '--url', url, '--seed', '5', '--runs', '60', '--timeout', '3000');
    expect(said).toMatch(/nothing found|no findings|found nothing/i);
    expect(code).toBe(0);
  },
  120_000,
);

test('a run of all checks over gRPC tries inputs too', async () => {
  const { url } = await served('a2a-1.0-grpc');
  const { said } = await tck('run', '--url', url, '--suite', 'grpc', '--fuzz-runs', '4');
  expect(said).not.toContain('no inputs are tried');
  expect(said).toMatch(/4 (inputs|cases)/);
}, 120_000);
