import { describe, expect, test } from 'vitest';
import { staged } from '../../test/fuzzing.js';
import { createPacer } from '../client/index.js';
import { CarrierFailure, sleep } from '../wire/index.js';
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
    // The agent was asked as often as it allows, by nobody who did not sign, and nobody took it for dead.
    expect(signatures.length).toBeGreaterThan(5);
    expect(signatures.length).toBeLessThanOrEqual(10);
    expect(signatures).not.toContain(false);
    expect(restarts).toBe(0);
  });

  test('and whoever could not be asked any more has not died', async () => {
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
