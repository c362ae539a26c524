import { expect, test } from 'vitest';
import { weakMemo } from './weak-memo.js';

test('an object is asked once, and others by themselves', () => {
  const asked: string[] = [];
  const nameOf = weakMemo(({ name }: { readonly name: string }, end: string) => {
    asked.push(name);
    return name + end;
  });
  const [first, other] = [{ name: 'a' }, { name: 'b' }];
  expect([nameOf(first, '!'), nameOf(first, '?'), nameOf(other, '?')]).toEqual(['a!', 'a!', 'b?']);
  expect(asked).toEqual(['a', 'b']);
});

test('what was said stays with the object: no copy and no view has it, and it does not show', () => {
  const nameOf = weakMemo(({ name }: { readonly name: string }) => name);
  const item = { name: 'a' };
  expect(nameOf(item)).toBe('a');
  expect(nameOf({ ...item, name: 'b' })).toBe('b');
  expect(nameOf(Object.create(item, { name: { value: 'c' } }))).toBe('c');
  expect(item).toStrictEqual({ name: 'a' });
  expect(JSON.stringify(item)).toBe('{"name":"a"}');
});

test('nothing that was said is remembered too, and two functions do not meet', () => {
  let asked = 0;
  const nothing = weakMemo((_: object) => void asked++);
  const something = weakMemo((_: object) => 1);
  const item = {};
  expect([nothing(item), nothing(item), something(item)]).toEqual([undefined, undefined, 1]);
  expect(asked).toBe(1);
});
