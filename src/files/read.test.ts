import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readWithin } from './index.js';

// What is read ends, in bytes and in time.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-read-'));
afterAll(() => rmSync(folder, { recursive: true }));
const pipe = (name: string): string => {
  execFileSync('mkfifo', [join(folder, name)]);
  return join(folder, name);
};
const { O_RDWR, O_NONBLOCK } = constants;

test('a file is read up to its limit', () => {
  const file = join(folder, 'a');
  writeFileSync(file, 'x'.repeat(4096));
  expect(readWithin(file, 4096).length).toBe(4096);
  expect(() => readWithin(file, 4095)).toThrow(/^it is longer than /);
  expect(readWithin(file, 8 * 1024 * 1024).toString('utf8')).toBe('x'.repeat(4096));
  writeFileSync(file, '');
  expect(readWithin(file, 1).length).toBe(0);
  // The system gives no size of these.
  expect(readWithin('/proc/self/status', 1024 * 1024).toString('utf8')).toMatch(/^Name:/);
  expect(() => readWithin('/dev/zero', 64 * 1024)).toThrow('it is longer than 64 KiB');
  expect(() => readWithin('/dev/null', 1, { isPlain: true })).toThrow('it is not a file');
  expect(() => readWithin(folder, 1)).toThrow('it is a folder');
  expect(() => readWithin(join(folder, 'none'), 1)).toThrow('the file does not exist');
});

test('the kit waits for a pipe, for a limited time', () => {
  const patience = { opened: 50, silent: 150 };
  const text = pipe('one');
  expect(() => readWithin(text, 100, { patience })).toThrow('it is a pipe, and nothing writes into it for 0.05 s');
  // A program has it open and is silent; then a word comes, and no end.
  const handle = openSync(text, O_RDWR | O_NONBLOCK);
  expect(() => readWithin(text, 100, { patience })).toThrow('nothing came for 0.15 s');
  writeSync(handle, 'word');
  expect(() => readWithin(text, 3, { patience })).toThrow('it is longer than');
  writeSync(handle, 'word');
  expect(() => readWithin(text, 100, { patience })).toThrow('nothing came for 0.15 s');
  closeSync(handle);
});

test('all of a writer is read that waits for its reader', () => {
  const text = pipe('large');
  // More than a pipe holds.
  const child = spawn('sh', ['-c', `head -c 300000 /dev/zero > '${text}'`]);
  try {
    expect(readWithin(text, 300_000).length).toBe(300_000);
  } finally {
    child.kill();
  }
});
