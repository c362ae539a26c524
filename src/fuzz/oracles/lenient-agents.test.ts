import { expect, test } from 'vitest';
import { stageFor } from '../../../test/fuzz-agents.js';
import { scripted, toolsFor } from '../../../test/stateful-fuzz.js';
import { isTerminal, type Message, type Task } from '../../model/index.js';
import { type Patch, variants } from '../../reference/index.js';
import { sleep } from '../../wire/index.js';
import type { CallStep, Step } from '../case/case.js';
import { callOf, quickly, reference, type ScriptTools } from '../generate/scripting.js';
import { oracles } from './index.js';

// Agents that are right in a way of their own: no oracle may accuse them for it.

const task = reference('a.task');
const wait: Step = { step: 'wait', for: 'a' };
const message = (messageId: string, more: Partial<Message> = {}): Message => ({
  messageId,
  role: 'user',
  parts: [{ kind: 'text', text: 'tck-input-required please' }],
  ...more,
});
const send = (tools: ScriptTools, own: Message, as?: string): CallStep =>
  callOf(tools, 'send', { message: own, configuration: quickly(tools) }, as === undefined ? {} : { as });
const begin = (tools: ScriptTools): CallStep => send(tools, message('m-first'), 'a');
const answer = (tools: ScriptTools, more: Partial<Message> = {}): CallStep =>
  send(tools, message('m-more', { taskId: task, ...more }));
const get = (tools: ScriptTools): CallStep => callOf(tools, 'get', { id: task });
const setConfig = (tools: ScriptTools, id: string): CallStep =>
  callOf(tools, 'pushSet', { taskId: task, config: { id, url: `https://example.com/${id}` } });
const getConfig = (tools: ScriptTools, configId: string): CallStep =>
  callOf(tools, 'pushGet', { taskId: task, configId });
/** With an unknown member: whether the agent refuses it is open. */
const odd = (call: CallStep): CallStep => ({
  ...call,
  edits: [{ at: '/params/tckUnknown', op: 'set', value: 1, keyword: 'additional' }],
});

/** To a message that it has had before an agent may answer again with the result (1.0 §3.3.1). */
const oncePerMessage: Patch = (inner, { store }) => {
  const known = new Map<string, string>();
  return {
    async execute(command, call) {
      if (command.op !== 'send' || command.params.message.taskId !== undefined) return inner.execute(command, call);
      const { messageId } = command.params.message;
      const found = store.get(known.get(messageId) ?? '');
      if (found !== undefined) return { op: 'send', result: { type: 'task', task: found } };
      const outcome = await inner.execute(command, call);
      if (outcome.op === 'send' && outcome.result.type === 'task') known.set(messageId, outcome.result.task.id);
      return outcome;
    },
  };
};

/** One configuration for each task: the newest. */
const oneConfig: Patch = (inner, { store }) => ({
  async execute(command, call) {
    const taskId =
      command.op === 'pushSet'
        ? command.params.taskId
        : command.op === 'send' && command.params.configuration?.push !== undefined
          ? command.params.message.taskId
          : undefined;
    for (const { id = '' } of taskId === undefined ? [] : store.configs(taskId)) store.removeConfig(taskId ?? '', id);
    return inner.execute(command, call);
  },
});

/** A task goes on where its last message was (AMB03-26). */
const followingContexts: Patch = (inner, { store }) => ({
  refusal(command, found) {
    const refused = inner.refusal(command, found);
    if (command.op !== 'send' || isTerminal(found.status.state)) return refused;
    const { contextId } = command.params.message;
    if (contextId !== undefined) store.put({ ...found, contextId });
    return undefined;
  },
  async execute(command, call) {
    if (command.op === 'send') {
      const { taskId, contextId } = command.params.message;
      const found = taskId === undefined ? undefined : store.get(taskId);
      if (found !== undefined && contextId !== undefined) store.put({ ...found, contextId });
    }
    return inner.execute(command, call);
  },
});

/** What is said to a task that waits begins it anew, as its first message did. */
const submittedAgain: Patch = (inner, { store }) => ({
  async execute(command, call) {
    const outcome = await inner.execute(command, call);
    const found = command.op === 'send' ? store.get(command.params.message.taskId ?? '') : undefined;
    if (found === undefined || outcome.op !== 'send' || outcome.result.type !== 'task') return outcome;
    const { task: shown } = outcome.result;
    const begun = { ...shown, status: { ...shown.status, state: 'submitted' as const } };
    return { ...outcome, result: { type: 'task', task: begun } };
  },
});

