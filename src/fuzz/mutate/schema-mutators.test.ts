import { expect, test } from 'vitest';
import { createRandomSource } from '../generate/random-source.js';
import type { Shape } from '../generate/shape.js';
import { breaking } from './schema-mutators.js';

const mutator = { randomSource: createRandomSource(1), maxBytes: 1000 };
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
