import { expect, test } from 'vitest';
import type { Task, TaskState } from '../model/index.js';
import { memoryArchive } from './archive.js';
import { createStore } from './store.js';

const task = (id: string, state: TaskState = 'completed', text = ''): Task =>
  ({
    id,
    contextId: `context of ${id}`,
    status: { state, timestamp: '2026-01-01T00:00:00Z' },
    artifacts: text === '' ? [] : [{ artifactId: 'a', parts: [{ kind: 'text', text }] }],
  }) as unknown as Task;
const now = (): number => 0;
const ids = (tasks: readonly Task[]): readonly string[] => tasks.map(({ id }) => id);

test('without limits all tasks stay', () => {
  const store = createStore({ now });
  for (let count = 0; count < 5000; count++) store.put(task(`t${count}`));
  expect(store.all().length).toBe(5000);
});

test('the oldest task that has ended goes first, here and in the archive', () => {
  const archive = memoryArchive();
  const store = createStore({ now, archive, most: { tasks: 3, size: 1e9 } });
  for (const item of [task('open', 'working'), task('a'), task('b'), task('c'), task('d')]) store.put(item, 'alice');
  expect(ids(store.all())).toEqual(['open', 'c', 'd']);
  expect([...archive.load()].map(({ task: { id } }) => id)).toEqual(['open', 'c', 'd']);
  expect(store.knowsContext('context of open')).toBe(true);
  expect(store.knowsContext('context of a')).toBe(false);
  expect(store.knowsContext('context of d')).toBe(true);
});

test('large tasks go before they fill the memory, the latest one never', () => {
  const store = createStore({ now, most: { tasks: 1000, size: 10_000 } });
  for (let count = 0; count < 20; count++) store.put(task(`t${count}`, 'completed', 'x'.repeat(3000)));
  expect(ids(store.all())).toEqual(['t17', 't18', 't19']);
  // A task that grows counts with its current size.
  store.put(task('t18', 'completed', 'x'.repeat(6000)));
  expect(ids(store.all())).toEqual(['t18', 't19']);
  store.put(task('huge', 'completed', 'x'.repeat(20_000)));
  expect(ids(store.all())).toEqual(['huge']);
});

test('an open task goes only where none has ended, and who still works on it does not bring it back', () => {
  const store = createStore({ now, most: { tasks: 2, size: 1e9 } });
  for (const id of ['a', 'b', 'c']) store.put(task(id, 'working'), 'alice');
  expect(ids(store.all())).toEqual(['b', 'c']);
  store.put(task('a'));
  expect(ids(store.all())).toEqual(['b', 'c']);
  expect(store.owner('a')).toBeUndefined();
});
