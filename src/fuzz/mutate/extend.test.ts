import { expect, test } from 'vitest';
import { staged } from '../../../test/fuzzing.js';
import type { Case } from '../case/case.js';
import { createDictionary } from '../generate/dictionary.js';
import { createGeneratorContext } from '../generate/generator-context.js';
import { createRandomSource } from '../generate/random-source.js';
import { createExtend } from './extend.js';

const { stage } = await staged();
const { dialect } = stage.client;
const dictionary = createDictionary({ card: stage.target.card, behaviours: {} });
const workshop = createGeneratorContext({
  dialect,
  card: stage.target.card,
  dictionary,
  readOnly: false,
  rawSocket: false,
});

const parent: Case = {
  dialect: dialect.id,
  steps: [
    {
      step: 'call',
      operation: 'send',
      as: 'a',
      params: {
        message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'data', data: { a: 1 } }] },
        configuration: { blocking: false },
      },
    },
  ],
};
const followed = (seed: number): readonly Case[] => {
  const follow = createExtend(workshop);
  const randomSource = createRandomSource(seed);
  return Array.from({ length: 200 }, () => follow(randomSource, parent)).filter((fuzzCase) => fuzzCase !== undefined);
};

test('the parent stays unchanged: something is added to its call, or comes after it', () => {
  const made = followed(1);
  expect(made.length).toBeGreaterThan(150);
  for (const { steps } of made) {
    const [first] = steps;
    expect(first).toMatchObject({ operation: 'send', as: 'a', params: { message: { parts: [{ kind: 'data' }] } } });
    if (steps.length > 1) expect(first).toEqual(parent.steps[0]);
    else expect(first).not.toEqual(parent.steps[0]);
  }
  const later = made.flatMap(({ steps }) => steps.slice(1));
  const operations = new Set(later.map((step) => step.step === 'call' && step.operation));
  expect([...operations]).toEqual(expect.arrayContaining(['get', 'cancel', 'send']));
  expect(JSON.stringify(later)).toContain('{"$ref":"a.task"}');
});

test('names that answers showed are sent back; those with a prefix are not', () => {
  expect(JSON.stringify(followed(2))).not.toContain('renderer');
  for (const name of ['renderer', 'shop.payment.status', 'xpr:jobId', '__proto__']) dictionary.remember(name);
  expect(dictionary.seen).toEqual(['renderer']);
  const sent = JSON.stringify(followed(2));
  expect(sent).toMatch(/"at":"\/params\/message\/metadata","op":"set","value":\{"renderer":/);
});
