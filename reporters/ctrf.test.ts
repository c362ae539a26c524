import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { schema } from 'ctrf';
import { describe, expect, test } from 'vitest';
import { hostileContext, hostileReport, hostileTexts } from '../test/hostile-reports.js';
import { allKinds, plainCheck, plainFinding, renderBy, reportOf, unseen } from '../test/reports.js';
import { ctrf } from './ctrf.js';

interface Document {
  readonly results: {
    readonly summary: Readonly<Record<string, number>>;
    readonly tests: readonly Readonly<Record<string, unknown>>[];
  };
}
const parsed = (...given: Parameters<typeof renderBy> extends [unknown, ...infer Rest] ? Rest : never): Document =>
  JSON.parse(renderBy(ctrf, ...given)) as Document;

const ajv = new Ajv({ strict: false });
formats.default(ajv);
const validate = ajv.compile(schema);
const defects = (document: unknown): unknown => (validate(document) ? [] : validate.errors);

describe('ctrf', () => {
  test('fits the published schema, whatever the target says', () => {
    for (const text of hostileTexts) {
      const shown = renderBy(ctrf, hostileReport(text), hostileContext(text));
      expect(unseen(shown)).toEqual([]);
      expect(defects(JSON.parse(shown))).toEqual([]);
    }
    expect(defects({ results: {} })).not.toEqual([]);
  });

  test('tells apart what fails the gate, what was not shown, and what does not apply', () => {
    const { summary, tests } = parsed(reportOf(allKinds)).results;
    expect(defects(parsed(reportOf(allKinds)))).toEqual([]);
    expect(tests.map(({ status }) => status)).toEqual([
      'passed',
      'failed',
      'other',
      'skipped',
      'other',
      'failed',
      'failed',
      'other',
      'skipped',
      'failed',
    ]);
    expect(summary).toMatchObject({ tests: 10, passed: 1, failed: 4, skipped: 2, pending: 0, other: 3 });
    expect(tests[4]).toMatchObject({ tags: ['must', 'baseline-known'], rawStatus: 'fail' });
    expect(tests[1]).toMatchObject({
      message: 'task/must is broken',
      snippet: 'curl http://a.test/',
      trace: expect.stringContaining('A2A10-TASK-001 says so.'),
    });
    expect(parsed(reportOf(allKinds), { strict: true }).results.tests[2]).toMatchObject({ status: 'failed' });
  });

  test('has the findings of the fuzzer', () => {
    const { tests } = parsed(reportOf([plainCheck], { findings: [plainFinding] })).results;
    expect(tests[1]).toMatchObject({
      status: 'failed',
      suite: ['fuzz'],
      rawStatus: 'finding',
      snippet: plainFinding.script,
    });
  });

  test('the same run has the same id, another run another', () => {
    const idOf = (...given: Parameters<typeof parsed>) => (parsed(...given) as { readonly reportId?: string }).reportId;
    const report = reportOf([plainCheck]);
    expect(idOf(report)).toBe(idOf(report));
    expect(idOf({ ...report, run: { ...report.run, seed: 8 } })).not.toBe(idOf(report));
  });
});
