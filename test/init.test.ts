import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startAgent } from './examples/agent.js';
import { commandLine } from './terminal.js';

// `a2a-tck init`: asks an agent what it can do, and what it writes is read without a change.

const root = mkdtempSync(join(tmpdir(), 'a2a-tck-init-'));
afterAll(() => rmSync(root, { recursive: true }));

const a2aTck = (...args: readonly string[]) => commandLine(args);

test('what it writes for an agent runs unchanged', { timeout: 60_000 }, async () => {
  const agent = await startAgent();
  const folder = join(root, 'agent');
  try {
    const { code, out } = await a2aTck('init', '--url', agent.url, '--folder', folder);
    expect({ code, out }).toEqual({
      code: 0,
      out: `${folder}/a2a-tck.config.yaml\n${folder}/.github/workflows/a2a-tck.yml\n${folder}/a2a-baseline.yaml\n`,
    });
    const config = join(folder, 'a2a-tck.config.yaml');
    expect(readFileSync(config, 'utf8')).toContain(`url: "${agent.url}"`);
    const ran = await a2aTck('--config', config, '--check', 'card/*', '--json');
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(ran.out)).toMatchObject({ target: { url: agent.url } });
  } finally {
    await agent.stop();
  }
});

test('with every example switched on it is read as well', async () => {
  const folder = join(root, 'full');
  expect((await a2aTck('init', '--folder', folder, '--ci', 'none')).code).toBe(0);
  const config = join(folder, 'a2a-tck.config.yaml');
  const all = readFileSync(config, 'utf8').replace(/^# (?!yaml-)((?: {2})?(?:[a-z0-9-]+:(?: .*)?|- \{ .*))$/gm, '$1');
  expect(all).toContain('\nbehaviours:\n  completed: ');
  writeFileSync(config, all);
  const { readConfig } = await import('../src/cli/config.js');
  const given = await readConfig(config);
  expect(given).toMatchObject({
    minProof: 80,
    budget: { requests: 500 },
    behaviours: { message: { text: 'Just say hello.' } },
    expect: [{ name: 'greets', prompt: 'Hello' }],
  });
});

test('nothing that is there is lost', async () => {
  const folder = join(root, 'kept');
  const config = join(folder, 'a2a-tck.config.yaml');
  await a2aTck('init', '--folder', folder, '--ci', 'gitlab');
  writeFileSync(config, 'mine');
  const again = await a2aTck('init', '--folder', folder, '--ci', 'github');
  expect(again).toMatchObject({ code: 2, out: '' });
  expect(readFileSync(config, 'utf8')).toBe('mine');
  expect(existsSync(join(folder, '.github'))).toBe(false);
  expect((await a2aTck('init', '--folder', folder, '--ci', 'none', '--force')).code).toBe(0);
  expect(readFileSync(config, 'utf8')).not.toBe('mine');
});

test('--force keeps what is known to fail', async () => {
  const folder = join(root, 'known');
  await a2aTck('init', '--folder', folder, '--ci', 'none');
  const baseline = join(folder, 'a2a-baseline.yaml');
  expect(readFileSync(baseline, 'utf8')).toMatch(/^known: \[\]$/m);
  writeFileSync(baseline, 'mine');
  const { out } = await a2aTck('init', '--folder', folder, '--ci', 'none', '--force');
  expect(out).toBe(`${folder}/a2a-tck.config.yaml\n`);
  expect(readFileSync(baseline, 'utf8')).toBe('mine');
});

test('it sees what kind of project the folder holds', async () => {
  const folder = join(root, 'go');
  mkdirSync(folder);
  writeFileSync(join(folder, 'go.mod'), 'module agent\n');
  const { err } = await a2aTck('init', '--folder', folder);
  expect(err).toContain('a Go module: look at how .github/workflows/a2a-tck.yml builds and starts it\n');
});

test('a project of GitLab gets a workflow of GitLab', async () => {
  const folder = join(root, 'gitlab');
  await a2aTck('init', '--folder', folder, '--ci', 'none');
  writeFileSync(join(folder, '.gitlab-ci.yml'), '');
  const { out } = await a2aTck('init', '--folder', folder, '--force');
  expect(out).toContain('a2a-tck.gitlab-ci.yml');
});

test.each([
  [['init', '--url', 'nowhere'], 2],
  [['init', '--url', 'http://user:secret@localhost:1'], 2],
  [['init', '--ci', 'other'], 2],
  [['init', '--url', 'http://127.0.0.1:1'], 3],
])('%j ends with %i and writes nothing', async (args, code) => {
  const folder = join(root, 'none');
  const ended = await a2aTck(...args, '--folder', folder);
  expect(ended.code).toBe(code);
  expect(ended.err).not.toContain('secret');
  expect(existsSync(folder)).toBe(false);
});
