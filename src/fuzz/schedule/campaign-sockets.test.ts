import { expect, test } from 'vitest';
import { plainGenerator, plainParts, stageOn } from '../../../test/fuzzing.js';
import { dialectById } from '../../dialect/index.js';
import { createAgent, serveAgent } from '../../reference/index.js';
import { createHttpCarrier } from '../../wire/http.js';
import { type Carrier, realClock } from '../../wire/index.js';
import type { CallStep, WireMutation } from '../case/case.js';
import { createCaseRunner } from '../execute/case-runner.js';
import { fuzzPhase } from './campaign.js';
import type { CampaignSettings } from './campaign-settings.js';
import { fuzzParts } from './parts.js';

const messages = ['tck-message-response', 'tck-message-response again', 'tck-message-response tck'];

/** What a campaign on a fresh agent on a port sent, in order. Answers that are messages do not depend on time. */
async function bodiesOf(
  concurrency: number,
  words = messages,
  settings: Partial<CampaignSettings> = {},
): Promise<readonly string[]> {
  const dialect = dialectById('a2a-0.3');
  if (dialect === undefined) throw new Error('no dialect');
  const clock = realClock;
  const served = await serveAgent((baseUrl) => createAgent({ dialect, clock, baseUrl }).handle);
  const http = createHttpCarrier();
  const bodies: string[] = [];
  const carrier: Carrier = (request, signal) => {
    bodies.push(Buffer.from(request.body ?? []).toString('latin1'));
    return http(request, signal);
  };
  try {
    const stage = await stageOn(carrier, dialect, clock, true, {}, served.url);
    bodies.length = 0;
    const parts = plainParts(dialect, { generator: () => plainGenerator(dialect, words) });
    const { summary } = await fuzzPhase({ runs: 30, concurrency, ...settings }, parts)(stage);
    expect(summary).toMatchObject({ cases: 30 });
    expect(summary.kept).toBeGreaterThan(1);
  } finally {
    await http.close();
    await served.close();
  }
  return bodies;
}

test('the same seed gives the same requests in the same order over sockets', async () => {
  const once = await bodiesOf(1);
  expect(once.length).toBeGreaterThan(30);
  expect(await bodiesOf(1)).toEqual(once);
});

test('also where tasks are waited for, but for how often they are read', async () => {
  const isFirstRead = (body: string): boolean => {
    const { method, id } = JSON.parse(body) as { readonly method: string; readonly id: string };
    return method !== 'tasks/get' || id.endsWith('00');
  };
  const once = async () => (await bodiesOf(1, ['hello', 'tck-complete-task'], { guided: false })).filter(isFirstRead);
  const bodies = await once();
  expect(bodies.filter((body) => body.includes('tasks/get')).length).toBeGreaterThan(3);
  expect(await once()).toEqual(bodies);
});

test('with several at once, the same requests', async () => {
  const once = await bodiesOf(4);
  expect((await bodiesOf(4)).toSorted()).toEqual(once.toSorted());
});

test.each([
  ['in chunks', [{ trick: 'chunks', sizes: [2, 3], extension: ';a=b' }]],
  ['as it is', []],
] as const)('a text that is sent %s and comes back is not a leak', async (_, tricks: readonly WireMutation[]) => {
  const dialect = dialectById('a2a-0.3');
  if (dialect === undefined) throw new Error('no dialect');
  const served = await serveAgent((baseUrl) => createAgent({ dialect, clock: realClock, baseUrl }).handle);
  const http = createHttpCarrier();
  try {
    const stage = await stageOn(http, dialect, realClock, true, {}, served.url);
    const runner = createCaseRunner(stage, { runs: 1 }, fuzzParts(stage, { kit: 'test' }));
    const parts = [{ kind: 'file', file: { uri: 'https://files.test/a', mimeType: 's file:///e' } }];
    const send: CallStep = {
      step: 'call',
      operation: 'send',
      params: { message: { kind: 'message', messageId: 'm-1', role: 'user', parts } },
      tricks,
    };
    const { trace, symptoms } = await runner.examine({ dialect: 'a2a-0.3', steps: [send] }, 1);
    // The agent repeats the media type.
    expect(Buffer.from(trace.sent[0]?.exchange.response?.body ?? []).toString()).toContain('s file:///e');
    expect(symptoms.map(({ bucket }) => bucket)).toEqual([]);
  } finally {
    await http.close();
    await served.close();
  }
});
