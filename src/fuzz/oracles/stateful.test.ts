import { describe, expect, test } from 'vitest';
import { fuzzFaults } from '../../../fixtures/faults/fuzz/index.js';
import { faults } from '../../../fixtures/faults/index.js';
import { conformingAgents, type FuzzedAgent, nameOf, stageFor } from '../../../test/fuzz-agents.js';
import { play, scripted, toolsFor } from '../../../test/stateful-fuzz.js';
import type { Message } from '../../model/index.js';
import { variants } from '../../reference/index.js';
import type { CallStep, Step } from '../case/case.js';
import { callOf, quickly, reference, type ScriptTools, unknownPrefix } from '../generate/scripting.js';

// Every oracle over scripts is shown one agent with the defect that it is there for, and the same agent without it.

type Script = (tools: ScriptTools) => readonly Step[];

const task = reference('a.task');
const wait: Step = { step: 'wait', for: 'a' };
let count = 0;
const message = (text: string, more: Partial<Message> = {}): Message => ({
  messageId: `m-${count++}`,
  role: 'user',
  parts: [{ kind: 'text', text }],
  ...more,
});
const send = (tools: ScriptTools, text: string, more: Partial<Message> = {}, as?: string): CallStep =>
  callOf(
    tools,
    'send',
    { message: message(text, more), configuration: quickly(tools) },
    as === undefined ? {} : { as },
  );
const begin = (tools: ScriptTools, text: string, as = 'a', more: Partial<Message> = {}) => send(tools, text, more, as);
const answer = (tools: ScriptTools) => send(tools, 'Blue.', { taskId: task });
const get = (tools: ScriptTools) => callOf(tools, 'get', { id: task });
const cancel = (tools: ScriptTools) => callOf(tools, 'cancel', { id: task });
const subscribe = (tools: ScriptTools, id = task) => callOf(tools, 'subscribe', { id }, { listenMs: 3000 });
const setConfig = (tools: ScriptTools, id: string, taskId = task) =>
  callOf(tools, 'pushSet', { taskId, config: { id, url: `https://example.com/${id}/${count++}` } });
const getConfig = (tools: ScriptTools, configId: string) => callOf(tools, 'pushGet', { taskId: task, configId });
const listConfigs = (tools: ScriptTools) => callOf(tools, 'pushList', { taskId: task });
const together = (...calls: readonly CallStep[]): Step => ({ step: 'together', calls });

const stranger = `${unknownPrefix}0123456789ab`;
const waiting = 'tck-input-required please';

interface Defect {
  readonly fault: string;
  readonly bucket: string;
  readonly script: Script;
  readonly profile?: FuzzedAgent['profile'];
  /** Of the agent that has the fault. */
  readonly variant?: string;
}

