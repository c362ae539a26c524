import { expect, test } from 'vitest';
import { stageFor } from '../../../test/fuzz-agents.js';
import { scripted, toolsFor } from '../../../test/stateful-fuzz.js';
import { isObject, member } from '../../model/index.js';
import type { Patch } from '../../reference/index.js';
import type { CallStep } from '../case/case.js';
import { callOf, quickly, type ScriptTools } from '../generate/scripting.js';
import { oracles } from './index.js';

const send = (tools: ScriptTools, messageId: string): CallStep =>
  callOf(tools, 'send', {
    message: { messageId, role: 'user', parts: [{ kind: 'text', text: 'hello' }] },
    configuration: quickly(tools),
  });
const polluting = (call: CallStep): CallStep => ({
  ...call,
  params: { ...(call.params as object), metadata: { constructor: { prototype: { polluted: true } } } },
});

const pollutes = (value: unknown): boolean => JSON.stringify(value).includes('"polluted":true');
const withMember = (response: unknown): unknown => {
  const result = member(response, 'result');
  return isObject(response) && isObject(result) ? { ...response, result: { ...result, polluted: true } } : response;
};

/** All answers that follow have the member. */
const merging = (): Patch => {
  let isMerged = false;
  return (inner) => ({
    async answer(value, request) {
      isMerged ||= pollutes(value);
      const response = await inner.answer(value, request);
      return isMerged ? withMember(response) : response;
    },
  });
};

/** Only answers about the tasks of a client that has sent it: its metadata, shown again in an odd place. */
const echoing = (): Patch => {
  let left = 0;
  return (inner) => ({
    async answer(value, request) {
      if (pollutes(value)) left = 2;
      const response = await inner.answer(value, request);
      return left-- > 0 ? withMember(response) : response;
    },
  });
};

async function bucketsOf(patch: Patch): Promise<readonly string[]> {
  const { stage, stop } = await stageFor({ profile: 'a2a-0.3', patches: [patch] });
  const tools = toolsFor(stage);
  const script = [polluting(send(tools, 'tck-first')), send(tools, 'tck-second')];
  const { symptoms, trace, fault } = await scripted(stage, script, oracles());
  stop();
  expect(fault).toBeUndefined();
  expect(trace.sent.map(({ reading }) => reading.outcome.kind)).toEqual(['result', 'result']);
  return symptoms.map(({ bucket }) => bucket);
}

test('what one request wrote into all objects is seen in the answers to others', async () => {
  expect(await bucketsOf(merging())).toEqual(['leak/polluted objects send']);
});

test('an echo of a request is not a sign of it', async () => {
  expect(await bucketsOf(echoing())).toEqual([]);
  expect(await bucketsOf(() => ({}))).toEqual([]);
});