/** Links are signed for each reader, and for a while. */
const signedLinks: Patch = (inner) => {
  let count = 0;
  return {
    view(found, length) {
      const seen = inner.view(found, length);
      const signed = (seen.artifacts ?? []).map((artifact) => ({
        ...artifact,
        parts: [{ kind: 'file', uri: `https://example.com/a?signature=${count++}` } as const],
      }));
      return { ...seen, artifacts: signed } satisfies Task;
    },
  };
};

/** Ids without the blanks around them. */
const trimmedIds: Patch = (inner) => ({
  view(found, length) {
    const seen = inner.view(found, length);
    const history = seen.history?.map((message) => ({ ...message, messageId: message.messageId.trim() }));
    return history === undefined ? seen : { ...seen, history };
  },
});

/**
 * A subscriber first gets the current state of the task, as an update (0.3); the second subscriber waits in line for
 * that.
 */
const stateFirst: Patch = (inner, { clock }) => {
  let followers = 0;
  return {
    async stream(command, call) {
      if (command.op === 'subscribe' && ++followers === 2) await sleep(clock, 1006);
      return inner.stream(command, call);
    },
    streamEvent(event, call, index) {
      if (index > 0 || event.type !== 'task') return inner.streamEvent(event, call, index);
      const { id: taskId, contextId = '', status } = event.task;
      return [{ type: 'status', taskId, contextId, status, final: false }];
    },
  };
};

/** Of cancels that come at once each is answered with the canceled task (1.0 §3.3.1); a later one is refused. */
const cancelsAtOnce: Patch = (inner, { store, clock }) => ({
  async execute(command, call) {
    const before = command.op === 'cancel' ? store.get(command.params.id) : undefined;
    if (before === undefined || isTerminal(before.status.state)) return inner.execute(command, call);
    await sleep(clock, 20);
    const now = store.get(before.id);
    return now?.status.state === 'canceled' ? { op: 'cancel', result: now } : inner.execute(command, call);
  },
});

/** Every cancel of a canceled task is answered with it. */
const cancelsAgain: Patch = (inner, { store }) => ({
  async execute(command, call) {
    const found = command.op === 'cancel' ? store.get(command.params.id) : undefined;
    return found?.status.state === 'canceled' ? { op: 'cancel', result: found } : inner.execute(command, call);
  },
});

/** A task that was canceled is purged, so that another cancel finds none (1.0 §3.3.1). */
const purgesCanceled: Patch = (inner) => {
  const purged = new Set<string>();
  return {
    find: (id, op) => (purged.has(id) ? undefined : inner.find(id, op)),
    async execute(command, call) {
      const outcome = await inner.execute(command, call);
      if (outcome.op === 'cancel' && outcome.result.status.state === 'canceled') purged.add(outcome.result.id);
      return outcome;
    },
  };
};

const cases: readonly (readonly [string, Patch, (tools: ScriptTools) => readonly Step[]])[] = [
  [
    'takes a deletion that has something odd about it',
    () => ({}),
    (tools) => [
      begin(tools),
      wait,
      setConfig(tools, 'one'),
      odd(callOf(tools, 'pushDelete', { taskId: task, configId: 'one' })),
      getConfig(tools, 'one'),
      get(tools),
    ],
  ],
  [
    'keeps the newest configuration, which a message brought along',
    oneConfig,
    (tools) => [
      begin(tools),
      wait,
      setConfig(tools, 'one'),
      callOf(tools, 'send', {
        message: message('m-more', { taskId: task }),
        configuration: { ...quickly(tools), push: { id: 'two', url: 'https://example.com/two' } },
      }),
      getConfig(tools, 'one'),
      get(tools),
    ],
  ],
  [
    'keeps the newest configuration, which was set by an odd request',
    oneConfig,
    (tools) => [
      begin(tools),
      wait,
      setConfig(tools, 'one'),
      odd(setConfig(tools, 'two')),
      getConfig(tools, 'one'),
      get(tools),
    ],
  ],
  ['knows a message again', oncePerMessage, (tools) => [begin(tools), wait, send(tools, message('m-first'), 'b')]],
  [
    'lets a task go on where its last message was',
    followingContexts,
    (tools) => [begin(tools), wait, get(tools), answer(tools, { contextId: 'elsewhere' }), get(tools)],
  ],
  [
    'lets a task go on where its last message was, which was odd',
    followingContexts,
    (tools) => [begin(tools), wait, get(tools), odd(answer(tools, { contextId: 'elsewhere' })), get(tools)],
  ],
  [
    'calls a task submitted again after an odd message',
    submittedAgain,
    (tools) => [begin(tools), wait, odd(answer(tools)), get(tools)],
  ],
  [
    'tells followers its state first',
    stateFirst,
    (tools) => {
      const begun = send(tools, { ...message('m-first'), parts: [{ kind: 'text', text: 'tck-long-running' }] }, 'a');
      const follow = callOf(tools, 'subscribe', { id: task }, { listenMs: 3000 });
      return [begun, { step: 'together', calls: [follow, follow] }, get(tools)];
    },
  ],
  ['trims the ids of messages', trimmedIds, (tools) => [begin(tools), wait, send(tools, message('m-first '), 'b')]],
  [
    'trims the ids of messages, of several at once too',
    trimmedIds,
    (tools) => {
      const say = (messageId: string): CallStep => send(tools, message(messageId, { taskId: task }));
      return [
        begin(tools),
        wait,
        get(tools),
        { step: 'together', calls: [say('m-one '), say('m-two '), get(tools)] },
        get(tools),
        wait,
        get(tools),
      ];
    },
  ],
  [
    'signs links anew',
    signedLinks,
    (tools) => [
      send(tools, { ...message('m-first'), parts: [{ kind: 'text', text: 'hello' }] }, 'a'),
      wait,
      get(tools),
      get(tools),
    ],
  ],
];

