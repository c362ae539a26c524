import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dialectById } from '../src/dialect/index.js';
import { prove, writeMatrix } from '../src/proof/index.js';
import { rules } from '../suites/index.js';

test('the proof of some checks leaves the stored lines of all others', async () => {
  const dialect = dialectById('terminal-bench');
  if (dialect === undefined) throw new Error('terminal-bench is missing');
  const proof = await prove({ dialect, rules, only: ['task/get-same-task'], played: new Set() });
  expect(proof.problems).toEqual([]);
  expect(proof.checks.map(({ id }) => id)).toEqual(['task/get-same-task']);
  const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-renewed-'));
  try {
    const stored = new URL('../proof/terminal-bench.txt', import.meta.url);
    const copy = join(folder, 'terminal-bench.txt');
    copyFileSync(stored, copy);
    writeMatrix(proof, folder);
    expect(readFileSync(copy, 'utf8')).toBe(readFileSync(stored, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
