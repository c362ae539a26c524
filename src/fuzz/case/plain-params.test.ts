import { expect, test } from 'vitest';
import { plainParams, withTexts } from './plain-params.js';

const resolve = (ref: string): string | undefined => (ref === 'a.task' ? 't-1' : undefined);

test('short forms and injected members are written where they stand', () => {
  const params = {
    message: {
      text: { $raw: '"\\ud800"' },
      many: { $list: [1, 3] },
      deep: { $nest: ['[', 2] },
      task: { $ref: 'a.task' },
    },
    long: { $text: ['ab', 40_000] },
    contextId: { $ref: 'a.context' },
  };
  const { value, inJson } = plainParams(params, resolve, [
    { at: '/params/message', members: '"x":1,"x":2', where: 'first' },
    { at: '/params', members: '"__proto__":{}', where: 'last' },
    { at: '/params/nowhere', members: '"y":1', where: 'last' },
  ]);
  expect(inJson(JSON.stringify(value))).toBe(
    `{"message":{"x":1,"x":2,"text":"\\ud800","many":[1,1,1],"deep":[[]],"task":"t-1"},"long":"${'ab'.repeat(40_000)}","__proto__":{}}`,
  );
});

test('in a URL they are percent-encoded texts', () => {
  const { value, inUrl } = plainParams({ id: { $raw: '"a/\\u0000"' }, historyLength: { $raw: '1e400' } }, resolve, []);
  const { id, historyLength } = value as Record<string, string>;
  expect(inUrl(`http://a.test/tasks/${id}?historyLength=${historyLength}`)).toBe(
    'http://a.test/tasks/a%2F%00?historyLength=1e400',
  );
});

test('members that no JSON carries become texts', () => {
  const params = { id: 7, flag: null, list: [1], text: 'a', body: { a: 1 } };
  expect(withTexts(params, (name) => name === 'body')).toEqual({
    id: '7',
    flag: 'null',
    list: '[1]',
    text: 'a',
    body: { a: 1 },
  });
});

test('values without short forms stay unchanged', () => {
  const { value, inJson, inUrl } = plainParams({ id: 'tckvalue8d1f_0_' }, resolve, []);
  expect(value).toEqual({ id: 'tckvalue8d1f_0_' });
  expect([inJson('"tckvalue8d1f_0_"'), inUrl('tckvalue8d1f_0_')]).toEqual(['"tckvalue8d1f_0_"', 'tckvalue8d1f_0_']);
});
