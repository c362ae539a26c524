import { expect, test } from 'vitest';
import { placesOf, severally } from './places.js';

const missing = (path: string) => ({ rule: 'r', path, message: 'must be present, is missing', seen: 'nothing' });

test('names each place of a defect, and what differs', () => {
  const listed = { rule: 'r', path: '/c', message: 'must be array, is string', seen: '"x"' };
  expect(placesOf('card', [missing('/a')])).toBe('card/a must be present, is missing: nothing');
  expect(placesOf('card', [missing('/a'), missing('/b'), listed])).toBe(
    'card/a must be present, is missing: nothing; also /b, /c must be array, is string',
  );
});

test('counts what it does not name, and stays short', () => {
  const many = Array.from({ length: 30 }, (_, at) => missing(`/skills/${at}/tags`));
  const places = placesOf('card', many, 30_000);
  expect(places).toContain('/skills/19/tags');
  expect(places).not.toContain('/skills/20/tags');
  expect(places).toMatch(/; and 30010 more$/);
  expect(severally(['a', 'b'.repeat(1000), 'c'.repeat(1000)])).toBe(`a; also ${'b'.repeat(1000)}; and 1 more`);
});
