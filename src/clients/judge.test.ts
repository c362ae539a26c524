import { expect, test } from 'vitest';
import { type ClientCheck, type ClientRun, clientCheck, eachCall, ends, understands } from '../kit/index.js';
import type { Planned } from '../run/index.js';
import { createRedactor } from '../wire/index.js';
import { resultOf, ruleOn } from './judge.js';

const run = (ending: ClientRun['ending']): ClientRun => ({
  scenario: 'send',
  about: 'the agent answers a message with a task that takes a moment',
  errand: { do: 'send' },
  expected: {},
  calls: [
    {
      exchange: {
        id: 'x1',
        purpose: 'call of the client to the agent',
        request: { method: 'GET', url: 'http://127.0.0.1/', headers: [] },
        startedAt: 0,
        durationMs: 1,
      },
      at: 'agent',
      is: 'card',
      operation: undefined,
      params: undefined,
      message: undefined,
      body: undefined,
      problems: [],
    },
  ],
  deliveries: [],
  ending,
  told: undefined,
  words: '',
  facts: {},
});

const plain = clientCheck('client-answer/ends', 'client.error-kind').in('send').expects('end', ends);
const judged = (rule: Planned<ClientCheck>['rule'], ending: ClientRun['ending']) => {
  const planned = { rule, rows: [], level: 'should', title: 'The client should end' } as const;
  const ruled = ruleOn(rule, new Map([['send', run(ending)]]));
  const { verdict, level } = resultOf(planned, ruled, createRedactor([]), () => '');
  return { verdict, level };
};

const hung = { kind: 'hung', afterMs: 1000 } as const;

test('what fails at any level is a MUST when it fails, and at its own level else', () => {
  const grave = plain.atAnyLevel().advice('Do so.');
  expect(judged(grave, hung)).toEqual({ verdict: 'fail', level: 'must' });
  expect(judged(grave, { kind: 'exit', status: 1 })).toEqual({ verdict: 'pass', level: 'should' });
  expect(judged(plain.advice('Do so.'), hung)).toEqual({ verdict: 'fail', level: 'should' });
});

const lost = { why: '12 requests are not kept: the kit keeps 400', refused: false };
const played = (more: Partial<ClientRun>): ReadonlyMap<ClientRun['scenario'], ClientRun> =>
  new Map([['send', { ...run({ kind: 'exit', status: 0 }), ...more }]]);
const [card] = run(hung).calls as [ClientRun['calls'][number]];
const call = { ...card, is: 'call' } as const;
const cutCall = { ...call, exchange: { ...call.exchange, request: { ...call.exchange.request, cut: true } } } as const;

const never = clientCheck('client-answer/ends', 'client.error-kind')
  .in('send')
  .expects('ask twice', ({ calls }) => (calls.length > 1 ? 'holds' : 'the client did not ask again'))
  .advice('Do so.');
const shaped = clientCheck('client-answer/ends', 'client.error-kind')
  .in('send')
  .expects(
    'send JSON',
    eachCall(({ body }) => (body === undefined ? 'its body is no JSON' : undefined)),
  )
  .advice('Do so.');
const stating = clientCheck('client-answer/ends', 'client.error-kind')
  .in('send')
  .expects('tell the state', understands)
  .advice('Do so.');

test('what was left out is never taken for what the client did not send', () => {
  expect(ruleOn(never, played({})).verdict).toBe('fail');
  const ruled = ruleOn(never, played({ leftOut: lost }));
  expect(ruled.verdict).toBe('inconclusive');
  expect(ruled.reason).toContain('12 requests are not kept');
  expect(ruleOn(never, played({ calls: [], leftOut: lost })).reason).not.toContain('sent nothing');
});

test('nor is a pass given, while a request that is there and wrong still fails', () => {
  expect(ruleOn(shaped, played({ calls: [{ ...call, body: {} }], leftOut: lost })).verdict).toBe('inconclusive');
  expect(ruleOn(shaped, played({ calls: [call], leftOut: lost })).verdict).toBe('fail');
});

