import { expect, test } from 'vitest';
import { envelopeFaults } from './envelopes.js';
import { contrast, type Scene } from './meeting.js';

const get = 'tasks/get';
const calling =
  (method: string, params: unknown, more: object = {}): Scene =>
  async ({ call }) =>
    void (await call(method, params, more));

const scenes: Readonly<Record<string, Scene>> = {
  'fuzz-long-method-hangs': calling('m'.repeat(300), {}),
  'fuzz-method-of-another-type-crashes': calling(get, {}, { method: 7 }),
  'fuzz-inherited-method-leaks': calling('toString', {}),
  'fuzz-fraction-id-cut': calling(get, { id: 'x' }, { id: 1.5 }),
  'fuzz-long-id-cut': calling(get, { id: 'x' }, { id: 'a'.repeat(100) }),
  'fuzz-zero-id-lost': calling(get, { id: 'x' }, { id: 0 }),
  'fuzz-object-id-crashes': calling(get, { id: 'x' }, { id: {} }),
  'fuzz-true-id-is-internal': calling(get, { id: 'x' }, { id: true }),
  'fuzz-list-id-resets': calling(get, { id: 'x' }, { id: [] }),
  'fuzz-params-array-crashes': calling(get, ['x']),
  'fuzz-no-params-is-internal': calling('tasks/cancel', undefined),
  'fuzz-missing-member-is-unknown-method': async ({ send }) => void (await send('hello', { messageId: undefined })),
  'fuzz-refused-cancel-is-internal': calling('tasks/cancel', { id: 7 }),
};

test('a scene for each', () => expect(Object.keys(scenes)).toEqual(envelopeFaults.map(({ id }) => id)));

test.each(envelopeFaults)('$id shows', async (fault) => {
  const { clean, faulty } = await contrast(fault, scenes[fault.id] as Scene);
  expect(faulty).not.toEqual(clean);
});
