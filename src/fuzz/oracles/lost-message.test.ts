import { expect, test } from 'vitest';
import { fuzzFaults } from '../../../fixtures/faults/fuzz/index.js';
import { stageFor } from '../../../test/fuzz-agents.js';
import { scripted, toolsFor } from '../../../test/stateful-fuzz.js';
import { type Patch, variants } from '../../reference/index.js';
import type { CallStep, Step } from '../case/case.js';
import { callOf, quickly, reference, type ScriptTools } from '../generate/scripting.js';

const said = (tools: ScriptTools, messageId: string, text: string, more = {}): CallStep =>
  callOf(tools, 'send', {
    message: { messageId, role: 'user', parts: [{ kind: 'text', text }], ...more },
    configuration: quickly(tools),
  });
const wait: Step = { step: 'wait', for: 'a' };

/** Tasks end with the first answer that is worked on, as many times as it says: who answers next is too late. */
const endsEarly = (times: number): Patch => {
  let left = times;
  return (inner, { store }) => ({
    async execute(command, call) {
      const id = command.op === 'send' ? command.params.message.taskId : undefined;
      const found = id === undefined ? undefined : store.get(id);
      if (found !== undefined && left > 0 && (found.history ?? []).length > 1 && found.status.state !== 'completed') {
        left--;
        store.put({ ...found, status: { ...found.status, state: 'completed' } });
      }
      return inner.execute(command, call);
    },
  });
};

test('controls whose task ended meanwhile do not stop the search for lost messages', async () => {
  const variant = variants.find(({ id }) => id === 'streaming-and-push') ?? expect.fail('no variant');
  const lost = fuzzFaults.find(({ id }) => id === 'fuzz-lost-update') ?? expect.fail('no fault');
  const { stage, stop } = await stageFor({ profile: 'a2a-0.3', variant, patches: [lost.patch, endsEarly(3)] });
  const tools = toolsFor(stage);
  const found: boolean[] = [];
  for (let round = 0; round < 4; round++) {
    const answer = (name: string): CallStep =>
      said(tools, `m-${round}-${name}`, 'Blue.', { taskId: reference('a.task') });
    const { symptoms, fault } = await scripted(stage, [
      { ...said(tools, `m-${round}-first`, 'tck-input-required please'), as: 'a' },
      wait,
      { step: 'together', calls: [answer('one'), answer('two')] },
      wait,
      callOf(tools, 'get', { id: reference('a.task') }),
    ]);
    expect(fault).toBeUndefined();
    found.push(symptoms.some(({ bucket }) => bucket === 'history/lost-message'));
  }
  stop();
  expect(found).toEqual([false, false, false, true]);
});
