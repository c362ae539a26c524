import { expect, test } from 'vitest';
import { plainParts, staged } from '../../../test/fuzzing.js';
import type { ProfileId } from '../../dialect/index.js';
import type { CallStep, Case } from '../case/case.js';
import { createCaseRunner } from './case-runner.js';
import { createSpell } from './spell.js';

async function performed(profile: ProfileId, variant: string | undefined, step: CallStep) {
  const { stage, bodies } = await staged({ profile, ...(variant === undefined ? {} : { variant }) });
  const runner = createCaseRunner(stage, { runs: 1 }, { ...plainParts(stage.client.dialect), spell: createSpell() });
  await runner.learn();
  const learnt = bodies.length;
  const next: Case = { dialect: profile, steps: [step] };
  const { trace } = await runner.examine(next, 1);
  return { trace, learnt };
}

const say: CallStep = {
  step: 'call',
  operation: 'send',
  params: { message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Hello!' }] } },
};
const follow: CallStep = { step: 'call', operation: 'subscribe', params: { id: 'no-such-task' } };

test.each(['rest-in-schema', 'rest-in-proto'])('a case is sent in the spelling that %s reads', async (variant) => {
  const { trace } = await performed('a2a-0.3-rest', variant, say);
  expect(trace.sent[0]?.reading.outcome.kind).toBe('result');
});

test.each([
  ['rest-subscribe-by-get', 'GET'],
  ['rest-subscribe-by-post', 'POST'],
])('a subscription comes under the verb that %s has', async (variant, verb) => {
  const { trace } = await performed('a2a-1.0-rest', variant, follow);
  expect(trace.sent[0]?.exchange.request.method).toBe(verb);
  expect(trace.sent[0]?.reading.outcome).toMatchObject({ kind: 'refusal', error: 'TaskNotFound' });
});

test('in a binding that has one way nothing is asked', async () => {
  expect((await performed('a2a-0.3', undefined, say)).learnt).toBe(0);
});

test('a step that has no form in the binding is left out, and the others are sent', async () => {
  const { stage } = await staged({ profile: 'a2a-1.0-rest' });
  const runner = createCaseRunner(stage, { runs: 1 }, { ...plainParts(stage.client.dialect), spell: createSpell() });
  const read = (id: string): CallStep => ({ step: 'call', operation: 'get', params: { id } });
  const { trace } = await runner.examine({ dialect: 'a2a-1.0-rest', steps: [read(''), read('a')] }, 1);
  expect(trace.sent.map(({ place }) => place)).toEqual([[1]]);
  expect(trace).toMatchObject({ isWithheld: true, unsent: 'HTTP+JSON cannot carry get: the path needs a text as id' });
  expect(trace.cut).toBeUndefined();
});
