import { expect, test } from 'vitest';
import { fuzzParts } from '../../../packs/index.js';
import { rules } from '../../../suites/index.js';
import { suiteOf } from '../../kit/index.js';
import { bring } from '../index.js';
import { comparesAnswers, comparesIds, judgesContent, readsText, unfitLaws, unfitSuites } from './law-fitness.js';

const parts = await fuzzParts();
for (const part of parts) bring(part);

const laws = rules.filter(({ kind }) => kind === 'law');
const ids = new Set(laws.map(({ id }) => id));

test('each law that is treated in another way is one of the suites', () => {
  const named = [...Object.keys(unfitLaws()), ...comparesAnswers, ...comparesIds, ...readsText];
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
  const suites = new Set(laws.map(suiteOf));
  expect(Object.keys(unfitSuites).filter((suite) => !suites.has(suite))).toEqual([]);
});

test('laws that judge answers are asked', () => {
  const asked = laws.filter((law) => !Object.hasOwn(unfitLaws(), law.id) && !Object.hasOwn(unfitSuites, suiteOf(law)));
  const suites = new Set(asked.map(suiteOf));
  for (const suite of [
    'rpc',
    'data',
    'stream',
    'task',
    'message',
    'auth',
    'extension',
    'version',
    ...parts.map(({ pack }) => pack),
  ]) {
    expect(suites, suite).toContain(suite);
  }
  for (const reason of Object.values({ ...unfitLaws(), ...unfitSuites })) expect(reason).toMatch(/\w+ \w+ \w+/);
});

test('frames and envelopes are not content', () => {
  expect(judgesContent('data/task-state')).toBe(true);
  expect(judgesContent('stream/event-types')).toBe(true);
  expect(judgesContent('stream/sse-framing')).toBe(false);
  expect(judgesContent('rpc/error-object')).toBe(false);
});
