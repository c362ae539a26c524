import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installedInto } from './packed.js';

// The tarball, installed from the registry into an empty folder: how much comes, and whether what runs in threads and reads
// data still proves its checks.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-installed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let said = '';
let main = '';
beforeAll(async () => {
  ({ said, main } = await installedInto(folder));
}, 120_000);

test('it installs few packages, and warns of nothing', () => {
  const names = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  const scoped = names
    .filter((name) => name.startsWith('@'))
    .flatMap((scope) => readdirSync(join(folder, 'node_modules', scope)).map((name) => `${scope}/${name}`));
  const packages = [...names.filter((name) => !name.startsWith('@')), ...scoped];
  expect(packages).toContain('a2a-tck');
  expect(packages).not.toContain('@proton/js');
  expect(packages.length).toBeLessThanOrEqual(20);
  expect(said).not.toMatch(/warn/i);
});

test('what needs a package that is not installed says so', async () => {
  const serving = run(process.execPath, [main, 'serve', '--profile', 'openclaw', '--data', 'tasks.db', '--port', '0'], {
    cwd: folder,
  });
  await expect(serving).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--data needs the package node-sqlite3-wasm.*\n.*npm install node-sqlite3-wasm/),
  });
});

test('installed, it proves its checks as the stored matrix says', { timeout: 600_000 }, async () => {
  const args = [main, 'prove', '--once', '--check', join(root, 'proof'), '--profile', 'terminal-bench'];
  const { stdout } = await run(process.execPath, args, { cwd: folder, maxBuffer: 1 << 26 });
  expect(stdout).toMatch(/^terminal-bench: every check is proven\n.*\n +faults +(\d+) of \1 killed, 0 void$/m);
  expect(readFileSync(main, 'utf8')).toMatch(/^#!/);
});

test('installed, it proves the pack of the guide', { timeout: 120_000 }, async () => {
  const page = readFileSync(join(folder, 'node_modules/a2a-tck/docs/packs.md'), 'utf8');
  writeFileSync(join(folder, 'timestamp.mjs'), /```js\n(.*?)```/s.exec(page)?.[1] ?? '');
  const { stdout } = await run(process.execPath, [main, 'prove', '--pack', './timestamp.mjs'], { cwd: folder });
  expect(stdout.match(/^timestamp on a2a-\S+: every check is proven$/gm)?.length, stdout).toBe(7);
});
