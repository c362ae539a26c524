import { describe, expect, test } from 'vitest';
import { virtualClock } from '../../wire/index.js';
import { type CallStep, type Case, callsOf } from '../case/case.js';
import { joined, requestsOf } from '../case/joined.js';
import type { Attempt, Bench } from '../schedule/campaign-settings.js';
import { confirm } from './reruns.js';
import { settleFinding } from './settlement.js';
import { showsIn } from './showing.js';
import { shrink } from './shrink.js';

const bucket = 'test/it';
const attemptOf = (next: Case, shows: boolean): Attempt => ({
  trace: { case: next, sent: [], begun: new Map() },
  symptoms: shows ? [{ oracle: 'test', bucket, title: 't', detail: 'd', keys: [] }] : [],
});

/** A bench without an agent: `shows` answers by the case alone, or by the number of calls. */
function benchOf(shows: (next: Case, times: number) => boolean): Bench & { readonly tried: Case[] } {
  const tried: Case[] = [];
  return {
    tried,
    async attempt(next) {
      tried.push(next);
      return attemptOf(next, shows(next, tried.length));
    },
    isOver: () => false,
  };
}

const call = (operation: CallStep['operation'], more: Partial<CallStep> = {}): CallStep => ({
  step: 'call',
  operation,
  ...more,
});
const caseOf = (...steps: Case['steps']): Case => ({ dialect: 'a2a-0.3', steps });
const small = (fuzzCase: Case, bench: Bench, isFlaky = false, executions = 200) =>
  shrink(fuzzCase, showsIn(bucket, false), isFlaky, bench, {
    shrinking: { executions, ms: 60_000 },
    clock: virtualClock(),
    judgeStep: () => true,
  });

describe('shrinking', () => {
  test('leaves out steps, changes and members that are not needed', async () => {
    const begin = caseOf(
      call('send', { as: 'a' }),
      { step: 'wait', for: 'a' },
      call('list'),
      { step: 'together', calls: [call('get'), call('cancel', { caller: 'none' }), call('get')] },
      call('get', {
        params: { id: 'x', metadata: { a: 1, b: [1, 2, 3] } },
        edits: [
          { at: '/params/id', op: 'remove', keyword: 'required' },
          { at: '/id', op: 'set', value: { $nest: ['[', 4096] }, keyword: 'type' },
        ],
      }),
      call('pushList'),
    );
    // Needs a cancel, and later an id that is nested more than 300 deep.
    const bench = benchOf((next) => {
      const calls = callsOf(next);
      const at = calls.findIndex(({ operation }) => operation === 'cancel');
      return calls.slice(at + 1).some(
        ({ edits = [] }) =>
          at >= 0 &&
          edits.some(({ at: place, value }) => {
            const { $nest } = (value ?? {}) as { $nest?: [string, number] };
            return place === '/id' && ($nest?.[1] ?? 0) > 300;
          }),
      );
    });
    const found = await small(begin, bench);
    expect(found.steps).toEqual([
      { step: 'call', operation: 'cancel' },
      {
        step: 'call',
        operation: 'get',
        edits: [{ at: '/id', op: 'set', value: { $nest: ['[', expect.any(Number)] }, keyword: 'type' }],
        params: {},
      },
    ]);
    const { edits = [] } = found.steps[1] as CallStep;
    const [edit] = edits as unknown as readonly { readonly value: { readonly $nest: readonly [string, number] } }[];
    expect(edit?.value.$nest[1]).toBeLessThan(345);
    expect(bench.tried.length).toBeLessThanOrEqual(200);
  });

  test('runs no more cases than it may, and the same ones each time', async () => {
    const begin = caseOf(...Array.from({ length: 30 }, (_, at) => call('get', { params: { id: `task ${at}` } })));
    const even = (next: Case) => callsOf(next).length % 2 === 0;
    const [first, other] = [benchOf(even), benchOf(even)];
    await small(begin, first, false, 40);
    await small(begin, other, false, 40);
    expect(first.tried.length).toBe(40);
    expect(other.tried).toEqual(first.tried);
  });

  test('of a flaky one asks several times before it leaves something out', async () => {
    const begin = caseOf(call('send'), call('get'), call('cancel'));
    // Two of three tries show it, where the cancel is still there.
    const bench = benchOf(
      (next, times) => times % 3 !== 0 && callsOf(next).some((call) => call.operation === 'cancel'),
    );
    expect((await small(begin, bench, true)).steps).toEqual([call('cancel')]);
  });

  test('takes no value that is right in the place of one that is wrong', async () => {
    const begin = caseOf(call('get', { params: { id: 'aaaaaaaaaaaaaaaa' } }));
    const bench = benchOf(() => true);
    const fits = ({ params }: CallStep) => String((params as { id?: unknown }).id ?? '').length < 10;
    const limits = { shrinking: { executions: 50, ms: 1000 }, clock: virtualClock(), judgeStep: fits };
    expect(await shrink(begin, showsIn(bucket, false), false, bench, limits)).toEqual(begin);
  });

  test('adds no second defect to a request that is wrong in one place', async () => {
    const edits = [{ at: '/params/historyLength', op: 'set', value: 'x', keyword: 'type' }] as const;
    const begin = caseOf(call('get', { params: { id: 'a', metadata: {} }, edits }));
    const limits = { shrinking: { executions: 50, ms: 1000 }, clock: virtualClock() };
    // Right by the schema: an id, and no edit.
    const judgeStep = ({ params, edits: made }: CallStep) => made === undefined && Object.hasOwn(Object(params), 'id');
    const found = await shrink(
      begin,
      showsIn(bucket, false),
      false,
      benchOf((next) => callsOf(next).some((call) => call.edits !== undefined)),
      { ...limits, judgeStep },
    );
    expect(found).toEqual(caseOf(call('get', { params: { id: 'a' }, edits })));
  });
});

