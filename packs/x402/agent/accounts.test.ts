import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Task } from '../../../src/model/index.js';
import type { World } from '../../../src/reference/seams.js';
import { createStore } from '../../../src/reference/store.js';
import { realClock } from '../../../src/wire/index.js';
import { accounts } from './accounts.js';
import type { X402Whole } from './patches.js';

const message = (id: number) => ({ role: 'user', messageId: `m-${id}`, parts: [] }) as const;
const taskOf = (id: number): Task =>
  ({ id: `t-${id}`, contextId: 'c', status: { state: 'completed' }, history: [message(id)] }) as Task;

test('the accounts of tasks that are gone are forgotten, those of others are not', async () => {
  const store = createStore({ now: realClock.now, most: { tasks: 5, size: 1e9 } });
  const whole = { x402: { skill: () => 'echo', offer: () => ({}) } } as unknown as X402Whole;
  const { account } = accounts({ clock: realClock, store } as World, whole);
  const messages: WeakRef<object>[] = [];
  const first = taskOf(0);
  const kept = account(first);
  for (let id = 1; id < 500; id++) {
    const task = taskOf(id);
    messages.push(new WeakRef((task.history ?? [])[0] ?? {}));
    store.put(task);
    if (id % 3 === 0) store.put(first);
    expect(account(task)).toBe(account(task));
  }
  // A WeakRef holds its target to the end of the turn.
  await new Promise(setImmediate);
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  expect(messages.filter((message) => message.deref() !== undefined).length).toBeLessThan(50);
  expect(store.get('t-0') === undefined || account(first) === kept).toBe(true);
});
