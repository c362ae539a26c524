import { expect, test } from 'vitest';
import { contrast, type Meeting, type Scene } from './meeting.js';
import { pathFaults } from './paths.js';

const reading =
  (path: string, more: Parameters<Meeting['ask']>[2] = {}): Scene =>
  async ({ ask }) =>
    void (await ask('GET', path, more));
const posting =
  (type: string): Scene =>
  async ({ ask }) =>
    void (await ask('POST', '/message:send', { headers: [['content-type', type]], body: 'a=b' }));

const scenes: Readonly<Record<string, Scene>> = {
  'fuzz-rest-nul-in-path-crashes': reading('/tasks/a%00'),
  'fuzz-rest-bad-escape-leaks': reading('/tasks/%zz'),
  'fuzz-rest-decodes-twice-crashes': reading('/tasks/%2500%25'),
  'fuzz-rest-dot-segment-hangs': reading('/tasks/%2e%2e/x'),
  'fuzz-rest-encoded-slash-resets': reading('/tasks/a%2Fb'),
  'fuzz-rest-doubled-slash-crashes': reading('//tasks/a'),
  'fuzz-rest-colon-in-id-is-internal': reading('/tasks/a:b:cancel'),
  'fuzz-rest-long-segment-hangs': reading(`/tasks/${'a'.repeat(400)}`),
  'fuzz-rest-bytes-in-path-are-internal': reading('/tasks/%F0%9F%99%82'),
  'fuzz-rest-trailing-slash-leaks': reading('/tasks/a/'),
  'fuzz-rest-parameter-twice-crashes': reading('/tasks/a?historyLength=1&historyLength=1'),
  'fuzz-rest-parameter-as-list-leaks': reading('/tasks/a?historyLength[]=1'),
  'fuzz-rest-huge-parameter-hangs': reading(`/tasks/a?historyLength=${'9'.repeat(20)}`),
  'fuzz-rest-bad-escape-in-query-crashes': reading('/tasks/a?historyLength=%'),
  'fuzz-rest-plus-in-query-resets': reading('/tasks/a?historyLength=+1'),
  'fuzz-rest-inherited-parameter-crashes': reading('/tasks/a?__proto__=1'),
  'fuzz-rest-override-ends-task': async ({ send, ask, get }) => {
    const { result } = await send('tck-input-required');
    await ask('GET', `/tasks/${result.task.id}`, { headers: [['X-HTTP-Method-Override', 'DELETE']] });
    await get(result.task.id);
  },
  'fuzz-rest-unknown-override-is-internal': reading('/tasks/a', { headers: [['X-HTTP-Method', 'TCK']] }),
  'fuzz-rest-foreign-verb-kills': async ({ ask, get }) => {
    await ask('TCK', '/tasks/a');
    await get('x');
  },
  'fuzz-rest-form-hangs': posting('application/x-www-form-urlencoded'),
  'fuzz-rest-body-on-read-hangs': reading('/tasks/a', { body: '{}' }),
  'fuzz-rest-type-with-parameter-crashes': posting('application/json; charset=utf-8'),
};

test('a scene for each', () => expect(Object.keys(scenes)).toEqual(pathFaults.map(({ id }) => id)));

test.each(pathFaults)('$id shows', async (fault) => {
  const { clean, faulty } = await contrast(fault, scenes[fault.id] as Scene);
  expect(faulty).not.toEqual(clean);
});
