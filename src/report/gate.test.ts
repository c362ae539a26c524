import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainCheck, plainFinding } from '../../test/reports.js';
import { judgeFuzzGate } from '../run/fuzzing.js';
import { judgeGate, proofOf } from './gate.js';
import type { Cause, CheckResult, Finding } from './result.js';

const result = (over: Partial<CheckResult>): CheckResult => ({ ...plainCheck, ...over });
const plain = { strict: false };

const open = [result({ verdict: 'inconclusive' })];
const noMessage = { strict: false, messages: { accepted: false } };
const heldBack = [1, 2].map(() =>
  result({ verdict: 'inconclusive', reason: 'not sent: --read-only: it could create work' }),
);
const cause = (id: string, checks: readonly string[]): Cause => ({
  id,
  fact: `it is ${id}`,
  advice: `mend ${id}`,
  checks,
  exchanges: [],
});

test('too little proof is reported with its cause first', () => {
  const none = judgeGate(open, {
    strict: false,
    messages: { accepted: false, why: 'no message was accepted: -32603 Internal error' },
  });
  expect(none.verdict).toBe('unproven');
  expect(none.reasons[0]).toBe('no message was accepted: -32603 Internal error');
  expect(none.reasons[1]).toContain('0 of 1 applicable MUST checks');
  const failed = [...open, result({ id: 'task/get', verdict: 'fail' })];
  const both = judgeGate(failed, { strict: false, messages: { accepted: false, why: 'no message was accepted' } });
  expect(both.reasons.slice(0, 2)).toEqual(['no message was accepted', '1 MUST check failed']);
  const causes = [cause('operation:list', ['a', 'b']), cause('credentials', ['a', 'b', 'c'])];
  expect(judgeGate(open, { strict: false, messages: { accepted: false, why: 'x' }, causes }).reasons[0]).toBe(
    'it is credentials; mend credentials',
  );
  expect(judgeGate(open, { strict: false, causes }).reasons[0]).toBe('it is credentials; mend credentials');
  expect(judgeGate([result({})], { strict: false, causes }).reasons).toEqual([]);
  const streams = { read: false, why: 'no complete answer within 400 ms' };
  expect(judgeGate([result({})], { strict: false, messages: { accepted: true, streams } }).reasons).toEqual([
    'the agent opens streams, and no event of any could be read: no complete answer within 400 ms',
  ]);
});

describe('exit codes, as the contract has them', () => {
  test.for<[string, readonly CheckResult[], Parameters<typeof judgeGate>[1], number]>([
    ['all passed', [result({})], plain, 0],
    ['a MUST failed', [result({ verdict: 'fail' })], plain, 1],
    ['a SHOULD failed', [result({ verdict: 'fail', level: 'should' })], plain, 0],
    ['a SHOULD failed, strict', [result({ verdict: 'fail', level: 'should' })], { strict: true }, 1],
    ['a MAY failed, strict', [result({ verdict: 'fail', level: 'may' })], { strict: true }, 0],
    ['a known failure', [result({ verdict: 'fail', baseline: 'known' })], plain, 0],
    ['a stale entry', [result({ baseline: 'stale' })], plain, 1],
    ['an expired entry', [result({ verdict: 'fail', baseline: 'expired' })], plain, 1],
    ['an error of the kit', [result({ verdict: 'error' }), result({ verdict: 'fail' })], plain, 70],
    ['too little proof', [result({}), result({ verdict: 'inconclusive' })], { strict: false, minProof: 51 }, 4],
    ['enough proof', [result({}), result({ verdict: 'inconclusive' })], { strict: false, minProof: 50 }, 0],
    ['half, and nobody said how much', [result({}), result({ verdict: 'inconclusive' })], plain, 0],
    ['less than half, and nobody said how much', [result({}), ...open, ...open], plain, 4],
    ['nothing shown, and nothing asked for', open, { strict: false, minProof: 0 }, 0],
    ['nothing shown', open, plain, 4],
    ['nothing that applies', [result({ verdict: 'not-applicable' })], plain, 4],
    ['one chosen SHOULD, shown', [result({ level: 'should' })], plain, 0],
    ['one chosen SHOULD, not shown', [result({ level: 'should', verdict: 'inconclusive' })], plain, 4],
    ['a part that shows nothing', open, { strict: false, isPart: true }, 0],
    ['no message accepted', [result({})], { strict: false, messages: { accepted: false } }, 4],
    ['no message accepted, and nothing asked for', [result({})], { ...noMessage, minProof: 0 }, 0],
    ['no message accepted, and a MUST failed', [result({ verdict: 'fail' })], noMessage, 1],
    [
      'no stream could be read',
      [result({})],
      { strict: false, messages: { accepted: true, streams: { read: false } } },
      4,
    ],
    ['a stream was read', [result({})], { strict: false, messages: { accepted: true, streams: { read: true } } }, 0],
    ['a message accepted', [result({})], { strict: false, messages: { accepted: true } }, 0],
    ['not sent for --read-only', [result({}), ...heldBack], { strict: false, readOnly: true }, 0],
    ['said to be so by the agent', [result({}), ...heldBack], plain, 4],
    ['a run cut short', [result({})], { strict: false, cut: 'interrupted' }, 4],
    ['a failure in a run cut short', [result({ verdict: 'fail' })], { strict: false, cut: 'interrupted' }, 1],
  ])('%s', ([, results, options, code]) => {
    const gate = judgeGate(results, options);
    expect(gate.exitCode).toBe(code);
    expect(gate.passed).toBe(code === 0);
    expect(gate.reasons.length > 0).toBe(code !== 0);
  });
});

