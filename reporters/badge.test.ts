import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { type CheckResult, judgeGate, type Report, tally } from '../src/report/index.js';
import { plainCheck, plainFinding } from '../test/reports.js';
import { badgeState } from './badge/state.js';
import { badgeSvg } from './badge/svg.js';

const result = (verdict: CheckResult['verdict'], level: CheckResult['level'] = 'must'): CheckResult => ({
  ...plainCheck,
  verdict,
  level,
});

function reportOf(checks: readonly CheckResult[], run: Partial<Report['run']> = {}, minProof?: number): Report {
  const { cut } = run;
  return {
    kit: { name: 'a2a-tck', version: '1.2.3' },
    target: { url: 'http://a.test', endpoint: '', profile: 'a2a-1.0', agent: {}, detection: [], extensions: [] },
    run: { startedAt: '2026-01-31T00:00:00.000Z', durationMs: 1, seed: 1, requests: 1, tasks: 0, ...run },
    gate: judgeGate(checks, {
      strict: false,
      ...(minProof === undefined ? {} : { minProof }),
      ...(cut === undefined ? {} : { cut }),
    }),
    summary: tally(checks),
    checks,
    findings: [],
    exchanges: [],
  };
}
const many = (count: number, verdict: CheckResult['verdict']) => Array.from({ length: count }, () => result(verdict));

describe('the colour', () => {
  test.for<[string, Report, string, string | undefined]>([
    ['all passed', reportOf([result('pass')]), 'brightgreen', undefined],
    [
      'what does not apply does not count',
      reportOf([result('pass'), result('not-applicable')]),
      'brightgreen',
      undefined,
    ],
    ['half is shown', reportOf([...many(2, 'pass'), ...many(2, 'inconclusive')]), 'green', undefined],
    ['a failed SHOULD', reportOf([result('pass'), result('fail', 'should')]), 'brightgreen', undefined],
    [
      'a known failure',
      reportOf([result('pass'), { ...result('fail'), baseline: 'known' }]),
      'yellow',
      '1 known failure',
    ],
    [
      'a known failure that the gate does not ask for',
      reportOf([result('pass'), { ...result('fail', 'should'), baseline: 'known' }]),
      'brightgreen',
      undefined,
    ],
    ['a failed MUST', reportOf([result('pass'), result('fail')]), 'red', '1 MUST failed'],
    ['a failed MUST, and little else', reportOf([result('fail'), ...many(9, 'inconclusive')]), 'red', '1 MUST failed'],
    ['nothing', reportOf([]), 'lightgrey', 'no MUST passed'],
    ['no MUST', reportOf([result('pass', 'should')]), 'lightgrey', 'no MUST passed'],
    ['less than half', reportOf([...many(2, 'pass'), ...many(3, 'inconclusive')]), 'lightgrey', '50% needed'],
    ['cut short', reportOf([result('pass')], { cut: 'interrupted' }), 'lightgrey', 'the run ended early'],
    [
      'certificates that were not checked',
      ((report) => ({ ...report, target: { ...report.target, insecure: true } }))(reportOf([result('pass')])),
      'lightgrey',
      'certificates were not checked',
    ],
    ['an error of the kit', reportOf([result('pass'), result('error')]), 'lightgrey', 'the kit itself failed'],
    [
      'a part',
      reportOf([result('pass')], { shard: { index: 1, of: 2, plan: '' } }),
      'lightgrey',
      'only part 1 of 2 of a run',
    ],
    [
      'chosen checks',
      reportOf([result('pass')], { selection: { suites: ['card'], checks: [], level: 'may' } }),
      'lightgrey',
      'only chosen checks were run',
    ],
    [
      'all of one level',
      reportOf([result('pass')], { selection: { suites: [], checks: [], level: 'must' } }),
      'brightgreen',
      undefined,
    ],
    [
      'less than asked for',
      reportOf([result('pass'), result('inconclusive')], {}, 60),
      'lightgrey',
      'less was shown than asked for',
    ],
    ['a stale entry', reportOf([{ ...result('pass'), baseline: 'stale' }]), 'yellow', 'the gate failed'],
  ])('%s', ([, report, color, why]) => {
    expect(badgeState(report)).toMatchObject({ color, why });
  });
});

test('a finding of the fuzzer that breaks a MUST is red, one that breaks nothing changes nothing', () => {
  const finding = (level: 'must' | 'should' | undefined, times = 3) => ({
    ...plainFinding,
    ...(level === undefined ? {} : { level }),
    confirmed: { times, of: 3 },
  });
  const { level: _, ...weakness } = finding(undefined);
  const coloured = (...findings: Report['findings']) => badgeState({ ...reportOf([result('pass')]), findings }).color;
  expect([
    coloured(finding('must')),
    coloured(finding('must', 1)),
    coloured(finding('should')),
    coloured(weakness),
  ]).toEqual(['red', 'brightgreen', 'brightgreen', 'brightgreen']);
});

test('the badge names a known finding that would fail the gate', () => {
  const findings = [{ ...plainFinding, level: 'must' as const, baseline: 'known' as const }];
  expect(badgeState({ ...reportOf([result('pass')]), findings })).toMatchObject({
    color: 'yellow',
    message: '100% of MUST shown, 1 known failure, 2026-01-31',
  });
});

