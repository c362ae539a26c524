import { expect, test } from 'vitest';
import type { CallStep, Edit } from '../case/case.js';
import { mutationName, mutationsOf, placeOf } from './mutation.js';

const edit = (at: string, keyword: Edit['keyword'] = 'type'): Edit => ({ at, op: 'set', value: 1, keyword });
const step = (edits: readonly Edit[], tricks: CallStep['tricks'] = []): CallStep => ({
  step: 'call',
  operation: 'send',
  edits,
  tricks,
});

test.each([
  ['/params/message/parts/12/kind', '/params/message/parts/N/kind'],
  ['/params/message/parts/-', '/params/message/parts/N'],
  ['/params/message/metadata/https:~1~1example.com', '/params/message/metadata/?'],
  [`/params/${'x'.repeat(60)}`, '/params/?'],
  ['', ''],
])('the place %s is named %s', (pointer, place) => {
  expect(placeOf(pointer)).toBe(place);
});

test('the same changes have the same name, in any order', () => {
  expect(mutationName(step([]))).toBe('valid');
  expect(mutationName(step([edit('/params/a'), edit('/id')]))).toBe(
    mutationName(step([edit('/id'), edit('/params/a')])),
  );
  expect(mutationName(step([edit('/params/tckOne', 'additional')]))).toBe(
    mutationName(step([edit('/params/tckTwo', 'additional')])),
  );
  expect(mutationName(step([edit('/a'), edit('/b'), edit('/c')]))).toBe('several');
  expect(mutationsOf(step([edit('/id')], [{ trick: 'bom', encoding: 'utf-8' }]))).toEqual(['trick bom', 'type /id']);
});
