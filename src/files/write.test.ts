import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFile, writeWhole } from './index.js';

// Files appear whole, or not at all, and in the place that was named. test/foreign-files.test.ts has the commands.

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'a2a-tck-write-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file appears when it is done, and not before', () => {
  const file = join(folder, 'below', 'a.txt');
  const opened = openFile(file);
  opened.write('one ');
  opened.write('two');
  expect(readdirSync(join(folder, 'below'))).not.toContain('a.txt');
  opened.done();
  expect(readFileSync(file, 'utf8')).toBe('one two');
  writeWhole(file, 'three');
  expect(readFileSync(file, 'utf8')).toBe('three');
  expect(readdirSync(join(folder, 'below'))).toEqual(['a.txt']);
});

test('what cannot be put in its place leaves nothing behind', () => {
  const file = join(folder, 'a.txt');
  const opened = openFile(file);
  opened.write('one');
  mkdirSync(file);
  expect(opened.done).toThrow('cannot be written');
  expect(readdirSync(folder)).toEqual(['a.txt']);
  expect(opened.discard).not.toThrow();
});

test('a new file is not written over, by any process', () => {
  const file = join(folder, 'a.txt');
  writeWhole(file, 'one', { isNew: true, mode: 0o600 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(() => writeWhole(file, 'two', { isNew: true })).toThrow('it is there already');
  symlinkSync('nowhere', join(folder, 'b.txt'));
  expect(() => writeWhole(join(folder, 'b.txt'), 'two', { isNew: true })).toThrow('it is a link to nowhere');
  const opened = openFile(join(folder, 'c.txt'), { isNew: true });
  opened.discard();
  expect(readdirSync(folder)).toEqual(['a.txt', 'b.txt']);
  expect(readFileSync(file, 'utf8')).toBe('one');
});

test('a file that is replaced keeps its permissions', () => {
  const file = join(folder, 'a.txt');
  writeWhole(file, 'one');
  chmodSync(file, 0o640);
  writeWhole(file, 'two');
  expect(statSync(file).mode & 0o777).toBe(0o640);
});

test('links may stay inside, and a path that leads out by its own words is taken', () => {
  mkdirSync(join(folder, 'inside/below'), { recursive: true });
  mkdirSync(join(folder, 'outside'));
  const within = join(folder, 'inside');
  symlinkSync('below', join(within, 'link'));
  symlinkSync('../outside', join(within, 'way-out'));
  writeWhole(join(within, 'link/a.txt'), 'one', { within });
  expect(readdirSync(join(within, 'below'))).toEqual(['a.txt']);
  expect(() => writeWhole(join(within, 'way-out/deep/a.txt'), 'one', { within })).toThrow(
    'way-out leads out, by a link',
  );
  expect(readdirSync(join(folder, 'outside'))).toEqual([]);
  writeWhole(join(within, '../outside/a.txt'), 'one', { within });
  expect(readdirSync(join(folder, 'outside'))).toEqual(['a.txt']);
});
