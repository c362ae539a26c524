import { expect, test } from 'vitest';
import type { Operation } from '../../model/index.js';
import type { Symptom } from '../oracle.js';
import type { Sent } from '../trace.js';
import { movedContext } from './relations.js';

const bucket = 'unchanged/context refused send valid';
const symptom = { bucket } as Symptom;

/** An answer that shows a task in a context; none: an error. */
const answered = (operation: Operation, id?: string, contextId?: string): Sent => {
  const body = Buffer.from(JSON.stringify(id === undefined ? { error: {} } : { result: { id, contextId } }));
  return { step: { operation }, exchange: { response: { body } } } as unknown as Sent;
};
const run = (...sent: readonly Sent[]) => new Map(sent.map((one, at) => [`${at + 1}`, one]));

test('a task that moved is seen by its contexts, whatever they are', () => {
  const moved = (id: string, to: string) =>
    run(answered('send', id, 'first'), answered('send'), answered('get', id, to));
  const differs = { kind: 'differs', place: '3', from: '1', member: 'contextId' };
  expect(movedContext(symptom, [moved('t1', 'a'), moved('t2', 'b')])).toEqual([differs]);
  // One run in which it stayed says that the rest is chance.
  expect(movedContext(symptom, [moved('t1', 'a'), moved('t2', 'first')])).toEqual([]);
  expect(movedContext({ bucket: 'unchanged/state refused send valid' } as Symptom, [moved('t1', 'a')])).toEqual([]);
});

test('two tasks may be in two contexts', () => {
  const two = run(answered('send', 't1', 'first'), answered('send'), answered('get', 't2', 'second'));
  expect(movedContext(symptom, [two])).toEqual([]);
});
