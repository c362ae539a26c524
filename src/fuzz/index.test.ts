import { expect, test } from 'vitest';
import { staged } from '../../test/fuzzing.js';
import { sleep } from '../wire/index.js';
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
