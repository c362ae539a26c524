import fc, { array, constantFrom, dictionary, integer, letrec, oneof, property, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import type { Value } from './case.js';
import { mapValue, print, refsOf, sizeOf, specialOf, writtenOut } from './values.js';

/** What a value means, written out. */
function meant(value: Value): unknown {
  const special = specialOf(value);
  switch (special?.is) {
    case 'ref':
      return resolve(special.ref);
    case 'raw':
      return JSON.parse(special.json);
    case 'text':
      return Array.from({ length: special.times }, () => special.unit).join('');
    case 'list':
      return Array.from({ length: special.times }, () => meant(special.item));
    case 'nest': {
      let made: unknown = special.opening === '[' ? [] : {};
      for (let depth = 1; depth < special.times; depth++) made = special.opening === '[' ? [made] : { n: made };
      return made;
    }
  }
  if (Array.isArray(value)) return value.map(meant);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, meant(member)]));
}
const resolve = (ref: string): string => `id of ${ref}`;

const units = string({ unit: 'binary', maxLength: 3 });
const times = integer({ min: 1, max: 5 });
const { value } = letrec<{ value: Value }>((tie) => ({
  value: oneof(
    { depthSize: 'small', withCrossShrink: true },
    oneof(constantFrom<Value[]>(null, true, false, 0, 1.5, -1e21, '', 'x\ud800'), units, integer()),
    array(tie('value'), { maxLength: 3 }),
    dictionary(string({ unit: 'binary', maxLength: 4 }), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    record({ $ref: constantFrom('a.task', 'b.config') }),
    record({
      $text: array(units, { minLength: 1, maxLength: 1 }).chain(([unit = '']) => times.map((count) => [unit, count])),
    }),
    record({ $list: tie('value').chain((item) => times.map((count) => [item, count])) }),
    record({ $nest: constantFrom('[', '{').chain((opening) => times.map((count) => [opening, count])) }),
    record({ $raw: constantFrom('1e3', '"\\ud800"', '{"__proto__":1}') }),
  ),
}));

test('what is printed is what is meant', () => {
  fc.assert(
    property(value, (item) => {
      const text = print(item, resolve);
      expect(JSON.parse(text)).toEqual(meant(item));
      expect(text.length).toBeLessThanOrEqual(sizeOf(item));
    }),
    { numRuns: 500 },
  );
});

test('what is written out has the text that is printed, and is what the text is read as', () => {
  let checks = 0;
  fc.assert(
    property(value, (item) => {
      const whole = writtenOut(item, resolve);
      if (whole === undefined) return;
      checks++;
      const text = print(item, resolve);
      expect(JSON.stringify(whole)).toBe(text);
      expect(whole).toStrictEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
  expect(checks).toBeGreaterThan(100);
});

test.each([
  ['minus zero', -0],
  ['a number that is too large', Number.POSITIVE_INFINITY],
  ['text as it stands', { $raw: '1e3' }],
  ['nesting', { $nest: ['[', 3] }],
  ['long text', { $text: ['ab', 33_000] }],
  ['halves of characters', { $text: ['\udc00\ud800', 2] }],
  ['a member of the name of the prototype', JSON.parse('{"__proto__":{"$ref":"a.task"}}') as Value],
] as const)('%s is not written out, on its own or inside', (_, item) => {
  expect(writtenOut(item as Value, resolve)).toBeUndefined();
  expect(writtenOut([{ a: item as Value }], resolve)).toBeUndefined();
});

test('the printed form of a text of many thousand characters is written out', () => {
  const item = { $text: ['a"\\é\u2028', 12_000] } as const;
  expect(writtenOut(item, resolve)).toBe('a"\\é\u2028'.repeat(12_000));
  expect(JSON.stringify(writtenOut(item, resolve))).toBe(print(item, resolve));
});

test('the printed form of an unknown reference is written out, and a context is left out', () => {
  const message = { taskId: { $ref: 'a.task' }, contextId: { $ref: 'a.context' }, text: 'x' };
  expect(writtenOut(message, () => undefined)).toEqual({ taskId: 'unresolved-a-task', text: 'x' });
});

test('nesting of any depth is printed', () => {
  const text = print({ a: { $nest: ['{', 200_000] } }, resolve);
  expect(text.startsWith('{"a":{"n":{"n":')).toBe(true);
  expect(text.match(/\{/g)?.length).toBe(200_001);
  expect(text.match(/\}/g)?.length).toBe(200_001);
});

test('an unknown reference keeps its shape, and a context is left out', () => {
  const message = { taskId: { $ref: 'a.task' }, contextId: { $ref: 'a.context' }, text: 'x' };
  expect(JSON.parse(print(message, () => undefined))).toEqual({ taskId: 'unresolved-a-task', text: 'x' });
  expect(refsOf([message, { $list: [message, 2] }])).toEqual(['a.task', 'a.context', 'a.task', 'a.context']);
});

test('members are put into the object that is named, in front and behind', () => {
  const injected = [
    { at: '/b', members: '"x":1', where: 'first' as const },
    { at: '/b', members: '"y":2,"y":3', where: 'last' as const },
    { at: '', members: '"z":4', where: 'last' as const },
  ];
  expect(print({ a: {}, b: { c: 0 } }, resolve, injected)).toBe('{"a":{},"b":{"x":1,"c":0,"y":2,"y":3},"z":4}');
});

test('a member named __proto__ stays a plain member', () => {
  const hostile = JSON.parse('{"__proto__":{"a":1}}') as Value;
  expect(
    print(
      mapValue(hostile, () => undefined),
      resolve,
    ),
  ).toBe('{"__proto__":{"a":1}}');
});
