import { expect, test } from 'vitest';
import { ableCard } from '../../../test/spelled-agents.js';
import { a2a03 } from '../../dialect/a2a-0.3.js';
import { dialects } from '../../dialect/index.js';
import { createSpell } from '../execute/spell.js';
import { createGenerator } from '../generate/create-generator.js';
import { createDictionary } from '../generate/dictionary.js';
import { createRandomSource } from '../generate/random-source.js';
import type { CallStep, WireMutation } from './case.js';
import { callsOf } from './case.js';
import { excessOf, mostPrinted, weighed } from './weight.js';

const spell = createSpell();
const sentFor = (step: CallStep): number => {
  const {
    body,
    headers = [],
    raw,
  } = spell(step, {
    dialect: a2a03,
    rpcId: 'f0000000',
    resolve: () => undefined,
    endpoint: 'http://agent.test/',
    credentials: [],
  });
  return raw?.length ?? body.length + headers.flat().join('').length;
};

test.each(dialects.map((dialect) => [dialect.id, dialect] as const))(
  'no case that the kit makes for %s is too large, and no request exceeds its weight',
  (_, dialect) => {
    const card = ableCard(dialect);
    const dictionary = createDictionary({ card, behaviours: {} });
    const generator = createGenerator({ dialect, card, dictionary, readOnly: false, rawSocket: true });
    const randomSource = createRandomSource(7);
    for (let times = 0; times < 300; times++) {
      const made = times % 3 === 0 ? generator.race(randomSource) : generator.fresh(randomSource);
      expect(excessOf(made)).toBeUndefined();
      for (const step of callsOf(made)) {
        const { weight, tricks } = weighed(step);
        expect(tricks).toBe(step.tricks ?? tricks);
        if (dialect === a2a03) expect(sentFor(step)).toBeLessThanOrEqual(3 * weight + 2000);
      }
    }
  },
);

const step = (size: number, ...tricks: readonly WireMutation[]): CallStep => ({
  step: 'call',
  operation: 'get',
  params: { id: { $text: ['a', size] } },
  tricks,
});
test.each<[about: string, step: CallStep]>([
  ['a batch of large requests', step(1_000_000, { trick: 'batch', count: 1000 })],
  ['copies of a large request', step(1_000_000, { trick: 'pipelined', copies: 50 })],
  [
    'copies of a large head',
    step(10, { trick: 'pipelined', copies: 50 }, { trick: 'header', value: 'a'.repeat(100), times: 10_000, count: 1 }),
  ],
  ['many long headers', step(10, { trick: 'header', value: 'a'.repeat(10_000), times: 100_000, count: 2000 })],
  ['batches of batches', step(10, ...Array.from({ length: 10 }, () => ({ trick: 'batch', count: 100 })))],
])('%s are left out of a request', (_, callStep) => {
  expect(weighed(callStep).tricks.length).toBeLessThan(callStep.tricks?.length ?? 0);
  expect(weighed(callStep).weight).toBeLessThanOrEqual(mostPrinted);
  expect(sentFor(callStep)).toBeLessThanOrEqual(mostPrinted);
});
