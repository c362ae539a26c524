import { expect, test } from 'vitest';
import { stageFor } from '../../../test/fuzz-agents.js';
import { scripted, toolsFor } from '../../../test/stateful-fuzz.js';
import type { Message } from '../../model/index.js';
import type { Patch } from '../../reference/index.js';
import type { CallStep } from '../case/case.js';
import { withAt } from '../case/pointer.js';
import { callOf, quickly, type ScriptTools } from '../generate/scripting.js';
import { oracles } from './index.js';

/** Every history begins with the first message, of any caller. */
const firstWords = (): Patch => {
  let first: Message | undefined;
  return (inner) => ({
    view(found, length) {
      const seen = inner.view(found, length);
      first ??= seen.history?.[0];
      if (first === undefined || seen.history?.[0]?.messageId === first.messageId) return seen;
      const { taskId, contextId, ...said } = first;
      return { ...seen, history: [said, ...(seen.history ?? [])] };
    },
  });
};

const send = (tools: ScriptTools, messageId: string, as: string): CallStep =>
  callOf(
    tools,
    'send',
    { message: { messageId, role: 'user', parts: [{ kind: 'text', text: 'hello' }] }, configuration: quickly(tools) },
    { as },
  );

/** What is found where `second` is made of the second message, and another message stands between them. */
async function bucketsOf(
  second: (call: CallStep) => CallStep,
  between: (tools: ScriptTools) => readonly CallStep[] = () => [],
): Promise<readonly string[]> {
  const { stage, stop } = await stageFor({ profile: 'a2a-0.3', patches: [firstWords()] });
  const tools = toolsFor(stage);
  const [first, last] = [send(tools, 'tck-first-words', 'a'), second(send(tools, 'tck-other-words', 'b'))];
  const script = [first, ...between(tools), last];
  const { symptoms, trace } = await scripted(stage, script, oracles());
  stop();
  expect(trace.sent.at(-1)?.reading.utf8).toContain('tck-first-words');
  return symptoms.map(({ bucket }) => bucket);
}

const leak = 'leak/messages of another task send';

test('messages of one task in the history of another are a leak', async () => {
  expect(await bucketsOf((call) => call)).toContain(leak);
});

test('which id a message had that came with two is not known', async () => {
  const doubled = (call: CallStep): CallStep => ({
    ...call,
    tricks: [
      { trick: 'duplicate-member', at: '/params/message', name: 'messageId', value: '"tck-third"', where: 'first' },
    ],
  });
  expect(await bucketsOf(doubled)).not.toContain(leak);
});

test('a message with an object for an id, which was refused, is in no history', async () => {
  const odd = (tools: ScriptTools): CallStep => ({
    step: 'call',
    operation: 'send',
    params: withAt(send(tools, 'tck-odd-words', 'c').params ?? null, '/message/messageId', {}) ?? null,
  });
  expect(
    await bucketsOf(
      (call) => call,
      (tools) => [odd(tools)],
    ),
  ).toContain(leak);
});
