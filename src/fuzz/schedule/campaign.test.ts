import { getEventListeners, setMaxListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { plainParts, type StagedOptions, staged } from '../../../test/fuzzing.js';
import { member } from '../../model/index.js';
import { CarrierFailure, sleep } from '../../wire/index.js';
import { type Case, callsOf } from '../case/case.js';
import { createConfirmation } from '../confirm/confirmation.js';
import type { Sent } from '../execute/trace.js';
import type { Oracle } from '../oracles/oracle.js';
import { fuzzPhase } from './campaign.js';
import type { CampaignParts, CampaignSettings } from './campaign-settings.js';

async function campaign(settings: CampaignSettings, options: StagedOptions = {}, changes: Partial<CampaignParts> = {}) {
  const { stage, bodies } = await staged(options);
  const outcome = await fuzzPhase(settings, plainParts(stage.client.dialect, changes))(stage);
  return { ...outcome, bodies };
}

/** Says that the method is unknown: every mutant of the plain generator shows it. */
const seesUnknown: Oracle = ({ sent }) =>
  sent
    .filter(({ reading }) => reading.outcome.kind === 'refusal' && reading.outcome.error === 'MethodNotFound')
    .map((request) => ({ oracle: 'test', bucket: 'test/unknown', title: 't', detail: 'd', keys: [], sent: request }));

const seesLost: Oracle = ({ sent }) =>
  sent
    .filter(({ exchange }) => exchange.failure !== undefined)
    .map((request) => ({
      oracle: 'alive',
      bucket: `alive/${request.step.operation}`,
      title: 't',
      detail: 'd',
      keys: [],
    }));

const reading = (id: string): Case => ({
  dialect: 'a2a-0.3',
  steps: [{ step: 'call', operation: 'get', params: { id } }],
});
const idIn = ({ request }: Sent): string => (request as { params?: { id?: string } }).params?.id ?? '';
/** Of tasks that are called odd it shows every second one. What stands behind a dot was changed in the request. */
const seesOddAtTimes = (): Oracle => {
  let odd = 0;
  return ({ sent }) =>
    sent
      .filter((request) => idIn(request).startsWith('steady') || (idIn(request).startsWith('odd') && ++odd % 2 === 1))
      .map((request) => {
        const [, change] = idIn(request).split('.');
        const about = { oracle: 'test', title: 't', detail: 'd', keys: [], sent: request };
        return change === undefined
          ? { ...about, bucket: 'test/odd' }
          : { ...about, bucket: `test/odd ${change}`, plain: 'test/odd' };
      });
};

/** What a campaign finds with a corpus, and after how many requests it reports it. */
async function oddlyFound(corpus: readonly Case[], runs = corpus.length) {
  const reports: (readonly [times: number, requests: number])[] = [];
  let requests = 0;
  const { findings } = await campaign(
    { runs, corpus, renews: false },
    {
      through: (agent) => (request, signal) => {
        requests++;
        return agent(request, signal);
      },
      stage: { onFinding: ({ confirmed }) => reports.push([confirmed.times, requests]) },
    },
    { oracles: () => [seesOddAtTimes()] },
  );
  return { findings, told: reports, requests };
}

describe('a finding that comes only sometimes', () => {
  test('gives its place to a case that shows the same each time', async () => {
    const steady = reading('steady');
    const { findings, told: reports } = await oddlyFound([reading('odd'), reading('odd'), reading('odder'), steady]);
    expect(findings).toMatchObject([{ bucket: 'test/odd', confirmed: { times: 3, of: 3 }, case: 4, replay: steady }]);
    expect(reports.map(([times]) => times)).toEqual([3]);
  });

  test('is reported when no other shows it better', async () => {
    const { findings, told: reports } = await oddlyFound([reading('odd'), reading('odd')]);
    expect(findings).toMatchObject([{ confirmed: { times: 1, of: 3 }, case: 1 }]);
    expect(reports.map(([times]) => times)).toEqual([1]);
  });

  test('is reported when enough others were looked at, and not looked at again', async () => {
    const others = Array.from({ length: 20 }, (_, at) => reading(`odd-${at}`));
    const { findings, told: reports, requests } = await oddlyFound([...others, reading('steady')]);
    expect(findings).toMatchObject([{ confirmed: { of: 3 } }]);
    expect(findings[0]!.confirmed.times).toBeLessThan(3);
    expect(reports).toHaveLength(1);
    expect(reports[0]![1]).toBeLessThan(requests - 8);
  });

  test('is reported once, of the plain request, whatever else was changed in it', async () => {
    const { findings } = await oddlyFound([reading('odd.a'), reading('odd'), reading('odd.b'), reading('steady.c')]);
    expect(findings).toMatchObject([
      { bucket: 'test/odd c', confirmed: { times: 3, of: 3 } },
      { bucket: 'test/odd', confirmed: { of: 3 } },
    ]);
  });

  test('is reported after some time, whatever else is found', async () => {
    const { told: reports, requests } = await oddlyFound([reading('odd')], 400);
    expect(reports).toHaveLength(1);
    expect(reports[0]![1]).toBeLessThan(requests * 0.75);
  });
});

/** A task is asked for as soon as it is known. */
const asked = (name: string): Case => ({
  dialect: 'a2a-0.3',
  steps: [
    {
      step: 'call',
      operation: 'send',
      params: {
        message: { kind: 'message', messageId: name, role: 'user', parts: [{ kind: 'text', text: name }] },
        configuration: { blocking: false },
      },
      as: 'a',
    },
    { step: 'call', operation: 'get', params: { id: { $ref: 'a.task' } } },
  ],
});
/** Of messages that are called hasty it shows only what follows at once. */
const seesHaste: Oracle = ({ sent: [first, second] }) => {
  const name = (first?.request as { params?: { message?: { messageId?: string } } })?.params?.message?.messageId ?? '';
  const gap = (second?.exchange.startedAt ?? 0) - (first?.exchange.startedAt ?? 0);
  if (second?.step.operation !== 'get' || !(name.startsWith('patient') || (name.startsWith('hasty') && gap < 20)))
    return [];
  return [{ oracle: 'test', bucket: 'test/haste', title: 't', detail: 'd', keys: [], sent: second }];
};
const foundInHaste = async (...corpus: readonly Case[]) => {
  const reports: (readonly [number, number])[] = [];
  let cases = 0;
  const { findings } = await campaign(
    { runs: 400, corpus, renews: false },
    {
      stage: {
        onFinding: ({ confirmed }) => reports.push([confirmed.times, cases]),
        onProgress: (count) => {
          cases = count;
        },
      },
    },
    { oracles: () => [seesHaste], settle: createConfirmation({ kit: 'a2a-tck test', shrinkCap: 0 }) },
  );
  return { findings, told: reports };
};

describe('a finding that comes only in haste', () => {
  test('gives its place to a case that shows the same at leisure', async () => {
    const { findings } = await foundInHaste(asked('hasty'), asked('hastier'), asked('patient'));
    expect(findings).toMatchObject([{ confirmed: { times: 3, of: 3 }, case: 3 }]);
  });

  test('is reported when no other shows it better, though the campaign goes on', async () => {
    const { findings, told: reports } = await foundInHaste(asked('hasty'));
    expect(findings).toMatchObject([{ confirmed: { times: 3, of: 3 }, case: 1 }]);
    expect(reports).toHaveLength(1);
    expect(reports[0]![1]).toBeLessThan(300);
  });
});

describe('a campaign', () => {
  test('sends the same requests in the same order for the same seed', async () => {
    const settings = { runs: 60 };
    const [first, other] = [await campaign(settings), await campaign(settings)];
    expect(first.bodies.length).toBeGreaterThan(60);
    expect(other.bodies).toEqual(first.bodies);
    expect(other.summary).toEqual(first.summary);
    const third = await campaign(settings, { stage: { seed: 2 } });
    expect(third.bodies).not.toEqual(first.bodies);
  });

  test('chooses the same cases for the same seed with several at once', async () => {
    const once = async () => {
      const kept: Case[] = [];
      const { summary, bodies } = await campaign({
        runs: 80,
        concurrency: 4,
        onKept: (fuzzCase) => kept.push(fuzzCase),
      });
      return { summary, kept, bodies: bodies.toSorted() };
    };
    const [first, other] = [await once(), await once()];
    expect(first.kept.length).toBeGreaterThan(3);
    expect(other).toEqual(first);
  });

  test('holds nothing up for a case that takes longer than a second', async () => {
    let now = (): number => 0;
    let requests = 0;
    const times: number[] = [];
    const { stage } = await staged({
      through: (agent) => async (request, signal) => {
        times.push(now());
        // Some time after the card and the canary.
        if (++requests === 10) await sleep(stage.clock, 1800);
        return agent(request, signal);
      },
    });
    const { clock } = stage;
    const started = clock.now();
    now = () => clock.now() - started;
    await fuzzPhase({ runs: 200, concurrency: 2 }, plainParts(stage.client.dialect))(stage);
    expect(times.length).toBeGreaterThan(200);
    // It waits for the first second, and then for nothing.
    expect(Math.max(...times)).toBeGreaterThanOrEqual(1000);
    expect(Math.max(...times)).toBeLessThan(1800);
  });

  test('sends what comes next while oracles look at what came', async () => {
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { stage } = await staged({
      through: (agent) => (request, signal) => {
        if (Buffer.from(request.body ?? []).includes('"task-3"')) arrive();
        return agent(request, signal);
      },
    });
    const looked: string[] = [];
    const looksLong: Oracle = async ({ sent: [request] }) => {
      await arrived;
      if (request !== undefined) looked.push(idIn(request));
      return [];
    };
    const corpus = Array.from({ length: 4 }, (_, at) => reading(`task-${at}`));
    const parts = plainParts(stage.client.dialect, { oracles: () => [looksLong] });
    await fuzzPhase({ runs: corpus.length, corpus, concurrency: 2 }, parts)(stage);
    expect(looked.toSorted()).toEqual(['task-0', 'task-1', 'task-2', 'task-3']);
  });

  test('looks after an agent before what comes next is lost, too', async () => {
    let isDead = false;
    let lost = 0;
    const { stage } = await staged({
      through: (agent) => (request, signal) => {
        const body = Buffer.from(request.body ?? []);
        if (body.includes('"task-0"')) isDead = true;
        if (!isDead) return agent(request, signal);
        if (body.includes('"task-')) lost++;
        throw new CarrierFailure('refused', 'nobody there');
      },
      stage: {
        restart: async () => {
          isDead = false;
        },
      },
    });
    const looksLong: Oracle = async () => {
      await sleep(stage.clock, 100);
      return [];
    };
    const corpus = Array.from({ length: 40 }, (_, at) => reading(`task-${at}`));
    const parts = plainParts(stage.client.dialect, { oracles: () => [looksLong] });
    const { summary } = await fuzzPhase({ runs: corpus.length, corpus, concurrency: 2 }, parts)(stage);
    expect(summary).toMatchObject({ cases: 40 });
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(10);
  });

  test('sends nothing for an oracle while the agent is brought back', async () => {
    let isDead = false;
    let look = (): void => undefined;
    const looking = new Promise<void>((resolve) => {
      look = resolve;
    });
    let tellDeath = (): void => undefined;
    const death = new Promise<void>((resolve) => {
      tellDeath = resolve;
    });
    const { stage } = await staged({
      through: (agent) => async (request, signal) => {
        if (Buffer.from(request.body ?? []).includes('"task-1"')) {
          await looking;
          isDead = true;
        }
        if (isDead) throw new CarrierFailure('refused', 'nobody there');
        return agent(request, signal);
      },
      stage: {
        restart: async () => {
          tellDeath();
          await sleep(stage.clock, 200);
          isDead = false;
        },
      },
    });
    const lost: boolean[] = [];
    const asksAgain: Oracle = async ({ sent: [request] }, oracleContext) => {
      if (request === undefined || idIn(request) !== 'task-0') return [];
      look();
      await death;
      const { sent } = await oracleContext.perform(reading('again'));
      lost.push(sent.some(({ exchange }) => exchange.failure !== undefined));
      return [];
    };
    const corpus = Array.from({ length: 2 }, (_, at) => reading(`task-${at}`));
    const parts = plainParts(stage.client.dialect, { oracles: () => [asksAgain] });
    await fuzzPhase({ runs: corpus.length, corpus, concurrency: 2 }, parts)(stage);
    expect(lost).toEqual([false]);
  });

  test('finds what comes only where others are under way', async () => {
    let last: unknown;
    const { stage } = await staged({
      through: (agent) => async (request, signal) => {
        if (request.method !== 'POST') return agent(request, signal);
        last = request;
        await sleep(stage.clock, 5);
        // All get the answer of the last caller.
        return agent(last as typeof request, signal);
      },
    });
    const seesMixed: Oracle = ({ sent }) =>
      sent
        .filter(({ reading, request }) => member(reading.replies[0]?.value, 'id') !== member(request, 'id'))
        .map((request) => ({ oracle: 'test', bucket: 'test/mixed', title: 't', detail: 'd', keys: [], sent: request }));
    const corpus = Array.from({ length: 12 }, (_, at) => reading(`task-${at}`));
    const settings = { runs: corpus.length, corpus, concurrency: 4 };
    const changes = { oracles: () => [seesMixed], settle: createConfirmation({ kit: 'a2a-tck test' }) };
    const parts = plainParts(stage.client.dialect, changes);
    const { findings } = await fuzzPhase(settings, parts)(stage);
    expect(findings).toMatchObject([{ bucket: 'test/mixed', confirmed: { times: 3, of: 3 } }]);
    const replay = findings[0]?.replay as Case;
    expect(replay.steps.map(({ step }) => step)).toEqual(['together']);
    expect(callsOf(replay)).toHaveLength(2);
  });

  test('is guided by answers, or not', async () => {
    const guided = await campaign({ runs: 60 });
    const unguided = await campaign({ runs: 60, guided: false });
    expect(guided.bodies).not.toEqual(unguided.bodies);
    expect(guided.summary.features).toBeGreaterThan(10);
    expect(unguided.summary.cases).toBe(60);
  });

  test('runs the stored cases first', async () => {
    const stored: Case = { dialect: 'a2a-0.3', steps: [{ step: 'call', operation: 'get', params: { id: 'stored' } }] };
    const { bodies } = await campaign({ runs: 3, corpus: [stored] });
    // The first is the canary.
    expect(bodies[1]).toContain('"stored"');
  });

  test('gives what is confirmed, once', async () => {
    const reports: string[] = [];
    const { findings } = await campaign(
      { runs: 60, concurrency: 3 },
      { stage: { onFinding: ({ bucket }) => reports.push(bucket) } },
      { oracles: () => [seesUnknown] },
    );
    expect(findings.map(({ bucket, confirmed }) => [bucket, confirmed])).toEqual([
      ['test/unknown', { times: 3, of: 3 }],
    ]);
    expect(reports).toEqual(['test/unknown']);
  });

  test('tries what it met where what an oracle tried does not show it again', async () => {
    const tried: Case = { dialect: 'a2a-0.3', steps: [{ step: 'call', operation: 'get', params: { id: 'tried' } }] };
    // Nothing shows it behind other requests.
    const tries: Oracle = async (trace, oracleContext) =>
      trace.case.steps.length > 1
        ? []
        : (await seesUnknown(trace, oracleContext)).map((symptom) => ({ ...symptom, case: tried }));
    const { findings, bodies } = await campaign(
      { runs: 60 },
      {},
      { oracles: () => [tries], settle: createConfirmation({ kit: 'a2a-tck test' }) },
    );
    expect(findings.map(({ bucket, confirmed }) => [bucket, confirmed])).toEqual([
      ['test/unknown', { times: 3, of: 3 }],
    ]);
    // It goes first, and no more often than anything else.
    expect(bodies.filter((body) => body.includes('"tried"'))).toHaveLength(3);
  });

  test('brings an agent back that died, and goes on', async () => {
    let dead = false;
    let deaths = 0;
    const options: StagedOptions = {
      through: (agent) => (request, signal) => {
        if (Buffer.from(request.body ?? []).includes('no/such')) {
          dead = true;
          deaths++;
        }
        if (dead) throw new CarrierFailure('refused', 'nobody there');
        return agent(request, signal);
      },
      stage: {
        restart: async () => {
          dead = false;
        },
      },
    };
    const { findings, summary } = await campaign({ runs: 40 }, options, { oracles: () => [seesLost] });
    expect(findings.map(({ bucket }) => bucket)).toEqual(['alive/get']);
    expect(deaths).toBeGreaterThan(3);
    expect(summary.cases).toBe(40);
    expect(summary.cut).toBeUndefined();
  });

  test('goes on when the first connection was an idle one that the server had closed', async () => {
    let requests = 0;
    const options: StagedOptions = {
      through: (agent) => (request, signal) => {
        // After the card, which is read while the stage is set up.
        if (request.method === 'POST' && ++requests === 1) throw new CarrierFailure('reset', 'other side closed');
        return agent(request, signal);
      },
    };
    const { summary } = await campaign({ runs: 5 }, { ...options, profile: 'a2a-1.0' });
    expect(requests).toBeGreaterThan(5);
    expect(summary).toMatchObject({ cases: 5 });
    expect(summary.cut).toBeUndefined();
  });

  test('ends when the agent does not come back', async () => {
    let requests = 0;
    const options: StagedOptions = {
      through: (agent) => (request, signal) => {
        if (++requests > 30) throw new CarrierFailure('refused', 'nobody there');
        return agent(request, signal);
      },
    };
    const { summary } = await campaign({ runs: 400, concurrency: 2 }, options);
    expect(summary.cut).toBe('the agent no longer answers');
    expect(summary.cases).toBeLessThan(60);
  });

  test('keeps to its budgets and its time', async () => {
    const few = await campaign({ runs: 400 }, { stage: { requestBudget: 25 } });
    expect(few.bodies.length).toBe(25);
    expect(few.summary.cut).toBe('the budget of requests is spent');
    const item = await campaign({ runs: 400 }, { stage: { requestBudget: 1 } });
    expect(item.summary.cut).toBe('the budget of requests is spent');
    const tasks = await campaign({ runs: 400 }, { stage: { taskBudget: 10 } });
    expect(tasks.summary.cut).toBe('the budget of tasks is spent');
    expect(tasks.tasks).toBeLessThanOrEqual(10);
    const short = await campaign({ runs: 4000, timeMs: 2000, rate: 10 });
    expect(short.summary.cut).toBe('the time is over');
    expect(short.bodies.length).toBeGreaterThan(15);
    expect(short.bodies.length).toBeLessThan(25);
  });

  test('sends nothing that writes under --read-only', async () => {
    const { stage, bodies } = await staged({ stage: { readOnly: true } });
    const reading = { ...stage, client: { ...stage.client, readOnly: true } };
    const { summary } = await fuzzPhase({ runs: 40 }, plainParts(stage.client.dialect))(reading);
    expect(summary.cases).toBe(40);
    expect(bodies.filter((body) => /message\/send|tasks\/cancel/.test(body))).toEqual([]);
    expect(bodies.length).toBeGreaterThan(3);
  });

  test('says when an oracle fails, and goes on', async () => {
    const failing: Oracle = () => {
      throw new Error('of our own');
    };
    const { summary } = await campaign({ runs: 5 }, {}, { oracles: () => [failing, seesUnknown] });
    expect(summary.cases).toBe(5);
    expect(summary.cut).toContain('of our own');
  });

  test('stops with the run', async () => {
    const stop = new AbortController();
    // As run() does: each of many exchanges under way listens to it.
    setMaxListeners(0, stop.signal);
    const { summary } = await campaign(
      { runs: 4000, concurrency: 2 },
      { stage: { signal: stop.signal, onProgress: () => stop.abort() } },
    );
    expect(summary.cut).toBe('interrupted');
    expect(summary.cases).toBeLessThan(100);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });
});
