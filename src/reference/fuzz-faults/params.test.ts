import { expect, test } from 'vitest';
import { contrast, type Scene } from './meeting.js';
import { paramFaults } from './params.js';

const sending =
  (more: object, text = 'hello'): Scene =>
  async ({ send }) =>
    void (await send(text, more));
const reading =
  (id: unknown, more: object = {}): Scene =>
  async ({ get }) =>
    void (await get(id, more));
const setting =
  (pushNotificationConfig: unknown): Scene =>
  async ({ call }) =>
    void (await call('tasks/pushNotificationConfig/set', { taskId: 'x', pushNotificationConfig }));
const deep = (depth: number): object => (depth === 0 ? {} : { in: deep(depth - 1) });

const scenes: Readonly<Record<string, Scene>> = {
  'fuzz-parts-no-array-resets': sending({ parts: {} }),
  'fuzz-parts-no-array-kills': async (meeting) => {
    await sending({ parts: 'hello' })(meeting);
    await meeting.get('x');
  },
  'fuzz-empty-list-crashes': sending({ parts: [] }),
  'fuzz-unknown-role-is-internal': sending({ role: 'system' }),
  'fuzz-number-in-part-resets': sending({ parts: [{ kind: 'text', text: 7 }] }),
  'fuzz-null-in-list-crashes': sending({ parts: [null] }),
  'fuzz-null-part-is-internal': sending({ parts: [null] }),
  'fuzz-empty-id-finds-a-task': async (meeting) => {
    await sending({})(meeting);
    await meeting.get('');
  },
  'fuzz-empty-message-id-crashes': sending({ messageId: '' }),
  'fuzz-empty-context-id-crashes': sending({ contextId: '' }),
  'fuzz-null-member-empties': sending({ metadata: null }),
  'fuzz-metadata-array-leaks': sending({ metadata: [] }),
  'fuzz-deep-metadata-hangs': sending({ metadata: deep(14) }),
  'fuzz-negative-history-crashes': reading('x', { historyLength: -1 }),
  'fuzz-huge-history-hangs': reading('x', { historyLength: 2_000_000 }),
  'fuzz-object-task-id-resets': reading({}),
  'fuzz-empty-task-id-leaks': reading(''),
  'fuzz-quote-in-task-id-leaks': reading("'; --"),
  'fuzz-long-task-id-hangs': reading('a'.repeat(400)),
  'fuzz-emoji-in-id-is-internal': reading('\u{1f600}'),
  'fuzz-odd-context-leaks': sending({ contextId: 7 }),
  'fuzz-long-text-resets': sending({}, 'a'.repeat(70_000)),
  'fuzz-empty-text-hangs': sending({}, ''),
  'fuzz-text-with-format-leaks': sending({}, 'all of %s'),
  'fuzz-push-url-hangs': setting({ url: 'nowhere' }),
  'fuzz-push-refusal-is-page': setting('nowhere'),
};

test('a scene for each', () => expect(Object.keys(scenes)).toEqual(paramFaults.map(({ id }) => id)));

test.each(paramFaults)('$id shows', async (fault) => {
  const { clean, faulty } = await contrast(fault, scenes[fault.id] as Scene);
  expect(faulty).not.toEqual(clean);
});
