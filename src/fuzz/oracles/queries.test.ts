import { expect, test } from 'vitest';
import { fuzzFaults } from '../../../fixtures/faults/fuzz/index.js';
import { faults } from '../../../fixtures/faults/index.js';
import { stageFor } from '../../../test/fuzz-agents.js';
import { scripted, toolsFor } from '../../../test/stateful-fuzz.js';
import type { CallStep, Step } from '../case/case.js';
import { callOf, quickly, reference, type ScriptTools } from '../generate/scripting.js';

const said = (tools: ScriptTools, messageId: string, more = {}, configuration = {}): CallStep =>
  callOf(tools, 'send', {
    message: { messageId, role: 'user', parts: [{ kind: 'text', text: 'tck-input-required please' }], ...more },
    configuration: { ...quickly(tools), ...configuration },
  });

/** A task that asked and was answered, and then what is asked about it. */
const about = (tools: ScriptTools, ...asked: readonly Step[]): readonly Step[] => [
  { ...said(tools, 'm-first'), as: 'a' },
  { step: 'wait', for: 'a' },
  said(tools, 'm-second', { taskId: reference('a.task') }),
  { step: 'wait', for: 'a' },
  ...asked,
];

const id = reference('a.task');
const contextId = reference('a.context');
const asking: Readonly<Record<string, (tools: ScriptTools) => readonly Step[]>> = {
  'history-length get': (tools) => [callOf(tools, 'get', { id, historyLength: 1 })],
  'history-length send': (tools) => [said(tools, 'm-third', { contextId }, { historyLength: 1, blocking: true })],
  'history-length list': (tools) => [callOf(tools, 'list', { contextId, historyLength: 1 })],
  'list-context': (tools) => [callOf(tools, 'list', { contextId: 'no-such-context' })],
  'list-state': (tools) => [callOf(tools, 'list', { contextId, state: 'canceled' })],
  'list-size': (tools) => [said(tools, 'm-third', { contextId }), callOf(tools, 'list', { contextId, pageSize: 1 })],
  'list-artifacts': (tools) => [callOf(tools, 'list', { contextId, includeArtifacts: false })],
};
const seenIn: readonly (readonly [fault: string, bucket: string])[] = [
  ['get-ignores-history-length', 'history-length get'],
  ['fuzz-history-one-too-long', 'history-length get'],
  ['fuzz-history-one-too-long', 'history-length send'],
  ['list-ignores-history-length', 'history-length list'],
  ['fuzz-history-of-listed-tasks-whole', 'history-length list'],
  ['list-ignores-context', 'list-context'],
  ['fuzz-unknown-context-lists-all', 'list-context'],
  ['list-ignores-state', 'list-state'],
  ['list-ignores-page-size', 'list-size'],
  ['list-always-with-artifacts', 'list-artifacts'],
];

async function symptomsOf(
  fault: string | undefined,
  bucket: string,
  profile: 'a2a-0.3' | 'a2a-1.0',
): Promise<string[]> {
  const found = [...faults, ...fuzzFaults].find((item) => item.id === fault);
  if (fault !== undefined && found === undefined) expect.fail(`no fault ${fault}`);
  const { stage, stop } = await stageFor({ profile, patches: found === undefined ? [] : [found.patch] });
  const tools = toolsFor(stage);
  const result = await scripted(stage, about(tools, ...(asking[bucket]?.(tools) ?? [])));
  stop();
  expect(result.fault).toBeUndefined();
  return result.symptoms.map((symptom) => symptom.bucket);
}

test.each(seenIn)('%s gives more than was asked for: %s', async (fault, bucket) => {
  expect(await symptomsOf(fault, bucket, 'a2a-1.0')).toContain(`life-cycle/${bucket}`);
});

test.each(Object.keys(asking))('%s: the plain agent gives what was asked for', async (bucket) => {
  expect(await symptomsOf(undefined, bucket, 'a2a-1.0')).toEqual([]);
});

test('0.3 has histories that are cut too', async () => {
  const bucket = 'history-length get';
  expect(await symptomsOf('get-ignores-history-length', bucket, 'a2a-0.3')).toContain(`life-cycle/${bucket}`);
  expect(await symptomsOf(undefined, bucket, 'a2a-0.3')).toEqual([]);
});

test.each(['list-context', 'list-artifacts'])('%s of tasks of others comes with tasks of its own', async (bucket) => {
  const fault = bucket === 'list-context' ? 'list-ignores-context' : 'list-always-with-artifacts';
  const { patch } = faults.find(({ id }) => id === fault) ?? expect.fail(`no fault ${fault}`);
  const { stage, stop } = await stageFor({ profile: 'a2a-1.0', patches: [patch] });
  const tools = toolsFor(stage);
  const hello = { messageId: 'm-of-others', role: 'user', parts: [{ kind: 'text', text: 'hello' }] } as const;
  await scripted(stage, [callOf(tools, 'send', { message: hello }, { as: 'a' }), { step: 'wait', for: 'a' }]);
  const query = bucket === 'list-context' ? { contextId: 'no-such-context' } : {};
  const lone = await scripted(stage, [callOf(tools, 'list', query)]);
  const [symptom] = lone.symptoms.filter((symptom) => symptom.bucket === `life-cycle/${bucket}`);
  const steps = symptom?.case?.steps ?? expect.fail('it cannot be run alone');
  // On an agent that was never asked for anything it shows as well, and needs no further case.
  const fresh = await stageFor({ profile: 'a2a-1.0', patches: [patch] });
  const alone = await scripted(fresh.stage, steps);
  expect(alone.symptoms.map((symptom) => [symptom.bucket, symptom.case])).toContainEqual([
    `life-cycle/${bucket}`,
    undefined,
  ]);
  stop();
  fresh.stop();
});

test('what several things show in one listing is asked for again once', async () => {
  const patches = ['list-ignores-context', 'list-always-with-artifacts'].map(
    (fault) => faults.find((item) => item.id === fault)?.patch ?? expect.fail(`no fault ${fault}`),
  );
  const { stage, stop } = await stageFor({ profile: 'a2a-1.0', patches });
  const tools = toolsFor(stage);
  const hello = { messageId: 'm-of-others', role: 'user', parts: [{ kind: 'text', text: 'hello' }] } as const;
  await scripted(stage, [callOf(tools, 'send', { message: hello }, { as: 'a' }), { step: 'wait', for: 'a' }]);
  const { symptoms } = await scripted(stage, [callOf(tools, 'list', { contextId: 'no-such-context' })]);
  stop();
  expect(symptoms.map((symptom) => symptom.bucket)).toEqual(['life-cycle/list-context', 'life-cycle/list-artifacts']);
  expect(symptoms[0]?.case).toBeDefined();
  expect(symptoms[1]?.case).toBe(symptoms[0]?.case);
});
