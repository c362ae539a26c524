import { expect, test } from 'vitest';
import { dialects } from '../src/dialect/index.js';
import { stageAgent, toldOf } from '../src/proof/index.js';
import { variants } from '../src/reference/index.js';
import { run } from '../src/run/index.js';
import { openly } from '../src/wire/index.js';
import { taking } from './late-answers.js';
import { plainRun } from './plain-run.js';

// The matrices are made where every answer is there at once. In a network what a task does goes on while the kit waits
// for an answer, and one takes longer than the next: nothing of that is held against an agent.

const profile = 'a2a-1.0';
const tookMs = [5, 300, 40];

const fitting = variants.filter(
  ({ profiles, charges }) => charges !== true && (profiles === undefined || profiles.includes(profile)),
);

test.each(fitting.map((variant) => [variant.id, variant] as const))('%s fails nothing', async (_, variant) => {
  const dialect = dialects.find(({ id }) => id === profile);
  if (dialect === undefined) throw new Error('no such dialect');
  const agent = await stageAgent({ dialect }, [variant.patch], variant);
  const report = await run(
    {
      ...plainRun,
      ...toldOf(agent),
      profile,
      carrier: taking(...tookMs)(agent.carrier, agent.clock),
      concurrency: 8,
      redactor: openly,
    },
    () => undefined,
  );
  agent.end();
  const wrong = report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
  expect(wrong.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
});
