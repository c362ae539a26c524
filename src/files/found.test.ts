import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFound, thisUser, type User } from './index.js';

// The kit reads a file that the user did not name only if no other user can have put it there.

let folder = '';
let file = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'a2a-tck-found-')));
  file = join(folder, 'a');
  writeFileSync(file, 'mine', { mode: 0o644 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const uid = process.geteuid?.() ?? 0;
const me: User = { uid, isAlone: () => false };
const read = (user: User | undefined = me): string => readFound(file, 100, user).toString('utf8');

test('the own file is read', () => {
  expect(read()).toBe('mine');
  expect(readFound(file, 100, thisUser()).toString('utf8')).toBe('mine');
});

test('that of another user is not, even if it is that of root', () => {
  expect(() => read({ ...me, uid: uid + 1 })).toThrow('it belongs to another user');
});

test('nor one that others may write: all, or a group that has other members', () => {
  chmodSync(file, 0o664);
  expect(() => read()).toThrow('others may write it (mode 664)');
  expect(read({ ...me, isAlone: () => true })).toBe('mine');
  chmodSync(file, 0o646);
  expect(() => read({ ...me, isAlone: () => true })).toThrow('others may write it (mode 646)');
});

test('nor one that others may exchange, in a folder like /tmp too', () => {
  for (const mode of [0o777, 0o1777, 0o775]) {
    chmodSync(folder, mode);
    expect(() => read()).toThrow(`others may write its folder (mode ${mode.toString(8)})`);
  }
});

test('of a link both ends count', () => {
  mkdirSync(join(folder, 'open'));
  writeFileSync(join(folder, 'open/b'), 'mine too');
  rmSync(file);
  symlinkSync('open/b', file);
  expect(read()).toBe('mine too');
  chmodSync(join(folder, 'open'), 0o777);
  expect(() => read()).toThrow('others may write its folder');
  chmodSync(join(folder, 'open'), 0o755);
  chmodSync(join(folder, 'open/b'), 0o666);
  expect(() => read()).toThrow('others may write it');
});

test('where files have no owners the kit refuses only what is not a file', () => {
  chmodSync(folder, 0o777);
  expect(readFound(file, 100, undefined).toString('utf8')).toBe('mine');
});
