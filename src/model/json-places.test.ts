import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placesInJson } from './json-places.js';

const placeOf = (text: string, pointer: string) => placesInJson(text, [pointer]).get(pointer);

const text = `{
  "name": "Agent",
  "skills": [
    { "id": "a", "tags": ["x",
      7] }
  ],
  "a/b~c": null, "été": "\\"]}", "capabilities": {"streaming": true}
}
`;

test.each([
  ['', 1, 1],
  ['/name', 2, 3],
  ['/skills', 3, 3],
  ['/skills/0', 4, 5],
  ['/skills/0/tags', 4, 18],
  ['/skills/0/tags/1', 5, 7],
  ['/a~1b~0c', 7, 3],
  ['/été', 7, 18],
  ['/capabilities/streaming', 7, 50],
  // What is not there: the innermost thing around it.
  ['/url', 1, 1],
  ['/skills/0/name', 4, 5],
  ['/skills/9', 3, 3],
  ['/name/inner', 2, 3],
])('%s is in line %i, column %i', (pointer, line, column) => {
  expect(placeOf(text, pointer)).toEqual({ line, column });
});

test('of members with one name the last one counts', () => {
  expect(placeOf('{"a":{"b":1},\n"a":{"b":2}}', '/a/b')).toEqual({ line: 2, column: 6 });
});

test('many pointers cost one pass, and a deep text no stack', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(placeOf(deep, '/0/0/0')).toEqual({ line: 1, column: 4 });
  const pointers = Array.from({ length: 2000 }, (_, index) => `/${index}`);
  const many = `[${pointers.map(() => '1').join(',\n')}]`;
  expect(placesInJson(many, pointers).get('/1999')).toEqual({ line: 2000, column: 1 });
});

test('at the place of each value of any document stands that value or its name', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (value, indent) => {
      const written = JSON.stringify(value, null, indent);
      const all: [pointer: string, begins: string][] = [];
      const walk = (entry: unknown, pointer: string, begins: string): void => {
        all.push([pointer, begins]);
        if (Array.isArray(entry))
          for (const [at, item] of entry.entries()) walk(item, `${pointer}/${at}`, JSON.stringify(item)[0] ?? '');
        else if (typeof entry === 'object' && entry !== null)
          for (const [name, inner] of Object.entries(entry))
            walk(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, JSON.stringify(name));
      };
      walk(value, '', JSON.stringify(value)[0] ?? '');
      const places = placesInJson(
        written,
        all.map(([pointer]) => pointer),
      );
      const lines = written.split('\n');
      for (const [pointer, begins] of all) {
        const { line = 0, column = 0 } = places.get(pointer) ?? {};
        expect(lines[line - 1]?.slice(column - 1).startsWith(begins), pointer).toBe(true);
      }
    }),
  );
});
