import { describe, expect, test } from 'vitest';
import { plainCheck, reportOf } from '../../test/reports.js';
import { TckError } from '../model/index.js';
import { difference } from './difference.js';
import { merged } from './merge.js';
import { type CheckResult, type Report, tally } from './result.js';
import { readShard } from './shard.js';

const result = (id: string, verdict: CheckResult['verdict'], more: Partial<CheckResult> = {}): CheckResult => ({
  ...plainCheck,
  id,
  verdict,
  reason: verdict === 'pass' ? '' : 'because',
  ...more,
});

const report = (
  checks: readonly CheckResult[],
  run: Partial<Report['run']> = {},
  more: Partial<Report> = {},
): Report => {
  const { run: usual, ...rest } = reportOf(checks);
  return { ...rest, run: { ...usual, ...run }, gate: { passed: true, exitCode: 0, reasons: [] }, ...more };
};
const part = (index: number, of: number, checks: readonly CheckResult[], more: Partial<Report['run']> = {}): Report =>
  report(checks, { shard: { index, of, plan: 'p' }, ...more });

describe('merging', () => {
  type Verdict = CheckResult['verdict'];
  test.for<[Verdict, readonly Verdict[]]>([
    ['fail', ['pass', 'fail', 'inconclusive']],
    ['pass', ['inconclusive', 'pass', 'inconclusive']],
    ['inconclusive', ['inconclusive', 'inconclusive', 'not-applicable']],
    ['not-applicable', ['not-applicable', 'not-applicable', 'not-applicable']],
    ['error', ['pass', 'fail', 'error']],
  ])('a law is %s when its parts are %j', ([whole, parts]) => {
    const report = merged(parts.map((verdict, at) => part(at + 1, 3, [result('a/law', verdict)])));
    expect(report.checks.map(({ verdict }) => verdict)).toEqual([whole]);
    expect(report.summary).toEqual(tally(report.checks));
  });

  test('a message or a stream that one part has seen counts for the whole', () => {
    type Messages = NonNullable<Report['run']['messages']>;
    const of = (...parts: readonly Messages[]) =>
      merged(parts.map((messages, at) => part(at + 1, parts.length, [result('a/law', 'pass')], { messages })));
    const read: Messages = { accepted: true, streams: { read: true } };
    const unread: Messages = { accepted: true, streams: { read: false, why: 'it was too long' } };
    const none: Messages = { accepted: false, why: 'refused' };
    expect(of(unread, none, read).run.messages).toEqual(read);
    expect(of(none, unread).run.messages).toEqual(unread);
    expect(of(none, unread).gate.exitCode).toBe(4);
    expect(of({ accepted: true }, none).run.messages).toEqual({ accepted: true });
    expect(of(unread, read).gate.exitCode).toBe(0);
  });

  test('the report of the whole says how any part reached the agent', () => {
    const reached = (index: number, network: readonly string[], insecure = false): Report => {
      const report = part(index, 2, [result('a/law', 'pass')]);
      return { ...report, target: { ...report.target, network, ...(insecure ? { insecure } : {}) } };
    };
    const { target } = merged([reached(1, ['one', 'two']), reached(2, ['two', 'three'], true)]);
    expect([target.network, target.insecure]).toEqual([['one', 'two', 'three'], true]);
    const { target: plain } = merged([part(1, 2, []), part(2, 2, [])]);
    expect(Object.keys(plain)).not.toContain('network');
    expect(Object.keys(plain)).not.toContain('insecure');
  });

  test('exchanges keep to their checks, sums are sums, and no part is left', () => {
    const report = merged([
      part(2, 2, [result('a/law', 'pass'), result('a/second', 'fail')], { durationMs: 500, tasks: 3 }),
      part(1, 2, [result('a/first', 'pass'), result('a/law', 'pass')], { requests: 4 }),
    ]);
    expect(report.checks.map(({ id, exchanges }) => [id, exchanges])).toEqual([
      ['a/first', ['x1']],
      ['a/law', ['x1', 'x2']],
      ['a/second', ['x2']],
    ]);
    expect(report.exchanges.map(({ id }) => id)).toEqual(['x1', 'x2']);
    expect(report.run).toEqual({
      startedAt: '2026-01-01T00:00:00.000Z',
      durationMs: 500,
      seed: 7,
      requests: 5,
      tasks: 3,
    });
    expect(report.gate).toMatchObject({ exitCode: 1 });
  });

  test('the strictest demands hold for all, and a part that was cut short cuts the whole', () => {
    const passing = [result('a/b', 'inconclusive'), result('a/c', 'fail', { level: 'should' })];
    const gate = { passed: true, exitCode: 0 as const, reasons: [] };
    const judged = (first: Partial<Report['gate']>, cut?: string) =>
      merged([
        { ...part(1, 2, passing, cut === undefined ? {} : { cut }), gate: { ...gate, ...first } },
        part(2, 2, [result('a/b', 'inconclusive')]),
      ]).gate.exitCode;
    const off = { minProof: 0 };
    expect([judged(off), judged({ ...off, strict: true }), judged({ minProof: 1 }), judged({})]).toEqual([0, 1, 4, 4]);
    expect(judged(off, 'interrupted')).toBe(4);
  });

  test('a baseline entry of a law is stale only when no part broke it', () => {
    const stale = result('a/law', 'pass', { baseline: 'stale' });
    const known = result('a/law', 'fail', { baseline: 'known' });
    expect(merged([part(1, 2, [stale]), part(2, 2, [known])]).gate.exitCode).toBe(0);
    expect(merged([part(1, 2, [stale]), part(2, 2, [stale])]).gate.exitCode).toBe(1);
  });

  test('agents of one kind on ports of their own are one target, whose card is none of theirs', () => {
    const on = (index: number, port: number, name = 'Agent', host = '127.0.0.1'): Report => {
      const report = part(index, 2, []);
      const url = `http://${host}:${port}`;
      const cardDigest = String(port);
      return { ...report, target: { ...report.target, url, endpoint: `${url}/a2a`, agent: { name }, cardDigest } };
    };
    expect(merged([on(1, 4001), on(2, 4002)]).target).not.toHaveProperty('cardDigest');
    expect(merged([on(1, 4001), on(2, 4001)]).target).toHaveProperty('cardDigest', '4001');
    const named = [on(1, 4001, 'Agent', 'agent.localhost'), on(2, 4002, 'Agent', 'agent.localhost')];
    expect(merged(named).target).not.toHaveProperty('cardDigest');
    expect(() => merged([on(1, 4001), on(2, 4002, 'Other')])).toThrow('of different targets');
  });

  const good = [part(1, 2, []), part(2, 2, [])] as const;
  test.for<[string, readonly Report[]]>([
    ['not all of these are parts', [report([])]],
    ['not all of these are parts', []],
    ['of different targets', [good[0], { ...good[1], target: { ...good[1].target, url: 'http://b.test' } }]],
    ['of different profiles', [good[0], { ...good[1], target: { ...good[1].target, profile: 'a2a-0.3' } }]],
    ['of different agent cards', [good[0], { ...good[1], target: { ...good[1].target, cardDigest: 'aa' } }]],
    ['of different kits', [good[0], { ...good[1], kit: { name: 'a2a-tck', version: '2' } }]],
    ['of different seeds', [good[0], part(2, 2, [], { seed: 8 })]],
    ['of different numbers of shards', [good[0], part(2, 3, [])]],
    ['of different selections', [good[0], part(2, 2, [], { shard: { index: 2, of: 2, plan: 'q' } })]],
    ['missing: 2/2', [good[0]]],
    ['more than once: 1/2', [good[0], ...good]],
  ])('refuses what is %s', ([words, parts]) => {
    expect(() => merged(parts)).toThrow(TckError);
    expect(() => merged(parts)).toThrow(words);
  });
});

