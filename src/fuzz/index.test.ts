import { describe, expect, test } from 'vitest';
import { fuzzFaults } from '../../fixtures/faults/index.js';
import { staged } from '../../test/fuzzing.js';
import { createPacer } from '../client/index.js';
import { type Carrier, CarrierFailure, type Clock, sleep } from '../wire/index.js';
import { createFuzzPhase, readStoredCase } from './index.js';

test('no campaign waits for the limit of an agent when its time is over', async () => {
  const { stage } = await staged({ variant: 'rate-limit-429' });
  const { clock, client } = stage;
  const began = clock.now();
  const phase = createFuzzPhase({ runs: 4000, timeMs: 10_000, concurrency: 4, kit: 'a2a-tck test' });
  const { summary } = await phase({ ...stage, client: { ...client, limitPatienceMs: 65_000 } });
  expect(summary.cut).toBe('the time is over');
  expect(clock.now() - began).toBeLessThan(13_000);
});

test('no stored case is run again when the time is over', async () => {
  const steps = [{ step: 'call', operation: 'get', params: { id: 'a' } }];
  const document = { schema: 'a2a-tck-fuzz-case/1', dialect: 'a2a-0.3', bucket: 'alive/reset get valid', steps };
  const stored = Array.from({ length: 50 }, (_, at) => readStoredCase(document, `case ${at}`));
  const { stage } = await staged({
    // A tenth of a second for each answer.
    through: (agent) => async (request, signal) => {
      if (request.method === 'POST') await sleep(stage.clock, 100);
      return agent(request, signal);
    },
  });
  const phase = createFuzzPhase({ runs: 1, timeMs: 2000, replay: stored, kit: 'a2a-tck test' });
  const { summary } = await phase(stage);
  const verdicts = (summary.replays ?? []).map(({ verdict, reason }) => `${verdict} ${reason ?? ''}`);
  expect(verdicts.at(0)).toBe('gone ');
  expect(verdicts.at(-1)).toBe('not-run the time is over');
  expect(summary.durationMs).toBeLessThan(2500);
});

describe('an agent that leaves an input unanswered', () => {
  const limits = { timeoutMs: 10_000, maxBytes: 4 << 20 };
  const runs = 400;
  const hanging = fuzzFaults.filter(({ id }) => id === 'fuzz-long-task-id-hangs').map(({ patch }) => patch);
  async function campaign(patches: typeof hanging, takenBy: (body: string) => number = () => 0) {
    let clock: Clock | undefined;
    const through =
      (agent: Carrier): Carrier =>
      async (request, signal) => {
        const ms = takenBy(Buffer.from(request.body ?? []).toString('latin1'));
        if (ms > 0 && clock !== undefined) await sleep(clock, ms);
        return agent(request, signal);
      };
    const { stage } = await staged({ patches, stage: { limits }, through });
    clock = stage.clock;
    const { findings, summary } = await createFuzzPhase({ runs, kit: 'a2a-tck test' })(stage);
    return { summary, found: findings.filter(({ bucket }) => bucket.startsWith('alive/hang')) };
  }

  test('gets all other inputs in the same time', async () => {
    const { summary, found } = await campaign(hanging);
    expect(found).not.toEqual([]);
    expect(summary.cases).toBe(runs);
    // To be sure of an input costs some waits of full length, each of its like a short one: with full waits for all, this
    // campaign takes 73 times as long as one wait.
    expect(summary.durationMs).toBeLessThan(30 * limits.timeoutMs);
  });

  test('is not said to hang where it takes three seconds, among them', async () => {
    let slow = 0;
    const { found } = await campaign(hanging, (body) =>
      body.includes('"tasks/get"') && body.length < 300 && body.length % 3 === 0 && ++slow > 0 ? 3000 : 0,
    );
    expect(slow).toBeGreaterThan(10);
    expect(found).not.toEqual([]);
    // An id of so many letters is what it leaves unanswered.
    for (const { replay } of found) expect(JSON.stringify(replay).length).toBeGreaterThan(300);
  });
});

describe('no campaign waits for the pace of signed requests when its time is over', () => {
  const signature = ['x-signature', 'right'] as const;

  /** Stops after ten seconds on an agent that takes ten requests a minute, and is away from then on where it says so. */
  async function paced(settings: Partial<Parameters<typeof createFuzzPhase>[0]>, leaves = Number.POSITIVE_INFINITY) {
    const signatures: boolean[] = [];
    let restarts = 0;
    const { stage } = await staged({
      through: (agent) => (request, signal) => {
        if (request.method === 'POST') {
          signatures.push(request.headers.some(([name, value]) => name === signature[0] && value === signature[1]));
        }
        if (signatures.length > leaves) throw new CarrierFailure('reset', 'gone');
        return agent(request, signal);
      },
      stage: {
        restart: async () => {
          restarts++;
        },
      },
    });
    signatures.length = 0;
    const { clock, client } = stage;
    const pacer = createPacer({ clock, limit: 10, windowMs: 60_000 });
    const signer = { turn: pacer.turn, headers: () => [signature] };
    const began = clock.now();
    const phase = createFuzzPhase({ runs: 4000, timeMs: 10_000, kit: 'a2a-tck test', ...settings });
    const outcome = await phase({ ...stage, client: { ...client, signer, secondSigner: signer } });
    return { ...outcome, signatures, restarts, took: clock.now() - began };
  }

  test.each([1, 4])('with %d at once', async (concurrency) => {
    const { summary, signatures, took, restarts } = await paced({ concurrency });
    expect(summary.cut).toBe('the time is over');
    expect(took).toBeLessThan(10_100);
    // The fuzzer asked the agent as often as it allows, signed each request, and did not take it for dead.
    expect(signatures.length).toBeGreaterThan(5);
    expect(signatures.length).toBeLessThanOrEqual(10);
    expect(signatures).not.toContain(false);
    expect(restarts).toBe(0);
  });

  test('an agent that the kit could not ask any more has not died', async () => {
    // The last request that the pace allows is lost.
    const { summary, findings, took, restarts } = await paced({}, 9);
    expect(summary.cut).toBe('the time is over');
    expect(findings).toEqual([]);
    expect(took).toBeLessThan(10_100);
    expect(restarts).toBe(0);
  });

  test('nor does a replay', async () => {
    const steps = [{ step: 'call', operation: 'get', params: { id: 'a' } }];
    const document = { schema: 'a2a-tck-fuzz-case/1', dialect: 'a2a-0.3', bucket: 'alive/dead', steps };
    const stored = Array.from({ length: 5 }, (_, at) => readStoredCase(document, `case ${at}`));
    const { summary, findings, took } = await paced({ replay: stored }, 9);
    expect(findings).toEqual([]);
    expect(took).toBeLessThan(10_100);
    expect(summary.replays?.at(-1)).toMatchObject({ verdict: 'not-run', reason: 'the time is over' });
  });
});
