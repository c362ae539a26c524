import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restartBy } from './restart.js';

const node = (script: string): string => `"${process.execPath}" -e "${script}"`;

test('waits for the end of the command', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-restart-'));
  const file = join(folder, 'done').replaceAll('\\', '/');
  await restartBy(node(`setTimeout(() => require('fs').writeFileSync('${file}', ''), 50)`))();
  expect(existsSync(file)).toBe(true);
  rmSync(folder, { recursive: true });
});

test('a command that fails, and one that does not end', async () => {
  await expect(restartBy(node('process.exit(3)'))()).rejects.toThrow('exit code 3');
  await expect(restartBy(node('setInterval(() => {}, 1000)'), 300)()).rejects.toThrow('within 0.3 s');
});
