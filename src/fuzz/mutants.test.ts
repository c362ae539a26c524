import { expect, test } from 'vitest';
import { createDice } from './dice.js';
import { breaking } from './mutants.js';
import type { Shape } from './shape.js';

const mutator = { dice: createDice(1), maxBytes: 1000 };
const typeAt = (types: Shape['types']) =>
  breaking(
    mutator,
    {},
    {
      place: { path: '/x', pointer: '/x', shape: { types, forms: [] }, required: false, forms: new Map() },
      keyword: 'type',
    },
  );

test('what may have every type has no wrong one', () => {
  expect(typeAt(['null', 'boolean', 'number', 'string', 'array', 'object'])).toBeUndefined();
  expect(typeAt(['null', 'boolean', 'number', 'string', 'array'])).toMatchObject([{ at: '/x', op: 'set' }]);
});