test('it names the interfaces beside the first, and the picture tells what was judged of each', () => {
  const report = reportOf([result('pass')]);
  const at = (url: string, binding: string) => ({ url, binding, version: '1.0', declared: true });
  const interfaces = [
    { ...at('http://a.test/', 'JSONRPC'), judged: 'in-full' as const },
    { ...at('http://a.test/rest', 'HTTP+JSON'), judged: 'in-part' as const, label: 'a2a-1.0-rest', why: 'one reason' },
    { ...at('a.test:1', 'GRPC'), judged: 'not' as const, why: 'another reason' },
  ];
  const state = badgeState({ ...report, target: { ...report.target, interfaces } });
  expect(state.label).toBe('a2a-tck 1.2.3 a2a-1.0, a2a-1.0-rest in part');
  const drawn = badgeSvg(state, undefined);
  for (const text of ['http://a.test/rest', 'one reason', 'GRPC', 'another reason']) expect(drawn).toContain(text);
});

test('it states profile, version of the kit, percent and day', () => {
  expect(badgeState(reportOf([result('pass')]))).toMatchObject({
    label: 'a2a-tck 1.2.3 a2a-1.0',
    message: '100% of MUST shown, 2026-01-31',
  });
});

test('99.99 percent are 99', () => {
  const shownPercent = (...checks: readonly CheckResult[]) => badgeState(reportOf(checks)).percent;
  expect(shownPercent(...many(9999, 'pass'), result('inconclusive'))).toBe(99);
  expect(shownPercent(result('pass'), result('fail'))).toBe(100);
  fc.assert(
    fc.property(fc.nat(2000), fc.nat(2000), (passed, open) => {
      const percent = shownPercent(...many(passed, 'pass'), ...many(open, 'inconclusive'));
      expect(percent * (passed + open)).toBeLessThanOrEqual(100 * passed);
      expect((percent + 1) * (passed + open)).toBeGreaterThan(passed + open === 0 ? -1 : 100 * passed);
    }),
    { numRuns: 50 },
  );
});

const rank = ['red', 'lightgrey', 'yellow', 'green', 'brightgreen'];
const results = fc.array(
  fc
    .tuple(
      fc.constantFrom<CheckResult['verdict']>('pass', 'pass', 'fail', 'inconclusive', 'not-applicable', 'error'),
      fc.constantFrom<CheckResult['level']>('must', 'must', 'should', 'may'),
    )
    .map(([verdict, level]) => result(verdict, level)),
  { maxLength: 30 },
);

test('turning any pass into inconclusive never raises the badge', () => {
  fc.assert(
    fc.property(results, fc.option(fc.nat(100), { nil: undefined }), (all, minProof) => {
      const before = badgeState(reportOf(all, {}, minProof));
      for (const [at, checkResult] of all.entries()) {
        if (checkResult.verdict !== 'pass') continue;
        const less = all.map((other, index) => (index === at ? { ...other, verdict: 'inconclusive' as const } : other));
        const after = badgeState(reportOf(less, {}, minProof));
        expect(after.percent).toBeLessThanOrEqual(before.percent);
        expect(rank.indexOf(after.color)).toBeLessThanOrEqual(rank.indexOf(before.color));
      }
    }),
  );
});

describe('the picture', () => {
  const hostile = `</text><script>alert(1)</script>" onload='x' & \u001b[2J\u202e\u0000\ud800 ]]>`;
  const draw = (text: string, link?: string) =>
    badgeSvg({ label: text, message: text, color: 'red', percent: 1, why: undefined, interfaces: [text] }, link);

  test('is well-formed, and says itself to those who do not see it', () => {
    const svg = badgeSvg(badgeState(reportOf([result('pass')])), 'https://a.test/?a=1&b="2"');
    const { svg: root } = new XMLParser({ ignoreAttributes: false }).parse(svg, true) as {
      svg: Record<string, unknown>;
    };
    expect(root).toMatchObject({
      title: 'a2a-tck 1.2.3 a2a-1.0: 100% of MUST shown, 2026-01-31',
      '@_aria-label': 'a2a-tck 1.2.3 a2a-1.0: 100% of MUST shown, 2026-01-31',
      '@_role': 'img',
      a: { '@_href': 'https://a.test/?a=1&b="2"' },
    });
  });

  test('foreign text stays text', () => {
    const svg = draw(hostile, `https://a.test/"><script>`);
    expect(svg).not.toMatch(/<script|onload='|[^\P{Cc}\n]|\p{Cf}|\p{Cs}/u);
    expect(svg.match(/<\w+/g)).toEqual(['<svg', '<title', '<desc', '<a', '<rect', '<rect', '<g', '<text', '<text']);
    expect(() => new XMLParser().parse(svg, true)).not.toThrow();
  });

  test('every text has room', () => {
    const widthOf = (text: string) => Number(/width="(\d+)"/.exec(draw(text))?.[1]);
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect(widthOf(`${text}m`)).toBeGreaterThan(widthOf(text));
        expect(Number.isInteger(widthOf(text))).toBe(true);
      }),
    );
  });
});
