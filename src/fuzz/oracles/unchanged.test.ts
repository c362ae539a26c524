import { expect, test } from 'vitest';
import { fuzzFaults } from '../../../fixtures/faults/index.js';
import { stageFor } from '../../../test/fuzz-agents.js';
import { scripted, toolsFor } from '../../../test/stateful-fuzz.js';
import { type Patch, variants } from '../../reference/index.js';
import type { CallStep, Step } from '../case/case.js';
import { callOf, quickly, reference, type ScriptTools } from '../generate/scripting.js';
import { unchanged } from './unchanged.js';

const task = reference('a.task');
const wait: Step = { step: 'wait', for: 'a' };
const say = (tools: ScriptTools, messageId: string, taskId?: string): CallStep =>
  callOf(
    tools,
    'send',
    {
      message: {
        messageId,
        role: 'user',
        parts: [{ kind: 'text', text: 'tck-input-required please' }],
        ...(taskId === undefined ? {} : { taskId }),
      },
      configuration: quickly(tools),
    },
    taskId === undefined ? { as: 'a' } : {},
  );
const get = (tools: ScriptTools, historyLength?: number): CallStep =>
  callOf(tools, 'get', { id: task, ...(historyLength === undefined ? {} : { historyLength }) });
const begin = (tools: ScriptTools): readonly Step[] => [say(tools, 'm-1'), wait, say(tools, 'm-2', task), wait];

/** A reading of a part of the history leaves nothing but that part. */
const cutting: Patch = (inner, { store }) => ({
  async execute(command, call) {
    const outcome = await inner.execute(command, call);
    const length = command.op === 'get' ? command.params.historyLength : undefined;
    const found = command.op === 'get' ? store.get(command.params.id) : undefined;
    if (found !== undefined && length !== undefined) {
      store.put({ ...found, history: length === 0 ? [] : (found.history ?? []).slice(-length) });
    }
    return outcome;
  },
});

async function bucketsOf(
  patch: Patch,
  script: (tools: ScriptTools) => readonly Step[],
  profile: 'a2a-0.3' | 'a2a-1.0' = 'a2a-0.3',
): Promise<readonly string[]> {
  const variant = variants.find(({ id }) => id === 'streaming-and-push') ?? expect.fail('no variant');
  const { stage, stop } = await stageFor({ profile, variant, patches: [patch] });
  const { symptoms, fault } = await scripted(stage, script(toolsFor(stage)), [unchanged]);
  stop();
  expect(fault).toBeUndefined();
  return symptoms.map(({ bucket }) => bucket);
}

test.each([0, 1])(
  'a reading of %i messages that takes the others away is seen in the next one of all',
  async (length) => {
    const script = (tools: ScriptTools) => [...begin(tools), get(tools), get(tools, length), get(tools)];
    expect(await bucketsOf(cutting, script)).toEqual(['unchanged/history reading']);
  },
);

test('a refusal and a reading that cuts leave open which one did it', async () => {
  const script = (tools: ScriptTools) => [
    ...begin(tools),
    get(tools),
    get(tools, 1),
    callOf(tools, 'cancel', { id: task }),
    get(tools),
  ];
  expect(await bucketsOf(cutting, script)).toEqual([]);
});

test('readings of several lengths are not a change', async () => {
  const lengths = [undefined, 0, 1, undefined, 1, 0, 100, undefined];
  const script = (tools: ScriptTools) => [...begin(tools), ...lengths.map((length) => get(tools, length))];
  expect(await bucketsOf(() => ({}), script)).toEqual([]);
});

/** A message without content, which is refused. */
const sayNothing = (tools: ScriptTools): CallStep =>
  callOf(tools, 'send', { message: { messageId: 'm-3', role: 'user', parts: [] } });

test('a refused message that leaves a task in its context is seen in the list', async () => {
  const leaving = fuzzFaults.find(({ id }) => id === 'fuzz-refused-message-leaves-ghost') ?? expect.fail('no fault');
  const script = (tools: ScriptTools) => [...begin(tools), sayNothing(tools)];
  const [bucket] = await bucketsOf(leaving.patch, script, 'a2a-1.0');
  expect(bucket).toMatch(/^unchanged\/stored refused send/);
});

test('a task that another user begins while a message is refused is not left by the message', async () => {
  const busy: Patch = (inner, { store }, whole) => ({
    problems(op, wire) {
      const problems = inner.problems(op, wire);
      const message = { messageId: 'other', role: 'user', parts: [{ kind: 'text', text: 'hello' }] } as const;
      if (problems.length > 0) store.put(whole.create(message));
      return problems;
    },
  });
  const script = (tools: ScriptTools) => [...begin(tools), sayNothing(tools)];
  expect(await bucketsOf(busy, script, 'a2a-1.0')).toEqual([]);
});
