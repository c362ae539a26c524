import { expect, test } from 'vitest';
import { type ClientRun, clientCheck, ends } from '../kit/index.js';
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
        purpose: 'client at agent',
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
const judged = (rule: Planned<ReturnType<typeof plain.killedBy>>['rule'], ending: ClientRun['ending']) => {
  const planned = { rule, rows: [], level: 'should', title: 'The client should end' } as const;
  const ruled = ruleOn(rule, new Map([['send', run(ending)]]));
  const { verdict, level } = resultOf(planned, ruled, createRedactor([]), () => '');
  return { verdict, level };
};

const hung = { kind: 'hung', afterMs: 1000 } as const;

test('what fails at any level is a MUST when it fails, and at its own level else', () => {
  const grave = plain.atAnyLevel().killedBy('client-waits-after-errors');
  expect(judged(grave, hung)).toEqual({ verdict: 'fail', level: 'must' });
  expect(judged(grave, { kind: 'exit', status: 1 })).toEqual({ verdict: 'pass', level: 'should' });
  expect(judged(plain.killedBy('client-waits-after-errors'), hung)).toEqual({ verdict: 'fail', level: 'should' });
});