describe('confirming', () => {
  const suspect = (before: readonly Case[]) => ({
    case: caseOf(call('get', { params: { id: { $ref: 'a.task' } }, as: 'a' })),
    bucket,
    symptom: { oracle: 'test', bucket, title: 't', detail: 'd', keys: [] },
    before,
    number: 9,
  });

  test('counts how often it comes again', async () => {
    const found = await confirm(
      suspect([]),
      benchOf((_, times) => times === 2),
      3,
    );
    expect(found).toMatchObject({ times: 1, of: 3 });
    expect(
      await confirm(
        suspect([]),
        benchOf(() => false),
        3,
      ),
    ).toBeUndefined();
  });

  test('adds what ran before it, the last first, where it does not come alone', async () => {
    const before = [caseOf(call('cancel', { as: 'a' })), ...Array.from({ length: 5 }, () => caseOf(call('list')))];
    const bench = benchOf((next) => callsOf(next).some(({ operation }) => operation === 'cancel'));
    const found = await confirm(suspect(before), bench, 3);
    expect(found).toMatchObject({ times: 3, of: 3 });
    expect(found && requestsOf(found.case)).toBe(7);
    const far = [...before, ...Array.from({ length: 40 }, () => caseOf(call('list')))];
    expect(await confirm(suspect(far), bench, 3)).toBeUndefined();
  });

  test('keeps the names of joined cases apart', () => {
    const fuzzCase = caseOf(call('send', { as: 'a' }), { step: 'wait', for: 'a' });
    const both = joined([fuzzCase], caseOf(call('get', { params: { id: { $ref: 'a.task' } } })));
    expect(both.steps).toEqual([
      call('send', { as: 'c0-a' }),
      { step: 'wait', for: 'c0-a' },
      call('get', { params: { id: { $ref: 'a.task' } } }),
    ]);
  });
});

describe('settling', () => {
  test('on an agent that can be restarted keeps the requests that it must get before', async () => {
    // It remembers cancels, and shows the fault at the next read.
    let canceled = false;
    const bench = benchOf((next) => {
      let shows = false;
      for (const { operation } of callsOf(next)) {
        shows ||= operation === 'get' && canceled;
        canceled ||= operation === 'cancel';
      }
      return shows;
    });
    const suspect = {
      case: caseOf(call('list'), call('cancel'), call('list'), call('get')),
      bucket,
      symptom: { oracle: 'test', bucket, title: 't', detail: 'd', keys: [] },
      before: [],
      number: 1,
    };
    const options = {
      confirmations: 3,
      shrinking: { executions: 100, ms: 60_000 },
      clock: virtualClock(),
      judgeStep: () => true,
    };
    const careless = await settleFinding(suspect, bench, options);
    expect(careless?.case.steps).toEqual([call('get')]);
    const renew = async () => {
      canceled = false;
    };
    const settled = await settleFinding(suspect, bench, { ...options, renew });
    expect(settled).toMatchObject({ times: 3, of: 3 });
    expect(settled?.case.steps).toEqual([call('cancel'), call('get')]);
    expect(settled).not.toHaveProperty('isNeverFresh');
    // What was canceled before is not in the case, nor was it run shortly before.
    canceled = true;
    const remembering = { ...suspect, case: caseOf(call('get')) };
    expect(await settleFinding(remembering, bench, { ...options, renew })).toMatchObject({
      times: 3,
      isNeverFresh: true,
    });
  });
});
