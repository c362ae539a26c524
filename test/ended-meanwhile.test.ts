import { describe, expect, test } from 'vitest';
import { isString, isTerminal, member } from '../src/model/index.js';
import { RpcFailure } from '../src/reference/failure.js';
import { type Patch, variants } from '../src/reference/index.js';
import { judge } from './judged.js';

// Tasks end when they like, also between two requests about their push configurations: 1.0 §3.1.7, §3.3.2.

/** From so many requests about its configurations on, a task has ended: none is taken, and none is there. */
const endingAfter =
  (requests: number, isPurged: boolean): Patch =>
  (inner, { store }) => {
    const counts = new Map<string, number>();
    const isOver = (id: string): boolean => (counts.get(id) ?? 0) > requests;
    return {
      visible: (id, caller) => !(isPurged && isOver(id)) && inner.visible(id, caller),
      async execute(command, call) {
        const id = command.op.startsWith('push') ? member(command.params, 'taskId') : undefined;
        if (!isString(id)) return inner.execute(command, call);
        counts.set(id, (counts.get(id) ?? 0) + 1);
        const task = store.get(id);
        if (task !== undefined && !isPurged && (isOver(id) || isTerminal(task.status.state))) {
          store.put({ ...task, status: { ...task.status, state: 'completed' } });
          throw new RpcFailure('InvalidParams', 'The task has ended, and its configurations are gone');
        }
        return inner.execute(command, call);
      },
    };
  };

const push = variants.flatMap(({ id, patch }) => (id === 'push' ? [patch] : []));

describe.each(['a2a-1.0', 'a2a-0.3'] as const)('%s', (profile) => {
  test.each([
    ['purged', true],
    ['ended', false],
  ])('nothing is held against an agent whose tasks are %s after any number of such requests', async (_, isPurged) => {
    let passed = 0;
    for (let requests = 1; requests <= 16; requests++) {
      const report = await judge({
        profile,
        checks: ['push/*'],
        patches: [...push, endingAfter(requests, isPurged)],
      });
      const failed = report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
      expect([requests, failed.map(({ id, actual }) => `${id}: ${actual}`)]).toEqual([requests, []]);
      passed = report.checks.filter(({ verdict }) => verdict === 'pass').length;
    }
    // They were asked, and say something of an agent whose tasks last.
    expect(passed).toBeGreaterThan(10);
  });
});
