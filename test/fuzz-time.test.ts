import { expect, test } from 'vitest';
import { fuzzFaults } from '../fixtures/faults/fuzz/index.js';
import { unconfirmedOf } from '../src/fuzz/confirm/confirmation.js';
import { createFuzzPhase } from '../src/fuzz/index.js';
import type { Oracle } from '../src/fuzz/oracles/oracle.js';
import { fuzzPhase } from '../src/fuzz/schedule/campaign.js';
import { judgeFuzzGate } from '../src/run/fuzzing.js';
import { sleep } from '../src/wire/index.js';
import { plainParts, staged } from './fuzzing.js';
import { judge } from './judged.js';
import { taking } from './late-answers.js';

// How long a campaign takes: no longer than it may, whatever the agent does. In virtual time.

const kit = 'a2a-tck test';

test.each(['fuzz-empty-text-hangs', 'fuzz-long-text-resets', 'fuzz-parts-no-array-kills'])(
  'a campaign ends with its time, confirmations and all: %s',
  async (id) => {
    const fault = fuzzFaults.find((fuzzFault) => fuzzFault.id === id);
    if (fault === undefined) throw new Error(`no fault ${id}`);
    const limits = { timeoutMs: 10_000, maxBytes: 4 << 20 };
    const { stage } = await staged({
      patches: [fault.patch],
      through: (agent) => async (request, signal) => {
        await sleep(stage.clock, 300, signal);
        return agent(request, signal);
      },
      stage: { limits },
    });
    const { summary } = await createFuzzPhase({ runs: 10_000, timeMs: 15_000, kit })(stage);
    expect(summary.cut).toMatch(/the time is over|no longer answers/);
    expect(summary.durationMs).toBeLessThanOrEqual(15_000);
  },
);

test('a finding that the kit had no time to run again is reported unconfirmed, and fails no gate', async () => {
  const sees: Oracle = ({ sent }) =>
    sent
      .filter(({ reading }) => reading.outcome.kind === 'refusal' && reading.outcome.error === 'MethodNotFound')
      .map((request) => ({ oracle: 'test', bucket: 'test/unknown', title: 't', detail: 'd', keys: [], sent: request }));
  const { stage } = await staged({
    through: (agent) => async (request, signal) => {
      await sleep(stage.clock, 1000, signal);
      return agent(request, signal);
    },
  });
  const mutant = plainParts(stage.client.dialect).generator(stage).mutant;
  const corpus = [{ dialect: 'a2a-0.3' as const, steps: [mutant({} as never, 'get', [])] }];
  const run = async (timeMs: number) =>
    fuzzPhase(
      { runs: 1, corpus, timeMs },
      {
        ...plainParts(stage.client.dialect, { oracles: () => [sees] }),
        tell: (suspect, seen, on) => unconfirmedOf(suspect, seen, on, kit),
      },
    )(stage);
  const hurried = await run(2500);
  expect(hurried.findings).toMatchObject([
    { bucket: 'test/unknown', confirmed: { times: 0, of: 0 }, unconfirmed: 'for want of time' },
  ]);
  expect(hurried.findings[0]?.exchanges).toHaveLength(1);
  expect(judgeFuzzGate(hurried)).toMatchObject({
    exitCode: 4,
    reasons: ['1 finding not confirmed, because the time was over'],
  });
  const patient = await run(60_000);
  expect(patient.findings).toMatchObject([{ confirmed: { times: 3, of: 3 } }]);
  expect(patient.findings[0]).not.toHaveProperty('unconfirmed');
  expect(judgeFuzzGate(patient).exitCode).toBe(1);
});

test('the inputs that the user did not ask for take a fifth of a run at most, on a slow agent too', async () => {
  const hangs = fuzzFaults.find(({ id }) => id === 'fuzz-empty-text-hangs');
  const { run, fuzz } = await judge({
    checks: ['task/*', 'rpc/*'],
    patches: hangs === undefined ? [] : [hangs.patch],
    between: taking(700),
    fuzz: { phase: createFuzzPhase({ runs: 10, kit }), unasked: true },
  });
  expect(fuzz?.cases).toBeGreaterThan(0);
  expect(fuzz?.durationMs).toBeLessThanOrEqual(run.durationMs / 5 + 1);
});

test('those that were asked for take their time', async () => {
  const { run, fuzz } = await judge({
    checks: ['card/*'],
    between: taking(700),
    fuzz: { phase: createFuzzPhase({ runs: 10, kit }) },
  });
  expect(fuzz?.cases).toBe(10);
  expect(fuzz?.durationMs).toBeGreaterThan(run.durationMs / 5);
});
