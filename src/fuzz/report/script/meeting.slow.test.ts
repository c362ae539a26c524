import { describe, expect, test } from 'vitest';
import { fuzzFaults } from '../../../../fixtures/faults/index.js';
import { dialect, ranScript, stageAt, standingAgent } from '../../../../test/emitted-scripts.js';
import { isTerminal } from '../../../model/index.js';
import { type Patch, variants } from '../../../reference/index.js';
import { sleep } from '../../../wire/index.js';
import type { CallStep, Step } from '../../case/case.js';
import { createConfirmation } from '../../confirm/confirmation.js';
import { createCaseRunner } from '../../execute/case-runner.js';
import type { Symptom } from '../../oracles/oracle.js';
import { fuzzParts } from '../../schedule/parts.js';

// Scripts of what shows only when requests meet, a stream is dropped, or nothing is answered: made of real answers, run
// with sh and curl.

/** The same of a seeded fault. */
async function scripted(id: string, bucket: string, steps: readonly Step[], confirmations = 30) {
  const fault = fuzzFaults.find((one) => one.id === id);
  const base = variants.find((one) => one.id === fault?.on)?.patch;
  if (fault === undefined) throw new Error(`no fault ${id}`);
  return scriptedOn(fault.patch, base === undefined ? [] : [base], bucket, steps, confirmations);
}

/** The script of a case on the agent of a fault, and its exit codes there and on the same agent without the fault. */
async function scriptedOn(
  patch: Patch,
  plain: readonly Patch[],
  bucket: string,
  steps: readonly Step[],
  confirmations: number,
) {
  const [bad, clean] = [await standingAgent([...plain, patch]), await standingAgent(plain)];
  const stage = await stageAt(bad);
  // As it stands: what it is made of is what the script is looked at for.
  const settling = { kit: 'a2a-tck test', shrinkCap: 0, confirmations };
  const runner = createCaseRunner(stage, { runs: 1 }, fuzzParts(stage, settling));
  const found = { dialect: dialect.id, steps };
  const bench = { attempt: (next: typeof found) => runner.examine(next, 1), isOver: () => false };
  const seen: Symptom[] = [];
  // A race is not met each time.
  for (let tries = 0; tries < 30 && !seen.some((one) => one.bucket === bucket); tries++)
    seen.push(...(await runner.examine(found, 1)).symptoms);
  const symptom = seen.find((one) => one.bucket === bucket);
  expect(seen.map((one) => one.bucket)).toContain(bucket);
  const confirmed = await createConfirmation(settling)(
    { case: found, bucket, symptom: symptom!, before: [], number: 1 },
    bench,
    stage,
  );
  const script = confirmed?.finding.script ?? '';
  const shown = await ranScript(script, bad);
  const notShown = await ranScript(script, clean, { ...process.env, A2A_TCK_TRIES: '5' });
  return { script, codes: [shown.code, notShown.code] };
}

const say = (operation: 'send' | 'stream', text: string, more: Partial<CallStep> = {}): CallStep => ({
  step: 'call',
  operation,
  params: {
    message: { kind: 'message', messageId: `m-${text}`, role: 'user', parts: [{ kind: 'text', text }] },
    configuration: { blocking: false },
  },
  as: 'a',
  ...more,
});
const on = (operation: CallStep['operation'], more: Partial<CallStep> = {}): CallStep => ({
  step: 'call',
  operation,
  params: { id: { $ref: 'a.task' } },
  ...more,
});
const wait: Step = { step: 'wait', for: 'a' };

describe('a script', { timeout: 120_000 }, () => {
  test('drops a stream after the event after which the kit did, and goes on', async () => {
    const { script, codes } = await scripted('fuzz-cancel-while-streaming-crashes', 'alive/page cancel valid', [
      say('stream', 'tck-stream-chunked', { events: 1, listenMs: 1500 }),
      on('cancel'),
    ]);
    expect(script).toMatch(/\n {2}tune 1 \d+ .*\n {2}hear 1 1\n/);
    expect(codes).toEqual([0, 1]);
  });

  test('sends by one process what was sent at once, and looks for the id of each request in its answer, whichever of them is answered wrongly', async () => {
    const { script, codes } = await scripted('fuzz-answers-swapped', 'law/rpc/id-echoed get', [
      say('send', 'tck-input-required'),
      wait,
      { step: 'together', calls: [on('get'), on('get'), on('get')] },
    ]);
    expect(script).toContain("at_once '3-1 3-2 3-3'");
    expect(script).toMatch(/\{ lacks 3-1 .* \|\| lacks 3-2 .* \|\| lacks 3-3 .*; \}/);
    expect(codes).toEqual([0, 1]);
  });

  test('lets another one go first in every second round', async () => {
    const { script, codes } = await scripted('fuzz-answers-swapped', 'law/rpc/id-echoed cancel', [
      say('send', 'tck-reject-task'),
      // Whoever comes too late to cancel it gets no result: then only what comes before the cancel is answered wrongly.
      { step: 'together', calls: [on('cancel'), on('get'), say('send', 'hello', { as: 'b' })] },
    ]);
    expect(script).toContain('for name in $order_1; do');
    expect(codes).toEqual([0, 1]);
  });

  test('takes silence for the fault only where others are answered, and where it comes twice', async () => {
    const none: Step = {
      step: 'call',
      operation: 'get',
      params: { id: 'none' },
      tricks: [{ trick: 'batch', count: 0, nested: 0 }],
    };
    const { script, codes } = await scripted('fuzz-empty-batch-hangs', 'alive/hang get trick batch', [none], 2);
    expect(script).toContain('silent 1');
    expect(script).toContain('if shows && { steps; shows; }; then');
    expect(codes).toEqual([0, 1]);
    const busy = await standingAgent([
      (inner, { clock }) => ({
        async serveRpc(request) {
          await sleep(clock, 2500);
          return inner.serveRpc(request);
        },
      }),
    ]);
    expect((await ranScript(script, busy, { ...process.env, A2A_TCK_TRIES: '1' })).code).toBe(1);
  });

  test('has begun to send what an open task is asked for before it knows the task', async () => {
    const { script, codes } = await scripted('fuzz-event-after-end', 'law/stream/final-flag subscribe', [
      say('send', 'tck-cancel'),
      { step: 'together', calls: [on('subscribe'), on('cancel')] },
    ]);
    expect(script.indexOf('ready 2-1 2-2')).toBeLessThan(script.indexOf('ask 1 '));
    // Whatever state the task is in when the subscription begins.
    expect(script).toMatch(/shows\(\) \{\n {2}unfinal 2-1\n\}/);
    expect(codes).toEqual([0, 1]);
  });

  test('sees what only a look in the middle of a wait shows', async () => {
    const everySecondRead: Patch = (inner) => {
      let reads = 0;
      return {
        find(taskId, op) {
          const task = inner.find(taskId, op);
          if (op !== 'get' || task === undefined || !isTerminal(task.status.state) || ++reads % 2 > 0) return task;
          return { ...task, status: { ...task.status, state: 'working' } };
        },
      };
    };
    const steps = [say('send', 'hello'), wait, wait];
    const { script, codes } = await scriptedOn(everySecondRead, [], 'law/task/legal-moves get', steps, 2);
    expect(script).toMatch(/shows\(\) \{\n {2}reopened "\$task_a" 1 2 3\n\}/);
    expect(codes).toEqual([0, 1]);
  });
});
