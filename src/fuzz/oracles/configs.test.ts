import { expect, test } from 'vitest';
import { stageFor } from '../../../test/fuzz-agents.js';
import { scripted, toolsFor } from '../../../test/stateful-fuzz.js';
import { type Patch, variants } from '../../reference/index.js';
import type { CallStep, Step } from '../case/case.js';
import { callOf, quickly, reference, type ScriptTools } from '../generate/scripting.js';

const task = reference('a.task');
const begin = (tools: ScriptTools): readonly Step[] => [
  callOf(
    tools,
    'send',
    {
      message: { messageId: 'm-first', role: 'user', parts: [{ kind: 'text', text: 'tck-input-required please' }] },
      configuration: quickly(tools),
    },
    { as: 'a' },
  ),
  { step: 'wait', for: 'a' },
];
const set = (tools: ScriptTools, id: string, at = id): CallStep =>
  callOf(tools, 'pushSet', { taskId: task, config: { id, url: `https://example.com/${at}` } });
const remove = (tools: ScriptTools, configId: string): CallStep =>
  callOf(tools, 'pushDelete', { taskId: task, configId });
const read = (tools: ScriptTools, configId: string): CallStep => callOf(tools, 'pushGet', { taskId: task, configId });
const list = (tools: ScriptTools): CallStep => callOf(tools, 'pushList', { taskId: task });
const get = (tools: ScriptTools): CallStep => callOf(tools, 'get', { id: task });

/** A deletion takes all of them. */
const deletesAll: Patch = (inner, { store }) => ({
  async execute(command, call) {
    const outcome = await inner.execute(command, call);
    if (command.op !== 'pushDelete') return outcome;
    const { taskId } = command.params;
    for (const { id = '' } of store.configs(taskId)) store.removeConfig(taskId, id);
    return outcome;
  },
});

/** One configuration for each task: the newest. What is not there is deleted already. */
const keepsNewest: Patch = (inner, { store }) => ({
  async execute(command, call) {
    if (command.op === 'pushSet') {
      const { taskId } = command.params;
      for (const { id = '' } of store.configs(taskId)) store.removeConfig(taskId, id);
    }
    return inner.execute(command, call);
  },
});

/** Two names of one address are one configuration. */
const onePerAddress: Patch = (inner, { store }) => ({
  async execute(command, call) {
    const kept = command.op === 'pushDelete' ? store.configs(command.params.taskId) : [];
    const outcome = await inner.execute(command, call);
    if (command.op !== 'pushDelete') return outcome;
    const { taskId, configId } = command.params;
    const url = kept.find(({ id }) => id === configId)?.url;
    for (const pushConfig of kept) if (pushConfig.url === url) store.removeConfig(taskId, pushConfig.id ?? '');
    return outcome;
  },
});

async function bucketsOf(patch: Patch, script: (tools: ScriptTools) => readonly Step[]): Promise<readonly string[]> {
  const variant = variants.find(({ id }) => id === 'streaming-and-push') ?? expect.fail('no variant');
  const { stage, stop } = await stageFor({ profile: 'a2a-0.3', variant, patches: [patch] });
  const tools = toolsFor(stage);
  const { symptoms, fault } = await scripted(stage, [...begin(tools), ...script(tools), get(tools)]);
  stop();
  expect(fault).toBeUndefined();
  return symptoms.map(({ bucket }) => bucket);
}

type Script = (tools: ScriptTools) => readonly Step[];
const scripts: readonly (readonly [string, Script, string])[] = [
  [
    'the older one, in a list',
    (tools) => [set(tools, 'one'), set(tools, 'two'), remove(tools, 'two'), list(tools)],
    'pushList',
  ],
  [
    'the newer one, by its id',
    (tools) => [set(tools, 'one'), set(tools, 'two'), remove(tools, 'one'), read(tools, 'two')],
    'pushGet',
  ],
];

test.each(scripts)('a configuration that went with another one is missed: %s', async (_, script, operation) => {
  expect(await bucketsOf(deletesAll, script)).toEqual([`life-cycle/config-deleted-with-another ${operation}`]);
});

test.each(scripts)('nothing is missed where only the other one is gone: %s', async (_, script) => {
  expect(await bucketsOf(() => ({}), script)).toEqual([]);
});

test('an agent that keeps the newest configuration has not lost the older one to a deletion', async () => {
  for (const [, script] of scripts) expect(await bucketsOf(keepsNewest, script)).toEqual([]);
});

test('configurations of one address may be one', async () => {
  const script: Script = (tools) => [
    set(tools, 'one', 'same'),
    set(tools, 'two', 'same'),
    remove(tools, 'two'),
    read(tools, 'one'),
  ];
  expect(await bucketsOf(onePerAddress, script)).toEqual([]);
});

test('what a task that has ended forgets was not deleted with another one', async () => {
  const forgets: Patch = (inner, { store }) => ({
    async execute(command, call) {
      const outcome = await inner.execute(command, call);
      if (command.op === 'cancel') {
        for (const { id = '' } of store.configs(command.params.id)) store.removeConfig(command.params.id, id);
      }
      return outcome;
    },
  });
  const cancel = (tools: ScriptTools): CallStep => callOf(tools, 'cancel', { id: task });
  const script: Script = (tools) => [
    set(tools, 'one'),
    set(tools, 'two'),
    remove(tools, 'two'),
    cancel(tools),
    list(tools),
  ];
  expect(await bucketsOf(forgets, script)).toEqual([]);
});
