import { expect, test } from 'vitest';
import { fuzzFaults } from '../../../fixtures/faults/fuzz/index.js';
import { faults } from '../../../fixtures/faults/index.js';
import { stageFor } from '../../../test/fuzz-agents.js';
import { scripted, toolsFor } from '../../../test/stateful-fuzz.js';
import type { Patch } from '../../reference/index.js';
import type { CallStep, Step } from '../case/case.js';
import { callOf, quickly, reference, type ScriptTools } from '../generate/scripting.js';

const contextId = reference('a.context');
const said = (tools: ScriptTools, name: string, text: string, more = {}): readonly Step[] => [
  callOf(
    tools,
    'send',
    {
      message: { messageId: `m-${name}`, role: 'user', parts: [{ kind: 'text', text }], ...more },
      configuration: quickly(tools),
    },
    { as: name },
  ),
];
/** A task that ends. */
const done = (tools: ScriptTools, name: string, more = {}): readonly Step[] => [
  ...said(tools, name, 'hello', more),
  { step: 'wait', for: name },
];
const page = (tools: ScriptTools, name: string, after?: string): CallStep =>
  callOf(
    tools,
    'list',
    { contextId, pageSize: 1, ...(after === undefined ? {} : { pageToken: reference(`${after}.token`) }) },
    { as: name },
  );
const walk = (tools: ScriptTools, between: readonly Step[] = []): readonly Step[] => [
  page(tools, 'p'),
  ...between,
  page(tools, 'q', 'p'),
  page(tools, 'r', 'q'),
];
const three = (tools: ScriptTools): readonly Step[] => [
  ...done(tools, 'a'),
  ...done(tools, 'b', { contextId }),
  ...done(tools, 'c', { contextId }),
];

async function symptomsOf(patch: Patch | undefined, stepsOf: (tools: ScriptTools) => readonly Step[]) {
  const { stage, stop } = await stageFor({ profile: 'a2a-1.0', patches: patch === undefined ? [] : [patch] });
  const { symptoms, fault } = await scripted(stage, stepsOf(toolsFor(stage)));
  stop();
  expect(fault).toBeUndefined();
  return symptoms.map(({ bucket }) => bucket);
}
const patchOf = (id: string): Patch =>
  [...faults, ...fuzzFaults].find((item) => item.id === id)?.patch ?? expect.fail(`no fault ${id}`);
const all = (tools: ScriptTools): readonly Step[] => [...three(tools), ...walk(tools)];

test.each([
  ['fuzz-second-page-loses-first-task', 'life-cycle/pages-lose'],
  ['fuzz-second-page-repeats-last-task', 'life-cycle/page-repeats'],
  ['list-token-ignored', 'life-cycle/page-repeats'],
])('%s is seen', async (fault, bucket) => {
  expect(await symptomsOf(patchOf(fault), all)).toContain(bucket);
});

test('each task once is right', async () => {
  expect(await symptomsOf(undefined, all)).toEqual([]);
});

const losing = patchOf('fuzz-second-page-loses-first-task');

test('nothing is said where a task may move meanwhile', async () => {
  // Asks, and waits for an answer: the answer comes between two pages.
  const answered = await symptomsOf(losing, (tools) => [
    ...three(tools),
    ...said(tools, 'd', 'tck-input-required please', { contextId }),
    { step: 'wait', for: 'd' },
    ...walk(tools, said(tools, 'e', 'Blue.', { taskId: reference('d.task') })),
  ]);
  expect(answered).toEqual([]);
  const atWork = await symptomsOf(losing, (tools) => [
    ...three(tools),
    ...said(tools, 'd', 'tck-working', { contextId }),
    ...walk(tools),
  ]);
  expect(atWork).toEqual([]);
});

test('nothing is said of a context that others may use too', async () => {
  const shared = (tools: ScriptTools): readonly Step[] =>
    ['a', 'b', 'c'].flatMap((name) => done(tools, name, { contextId: 'for-all' }));
  expect(await symptomsOf(losing, (tools) => [...shared(tools), ...walk(tools)])).toEqual([]);
});

/** Tasks that have ended are gone after the first page. */
const purging: Patch = (inner) => {
  let pages = 0;
  return { page: (tasks, query) => inner.page(pages++ === 0 ? tasks : tasks.slice(2), query) };
};

test('tasks may be purged between two pages', async () => {
  expect(await symptomsOf(purging, all)).toEqual([]);
});
