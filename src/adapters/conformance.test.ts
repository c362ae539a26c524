import { describe, expect, test } from 'vitest';
import type { TargetOptions } from '../index.js';
import { TckError } from '../model/index.js';
import { type CheckResult, judgeGate, type Report, tally } from '../report/index.js';
import { type ConformanceOptions, declareConformance } from './conformance.js';
import { expectationEnd, testEnd } from './test-case.js';

const result = (id: string, verdict: CheckResult['verdict'], more: Partial<CheckResult> = {}): CheckResult => ({
  id,
  suite: 'card',
  title: '',
  level: 'must',
  requirements: ['R-1'],
  section: '1',
  verdict,
  reason: verdict === 'pass' ? '' : 'because',
  expected: 'be right',
  actual: 'wrong',
  exchanges: [],
  durationMs: 0,
  ...more,
});
const reportOf = (checks: readonly CheckResult[], cut?: string): Report => ({
  kit: { name: 'a2a-tck', version: '1' },
  target: { url: 'http://a.test', endpoint: '', profile: 'a2a-0.3', agent: {}, detection: [], extensions: [] },
  run: { startedAt: '', durationMs: 1, seed: 1, requests: 1, tasks: 0, ...(cut === undefined ? {} : { cut }) },
  gate: judgeGate(checks, { strict: false }),
  summary: tally(checks),
  checks,
  findings: [],
  exchanges: [],
});

describe('the state of a test', () => {
  test.for<[string, CheckResult, boolean, string]>([
    ['a pass', result('a/b', 'pass'), false, 'pass'],
    ['a failed MUST', result('a/b', 'fail'), false, 'fail MUST not met: because'],
    ['a failed SHOULD', result('a/b', 'fail', { level: 'should' }), false, 'skip SHOULD not met: because'],
    ['a failed SHOULD, strict', result('a/b', 'fail', { level: 'should' }), true, 'fail SHOULD not met: because'],
    ['a failed MAY, strict', result('a/b', 'fail', { level: 'may' }), true, 'skip MAY not met: because'],
    ['a known failure', result('a/b', 'fail', { baseline: 'known' }), true, 'skip known failure: because'],
    [
      'a stale entry',
      result('a/b', 'pass', { baseline: 'stale', reason: 'old' }),
      false,
      'fail MUST not met, its baseline entry is stale: old',
    ],
    ['not shown', result('a/b', 'inconclusive'), true, 'skip inconclusive: because'],
    ['not claimed', result('a/b', 'not-applicable'), true, 'skip not-applicable: because'],
    ['an error', result('a/b', 'error'), false, 'fail the kit itself failed: because'],
  ])('%s', ([, check, strict, expected]) => {
    const end = testEnd('a/b', reportOf([check]), [], strict);
    const text = end.kind === 'fail' ? end.message : end.kind === 'skip' ? end.note : '';
    expect(`${end.kind} ${text.split('\n')[0]}`.trim()).toBe(expected);
  });

  test('a check that fails at another interface fails, and says at which', () => {
    const other = (verdict: CheckResult['verdict']) =>
      result('a/b@a2a-1.0-rest', verdict, { interface: 'a2a-1.0-rest' });
    const end = testEnd('a/b', reportOf([result('a/b', 'pass'), other('fail')]), [], false);
    expect(end).toMatchObject({ kind: 'fail', message: expect.stringContaining('a2a-1.0-rest: because') });
    expect(testEnd('a/b', reportOf([result('a/b', 'pass'), other('pass')]), [], false)).toEqual({ kind: 'pass' });
    expect(testEnd('a/b', reportOf([other('pass')]), [], false)).toEqual({ kind: 'pass' });
  });

  test('a check that the run does not have is skipped, and says why', () => {
    expect(testEnd('a/b', reportOf([]), [], false)).toEqual({ kind: 'skip', note: 'a2a-0.3 does not have it' });
    expect(testEnd('a/b', reportOf([], 'interrupted'), [], false)).toMatchObject({
      note: 'the run ended early: interrupted',
    });
  });

  test('a failure says all that is needed to reproduce it, as harmless text', () => {
    const hostile = 'x\u001b[2J\u202e';
    const check = result('a/b', 'fail', {
      reason: hostile,
      actual: hostile,
      curl: 'curl http://a.test',
      advice: 'mend it',
    });
    const end = testEnd('a/b', reportOf([check]), [], false);
    const text = end.kind === 'fail' ? end.message : '';
    for (const words of ['expected  be right', 'reproduce curl http://a.test', 'fix       mend it']) {
      expect(text).toContain(words);
    }
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });
});

