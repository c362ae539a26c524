import { expect, test } from 'vitest';
import { source } from '../scenes/scene.js';
import { check } from './check.js';
import { law } from './law.js';
import { storyOf, subjectOf } from './story.js';

const nothing = async (): Promise<undefined> => undefined;
const accepts = async () => ({ kind: 'not-sent' as const, reason: 'not played' });

test('a title says the rule: what the client does, and each expectation', () => {
  const rule = check('task/get-known', 'get.unknown-refused')
    .given('one', source('a task', nothing))
    .when('the client reads a task', nothing)
    .expects('find it', nothing)
    .expects('show its state', nothing)
    .expects('change nothing', nothing)
    .butAccepts('a message', accepts)
    .advice('Do so.');
  expect(storyOf(rule, 'must')).toBe(
    'When the client reads a task, the agent must find it, show its state and change nothing',
  );
});

test.each([
  ['rpc/example', undefined, 'Every answer should have an end'],
  ['card/example', undefined, 'The card should have an end'],
  ['signature/example', undefined, 'The card should have an end'],
  ['stream/example', undefined, 'Every stream should have an end'],
  ['card/example', 'the extended card', 'The extended card should have an end'],
] as const)('the law %s with the subject %s has the title "%s"', (id, subject, story) => {
  const options = { otherwise: 'nothing came', ...(subject === undefined ? {} : { subject }) };
  const rule = law(id, 'rpc.utf8', 'have an end', options, () => 'holds');
  expect(storyOf(rule, 'should')).toBe(story);
  expect(story.toLowerCase().startsWith(subjectOf(rule))).toBe(true);
});