const defects: readonly Defect[] = [
  {
    fault: 'life-restarts-completed',
    bucket: 'life-cycle/revived',
    script: (tools) => [begin(tools, 'hello'), wait, answer(tools), get(tools)],
  },
  {
    fault: 'life-restarts-completed',
    bucket: 'life-cycle/ended-task send',
    script: (tools) => [begin(tools, 'hello'), wait, answer(tools)],
  },
  {
    fault: 'cancel-accepts-terminal',
    bucket: 'life-cycle/two-ends canceled',
    script: (tools) => [begin(tools, 'hello'), wait, cancel(tools), get(tools)],
  },
  {
    fault: 'fuzz-stale-read',
    bucket: 'life-cycle/stale',
    script: (tools) => [begin(tools, waiting), wait, answer(tools), get(tools)],
  },
  {
    fault: 'get-empties-artifacts-once-read',
    bucket: 'life-cycle/rewritten artifacts',
    script: (tools) => [begin(tools, 'hello'), wait, get(tools), get(tools)],
  },
  {
    fault: 'get-restamps-status',
    bucket: 'life-cycle/rewritten status',
    script: (tools) => [begin(tools, 'hello'), wait, get(tools), get(tools)],
  },
  {
    fault: 'get-shows-artifacts-once',
    bucket: 'life-cycle/artifact-lost ended',
    script: (tools) => [begin(tools, 'hello'), wait, get(tools), get(tools)],
  },
  {
    fault: 'get-new-context-each-time',
    bucket: 'life-cycle/other-context reading',
    script: (tools) => [begin(tools, 'hello'), wait, get(tools), get(tools)],
  },
  {
    fault: 'send-answer-changes-context',
    bucket: 'life-cycle/other-context answer',
    script: (tools) => [begin(tools, waiting), wait, answer(tools)],
  },
  {
    fault: 'get-answers-another-id',
    bucket: 'life-cycle/other-task get',
    script: (tools) => [begin(tools, 'hello', 'b'), begin(tools, 'hello'), get(tools)],
  },
  {
    fault: 'send-one-task-for-all',
    bucket: 'life-cycle/same-id',
    script: (tools) => [begin(tools, 'hello'), begin(tools, 'hello again', 'b')],
  },
  {
    fault: 'send-context-made-anew',
    bucket: 'life-cycle/context-not-kept',
    script: (tools) => [
      begin(tools, 'hello'),
      wait,
      begin(tools, 'hello again', 'b', { contextId: reference('a.context') }),
    ],
  },
  {
    fault: 'send-context-mismatch-ignored',
    profile: 'a2a-1.0',
    bucket: 'life-cycle/mixed-context',
    script: (tools) => [
      begin(tools, 'hello', 'b'),
      begin(tools, waiting),
      wait,
      send(tools, 'Blue.', { taskId: task, contextId: reference('b.context') }),
    ],
  },
  {
    fault: 'list-ignores-context',
    profile: 'a2a-1.0',
    bucket: 'life-cycle/list-context',
    script: (tools) => [
      begin(tools, 'hello', 'b'),
      begin(tools, 'hello'),
      callOf(tools, 'list', { contextId: reference('a.context') }),
    ],
  },
  {
    fault: 'list-ignores-state',
    profile: 'a2a-1.0',
    bucket: 'life-cycle/list-state',
    script: (tools) => [begin(tools, 'hello'), wait, callOf(tools, 'list', { state: 'input-required' })],
  },
  {
    fault: 'send-refuses-unknown-task-and-makes-it',
    bucket: 'life-cycle/unknown-task get',
    script: (tools) => [send(tools, 'hello', { taskId: stranger }), callOf(tools, 'get', { id: stranger })],
  },
  {
    fault: 'auth-get-foreign',
    variant: 'bearer-required',
    bucket: 'life-cycle/foreign-task get',
    script: (tools) => [begin(tools, waiting), wait, callOf(tools, 'get', { id: task }, { caller: 'second' })],
  },
  {
    fault: 'push-delete-keeps',
    bucket: 'life-cycle/config-survives pushList',
    script: (tools) => [
      begin(tools, waiting),
      wait,
      setConfig(tools, 'one'),
      callOf(tools, 'pushDelete', { taskId: task, configId: 'one' }),
      listConfigs(tools),
    ],
  },
  {
    fault: 'push-list-is-empty',
    bucket: 'life-cycle/config-lost pushList',
    script: (tools) => [begin(tools, waiting), wait, setConfig(tools, 'one'), listConfigs(tools), get(tools)],
  },
  {
    fault: 'fuzz-configs-shared-by-id',
    bucket: 'life-cycle/config-other pushGet',
    script: (tools) => [
      begin(tools, waiting),
      begin(tools, waiting, 'b'),
      wait,
      setConfig(tools, 'one'),
      setConfig(tools, 'one', reference('b.task')),
      getConfig(tools, 'one'),
      get(tools),
    ],
  },
  {
    fault: 'fuzz-events-to-wrong-subscriber',
    bucket: 'streams/other-task',
    script: (tools) => [
      begin(tools, 'tck-long-running'),
      begin(tools, 'tck-long-running', 'b'),
      together(subscribe(tools), subscribe(tools, reference('b.task'))),
    ],
  },
  {
    fault: 'fuzz-streams-disagree',
    bucket: 'streams/order',
    script: (tools) => [begin(tools, 'tck-long-running'), together(subscribe(tools), subscribe(tools))],
  },
  {
    fault: 'stream-artifacts-for-the-first-only',
    bucket: 'streams/split artifact',
    script: (tools) => [begin(tools, 'tck-long-running'), together(subscribe(tools), subscribe(tools))],
  },
  {
    fault: 'cancel-leaves-stream-open',
    bucket: 'streams/left-open subscribe',
    script: (tools) => [begin(tools, 'tck-cancel'), together(subscribe(tools), cancel(tools)), get(tools)],
  },
  {
    fault: 'sub-silent-about-the-end',
    bucket: 'streams/end-untold subscribe',
    script: (tools) => [begin(tools, 'tck-cancel'), together(subscribe(tools), cancel(tools)), get(tools)],
  },
  {
    fault: 'fuzz-lost-update',
    bucket: 'history/lost-message',
    script: (tools) => [
      begin(tools, waiting),
      wait,
      together(answer(tools), answer(tools), answer(tools)),
      wait,
      get(tools),
    ],
  },
  {
    fault: 'fuzz-configs-lost-in-race',
    bucket: 'history/configs',
    script: (tools) => [
      begin(tools, waiting),
      wait,
      together(setConfig(tools, 'one'), setConfig(tools, 'two')),
      listConfigs(tools),
      get(tools),
    ],
  },
  {
    fault: 'fuzz-refused-message-enters-history',
    bucket: 'history/messages',
    script: (tools) => [begin(tools, 'hello'), wait, together(answer(tools), get(tools)), get(tools)],
  },
];

