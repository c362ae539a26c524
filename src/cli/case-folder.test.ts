import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readCases } from './case-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-cases-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['text that is no JSON', '{'],
  ['JSON that is no case', '{"schema":"a2a-tck-fuzz-case/1"}'],
])('%s is refused with the name of its file', async (_, text) => {
  const file = join(folder, 'case.json');
  writeFileSync(file, text);
  await expect(readCases(file)).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining(file) as string,
  });
});
