import { expect, test } from 'vitest';
import { lruMemo } from './lru-memo.js';

interface Thing {
  readonly weight: number;
}

function asked(things: readonly Thing[]): readonly Thing[] {
  const worked: Thing[] = [];
  const weigh = lruMemo({ weightOf: ({ weight }: Thing) => weight, most: 10 }, (thing) => {
    worked.push(thing);
    return thing.weight;
  });
  for (const thing of things) expect(weigh(thing)).toBe(thing.weight);
  return worked;
}

test('what fits is worked out once', () => {
  const [first, other] = [{ weight: 5 }, { weight: 5 }];
  expect(asked([first, other, first, other, first])).toEqual([first, other]);
});

test('the oldest goes where the memo is full', () => {
  const [first, other, third] = [{ weight: 5 }, { weight: 4 }, { weight: 2 }];
  expect(asked([first, other, third, other, third, first])).toEqual([first, other, third, first]);
});

test('the last one stays, however heavy', () => {
  const [heavy, light] = [{ weight: 20 }, { weight: 1 }];
  expect(asked([light, heavy, heavy, heavy, light, light])).toEqual([light, heavy, light]);
});
