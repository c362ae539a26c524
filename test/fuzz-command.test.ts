import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import type { Dialect } from '../src/dialect/index.js';
import type { Patch } from '../src/reference/index.js';
import { main } from './child.js';
import { servedAgent } from './served.js';
import { commandLine } from './terminal.js';

// The command as people and scripts meet it: a finding, its files, and their later use.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-fuzz-'));
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

async function tck(...argv: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const { code, out: said } = await commandLine(argv);
  return { code, said };
}

const sh = (file: string, ...args: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    const kit = `${process.execPath} ${main}`;
    const env = { PATH: process.env['PATH'], A2A_TCK_X_API_KEY: 'top-secret-value', A2A_TCK: kit };
    execFile('sh', [file, ...args], { timeout: 60_000, env, cwd: folder }, (error) =>
      resolve(error === null ? 0 : Number(error.code)),
    );
  });

const { patch } = faults.find(({ id }) => id === 'sec-object-for-id-crashes') as { readonly patch: Patch };
/** Shows the fault, with more around it than is needed. */
const seed = {
  schema: 'a2a-tck-fuzz-case/1',
  dialect: 'a2a-0.3',
  steps: [
    {
      step: 'call',
      operation: 'send',
      params: {
        message: { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hello' }] },
      },
      as: 'a',
    },
    { step: 'wait', for: 'a' },
    {
      step: 'call',
      operation: 'get',
      params: { id: { $ref: 'a.task' }, historyLength: 3 },
      edits: [{ at: '/params/id', op: 'set', value: { a: [1, 2, 3] }, keyword: 'type' }],
    },
    { step: 'call', operation: 'cancel', params: { id: { $ref: 'a.task' } } },
  ],
};
const out = join(folder, 'findings');
const corpus = join(folder, 'corpus');
const kept = join(folder, 'kept');

test('a fault is found, shown by a script and by a replay, in another dialect too, and kept as a case', async () => {
  const bad = await served('a2a-0.3', patch);
  const clean = await served('a2a-0.3');
  mkdirSync(corpus);
  writeFileSync(join(corpus, 'seed.json'), JSON.stringify(seed));
  const campaign = ['--seed', '11', '--runs', '12', '--timeout', '400', '--out', out, '--corpus', corpus];
  const { code, said } = await tck('fuzz', '--url', bad.url, ...campaign, '--header', 'X-Api-Key: top-secret-value');
  expect(code).toBe(1);
  const found = /FOUND MUST (f-[0-9a-f]{8})\n.*\n.*\n.*\n\s+confirmed\s+3\/3, 1 request, case 1\n/.exec(said)?.[1];
  const [script, stored] = [`${found}.sh`, `${found}.json`];
  expect(readdirSync(out)).toEqual(expect.arrayContaining([script, stored]));
  expect(said).toContain(`sh ${join(out, script)}`);
  // What it answered in new ways is kept beside what was there.
  expect(readdirSync(corpus).length).toBeGreaterThan(3);

  // Who calls is named in the script, and taken from the environment.
  for (const name of readdirSync(out)) expect(readFileSync(join(out, name), 'utf8')).not.toContain('top-secret');
  expect(said).not.toContain('top-secret');
  expect(readFileSync(join(out, script), 'utf8')).toContain(': $A2A_TCK_X_API_KEY"');
  expect(await sh(join(out, script))).toBe(0);
  expect(await sh(join(out, script), clean.url)).toBe(1);
  // The same requests by curl, without a verdict.
  expect(await sh(join(out, script), 'curl')).toBe(0);

  const replay = join(out, stored);
  const again = await tck('fuzz', '--url', bad.url, '--replay', replay, '--out', join(folder, 'again'));
  expect(again).toMatchObject({ code: 1, said: expect.stringMatching(/still shows\s+f-[0-9a-f]{8}\s+3\/3/) });
  const gone = await tck('fuzz', '--url', clean.url, '--replay', replay);
  expect(gone).toMatchObject({ code: 0, said: expect.stringContaining('no longer shows') });

  const newer = await served('a2a-1.0', patch);
  const elsewhere = await tck('fuzz', '--url', newer.url, '--replay', replay, '--out', join(folder, 'elsewhere'));
  expect(elsewhere).toMatchObject({ code: 1, said: expect.stringContaining('still shows') });

  expect((await tck('promote', replay, '--as', 'object-for-id', '--into', kept)).code).toBe(0);
  expect((await tck('promote', replay, '--as', 'object-for-id', '--into', kept)).code).toBe(2);
  expect(JSON.parse(readFileSync(join(kept, 'object-for-id.json'), 'utf8'))).toEqual(
    JSON.parse(readFileSync(replay, 'utf8')),
  );
  const regression = await tck(
    'fuzz',
    '--url',
    bad.url,
    '--corpus',
    kept,
    '--runs',
    '1',
    '--timeout',
    '400',
    '--out',
    join(folder, 'r'),
  );
  expect(regression.code).toBe(1);
}, 120_000);

test('a case that the dialect cannot spell is not run, and said so', async () => {
  const agent = await served('terminal-bench');
  const file = join(folder, 'list.json');
  writeFileSync(
    file,
    JSON.stringify({
      schema: 'a2a-tck-fuzz-case/1',
      dialect: 'a2a-1.0',
      steps: [{ step: 'call', operation: 'list', params: {} }],
      bucket: 'law/x list',
      why: 'w',
    }),
  );
  const { code, said } = await tck('fuzz', '--url', agent.url, '--replay', file);
  expect(code).toBe(0);
  expect(said).toContain('not run');
});

test('a file that is not a case, and options that do not go together, are a usage error before anything is sent', async () => {
  const agent = await served('a2a-0.3');
  const wrong = join(folder, 'wrong.json');
  writeFileSync(wrong, '{"schema":"a2a-tck-fuzz-case/1"}');
  expect((await tck('fuzz', '--url', agent.url, '--replay', wrong)).code).toBe(2);
  expect((await tck('fuzz', '--url', agent.url, '--replay', join(folder, 'nowhere'))).code).toBe(2);
  expect((await tck('fuzz', '--url', agent.url, '--replay', wrong, '--runs', '3')).code).toBe(2);
  expect((await tck('fuzz')).code).toBe(2);
  expect((await tck('promote', wrong, '--as', 'x')).code).toBe(2);
});

test('a run fuzzes a little by default, and its checks are judged as without', async () => {
  const agent = await served('a2a-0.3');
  const usual = ['--url', agent.url, '--json', '--timeout', '1000', '--seed', '4', '--check', 'task/cancel-*'];
  const report = async (...more: readonly string[]) => {
    const { said } = await tck(...usual, ...more);
    return JSON.parse(said) as {
      fuzz?: { cases: number };
      checks: { id: string; verdict: string }[];
      findings: unknown[];
    };
  };
  const verdicts = ({ checks }: { checks: { id: string; verdict: string }[] }) =>
    checks.map(({ id, verdict }) => [id, verdict]);
  const [few, none, reading] = [
    await report('--fuzz-runs', '5'),
    await report('--fuzz-runs', '0'),
    await report('--read-only'),
  ];
  expect(few.fuzz?.cases).toBe(5);
  expect(few.findings).toEqual([]);
  expect(none.fuzz).toBeUndefined();
  expect(reading.fuzz).toBeUndefined();
  expect(verdicts(few)).toEqual(verdicts(none));
}, 60_000);
