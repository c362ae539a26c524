import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { type Dialect, dialectById } from '../src/dialect/index.js';
import type { CallStep, Edit } from '../src/fuzz/case/case.js';
import { applyEdits } from '../src/fuzz/case/pointer.js';
import { createFuzzPhase, fuzzParts, fuzzPhase, readStoredCase } from '../src/fuzz/index.js';
import { judgeFuzzGate } from '../src/run/fuzzing.js';
import type { FuzzStage } from '../src/run/index.js';
import { createHttpCarrier } from '../src/wire/http.js';
import { type Carrier, CarrierFailure, realClock } from '../src/wire/index.js';
import { type StagedOptions, staged, stageOn } from './fuzzing.js';

// An agent whose process ends, which no program starts again.

/** Answers with messages, and falls over an id that is not text: at once, or as `dies` says. */
const mortal = `
const dies = process.argv[1] === 'late' ? () => setTimeout(() => process.exit(1), 50) : () => process.exit(1);
const answers = {
  'message/send': () => ({ result: { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'Hi.' }] } }),
  'tasks/get': ({ id }) => (typeof id === 'string' || dies(), { error: { code: -32001, message: 'Task not found' } }),
  'tasks/cancel': ({ id }) => (id.trim(), { error: { code: -32001, message: 'Task not found' } }),
};
const server = require('node:http').createServer((request, response) => {
  const say = (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  if (request.method === 'GET') {
    return say({
      protocolVersion: '0.3.0', name: 'mortal', description: 'dies', version: '1', url: 'http://127.0.0.1:' + server.address().port + '/',
      preferredTransport: 'JSONRPC', capabilities: {}, defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'],
      skills: [{ id: 'talk', name: 'talk', description: 'talks', tags: ['talk'] }],
    });
  }
  let text = '';
  request.on('data', (piece) => (text += piece));
  request.on('end', () => {
    let sent;
    try { sent = JSON.parse(text); } catch { return say({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no JSON' } }); }
    const { id = null, method, params } = sent ?? {};
    const answer = Object.hasOwn(answers, method) ? answers[method] : () => ({ error: { code: -32601, message: 'unknown' } });
    say({ jsonrpc: '2.0', id, ...answer(params ?? { id: '' }) });
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const dialect = dialectById('a2a-0.3') as Dialect;
const settings = { runs: 300, revivalMs: 500 };

/** A process of its own, and what is done with it. */
async function withMortal(work: (stage: FuzzStage, child: ChildProcess) => Promise<void>, dies = 'at-once') {
  const child = spawn(process.execPath, ['-e', mortal, dies], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [port] = await once(child.stdout, 'data');
  const http = createHttpCarrier();
  try {
    const url = `http://127.0.0.1:${String(port).trim()}`;
    await work(await stageOn(http, dialect, realClock, false, {}, url), child);
  } finally {
    child.kill();
    await http.close();
  }
}

