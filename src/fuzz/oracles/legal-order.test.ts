import { describe, expect, test } from 'vitest';
import { type Happening, hasLegalOrder, type Moment } from './legal-order.js';

const at = (from: number, to: number, what: Happening, after?: number): Moment => ({
  from,
  to,
  what,
  ...(after === undefined ? {} : { after }),
});
const seen = (state: 'submitted' | 'working' | 'input-required' | 'completed' | 'canceled', messages?: number) =>
  ({ type: 'seen', state, messages }) as const;
const taken = (message: number, open = true) => ({ type: 'taken', message, open }) as const;
const set = (config: number, value: number, alone = false) => ({ type: 'set', config, value, alone }) as const;
const read = (config: number, value: number) => ({ type: 'config-seen', config, value }) as const;

describe('histories with a legal order', () => {
  const legal: Readonly<Record<string, readonly Moment[]>> = {
    'nothing at all': [],
    'states that are skipped': [at(0, 1, seen('submitted')), at(2, 3, seen('completed'))],
    'an end that was read at once with a state before it': [at(0, 3, seen('completed')), at(1, 2, seen('working'))],
    'a state that came back': [
      at(0, 1, seen('input-required')),
      at(2, 3, seen('working')),
      at(4, 5, seen('input-required')),
    ],
    'a task that is submitted again by a message': [
      at(0, 1, seen('input-required')),
      at(2, 5, taken(0)),
      at(2, 5, seen('submitted'), 1),
    ],
    'a message that was taken before an end that overlaps it': [at(0, 3, taken(0)), at(1, 4, seen('completed'))],
    'a message that is shown before its answer came': [at(0, 9, taken(0)), at(1, 2, seen('working', 0b1))],
    'two messages that are shown one after the other': [
      at(0, 9, taken(0)),
      at(1, 8, taken(1)),
      at(2, 3, seen('working', 0b10)),
      at(4, 5, seen('working', 0b11)),
    ],
    'a configuration between two others': [at(0, 5, set(0, 1)), at(1, 4, set(0, 2)), at(6, 7, read(0, 1))],
    'a configuration that drove out another': [at(0, 1, set(0, 1)), at(2, 3, set(1, 1, true)), at(4, 5, read(0, 0))],
    'a configuration that went with the task': [at(0, 1, set(0, 1)), at(2, 3, read(0, 0)), at(4, 5, seen('completed'))],
  };
  test.each(Object.entries(legal))('%s', (_, moments) => {
    expect(hasLegalOrder(moments, 2)).toBe(true);
  });
});

describe('histories without one', () => {
  const illegal: Readonly<Record<string, readonly Moment[]>> = {
    'an end that is left': [at(0, 1, seen('completed')), at(2, 3, seen('working'))],
    'two ends': [at(0, 5, seen('completed')), at(1, 4, seen('canceled'))],
    'submitted again': [at(0, 1, seen('working')), at(2, 3, seen('submitted'))],
    'a message that was taken after the end': [at(0, 1, seen('completed')), at(2, 3, taken(0))],
    'a message whose answer shows the end that was there before': [
      at(0, 1, seen('completed')),
      at(2, 3, taken(0)),
      at(2, 3, seen('completed'), 1),
    ],
    'a message that nobody took': [at(0, 1, seen('working', 0b1))],
    'a message that is shown before it was sent': [at(0, 1, seen('working', 0b1)), at(2, 3, taken(0))],
    'a message that is gone again': [
      at(0, 1, taken(0)),
      at(2, 3, seen('working', 0b1)),
      at(4, 5, seen('working', 0b0)),
    ],
    'readings that saw two messages in two orders': [
      at(0, 9, taken(0)),
      at(1, 8, taken(1)),
      at(2, 6, seen('working', 0b01)),
      at(3, 7, seen('working', 0b10)),
    ],
    'a configuration that is gone while the task is open': [
      at(0, 1, set(0, 1)),
      at(2, 3, read(0, 0)),
      at(4, 5, seen('working')),
    ],
    'a configuration that is there after its deletion': [
      at(0, 1, set(0, 1)),
      at(2, 3, set(0, 0)),
      at(4, 5, read(0, 1)),
    ],
    'a configuration that nobody set': [at(0, 1, set(0, 1)), at(2, 3, read(0, 2))],
    'readings that saw two settings in two orders': [
      at(0, 1, set(0, 1)),
      at(2, 9, set(0, 2)),
      at(3, 4, read(0, 2)),
      at(5, 6, read(0, 1)),
    ],
  };
  test.each(Object.entries(illegal))('%s', (_, moments) => {
    expect(hasLegalOrder(moments, 2)).toBe(false);
  });
});

test('what was written in any order has that order', () => {
  // Twelve writers at once, and readings of what they left: found without trying all orders.
  const writers = Array.from({ length: 12 }, (_, message) => at(message, 100 + message, taken(message)));
  const readers = [0b1, 0b101, 0b10101, 0b111111111111].map((messages, n) =>
    at(20 + 2 * n, 21 + 2 * n, seen('working', messages)),
  );
  expect(hasLegalOrder([...writers, ...readers], 0)).toBe(true);
  const contradiction = at(40, 41, seen('working', 0b1));
  expect(hasLegalOrder([...writers, ...readers, contradiction], 0)).toBe(false);
});
