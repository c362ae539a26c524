import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

// The steps of the Dockerfile, played in a folder of its own: its absolute paths lead there. No engine is needed.

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-container-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files that .dockerignore keeps: it has `*`, and then names at the root. */
const context = readFileSync(join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

const instructions = readFileSync(join(root, 'Dockerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const);

/** Copies, links and commands of all stages. Only /source, /kit and /usr/local/bin may be named. */
async function play(): Promise<void> {
  let stage = '';
  let at = '/';
  const here = (path: string) => join(folder, stage, path);
  for (const [name, rest] of instructions) {
    if (name === 'FROM') {
      stage = / AS (\w+)$/.exec(rest)?.[1] ?? 'image';
      mkdirSync(here('usr/local/bin'), { recursive: true });
    } else if (name === 'WORKDIR') {
      at = rest;
      mkdirSync(here(at), { recursive: true });
    } else if (name === 'COPY') {
      const [, from, source = '', target = ''] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest) ?? [];
      if (from !== undefined) cpSync(join(folder, from, source), here(target), { recursive: true });
      else for (const text of context) cpSync(join(root, text), here(join(at, text)), { recursive: true });
    } else if (name === 'RUN') {
      const command = rest.replaceAll(/(?<=\s)\/(?=(source|kit|usr\/local)\b)/g, `${join(folder, stage)}/`);
      await run('sh', ['-euc', command], { cwd: here(at), maxBuffer: 1 << 26 });
    }
  }
}

test('the image has the kit and what it depends on, and the kit runs there', { timeout: 600_000 }, async () => {
  await play();
  const kit = join(folder, 'image/kit');
  expect(readdirSync(kit).sort()).toEqual(['LICENSE', 'README.md', 'SKILL.md', 'dist', 'node_modules', 'package.json']);
  const { dependencies } = JSON.parse(readFileSync(join(kit, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const { version } = JSON.parse(readFileSync(join(kit, 'node_modules', name, 'package.json'), 'utf8'));
    expect([name, version]).toEqual([name, packages[`node_modules/${name}`].version]);
  }
  expect(readdirSync(join(kit, 'node_modules'))).not.toContain('vitest');
  const command = join(folder, 'image/usr/local/bin/a2a-tck');
  const { stdout } = await run(command, ['demo', '--check', 'card/etag'], { cwd: dirname(kit) });
  expect(stdout).toContain('PASSED');
});
