import { expect, test } from 'vitest';
import type { Case } from '../case/case.js';
import { createRandomSource } from '../generate/random-source.js';
import { createCorpus } from './corpus.js';

const caseOf = (id: number): Case => ({
  dialect: 'a2a-0.3',
  steps: [{ step: 'call', operation: 'get', params: { id } }],
});
/** Features that the first step of a case was granted. */
const fresh = (...features: readonly number[]) => ({
  fresh: features.map((feature) => ({ feature, step: 0, granted: true })),
});
const idOf = (fuzzCase: Case | undefined): unknown => JSON.stringify(fuzzCase?.steps[0]).match(/"id":(\d+)/)?.[1];

test('an empty corpus gives nothing', () => {
  expect(createCorpus(() => 1).pick(createRandomSource(1))).toBeUndefined();
});

test('what shows rare things is picked more often', () => {
  const counts = [0, 1, 400];
  const corpus = createCorpus((feature) => counts[feature] ?? 1);
  corpus.add(caseOf(1), fresh(1));
  corpus.add(caseOf(2), fresh(2));
  const randomSource = createRandomSource(3);
  const picks = Array.from({ length: 40 }, () => idOf(corpus.pick(randomSource)));
  const rare = picks.filter((id) => id === '1').length;
  expect(rare).toBeGreaterThan(20);
  // It was tried often by then: the other one is not forgotten.
  expect(rare).toBeLessThan(40);
});

test('it is bounded, and what is new stays', () => {
  const corpus = createCorpus((feature) => feature + 1, 8);
  for (let id = 100; id > 0; id--) corpus.add(caseOf(id), fresh(id));
  expect(corpus.size).toBe(8);
  const randomSource = createRandomSource(1);
  const left = new Set(Array.from({ length: 200 }, () => Number(idOf(corpus.pick(randomSource)))));
  expect(Math.max(...left)).toBe(8);
});

test('the same additions and randomSource give the same picks', () => {
  const once = () => {
    const corpus = createCorpus(() => 1);
    for (let id = 0; id < 10; id++) corpus.add(caseOf(id), fresh(id));
    const randomSource = createRandomSource(5);
    return Array.from({ length: 30 }, () => idOf(corpus.pick(randomSource)));
  };
  expect(once()).toEqual(once());
  expect(new Set(once()).size).toBeGreaterThan(5);
});

test('what came after the step that was granted something new is left out', () => {
  const corpus = createCorpus(() => 1);
  const [step] = caseOf(1).steps;
  if (step === undefined) throw new Error('no step');
  const long: Case = { dialect: 'a2a-0.3', steps: [step, step, step, step] };
  corpus.add(long, {
    fresh: [
      { feature: 1, step: 0, granted: false },
      { feature: 2, step: 1, granted: true },
      { feature: 3, step: 3, granted: false },
    ],
  });
  expect(corpus.pick(createRandomSource(1))?.steps).toHaveLength(2);
});

test('an accepted case is followed before a refused one, while it is rare and was not followed enough', () => {
  let seen = 1;
  const corpus = createCorpus((feature) => (feature === 1 ? seen : 1));
  expect(corpus.isEager).toBe(false);
  corpus.add(caseOf(2), { fresh: [{ feature: 2, step: 0, granted: false }] });
  expect(corpus.isEager).toBe(false);
  corpus.add(caseOf(1), fresh(1));
  expect(corpus.isEager).toBe(true);
  const randomSource = createRandomSource(1);
  const picks = Array.from({ length: 20 }, () => idOf(corpus.pick(randomSource)));
  expect(picks.filter((id) => id === '1').length).toBeGreaterThan(12);
  expect(corpus.isEager).toBe(false);
  const other = createCorpus(() => seen);
  other.add(caseOf(1), fresh(1));
  expect(other.isEager).toBe(true);
  seen = 40;
  expect(other.isEager).toBe(false);
});

test('what waits for the agent is picked less often, and not followed, unless it waited later than what it has to tell', () => {
  const corpus = createCorpus(() => 1);
  corpus.add(caseOf(1), { ...fresh(1), slowAt: 0 });
  expect(corpus.isEager).toBe(false);
  corpus.add(caseOf(2), { ...fresh(2), slowAt: 1 });
  expect(corpus.isEager).toBe(true);
  const randomSource = createRandomSource(1);
  const picks = Array.from({ length: 40 }, () => idOf(corpus.pick(randomSource)));
  expect(picks).toContain('1');
  // By then the other one has been followed enough.
  expect(picks.slice(0, 16).filter((id) => id === '1').length).toBeLessThan(3);
});
