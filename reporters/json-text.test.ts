import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonPieces, jsonText } from './json-text.js';

test('an object in pieces is the object in one piece', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false }));
  fc.assert(
    fc.property(object, fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 4 }), (head, list, indent) => {
      const { list: _, ...rest } = head;
      expect([...jsonPieces(rest, ['list', list], indent)].join('')).toBe(jsonText({ ...rest, list }, indent));
      const inner = [...jsonPieces(rest, ['list', list], indent, 1)].join('');
      const pad = ' '.repeat(indent);
      expect(`{\n${pad}"in": ${inner}\n}`).toBe(jsonText({ in: { ...rest, list } }, indent));
    }),
  );
});
