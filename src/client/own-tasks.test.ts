import { expect, test } from 'vitest';
import type { Task, TaskState } from '../model/index.js';
import type { Exchange } from '../wire/index.js';
import type { Outcome } from './outcome.js';
import { createOwnTasks } from './own-tasks.js';

const exchange: Exchange = {
  id: 'x1',
  purpose: 'test',
  request: { method: 'POST', url: 'http://agent.test/', headers: [] },
  startedAt: 0,
  durationMs: 1,
};
const from = { purpose: 'one', credentials: undefined, atMs: 0 };
const taskIn = (id: string, state: TaskState): Task => ({ id, status: { state } }) as Task;
const shown = (value: unknown) => ({ kind: 'result', value, exchange }) as Outcome<unknown>;
const sent = (id: string, state: TaskState) => shown({ type: 'task', task: taskIn(id, state) });

test('a task is at work until it is seen to have settled', () => {
  const tasks = createOwnTasks();
  tasks.see('send', sent('a', 'submitted'), from);
  expect(tasks.atWork().map(({ id, state }) => [id, state])).toEqual([['a', 'submitted']]);
  tasks.see('get', shown(taskIn('a', 'working')), undefined);
  expect(tasks.atWork('one').map(({ state }) => state)).toEqual(['working']);
  expect(tasks.atWork('another')).toEqual([]);
  tasks.see('cancel', shown(taskIn('a', 'canceled')), undefined);
  expect(tasks.atWork()).toEqual([]);
});

test('a task that another client began is not one of the own', () => {
  const tasks = createOwnTasks();
  tasks.see('get', shown(taskIn('b', 'working')), undefined);
  expect(tasks.atWork()).toEqual([]);
});

test('a late event of a stream does not take up an ended task again', () => {
  const tasks = createOwnTasks();
  tasks.see('send', sent('c', 'working'), from);
  tasks.see('get', shown(taskIn('c', 'completed')), undefined);
  tasks.see('get', shown(taskIn('c', 'working')), undefined);
  expect(tasks.atWork()).toEqual([]);
});

test('a free task is taken once; a task that is read is taken by none', () => {
  const tasks = createOwnTasks();
  for (const id of ['a', 'b']) tasks.see('send', sent(id, 'failed'), { ...from, purpose: id });
  tasks.see('send', sent('c', 'failed'), { ...from, credentials: 'second' });
  expect([tasks.has('failed'), tasks.take('failed'), tasks.look('failed')]).toEqual([false, undefined, undefined]);
  tasks.offer('a');
  expect([tasks.look('failed'), tasks.look('failed'), tasks.take('failed')]).toEqual(['a', 'a', undefined]);
  tasks.offerAll();
  expect([tasks.look('failed'), tasks.take('failed'), tasks.take('failed')]).toEqual(['a', 'b', undefined]);
  expect([tasks.has('failed'), tasks.has('completed')]).toEqual([true, false]);
});