test('a request that the kit has cut is not judged', () => {
  expect(ruleOn(shaped, played({ calls: [cutCall], leftOut: lost })).verdict).toBe('inconclusive');
});

test('what a client printed is judged all the same, unless the kit refused it', () => {
  const wrong = { expected: { state: 'completed' }, told: { state: 'failed' }, calls: [call] };
  expect(ruleOn(stating, played({ ...wrong, leftOut: lost })).verdict).toBe('fail');
  expect(ruleOn(stating, played({ ...wrong, told: { state: 'completed' }, leftOut: lost })).verdict).toBe('pass');
  expect(ruleOn(stating, played({ ...wrong, leftOut: { ...lost, refused: true } })).verdict).toBe('inconclusive');
});

test('a process that goes on is reported', () => {
  const ruled = ruleOn(never, played({ leftRunning: true }));
  const planned = { rule: never, rows: [], level: 'should', title: '' } as const;
  expect(resultOf(planned, ruled, createRedactor([]), () => '').actual).toContain('a process that it started goes on');
});

const quiet = clientCheck('client-answer/ends', 'client.error-kind')
  .in('bearer')
  .expects('send a token', ({ calls }) => (calls.some(({ is }) => is === 'call') ? 'holds' : 'not-concerned'))
  .advice('Do so.');
const both = (bearer: Partial<ClientRun>, send: Partial<ClientRun>): ReadonlyMap<ClientRun['scenario'], ClientRun> => {
  const plainRun = { ...run({ kind: 'exit', status: 0 }), isDoable: true };
  return new Map<ClientRun['scenario'], ClientRun>([
    ['bearer', { ...plainRun, scenario: 'bearer', ...bearer }],
    ['send', { ...plainRun, calls: [call], ...send }],
  ]);
};
const given = { ending: { kind: 'exit', status: 1 }, words: 'panic\ncannot unmarshal object' } as const;

test('a client that gives up where all is right has failed, by the advice of a sentence at most', () => {
  const ruled = ruleOn(quiet, both(given, {}));
  expect(ruled).toMatchObject({ verdict: 'fail', isGivenUp: true });
  expect(ruled.reason).toContain('cannot unmarshal object');
  const planned = { rule: quiet, rows: [], level: 'must', title: '' } as const;
  expect(resultOf(planned, ruled, createRedactor([]), () => '').level).toBe('should');
  expect(ruleOn(quiet, both({ ...given, isDoable: false }, {})).verdict).toBe('inconclusive');
  expect(ruleOn(quiet, both({ ending: { kind: 'served' } }, {})).verdict).toBe('inconclusive');
  expect(ruleOn(quiet, both({ told: { error: { name: undefined, text: 'no' } } }, {})).verdict).toBe('fail');
});

test('where it does nothing without a difficulty either, that is the cause', () => {
  const ruled = ruleOn(quiet, both(given, { ...given, calls: [card] }));
  expect(ruled).toMatchObject({ verdict: 'inconclusive', cause: { id: 'silent:send' } });
  expect(ruled.cause?.fact).toContain('cannot unmarshal object');
});

test('a plain request that the agent of the kit refuses is the cause, with the error', () => {
  const compared = clientCheck('client-answer/ends', 'client.error-kind')
    .in('bearer')
    .expects('tell the state', understands)
    .but('send')
    .advice('Do so.');
  const refused = {
    ...call,
    operation: 'send',
    refused: { names: ['InvalidParams'], text: '-32602 no params' },
  } as const;
  const wrong = { expected: { state: 'completed' }, told: { state: 'failed' }, calls: [refused] } as const;
  const ruled = ruleOn(compared, both(wrong, wrong));
  expect(ruled.cause?.id).toBe('refused:send');
  expect(ruled.reason).toContain('-32602 no params');
});

test('an exit status other than 0 is not a success', () => {
  const done = { expected: { state: 'completed' }, told: { state: 'completed' }, calls: [call] };
  expect(ruleOn(stating, played(done)).verdict).toBe('pass');
  expect(ruleOn(stating, played({ ...done, ending: { kind: 'exit', status: 1 } })).verdict).toBe('fail');
});