test('a process that ends is a finding that the kit could not confirm', () =>
  withMortal(async (stage, child) => {
    const outcome = await fuzzPhase(settings, fuzzParts(stage, { kit: 'test' }))(stage);
    expect(child.exitCode).not.toBeNull();
    const deaths = outcome.findings.filter(({ bucket }) => bucket.startsWith('alive/dead'));
    expect(deaths).toHaveLength(1);
    const [finding] = deaths;
    expect(finding).toMatchObject({ oracle: 'alive', confirmed: { times: 0, of: 0 }, seed: stage.seed });
    expect(finding?.detail).toMatch(/could be run again; the last changed requests, in order: .*(get|cancel) \(/);
    expect(finding?.script).toMatch(/^#!\/bin\/sh/);
    expect(finding?.replay).toMatchObject({ schema: 'a2a-tck-fuzz-case/1', bucket: finding?.bucket });
    expect(outcome.exchanges.map(({ id }) => id)).toEqual(expect.arrayContaining([...(finding?.exchanges ?? [''])]));
    expect(judgeFuzzGate(outcome)).toMatchObject({ passed: false, exitCode: 1 });
  }));

const plain = { step: 'call', operation: 'get', params: { id: 'nobody' } };
const deadly = { ...plain, edits: [{ at: '/params/id', op: 'set', value: 5, keyword: 'type' }] };
const storedAs = (bucket: string, ...steps: readonly object[]) =>
  readStoredCase({ schema: 'a2a-tck-fuzz-case/1', dialect: 'a2a-0.3', bucket, why: 'it died', steps }, bucket);
const own = 'alive/dead get type /params/id';
const replayed = (...replay: ReturnType<typeof storedAs>[]) =>
  createFuzzPhase({ runs: 1, revivalMs: 500, replay, kit: 'test' });

test.each([
  ['the last request, which is not answered', [deadly], 'alive/dead', 'at-once'],
  ['the last request, which is answered before', [deadly], own, 'late'],
  ['a request before the last one', [deadly, plain], 'alive/dead', 'at-once'],
])('a stored case of a death shows by %s', (_, steps, bucket, dies) =>
  withMortal(async (stage) => {
    const after = storedAs('alive/reset get valid', plain);
    const outcome = await replayed(storedAs(bucket, ...steps), after)(stage);
    const [shown, notRun] = outcome.summary.replays ?? [];
    expect(shown).toMatchObject({ bucket, verdict: 'shows', times: 1, of: 1 });
    expect(outcome.findings).toMatchObject([{ bucket, confirmed: { times: 1, of: 1 } }]);
    expect(judgeFuzzGate(outcome)).toMatchObject({ passed: false, exitCode: 1 });
    // No agent is left that could show it, or not.
    expect(notRun).toMatchObject({ verdict: 'not-run', reason: 'the agent no longer answers' });
  }, dies),
);

test('a stored case of a death does not show on an agent that lives', async () => {
  const { stage } = await staged();
  const outcome = await replayed(storedAs('alive/dead', deadly))(stage);
  expect(outcome.summary.replays).toMatchObject([{ verdict: 'gone', times: 0, of: 3 }]);
  expect(judgeFuzzGate(outcome)).toMatchObject({ passed: true, exitCode: 0 });
});

test('an agent that dies of a stored case of something else has not shown that it is mended', () =>
  withMortal(async (stage) => {
    const outcome = await replayed(storedAs('alive/page get type /params/id', deadly))(stage);
    expect(judgeFuzzGate(outcome)).toMatchObject({ passed: false, exitCode: 4 });
  }));

/** What a campaign finds on an agent that cannot be reached for the requests that `isLost` names. */
async function foundThrough(isLost: (turn: number) => boolean) {
  let turn = 0;
  let isSetUp = false;
  const through: StagedOptions['through'] = (agent: Carrier) => (request, signal) => {
    if (isSetUp && isLost(++turn)) throw new CarrierFailure('refused', 'nobody there');
    return agent(request, signal);
  };
  const { stage } = await staged({ through });
  isSetUp = true;
  return fuzzPhase(settings, fuzzParts(stage, { kit: 'test' }))(stage);
}

test('an agent that was never there has not died', async () => {
  const { findings, summary } = await foundThrough(() => true);
  expect(findings).toEqual([]);
  expect(summary.cut).toBe('the agent does not answer');
});

test('a network that fails for a moment is not a death', async () => {
  const { findings, summary } = await foundThrough((turn) => turn > 200 && turn < 205);
  expect(findings).toEqual([]);
  expect(summary).toMatchObject({ cases: 300 });
});

test('what stays away is one, whichever request found out', async () => {
  const { findings, summary } = await foundThrough((turn) => turn > 200);
  expect(findings.map(({ confirmed }) => confirmed)).toEqual([{ times: 0, of: 0 }]);
  expect(summary.cut).toBe('the agent no longer answers');
});

/** A body that is read once. */
async function* bodyOf(text: string) {
  yield new TextEncoder().encode(text);
}

const isDeadly = (body: Uint8Array | undefined): boolean => {
  try {
    const { method, params } = JSON.parse(new TextDecoder().decode(body)) as { method?: unknown; params?: unknown };
    return method === 'tasks/get' && typeof (params as { id?: unknown } | null)?.id !== 'string';
  } catch {
    return false;
  }
};

/**
 * What a campaign finds where `answered` is the answer to each request after one that asks for a task with an id that
 * is not text.
 */
async function foundAfterOddId(
  answered: (sinceMs: number, body: Uint8Array | undefined) => ReturnType<Carrier> | undefined,
  more: Partial<typeof settings> & { readonly concurrency?: number } = {},
) {
  let now = (): number => 0;
  let since: number | undefined;
  const through: StagedOptions['through'] = (agent: Carrier) => async (request, signal) => {
    const instead = since === undefined ? undefined : answered(now() - since, request.body);
    if (instead !== undefined) return instead;
    const answer = await agent(request, signal);
    if (isDeadly(request.body)) since = now();
    return answer;
  };
  const { stage } = await staged({ through });
  now = () => stage.clock.now();
  const outcome = await fuzzPhase({ ...settings, ...more }, fuzzParts(stage, { kit: 'test' }))(stage);
  return { ...outcome, wasMet: since !== undefined };
}

const nobody = (): never => {
  throw new CarrierFailure('refused', 'nobody there');
};

test.each([1, 4])(
  'an agent that dies after its answer and is started again is found, with %d at once',
  async (concurrency) => {
    const { findings, summary } = await foundAfterOddId((ms) => (ms < 200 ? nobody() : undefined), { concurrency });
    expect(summary.cut).toBeUndefined();
    expect(findings.map(({ bucket }) => bucket)).toEqual(['alive/dead']);
    const [finding] = findings;
    expect(finding).toMatchObject({ confirmed: { times: 3, of: 3 }, level: 'must' });
    expect(finding!.steps).toBeLessThanOrEqual(2);
    // The one change that there is makes the request deadly, wherever it stands.
    const { steps } = finding!.replay as { readonly steps: readonly CallStep[] };
    const edits = steps.flatMap((step) => step.edits ?? []);
    expect(edits).toHaveLength(1);
    const changed = steps.find((step) => step.edits !== undefined) ?? expect.fail('nothing is changed');
    const sent = (own: readonly Edit[]): Uint8Array => {
      const request = { method: 'tasks/get', params: changed.params ?? {} };
      // The id of a task that was begun is a text by then.
      const text = JSON.stringify(applyEdits(request, own).value).replaceAll(/\{"\$ref":"[^"]*"\}/g, '"task"');
      return new TextEncoder().encode(text);
    };
    expect(changed.operation).toBe('get');
    expect([isDeadly(sent(edits)), isDeadly(sent([]))]).toEqual([true, false]);
  },
);

const says = (text: string, status: number, type = 'application/json') =>
  Promise.resolve({ status, headers: [['content-type', type]] as const, body: bodyOf(text) });
const internal = says.bind(undefined, '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}');

test.each([
  ['an internal error', () => internal(200), 'InternalError'],
  ['a page', () => says('<h1>Oops</h1>', 500, 'text/html'), 'HTTP 500'],
])(
  'an agent that answers each client with %s since is found, though the kit could not confirm it',
  async (_, answer, named) => {
    const { findings, summary } = await foundAfterOddId(answer);
    expect(summary.cut).toBe('the agent no longer answers');
    const [finding] = findings.filter(({ bucket }) => bucket === 'alive/failing');
    expect(finding).toMatchObject({ confirmed: { times: 0, of: 0 }, requirements: [] });
    expect(finding!.detail).toContain(`a harmless request is answered with ${named}`);
    expect(finding!.detail).toMatch(/the last changed requests, in order: .*get \(/);
  },
);

test.each([
  ['too many requests', () => says('slow down', 429, 'text/plain')],
  ['no service', () => says('busy', 503, 'text/plain')],
  ['the page of somebody who guards it', () => says('<h1>Are you human?</h1>', 200, 'text/html')],
])('an agent that says %s from then on has not failed', async (_, answer) => {
  const { findings, wasMet } = await foundAfterOddId(answer);
  expect(wasMet).toBe(true);
  expect(findings.filter(({ bucket }) => bucket.startsWith('alive/'))).toEqual([]);
});

test('a stored case after which each client gets a failure shows', async () => {
  let hasFailed = false;
  const through: StagedOptions['through'] = (agent: Carrier) => async (request, signal) => {
    if (hasFailed) return internal(200);
    hasFailed = isDeadly(request.body);
    return agent(request, signal);
  };
  const { stage } = await staged({ through });
  const outcome = await replayed(storedAs('alive/failing', deadly))(stage);
  expect(outcome.summary.replays).toMatchObject([{ verdict: 'shows', times: 1, of: 1 }]);
});
