import { expect, test } from 'vitest';
import { type Dialect, dialectById } from '../dialect/index.js';
import { errorNamed, readTold, stateOf, unsupportedIn } from './told.js';

const dialect = dialectById('a2a-1.0') as Dialect;

test.each([
  ['TASK_STATE_COMPLETED', 'completed'],
  ['completed', 'completed'],
  ['Completed', 'completed'],
  ['TASK_STATE_INPUT_REQUIRED', 'input-required'],
  ['auth-required', 'auth-required'],
  ['TaskState.completed', 'completed'],
  ['TaskState::InputRequired', 'input-required'],
  ['authRequired', 'auth-required'],
  ['something', 'something'],
])('the state %j is %s', (word, state) => {
  expect(stateOf(word)).toBe(state);
});

test.each([
  [-32001, 'TaskNotFound'],
  ['TaskNotFoundError', 'TaskNotFound'],
  ['TASK_NOT_FOUND', 'TaskNotFound'],
  ['Task not found', 'TaskNotFound'],
  [{ code: -32002, message: 'no' }, 'TaskNotCancelable'],
  [{ name: 'Error', reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED' }, 'PushNotificationNotSupported'],
  [{ name: 'Error', message: 'JSON-RPC error: Task cannot be canceled (Code: -32002)' }, 'TaskNotCancelable'],
  ['the version is not supported: VERSION_NOT_SUPPORTED', 'VersionNotSupported'],
  ['boom', undefined],
  [null, undefined],
  [{ code: 'toString' }, undefined],
])('%j is the error %s', (value, name) => {
  expect(errorNamed(value, dialect)).toBe(name);
});

test('a line is read member by member, and what it does not have is left out', () => {
  const line = '{"state":"TASK_STATE_COMPLETED","text":"hi","taskId":7,"ids":["a",1],"states":["TASK_STATE_WORKING"]}';
  expect(readTold(line, dialect)).toEqual({ state: 'completed', text: 'hi', ids: ['a'], states: ['working'] });
  expect(readTold('{"error":{"code":-32001,"message":"x"}}', dialect)).toEqual({
    error: { name: 'TaskNotFound', text: '{"code":-32001,"message":"x"}' },
  });
  expect(readTold('{"error":null}', dialect)).toEqual({});
});

test.each(['', 'hello', '[1]', '"text"', '{', 'null'])('%j is not a line', (line) => {
  expect(readTold(line, dialect)).toBeUndefined();
});

test('a client may say that it cannot do the errand', () => {
  expect(unsupportedIn('{"unsupported":"webhooks"}')).toBe('webhooks');
  expect(unsupportedIn('{"state":"completed"}')).toBeUndefined();
  expect(unsupportedIn('nonsense')).toBeUndefined();
});