test('shards are counted from 1', () => {
  expect(readShard('2/4')).toEqual({ index: 2, of: 4 });
  for (const wrong of ['0/4', '5/4', '1', '1/0', '1/65', '-1/2', '1/2/3', ' 1/2']) {
    expect(() => readShard(wrong)).toThrow(TckError);
  }
});

describe('comparing', () => {
  type Verdict = CheckResult['verdict'];
  const item = (verdict: Verdict | undefined, more: Partial<CheckResult> = {}) =>
    report(verdict === undefined ? [] : [result('a/b', verdict, more)]);
  test.for<[Verdict | undefined, Verdict | undefined, string]>([
    ['pass', 'fail', 'changed worse'],
    ['pass', 'inconclusive', 'changed unshown'],
    ['pass', 'error', 'changed worse'],
    ['pass', 'not-applicable', 'vanished worse'],
    ['pass', undefined, 'vanished worse'],
    ['fail', 'pass', 'changed better'],
    ['fail', 'inconclusive', 'changed other'],
    ['fail', undefined, 'vanished other'],
    ['inconclusive', 'fail', 'changed worse'],
    ['inconclusive', 'pass', 'changed better'],
    ['not-applicable', 'fail', 'appeared worse'],
    ['not-applicable', 'inconclusive', 'appeared other'],
    ['not-applicable', undefined, ''],
    [undefined, 'pass', 'appeared better'],
    [undefined, 'fail', 'appeared worse'],
    ['fail', 'fail', ''],
  ])('%s, then %s: %s', ([before, after, mergedText]) => {
    const { changed, appeared, vanished, isWorse } = difference(item(before), item(after));
    const lists = Object.entries({ changed, appeared, vanished });
    const [said = ''] = lists.flatMap(([name, list]) => list.map(({ trend }) => `${name} ${trend}`));
    expect(said).toBe(mergedText);
    expect(isWorse).toBe(mergedText.endsWith('worse'));
  });

  test('a failure that was accepted makes nothing worse; one that is no longer accepted does', () => {
    const known = item('fail', { baseline: 'known' });
    expect(difference(item('pass'), known).isWorse).toBe(false);
    expect(difference(known, item('fail')).isWorse).toBe(true);
  });

  test('a gate that fails now is worse, also when no check changed', () => {
    const failed = { ...item('pass'), gate: { passed: false, exitCode: 4 as const, reasons: ['cut'] } };
    expect(difference(item('pass'), failed)).toMatchObject({ isWorse: true, gate: 'worse', changed: [] });
    expect(difference(failed, item('pass'))).toMatchObject({ isWorse: false, gate: 'better' });
  });

  test('a name that objects have from birth is a name like others', () => {
    const hostile = [result('__proto__/constructor', 'pass'), result('toString', 'pass')];
    expect(difference(report(hostile), report([])).vanished.map(({ id }) => id)).toEqual([
      '__proto__/constructor',
      'toString',
    ]);
  });

  test('parts are compared with the same part only', () => {
    expect(() => difference(part(1, 2, []), part(2, 2, []))).toThrow(TckError);
    expect(difference(part(1, 2, []), part(1, 2, [])).isWorse).toBe(false);
  });
});
