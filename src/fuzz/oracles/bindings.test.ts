import { expect, test } from 'vitest';
import { fuzzFaults } from '../../../fixtures/faults/index.js';
import { stageOn } from '../../../test/fuzzing.js';
import { dialectById } from '../../dialect/index.js';
import { RpcFailure } from '../../reference/failure.js';
import { createAgent, type Patch, variants } from '../../reference/index.js';
import { virtualClock } from '../../wire/index.js';
import type { CallStep } from '../case/case.js';
import { createCaseRunner } from '../execute/case-runner.js';
import { createSpell } from '../execute/spell.js';
import { bindings } from './bindings.js';

// The same request over several bindings of one agent.

const baseUrl = 'http://agent.test';
const able = variants.find(({ id }) => id === 'all-bindings')?.patch as Patch;

async function examined(patches: readonly Patch[], steps: readonly CallStep[]) {
  const dialect = dialectById('a2a-1.0');
  if (dialect === undefined) throw new Error('no dialect');
  const clock = virtualClock();
  const agent = createAgent({ dialect, clock, baseUrl, patches: [able, ...patches] });
  const stage = await stageOn((request, signal) => agent.handle(request, signal), dialect, clock, false, {
    peers: [
      { endpoint: `${baseUrl}/rest`, transport: 'HTTP+JSON', tenant: undefined },
      { endpoint: `${baseUrl}/`, transport: 'GRPC', tenant: undefined },
    ],
  });
  const runner = createCaseRunner(
    stage,
    { runs: 1 },
    {
      spell: createSpell({ inspector: stage.inspector }),
      generator: () => {
        throw new Error('cases are written by hand here');
      },
      oracles: () => [bindings],
      settle: async () => undefined,
    },
  );
  const { symptoms, fault } = await runner.examine({ dialect: dialect.id, steps }, 1);
  agent.stop();
  if (fault !== undefined) throw new Error(fault);
  return symptoms;
}

const say = (message: object): CallStep => ({
  step: 'call',
  operation: 'send',
  params: {
    message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Grüße' }], ...message },
    configuration: { returnImmediately: true },
  },
});
const read: CallStep = { step: 'call', operation: 'get', params: { id: 'nobodys', historyLength: 100 } };
const shown: Readonly<Record<string, readonly [CallStep, string]>> = {
  'fuzz-sides-text-over-grpc': [say({}), 'bindings/send JSON-RPC gRPC accepted InvalidParams'],
  'fuzz-sides-history-over-rest': [read, 'bindings/get JSON-RPC HTTP+JSON TaskNotFound InvalidParams'],
  'fuzz-sides-data-over-rest': [
    say({ parts: [{ data: { a: 1 } }] }),
    'bindings/send JSON-RPC HTTP+JSON accepted ContentTypeNotSupported',
  ],
  'fuzz-sides-metadata-over-grpc': [say({ metadata: { a: 1 } }), 'bindings/send JSON-RPC gRPC accepted InternalError'],
  'fuzz-sides-references-over-rest': [
    say({ referenceTaskIds: ['a'] }),
    'bindings/send JSON-RPC HTTP+JSON accepted TaskNotFound',
  ],
};

test('each fault of one side is among them', () =>
  expect(Object.keys(shown)).toEqual(fuzzFaults.filter(({ id }) => id.startsWith('fuzz-sides-')).map(({ id }) => id)));

test.each(Object.entries(shown))('%s is reported, with the answers of both sides', async (id, [step, bucket]) => {
  const { patch } = fuzzFaults.find((fuzzFault) => fuzzFault.id === id) as { readonly patch: Patch };
  const [symptom, ...others] = await examined([patch], [step]);
  expect(others).toEqual([]);
  expect(symptom?.bucket).toBe(bucket);
  expect(symptom?.beside?.map(({ exchange }) => exchange.request.url.startsWith(baseUrl))).toEqual([true]);
  expect(symptom?.beside?.[0]?.exchange.id).not.toBe(symptom?.sent?.exchange.id);
});

test('a changed request is compared as it was before', async () => {
  const { patch } = fuzzFaults.find(({ id }) => id === 'fuzz-sides-metadata-over-grpc') as { readonly patch: Patch };
  const changed: CallStep = {
    ...say({ metadata: { a: 1 } }),
    edits: [{ at: '/params/message/parts', op: 'set', value: 7, keyword: 'type' }],
  };
  const [symptom] = await examined([patch], [changed]);
  expect(symptom).toMatchObject({ bucket: 'bindings/send JSON-RPC gRPC accepted InternalError' });
  expect(symptom?.case?.steps).toEqual([say({ metadata: { a: 1 } })]);
});

test.each([
  ['an agent that does the same over all', [], say({ metadata: { a: 1 } })],
  ['a task that nobody has', [], read],
  [
    'an agent that answers in two ways by itself',
    [
      ((inner) => {
        let count = 0;
        return {
          async execute(command, call) {
            // Only what the first other binding asks first is refused for another reason.
            if (command.op === 'get' && count++ === 1) throw new RpcFailure('InvalidParams');
            return inner.execute(command, call);
          },
        };
      }) satisfies Patch,
    ],
    read,
  ],
] as const)('%s is right', async (_, patches, step) => {
  expect(await examined(patches, [step])).toEqual([]);
});
