import { describe, expect, test } from 'vitest';
import { failedCheck } from '../test/reports.js';
import { expectationOf, factOf, problemOf } from './story.js';

const of = (title: string, reason: string, more = {}) => failedCheck('task/x', { title, reason, ...more });

describe('a failure as a sentence', () => {
  const get = 'Given a task, when the client reads it, the agent must return that task, but accept another id';
  test.each([
    [
      get,
      'error -32603 (InternalError): "no"',
      'Given a task, when the client reads it, the agent answers with error -32603 (InternalError): "no".',
    ],
    [
      get,
      'HTTP 500 text/html: "<p>"',
      'Given a task, when the client reads it, the agent answers with HTTP 500 text/html: "<p>".',
    ],
    [
      get,
      'it was accepted, with the result {"id":"a"}',
      'Given a task, when the client reads it, the agent accepts it.',
    ],
    [get, 'the task is failed', 'Given a task, when the client reads it, the task is failed.'],
    [
      'The card must have a name',
      'card/name must be string, is array: ["a"]',
      '`card/name` is an array, not a string: ["a"].',
    ],
    ['The card must have a name', 'card/name must be present, is missing: nothing', '`card/name` is missing.'],
    ['The card must have a name', 'card/name must be present, is null: null', '`card/name` is null.'],
    ['The card should leave it out', 'card/iconUrl is null', 'card/iconUrl is null.'],
    [
      'Every error should carry data',
      'error of get/data must be present, is missing: nothing',
      '`error of get/data` is missing.',
    ],
    [
      'The card must have a URL',
      'card/url must be an absolute http(s) URL: "/a"',
      '`card/url` must be an absolute http(s) URL, and is "/a".',
    ],
    [
      'Every answer should name a state',
      'result/state must be one of a, b: "c"',
      '`result/state` is "c", not one of a, b.',
    ],
    [
      'Every answer must hold no null',
      'result/a must be left out without a value, is null: null',
      '`result/a` is null; a member without a value is left out.',
    ],
    [
      'Every stream must end',
      'the task x was lost (and in 2 more of 5 exchanges)',
      'The task x was lost (and in 2 more of 5 exchanges).',
    ],
  ])('%s: %s', (title, reason, sentence) => {
    expect(problemOf(of(title, reason))).toBe(sentence);
  });

  test('the fact stands alone where the line is full', () => {
    expect(factOf(of(get, 'error -32603: "no"'))).toBe('The agent answers with error -32603: "no".');
  });

  test('what was expected is the other half of the story', () => {
    expect(expectationOf(of(get, ''))).toBe('The agent must return that task, but accept another id.');
    expect(expectationOf(of('Every answer should name a state', ''))).toBe('Every answer should name a state.');
    const receipt = 'Every receipt must name its transaction, when it is successful';
    expect(expectationOf(of(receipt, '', { expected: 'name its transaction' }))).toBe(`${receipt}.`);
    expect(expectationOf(of('A title of another kit', '', { expected: 'be plain' }))).toBe('Be plain.');
  });

  test('an error of the kit and an entry of the baseline keep their reason', () => {
    expect(problemOf(of(get, 'TypeError', { verdict: 'error' }))).toBe('TypeError');
    expect(problemOf(of(get, 'it passes now', { verdict: 'pass', baseline: 'stale' }))).toBe('it passes now');
  });
});