test.each(cases)('an agent that %s', async (_, patch, script) => {
  const variant = variants.find(({ id }) => id === 'streaming-and-push') ?? expect.fail('no variant');
  const { stage, stop, crashes } = await stageFor({ profile: 'a2a-0.3', variant, patches: [patch] });
  const { symptoms, trace, fault } = await scripted(stage, script(toolsFor(stage)), oracles());
  stop();
  expect({ fault, crashes }).toEqual({ fault: undefined, crashes: [] });
  // Nothing was refused but what is gone.
  const outcomes = trace.sent.filter(({ step }) => step.operation !== 'pushGet').map(({ reading }) => reading.outcome);
  expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'result'));
  expect(symptoms.map(({ bucket, detail }) => `${bucket}: ${detail}`)).toEqual([]);
});

test.each<[string, Patch]>([
  ['takes cancels at once, and no later one', cancelsAtOnce],
  ['takes every cancel of a canceled task', cancelsAgain],
  ['purges what was canceled', purgesCanceled],
  ['knows a message again, also at once', oncePerMessage],
  ['keeps one configuration, also of several at once', oneConfig],
])('an agent that %s', { timeout: 60_000 }, async (_, patch) => {
  const variant = variants.find(({ id }) => id === 'streaming-and-push') ?? expect.fail('no variant');
  const together = (...calls: readonly CallStep[]): Step => ({ step: 'together', calls });
  for (const profile of ['a2a-0.3', 'a2a-1.0'] as const) {
    const { stage, stop } = await stageFor({ profile, variant, patches: [patch] });
    const tools = toolsFor(stage);
    const cancel = callOf(tools, 'cancel', { id: task });
    const follow = callOf(tools, 'subscribe', { id: task }, { listenMs: 1000 });
    const scripts: readonly (readonly Step[])[] = [
      [begin(tools), wait, together(cancel, cancel, get(tools), cancel), get(tools), cancel, get(tools)],
      [begin(tools), wait, cancel, cancel, together(cancel, get(tools)), get(tools)],
      [begin(tools), together(follow, cancel, cancel, follow), get(tools)],
      [together(begin(tools), begin(tools)), wait, begin(tools), get(tools)],
      [
        begin(tools),
        wait,
        together(setConfig(tools, 'one'), setConfig(tools, 'one'), setConfig(tools, 'two')),
        get(tools),
      ],
      [begin(tools), wait, setConfig(tools, 'one'), setConfig(tools, 'one'), getConfig(tools, 'one'), get(tools)],
      [begin(tools), wait, together(answer(tools), answer(tools), cancel), get(tools), cancel, get(tools)],
    ];
    for (const script of scripts) {
      const { symptoms, fault } = await scripted(stage, script, oracles());
      expect([fault, symptoms.map(({ bucket, detail }) => `${bucket}: ${detail}`)]).toEqual([undefined, []]);
    }
    stop();
  }
});

test('an agent that lists tasks in its own way shows again what was sent', async () => {
  const variant = variants.find(({ id }) => id === 'lists-in-its-own-way') ?? expect.fail('no variant');
  const { stage, stop } = await stageFor({ profile: 'openclaw', variant });
  const tools = toolsFor(stage);
  const parts = [{ kind: 'file', uri: 'file:///etc/passwd' }] as const;
  const script = [send(tools, { ...message('m-first'), parts }), callOf(tools, 'list', {})];
  const { symptoms, trace } = await scripted(stage, script, oracles());
  stop();
  expect(trace.sent.at(-1)?.reading.utf8).toContain('file:///etc/passwd');
  expect(symptoms.map(({ bucket, detail }) => `${bucket}: ${detail}`)).toEqual([]);
});
