import { expect, test } from 'vitest';
import { emptiness, silence } from '../../../fixtures/faults/shared/streaming.js';
import { stageFor } from '../../../test/fuzz-agents.js';
import { scripted, toolsFor } from '../../../test/stateful-fuzz.js';
import type { Message } from '../../model/index.js';
import { type Patch, variants } from '../../reference/index.js';
import { sleep } from '../../wire/index.js';
import type { CallStep, Step } from '../case/case.js';
import { callOf, quickly, reference, type ScriptTools, unknownPrefix } from '../generate/scripting.js';
import { oracles } from './index.js';

type Script = (tools: ScriptTools) => readonly Step[];

const isUnknown = (id: string): boolean => id.startsWith(unknownPrefix);

const unknownTasks =
  (isOpen: boolean): Patch =>
  (inner) => ({
    async stream(command, call) {
      if (command.op !== 'subscribe' || !isUnknown(command.params.id)) return inner.stream(command, call);
      return isOpen ? silence(call) : emptiness();
    },
  });

/** The error is the first event of a stream that was opened at once. */
const slowRefusals: Patch = (inner, { clock }) => ({
  async stream(command, call) {
    if (command.op !== 'subscribe' || !isUnknown(command.params.id)) return inner.stream(command, call);
    const later = async function* () {
      await sleep(clock, 1500);
      for await (const event of await inner.stream(command, call)) yield event;
    };
    return later();
  },
});

/** One listener of each task hears it: the first, or the newest. */
const oneListener =
  (isHeard: (number: number) => boolean): Patch =>
  (inner) => {
    let listeners = 0;
    return {
      async stream(command, call) {
        if (command.op !== 'subscribe' || isHeard(listeners++ % 2)) return inner.stream(command, call);
        return silence(call);
      },
    };
  };

/** The second listener waits in line. */
const oneByOne: Patch = (inner, { clock }) => {
  let listeners = 0;
  return {
    async stream(command, call) {
      const usual = await inner.stream(command, call);
      if (command.op !== 'subscribe' || listeners++ % 2 === 0) return usual;
      const later = async function* () {
        await sleep(clock, 2500);
        yield* usual;
      };
      return later();
    },
  };
};

/** Nothing is said to a listener before something happens (0.3). */
const onlyNews: Patch = (inner) => ({
  streamEvent: (event, call, index) => (index === 0 ? [] : inner.streamEvent(event, call, index)),
});

const begin = (tools: ScriptTools, text = 'tck-long-running'): CallStep => {
  const message: Message = { messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text }] };
  return callOf(tools, 'send', { message, configuration: quickly(tools) }, { as: 'a' });
};
const stray: Script = (tools) => [
  callOf(tools, 'subscribe', { id: `${unknownPrefix}000000000001` }, { listenMs: 200 }),
];
const both: Script = (tools) => {
  const follow = callOf(tools, 'subscribe', { id: reference('a.task') }, { listenMs: 2000 });
  return [begin(tools), { step: 'together', calls: [follow, follow] }];
};

const alone: Script = (tools) => {
  const params = { id: reference('a.task') };
  const follow = (listenMs: number): CallStep => callOf(tools, 'subscribe', params, { listenMs });
  const look = callOf(tools, 'get', params);
  const calls = [follow(2000), follow(2000), callOf(tools, 'cancel', params)];
  return [
    begin(tools, 'tck-input-required'),
    { step: 'wait', for: 'a' },
    follow(200),
    look,
    follow(800),
    { step: 'together', calls },
    look,
  ];
};

async function bucketsOf(patch: Patch, script: Script, profile: 'a2a-0.3' | 'a2a-1.0'): Promise<readonly string[]> {
  const variant = variants.find(({ id }) => id === 'streaming-and-push') ?? expect.fail('no variant');
  const { stage, stop, crashes } = await stageFor({ profile, variant, patches: [patch] });
  const { symptoms, fault } = await scripted(stage, script(toolsFor(stage)), oracles());
  stop();
  expect({ fault, crashes }).toEqual({ fault: undefined, crashes: [] });
  return symptoms.map(({ bucket }) => bucket);
}

test.each<[string, Patch, Script, 'a2a-0.3' | 'a2a-1.0']>([
  ['streams/unknown-task', unknownTasks(true), stray, 'a2a-0.3'],
  ['streams/unknown-task', unknownTasks(false), stray, 'a2a-0.3'],
  ['streams/unknown-task', unknownTasks(true), stray, 'a2a-1.0'],
  ['streams/silent subscribe', oneListener((number) => number === 0), both, 'a2a-0.3'],
  ['streams/silent subscribe', oneListener((number) => number === 1), both, 'a2a-1.0'],
])('%s', async (bucket, patch, script, profile) => {
  expect(await bucketsOf(patch, script, profile)).toEqual([bucket]);
});

test.each<[string, Patch, Script, 'a2a-0.3' | 'a2a-1.0']>([
  ['refuses at once', () => ({}), stray, 'a2a-0.3'],
  ['opens a stream and takes its time to refuse', slowRefusals, stray, 'a2a-0.3'],
  ['has no hurry with the second listener', oneByOne, both, 'a2a-0.3'],
  ['has no hurry with the second listener (1.0)', oneByOne, both, 'a2a-1.0'],
  ['says nothing before something happens (0.3)', onlyNews, alone, 'a2a-0.3'],
  ['tells the newest listener alone (0.3)', oneListener((number) => number === 1), both, 'a2a-0.3'],
])('nothing is held against an agent that %s', async (_, patch, script, profile) => {
  expect(await bucketsOf(patch, script, profile)).toEqual([]);
});