test('reasons count in words', () => {
  const reasons = (count: number) => {
    const all = [
      result({ verdict: 'error' }),
      result({ verdict: 'fail' }),
      result({ verdict: 'fail', level: 'should' }),
      result({ baseline: 'stale' }),
      result({ verdict: 'fail', baseline: 'expired' }),
    ].flatMap((checkResult) => Array.from({ length: count }, () => checkResult));
    const finding = { ...plainFinding, level: 'must' as const, confirmed: { times: 3, of: 3 } };
    return judgeGate(all, { strict: true, findings: Array.from({ length: count }, () => finding) }).reasons;
  };
  expect(reasons(1)).toEqual([
    '1 check ended in an error of the kit itself',
    '1 MUST check failed',
    '1 SHOULD check failed (--strict)',
    '1 finding of the fuzzer breaks a sentence',
    '1 baseline entry is stale: the check passes now',
    '1 baseline entry has expired',
  ]);
  expect(reasons(2)).toEqual([
    '2 checks ended in an error of the kit itself',
    '2 MUST checks failed',
    '2 SHOULD checks failed (--strict)',
    '2 findings of the fuzzer break sentences',
    '2 baseline entries are stale: the checks pass now',
    '2 baseline entries have expired',
  ]);
});

const verdict = fc.constantFrom<CheckResult['verdict']>('pass', 'fail', 'inconclusive', 'not-applicable');
const results = fc.array(
  fc.record({ verdict, level: fc.constantFrom<CheckResult['level']>('must', 'should', 'may') }).map(result),
  { maxLength: 30 },
);

test('turning a pass into inconclusive never raises the proof', () => {
  fc.assert(
    fc.property(results, fc.nat(), (all, at) => {
      const passes = all.flatMap((checkResult, index) => (checkResult.verdict === 'pass' ? [index] : []));
      const chosen = passes[at % Math.max(1, passes.length)];
      const less = all.map((checkResult, index) =>
        index === chosen ? { ...checkResult, verdict: 'inconclusive' as const } : checkResult,
      );
      expect(proofOf(less).percent).toBeLessThanOrEqual(proofOf(all).percent);
    }),
  );
});

test('nothing shown is nothing proven, and 100 % means all', () => {
  expect(proofOf([]).percent).toBe(0);
  expect(proofOf([result({ verdict: 'inconclusive' })]).percent).toBe(0);
  fc.assert(
    fc.property(results, (all) => {
      const open = all.some((checkResult) => checkResult.level === 'must' && checkResult.verdict === 'inconclusive');
      if (open) expect(proofOf(all).percent).toBeLessThan(100);
    }),
  );
});

const finding: Finding = plainFinding;
const { level: _, ...weakness } = finding;

describe('findings of the fuzzer', () => {
  test.for<[string, Finding, boolean, number]>([
    ['a MUST that is broken each time', finding, false, 1],
    ['a MUST that is broken sometimes', { ...finding, confirmed: { times: 2, of: 3 } }, false, 0],
    ['a known one', { ...finding, baseline: 'known' }, false, 0],
    ['one whose time is over', { ...finding, baseline: 'expired' }, false, 1],
    ['a SHOULD', { ...finding, level: 'should' }, false, 0],
    ['a SHOULD, strict', { ...finding, level: 'should' }, true, 1],
    ['a weakness, strict', weakness, true, 0],
  ])('%s', ([, found, strict, code]) => {
    expect(judgeGate([result({})], { strict, findings: [found] }).exitCode).toBe(code);
  });

  const summary = { seed: 1, cases: 1, requests: 1, features: 0, kept: 0, durationMs: 1 };
  const outcome = (findings: readonly Finding[], cut?: string) => ({
    findings,
    exchanges: [],
    tasks: 0,
    summary: { ...summary, ...(cut === undefined ? {} : { cut }) },
  });
  test.for<[string, ReturnType<typeof outcome> | undefined, number]>([
    ['nothing found', outcome([]), 0],
    ['a weakness', outcome([weakness]), 1],
    ['a limit of the user', outcome([], 'the time is over'), 0],
    ['an agent that went away', outcome([], 'the agent no longer answers'), 4],
    ['an agent that went away, and why', outcome([weakness], 'the agent no longer answers'), 1],
    ['never begun', undefined, 4],
    ['a defect of the kit', outcome([weakness], 'the kit itself failed: x'), 70],
  ])('alone: %s', ([, item, code]) => {
    const gate = judgeFuzzGate(item);
    expect(gate).toMatchObject({ exitCode: code, passed: code === 0 });
  });
});
