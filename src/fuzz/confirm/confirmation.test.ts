import { describe, expect, test } from 'vitest';
import { faults } from '../../../fixtures/faults/index.js';
import { dialect, ranScript, stageAt, standingAgent } from '../../../test/emitted-scripts.js';
import { methodOf } from '../../dialect/index.js';
import type { Patch } from '../../reference/index.js';
import type { CallStep, Case, Value } from '../case/case.js';
import type { Spell } from '../case/spelled.js';
import { createCaseRunner } from '../execute/case-runner.js';
import type { Sent } from '../execute/trace.js';
import type { Oracle } from '../oracles/oracle.js';
import { createConfirmation } from './confirmation.js';

/** References and repetitions, and nothing else. */
function printed(value: Value, resolve: (name: string) => string | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item: Value) => printed(item, resolve)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { $ref, $text } = value as { readonly [name: string]: Value };
  if (typeof $ref === 'string') return JSON.stringify(resolve($ref) ?? 'nothing');
  if (Array.isArray($text)) return JSON.stringify(String($text[0]).repeat(Number($text[1])));
  return `{${Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${printed(member, resolve)}`)}}`;
}
const spell: Spell = (step, { rpcId, resolve }) => {
  const method = methodOf(dialect, step.operation);
  const body = `{"jsonrpc":"2.0","id":"${rpcId}","method":"${method}","params":${printed(step.params ?? {}, resolve)}}`;
  const request: unknown = JSON.parse(body);
  return {
    body: new TextEncoder().encode(body),
    request: () => request,
    demand: 'valid',
    rpcId,
    valid: true,
    unresolved: [],
  };
};

const say = (text: string, as: string, more: Partial<CallStep> = {}): CallStep => ({
  step: 'call',
  operation: 'send',
  params: {
    message: { kind: 'message', messageId: `m-${as}`, role: 'user', parts: [{ kind: 'text', text }] },
    configuration: { blocking: false },
  },
  as,
  ...more,
});
const on = (operation: CallStep['operation'], name: string): CallStep => ({
  step: 'call',
  operation,
  params: { id: { $ref: `${name}.task` } },
});

async function settled(patches: readonly Patch[], oracle: Oracle, found: Case) {
  const bad = await standingAgent(patches);
  const clean = await standingAgent([]);
  const stage = await stageAt(bad);
  const parts = {
    spell,
    generator: () => {
      throw new Error('unused');
    },
    oracles: () => [oracle],
    settle: createConfirmation({ kit: 'a2a-tck test' }),
  };
  const runner = createCaseRunner(stage, { runs: 1 }, parts as never);
  const bench = { attempt: (next: Case) => runner.examine(next, 1), isOver: () => false };
  const { symptoms } = await runner.examine(found, 1);
  expect(symptoms.length).toBeGreaterThan(0);
  const symptom = symptoms[0]!;
  const confirmed = await parts.settle(
    { case: found, bucket: symptom.bucket, symptom, before: [], number: 7 },
    bench,
    stage,
  );
  expect(confirmed).toBeDefined();
  const { script } = confirmed!.finding;
  return {
    finding: confirmed!.finding,
    bad: await ranScript(script, bad),
    clean: await ranScript(script, clean),
    runner,
  };
}

const patchOf = (id: string): Patch => faults.find((fault) => fault.id === id)!.patch;
const lost: Oracle = ({ sent }) =>
  sent
    .filter(({ exchange }) => exchange.failure !== undefined)
    .map((request) => ({
      oracle: 'alive',
      bucket: `alive/${request.step.operation}`,
      title: 'no answer',
      detail: 'reset',
      keys: [],
      sent: request,
    }));
const stateIn = ({ reading: { outcome } }: Sent): unknown =>
  outcome.kind === 'result' ? (outcome.value as { status?: { state?: unknown } }).status?.state : undefined;

describe('a finding', () => {
  test('of one long id is one request, and the script makes the id', async () => {
    const found = {
      dialect: 'a2a-0.3',
      steps: [
        say('hello', 'a'),
        { step: 'wait', for: 'a' },
        on('get', 'a'),
        { step: 'call', operation: 'get', params: { id: { $text: ['a"\'\\', 40_000] }, historyLength: 3 } },
        on('cancel', 'a'),
      ],
    } as const satisfies Case;
    const { finding, bad, clean } = await settled([patchOf('sec-long-ids-reset')], lost, found);
    expect(finding).toMatchObject({ steps: 1, confirmed: { times: 3, of: 3 }, case: 7 });
    expect(finding.replay).toMatchObject({ dialect: 'a2a-0.3', steps: [{ operation: 'get' }] });
    const [step] = (finding.replay as Case).steps;
    const { $text } = (step as unknown as { params: { id: { $text: [string, number] } } }).params.id;
    expect($text[1]).toBeGreaterThan(1024);
    expect($text[1]).toBeLessThan(1400);
    expect(finding.script.length).toBeLessThan(4000);
    expect(bad.out).toMatch(/--- request 1: curl: \(\d+\)/);
    expect(clean.out).toMatch(/--- request 1: HTTP 200/);
  });

  test('of a state takes the id of the task out of an answer', async () => {
    const oracle: Oracle = ({ sent }) =>
      sent
        .filter((request) => request.step.operation === 'cancel' && stateIn(request) === 'failed')
        .map((request) => ({
          oracle: 'life-cycle',
          bucket: 'life-cycle/cancel',
          title: 't',
          detail: 'd',
          keys: ['cancel.state-canceled'],
          sent: request,
        }));
    const found: Case = {
      dialect: 'a2a-0.3',
      steps: [
        say('hello', 'b'),
        say('tck-input-required', 'a'),
        { step: 'wait', for: 'a' },
        on('get', 'b'),
        on('cancel', 'a'),
      ],
    };
    const { finding, bad, clean } = await settled([patchOf('cancel-answers-failed')], oracle, found);
    expect(finding).toMatchObject({ steps: 2, level: 'should', requirements: [expect.stringMatching(/CANCEL/)] });
    expect(finding.script).toContain('$task_a');
    expect(bad.out).toMatch(/"state": ?"failed"/);
    expect(clean.out).toMatch(/"state": ?"canceled"/);
  });

  test('that comes every second time is flaky, and the script tells the kit to try more often', async () => {
    const oddly: Patch = (inner) => {
      let count = 0;
      return {
        async serveRpc(request) {
          const reply = await inner.serveRpc(request);
          const isGet =
            Buffer.from(request.body ?? []).includes('tasks/get') &&
            !Buffer.from(request.body ?? []).includes('canary');
          return isGet && ++count % 2 === 0 ? { ...reply, fate: 'reset' as const } : reply;
        },
      };
    };
    const found: Case = { dialect: 'a2a-0.3', steps: [say('hello', 'a'), on('get', 'a')] };
    const { finding, bad, clean } = await settled([oddly], lost, found);
    expect(finding.confirmed.times).toBeLessThan(finding.confirmed.of);
    expect(finding.script).toContain(' --confirm 20 ');
    expect(bad.code + clean.code).toBe(0);
  });
});
