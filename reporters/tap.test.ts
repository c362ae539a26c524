import { Parser } from 'tap-parser';
import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../src/report/index.js';
import { hostileContext, hostileReport, hostileTexts } from '../test/hostile-reports.js';
import { allKinds, plainCheck, plainFinding, renderBy, reportOf, unseen } from '../test/reports.js';
import { tap } from './tap.js';

interface Point {
  readonly ok: boolean;
  readonly name: string;
  readonly skip: string | boolean;
  readonly todo: string | boolean;
  readonly diag: Readonly<Record<string, unknown>> | null;
}

function parse(text: string) {
  const points: Point[] = [];
  const odd: string[] = [];
  const parser = new Parser({ strict: true });
  parser.on('assert', (point) => points.push(point as unknown as Point));
  // Text that is not TAP, or ends the run.
  parser.on('extra', (line) => odd.push(line));
  parser.on('bailout', (reason) => odd.push(`bailout ${reason}`));
  parser.on('child', () => odd.push('child'));
  parser.end(text);
  return { points, odd, results: parser.results };
}

describe('tap', () => {
  test('a check is a point: failures fail, what was not shown is skipped, what is tolerated is to do', () => {
    const { points, odd, results } = parse(renderBy(tap, reportOf(allKinds)));
    expect(odd).toEqual([]);
    expect(points.map(({ ok, skip, todo }) => [ok, skip !== false, todo !== false])).toEqual([
      [true, false, false], // pass
      [false, false, false], // must
      [false, false, true], // should
      [true, true, false], // may
      [false, false, true], // known
      [false, false, false], // expired
      [false, false, false], // stale
      [true, true, false], // inconclusive
      [true, true, false], // not applicable
      [false, false, false], // error
    ]);
    expect(points[1]?.diag).toMatchObject({
      message: 'task/must is broken',
      sentence: ['A2A10-TASK-001: A2A10-TASK-001 says so.'],
      curl: 'curl http://a.test/',
    });
    expect(points[4]?.todo).toContain('known failure (baseline)');
    expect(points[7]?.skip).toContain('no task could be had');
    expect(results).toMatchObject({ ok: false, count: 10, fail: 6, skip: 3, todo: 2, plan: { start: 1, end: 10 } });
  });

  test('what fails the gate is not skipped, although nothing was shown', () => {
    const expired: CheckResult = { ...plainCheck, verdict: 'inconclusive', baseline: 'expired', reason: 'no task' };
    const { points } = parse(renderBy(tap, reportOf([expired])));
    expect(points).toMatchObject([{ ok: false, skip: false, todo: false, diag: { message: 'no task' } }]);
  });

  test('a failed SHOULD fails when asked for', () => {
    const { points } = parse(renderBy(tap, reportOf(allKinds), { strict: true }));
    expect(points[2]).toMatchObject({ ok: false, todo: false });
  });

  test('findings are points; one that did not come again is to do', () => {
    const findings = [plainFinding, { ...plainFinding, id: 'once', confirmed: { times: 0, of: 3 } }];
    const { points } = parse(renderBy(tap, reportOf([plainCheck], { findings })));
    expect(points.map(({ ok, todo }) => [ok, todo])).toEqual([
      [true, false],
      [false, false],
      [false, 'MUST, seen once, and not again'],
    ]);
    expect(points[1]?.diag).toMatchObject({ oracle: 'no-server-error', script: plainFinding.script });
  });

  test('in a run of the fuzzer alone every finding fails', () => {
    const fuzz = { seed: 7, cases: 90, requests: 400, features: 30, kept: 12, durationMs: 5000 };
    const { level: _, ...weakness } = plainFinding;
    expect(parse(renderBy(tap, reportOf([], { fuzz, findings: [weakness] }))).points).toMatchObject([{ todo: false }]);
    expect(parse(renderBy(tap, reportOf([plainCheck], { fuzz, findings: [weakness] }))).points[1]?.todo).toContain(
      'WEAKNESS',
    );
  });

  test('is green exactly when the gate passed', () => {
    const gate = { passed: false, exitCode: 4 as const, reasons: ['12 % were shown # SKIP'] };
    const passed = { passed: true, exitCode: 0 as const, reasons: [] };
    expect(parse(renderBy(tap, reportOf([plainCheck], { gate: passed }))).results?.ok).toBe(true);
    const { points, results } = parse(renderBy(tap, reportOf([plainCheck], { gate })));
    expect(results?.ok).toBe(false);
    expect(points.at(-1)).toMatchObject({ ok: false, skip: false, name: expect.stringContaining('gate') });
  });

  test('foreign text forges no line, no directive and no end of a diagnostic', () => {
    for (const text of hostileTexts) {
      const shown = renderBy(tap, hostileReport(text), hostileContext(text));
      expect(unseen(shown)).toEqual([]);
      const { points, odd } = parse(shown);
      expect(odd).toEqual([]);
      expect(points.map(({ ok, skip, todo }) => [ok, skip !== false, todo !== false])).toEqual([
        [false, false, false],
        [false, false, true],
        [false, false, true],
        [true, true, false],
        [true, true, false],
        [false, false, false],
        [true, false, false],
        [false, false, true],
        [false, false, false],
        [false, false, false],
        [false, false, true],
        [false, false, true],
        [false, false, true],
        [false, false, true],
      ]);
    }
  });
});