const patchOf = (id: string) => {
  const found = [...faults, ...fuzzFaults].find((item) => item.id === id);
  return found?.patch ?? expect.fail(`no fault ${id}`);
};

async function bucketsOf(agent: FuzzedAgent, script: Script): Promise<readonly string[]> {
  const staged = await stageFor(agent);
  const { symptoms, fault } = await scripted(staged.stage, script(toolsFor(staged.stage)));
  staged.stop();
  expect(fault).toBeUndefined();
  return symptoms.map(({ bucket }) => bucket);
}

describe('a defect is seen, and is not seen where there is none', () => {
  test.each(defects)('$fault: $bucket', async ({ fault, bucket, script, profile = 'a2a-0.3', variant: id }) => {
    const variant =
      variants.find((variant) => variant.id === (id ?? 'streaming-and-push')) ?? expect.fail('no variant');
    const agent = { profile, variant };
    expect(await bucketsOf({ ...agent, patches: [patchOf(fault)] }, script)).toContain(bucket);
    expect(await bucketsOf(agent, script)).toEqual([]);
  });
});

test.each<[string, Script]>([
  ['is seen open later', (tools) => [begin(tools, 'hello'), subscribe(tools), get(tools), wait]],
  ['is canceled later', (tools) => [begin(tools, 'tck-cancel'), subscribe(tools), cancel(tools)]],
])('a subscription that was lost is not held against the end of a task that %s', async (_, script) => {
  const variant = variants.find(({ id }) => id === 'streaming-and-push') ?? expect.fail('no variant');
  const patches = [patchOf('sub-ends-at-once')];
  const buckets = await bucketsOf({ profile: 'a2a-0.3', variant, patches }, script);
  expect(buckets).not.toContain('streams/end-untold subscribe');
});

test('a task that a message was let begin under an id of its own is not held against those who read it', async () => {
  const patches = [patchOf('send-adopts-unknown-task-id')];
  const script: Script = (tools) => [
    send(tools, 'hello', { taskId: stranger }),
    callOf(tools, 'get', { id: stranger }),
  ];
  expect(await bucketsOf({ profile: 'a2a-1.0', patches }, script)).toEqual(['life-cycle/unknown-task send']);
});

test('agents that are right give no symptoms, whatever the story or the race', async () => {
  const agents = conformingAgents();
  // Every thirtieth of them, beginning somewhere else than in alphabetical order.
  const some = agents.filter((_, at) => at % 30 === 5);
  const all: string[] = [];
  let cases = 0;
  for (const agent of some) {
    const played = await play({ agent, seed: 7, races: 6, stories: 3 });
    cases += played.cases;
    const { weaknesses = [] } = agent.variant ?? {};
    const seen = played.seen.filter(
      ({ symptom }) => !weaknesses.some((weakness) => symptom.bucket.startsWith(weakness)),
    );
    all.push(...seen.map(({ symptom }) => `${nameOf(agent)}: ${symptom.bucket} ${symptom.detail}`));
    all.push(...played.faults);
  }
  expect(cases).toBeGreaterThan(150);
  expect(all).toEqual([]);
});
