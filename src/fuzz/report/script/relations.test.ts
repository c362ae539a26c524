import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../model/index.js';
import type { Sent, Trace } from '../../execute/trace.js';
import type { Symptom } from '../../oracles/oracle.js';
import { excess, leafed, lostId, movedContext, reopened } from './relations.js';

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

describe('a task that ended and is in another state', () => {
  /** A look at a task, one after the other. */
  const look = (at: number, state: string, operation: Operation = 'get', events = ''): Sent => {
    const shown = `{"id":"f","result":{"kind":"task","id":"task-1","status":{"state":"${state}"},"history":[{"taskId":"task-1"}]}}`;
    return {
      step: { operation },
      place: [at],
      body: Buffer.from(operation === 'send' ? '{}' : '{"params":{"id":"task-1"}}'),
      exchange: { response: { body: Buffer.from(events || shown) } },
      sentAt: 2 * at,
      endedAt: 2 * at + 1,
    } as unknown as Sent;
  };
  /** All looks that are not named are those of a wait. */
  const found = (bucket: string, ...looks: readonly Sent[]) =>
    reopened({ bucket } as Symptom, [{ sent: looks } as unknown as Trace], run(looks[0]!, looks.at(-1)!));
  const law = 'law/task/legal-moves get';
  const relation = { kind: 'reopened', task: 'task-1', places: ['1', '2'] };

  test('is seen in a look of a wait that others followed', () => {
    expect(found(law, look(0, 'completed'), look(1, 'working'), look(2, 'completed'))).toEqual([relation]);
    expect(found(law, look(0, 'working'), look(1, 'completed'), look(2, 'completed'))).toEqual([]);
    expect(found('law/rpc/id-echoed get', look(0, 'completed'), look(1, 'working'))).toEqual([]);
  });

  test('was told by an event, and is shown by an answer', () => {
    const event = (state: string) => `data: {"id":"f","result":{"taskId":"task-1","status":{"state":"${state}"}}}`;
    const told = look(0, '', 'subscribe', event('working') + event('completed'));
    expect(found(law, told, look(1, 'working'))).toEqual([relation]);
    expect(found(law, look(0, 'completed'), look(1, '', 'subscribe', event('working')))).toEqual([]);
  });

  test('shows nothing where both were under way at once', () => {
    const late = { ...look(0, 'completed'), endedAt: 9 };
    expect(found(law, late, look(1, 'working'))).toEqual([]);
  });
});

describe('more than was asked for', () => {
  const shown = (params: unknown, result: unknown): Sent =>
    ({
      step: { operation: 'list', params },
      body: Buffer.from(JSON.stringify({ params })),
      exchange: { response: { body: Buffer.from(JSON.stringify({ result })) } },
    }) as unknown as Sent;
  const inContext = (contextId: string) => ({ id: 't', contextId, status: { state: 'completed' } });
  const of = (what: string, ...seen: readonly Sent[]) => excess('2', { bucket: `life-cycle/${what}` } as Symptom, seen);

  test('is counted by what each of it has', () => {
    const message = { messageId: 'm' };
    const long = (count: number) => shown({}, { id: 't', history: Array.from({ length: count }, () => message) });
    const counts = { kind: 'counts', place: '2', member: 'messageId', least: 2 };
    expect(of('history-length get', long(2), long(3))).toEqual(counts);
    expect(of('list-artifacts', shown({}, { tasks: [{ artifacts: [] }] }))).toEqual({
      ...counts,
      member: 'artifacts',
      least: 1,
    });
    expect(of('two-ends', long(2))).toBeUndefined();
  });

  test('is a context that was not asked for, where there is one', () => {
    const several = shown({ contextId: { $ref: 'a.context' } }, { tasks: [inContext('a'), inContext('b')] });
    expect(of('list-context', several)).toEqual({ kind: 'several', place: '2', member: 'contextId' });
    const unknown = shown({ contextId: 'nobody' }, { tasks: [inContext('a')] });
    expect(of('list-context', unknown)).toMatchObject({ kind: 'counts', member: 'contextId', least: 1 });
    // An agent that is right shows a task too.
    expect(
      of('list-context', shown({ contextId: { $ref: 'a.context' } }, { tasks: [inContext('b')] })),
    ).toBeUndefined();
  });

  test('is a state that was not asked for, the same in each run', () => {
    const other = shown({ status: 'canceled' }, { tasks: [inContext('a')] });
    expect(of('list-state', other)).toEqual({ kind: 'ended', place: '2', state: 'completed' });
    expect(of('list-state', other, shown({ status: 'canceled' }, { tasks: [] }))).toBeUndefined();
  });
});

test('a short id that is lost is seen by the null in its place', () => {
  const symptom = { bucket: 'law/rpc/id-echoed cancel' } as Symptom;
  const came = (rpcId: unknown, text: string): Sent =>
    ({
      step: { operation: 'cancel' },
      demand: 'valid',
      exchange: { call: { rpcId }, response: { body: Buffer.from(text) } },
    }) as unknown as Sent;
  const told = (...seen: readonly Sent[]) => lostId('2', symptom, seen, new Map(seen.map((one) => ['2', one])));
  const lost = '{"jsonrpc":"2.0","id": null,"result":{"id":"task-10"}}';
  expect(told(came(0, lost), came(0, lost))).toEqual({ kind: 'nulled', place: '2' });
  expect(told(came(0, lost), came(0, '{"jsonrpc":"2.0","id":0,"result":{}}'))).toBeUndefined();
  // A long one is looked for as it is.
  expect(told(came('f-1234', lost))).toEqual({ kind: 'lacks', place: '2', texts: ['"f-1234"'] });
});

test('pages of one walk are those whose tokens led there', () => {
  const listed = (as: string, params: unknown): Sent =>
    ({ step: { operation: 'list', as, params } }) as unknown as Sent;
  const all = run(
    listed('other', {}),
    listed('p', { contextId: 'a' }),
    listed('q', { pageToken: { $ref: 'p.token' } }),
    listed('r', { pageToken: { $ref: 'q.token' } }),
  );
  const told = (what: string, place: string) => leafed(place, { bucket: `life-cycle/${what}` } as Symptom, all);
  expect(told('pages-lose', '4')).toEqual({ kind: 'misses', place: '4', places: ['2', '3', '4'] });
  expect(told('page-repeats', '3')).toEqual({ kind: 'repeats', place: '3', places: ['2'] });
  expect(told('page-repeats', '2')).toBeUndefined();
  expect(told('two-ends', '4')).toBeUndefined();
});