/** A test runner that keeps the declared tests, and runs them on request. */
async function play(options: ConformanceOptions, judge: (target: TargetOptions) => Promise<Report>) {
  const tests = new Map<string, (context: { skip(note: string): never }) => void>();
  let begin = async (): Promise<void> => undefined;
  const runner = {
    describe: (_: string, declare: () => void) => declare(),
    beforeAll: (first: () => Promise<void>) => {
      begin = first;
    },
    test: (name: string, body: (context: { skip(note: string): never }) => void) => {
      tests.set(name.split(':')[0] ?? '', body);
    },
  };
  declareConformance(options, runner, judge);
  const ends = () =>
    new Map(
      [...tests].map(([id, body]) => {
        try {
          const skip = (note: string): never => {
            throw new Error(`skipped: ${note}`);
          };
          body({ skip });
          return [id, 'pass'];
        } catch (error) {
          return [id, (error as Error).message.split('\n')[0] ?? ''];
        }
      }),
    );
  return { begin, ends, names: [...tests.keys()] };
}

describe('the suite', () => {
  const url = 'http://a.test';

  test('declares what the profile has, before anything is sent', async () => {
    let judged = 0;
    const judge = async () => {
      judged++;
      return reportOf([]);
    };
    const all = await play({ url }, judge);
    const item = await play({ url, profile: 'a2a-0.3' }, judge);
    expect(item.names.length).toBeGreaterThan(100);
    expect(all.names.length).toBeGreaterThan(item.names.length);
    expect(all.names.filter((name) => item.names.includes(name)).sort()).toEqual([...item.names].sort());
    expect(judged).toBe(0);
  });

  test('asks for the URL late, judges once, and gives each test its own verdict', async () => {
    const seen: TargetOptions[] = [];
    const reports: Report[] = [];
    const [failing = '', passing = '', missing = ''] = (await play({ url, suites: ['card'] }, async () => reportOf([])))
      .names;
    const report = reportOf([result(failing, 'fail'), result(passing, 'pass')]);
    const { begin, ends, names } = await play(
      { url: async () => 'http://late.test', suites: ['card'], onReport: (report) => void reports.push(report) },
      async (target) => {
        seen.push(target);
        return report;
      },
    );
    expect(seen).toEqual([]);
    await begin();
    expect(seen.map((target) => [target.url, target.suites])).toEqual([['http://late.test', ['card']]]);
    expect(reports).toEqual([report]);
    expect(names.filter((name) => !name.startsWith('card/'))).toEqual(['gate']);
    const lines = ends();
    expect([failing, passing, missing].map((id) => lines.get(id))).toEqual([
      'MUST not met: because',
      'pass',
      'skipped: a2a-0.3 does not have it',
    ]);
  });

  test.for<[string, readonly CheckResult[], string]>([
    ['enough', [result('card/a', 'pass')], 'pass'],
    ['a failure, which has a test of its own', [result('card/a', 'fail')], 'pass'],
    [
      'nothing',
      [result('card/a', 'inconclusive')],
      'UNPROVEN: 0 of 1 applicable MUST checks were shown either way (0 %), 50 % are asked for (--min-proof)',
    ],
  ])('one test says whether enough was shown: %s', async ([, checks, expected]) => {
    const { begin, ends } = await play({ url }, async () => reportOf(checks));
    await begin();
    expect(ends().get('gate')).toBe(expected);
  });

  test('has a test for each expectation, which fails with what came', async () => {
    const row = (name: string, verdict: 'pass' | 'fail' | 'inconclusive') => ({
      name,
      verdict,
      reason: verdict === 'pass' ? '' : 'because',
      expected: ['the text contains "hello"'],
      actual: 'go away\u001b[2J',
      held: 0,
      answered: 1,
      runs: 1,
      least: 1,
      durationMs: 1,
      exchanges: [],
    });
    const expected = ['right', 'wrong', 'silent', 'elsewhere', 'unasked'].map((name) => ({
      name,
      prompt: 'x',
      contains: 'hello',
    }));
    const rows = [
      row('right', 'pass'),
      row('wrong', 'fail'),
      row('silent', 'inconclusive'),
      row('elsewhere', 'pass'),
      { ...row('elsewhere', 'fail'), interface: 'a2a-1.0-rest' },
    ];
    const report = { ...reportOf([result('card/a', 'pass')]), expectations: rows };
    const { begin, ends } = await play({ url, expect: expected }, async () => report);
    await begin();
    expect([1, 2, 3, 4, 5].map((at) => ends().get(`expect/${at}`))).toEqual([
      'pass',
      'because',
      'skipped: inconclusive: because',
      'a2a-1.0-rest: because',
      'skipped: it was not asked',
    ]);
    expect(expectationEnd('wrong', report)).toEqual({
      kind: 'fail',
      message: expect.stringMatching(
        /^because\n {2}expected {2}the text contains "hello"\n {2}actual {4}go away\P{Cc}*$/u,
      ),
    });
  });

  test.for<[string, Omit<ConformanceOptions, 'url'>]>([
    ['an unknown profile', { profile: 'a2a-9' }],
    ['a selection that matches nothing', { checks: ['no/such-check'] }],
  ])('refuses %s at once', async ([, options]) => {
    await expect(play({ url, ...options }, async () => reportOf([]))).rejects.toThrow(TckError);
  });
});
