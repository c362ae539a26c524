import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkFolder, corpusWriter, readCases } from './case-folder.js';

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

test('what is neither a file nor a folder is refused, and folders in a folder are passed over', async () => {
  mkdirSync(join(folder, 'all', 'more.json'), { recursive: true });
  expect(await readCases(join(folder, 'all'))).toEqual([]);
  await expect(readCases('/dev/null')).rejects.toMatchObject({ code: 'config', message: expect.any(String) as string });
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  expect(() => corpusWriter(file)).toThrow(`${file} is not a folder`);
  expect(() => checkFolder(file)).toThrow(`${file} is not a folder`);
});
