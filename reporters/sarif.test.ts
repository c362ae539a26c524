import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { hostileContext, hostileReport, hostileTexts } from '../test/hostile-reports.js';
import { allKinds, plainCheck, plainFinding, renderBy, reportOf, unseen } from '../test/reports.js';
import { type JsonReport, jsonReport, readReport } from './json.js';
import { sarif } from './sarif.js';

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly suppressions?: readonly unknown[];
}
interface Rule {
  readonly id: string;
  readonly helpUri?: string;
}
interface Log {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly Rule[] } };
      readonly invocations: readonly unknown[];
      readonly results: readonly Result[];
    },
  ];
}

// The schema is of draft 4, which differs from draft 7 in nothing that it uses but the name of its id.
const require = createRequire(import.meta.url);
const {
  $schema: _,
  id: __,
  ...schema
} = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as Record<string, unknown>;
const ajv = new Ajv({ strict: false, unicodeRegExp: false });
formats.default(ajv);
const validate = ajv.compile(schema);
const defects = (log: unknown): unknown => (validate(log) ? [] : validate.errors);

const parsed = (report: Parameters<typeof renderBy>[1]): Log['runs'][0] =>
  (JSON.parse(renderBy(sarif, report)) as Log).runs[0];

describe('sarif', () => {
  test('fits the published schema, whatever the target says', () => {
    expect(defects({ version: '2.1.0', runs: [{ results: [{}] }] })).not.toEqual([]);
    const findings = [plainFinding];
    for (const report of [reportOf(allKinds, { findings }), ...hostileTexts.map(hostileReport)]) {
      const shown = renderBy(sarif, report);
      expect(unseen(shown)).toEqual([]);
      expect(defects(JSON.parse(shown))).toEqual([]);
    }
  });

  test('has a rule for each check and a result for each failure, by level; known ones are suppressed', () => {
    const { tool, results, invocations } = parsed(reportOf(allKinds));
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(allKinds.map(({ id }) => id));
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['task/must', 'error'],
      ['task/should', 'warning'],
      ['task/may', 'none'],
      ['task/known', 'error'],
      ['task/expired', 'error'],
    ]);
    expect(results.filter(({ suppressions }) => suppressions !== undefined).map(({ ruleId }) => ruleId)).toEqual([
      'task/known',
    ]);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(tool.driver.rules[0]).toMatchObject({
      fullDescription: { text: 'A2A10-TASK-001, 7.1 Tasks: A2A10-TASK-001 says so.' },
      helpUri: 'https://spec.test/v1/#71-tasks',
      defaultConfiguration: { level: 'error' },
    });
    expect(invocations).toMatchObject([
      {
        exitCode: 1,
        toolExecutionNotifications: [{ level: 'error', associatedRule: { id: 'card/odd' } }],
        toolConfigurationNotifications: [{ level: 'warning', associatedRule: { id: 'task/stale' } }],
      },
    ]);
  });

  test('points at the card, which code scanning takes for a file, and at what was asked', () => {
    const [result] = parsed(reportOf(allKinds)).results;
    expect(result).toMatchObject({
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: '.well-known/agent-card.json' }, region: { startLine: 1 } },
          logicalLocations: [{ name: 'SendMessage', fullyQualifiedName: 'http://a.test/ SendMessage' }],
        },
      ],
    });
    const cardUrl = 'http://a.test/%2e%2e/..%2f/card.json?x#y';
    const odd = reportOf(allKinds);
    expect(parsed({ ...odd, target: { ...odd.target, cardUrl } }).results[0]).toMatchObject({
      locations: [{ physicalLocation: { artifactLocation: { uri: '.well-known/agent-card.json' } } }],
    });
  });

  test('a defect keeps its fingerprint from run to run, and shares it with no other', () => {
    const prints = (report: Parameters<typeof renderBy>[1]) =>
      parsed(report).results.flatMap(({ partialFingerprints }) => Object.values(partialFingerprints));
    const report = reportOf(allKinds, { findings: [plainFinding] });
    const first = prints(report);
    expect(new Set(first).size).toBe(2 * 6);
    expect(
      parsed(report).results.every(({ partialFingerprints }) => 'primaryLocationLineHash' in partialFingerprints),
    ).toBe(true);
    const later = { ...report, run: { ...report.run, startedAt: '2026-02-01T00:00:00.000Z', seed: 8 } };
    const path = { ...report.target, endpoint: 'http://a.test/other' };
    expect(prints({ ...later, target: path, checks: [...allKinds].reverse() }).sort()).toEqual([...first].sort());
    expect(prints({ ...report, target: { ...report.target, endpoint: 'http://b.test/' } })).not.toContain(first[0]);
    expect(prints({ ...report, target: { ...report.target, profile: 'a2a-0.3' } })).not.toContain(first[0]);
  });

  test('of the findings only confirmed ones are results', () => {
    const findings = [plainFinding, { ...plainFinding, id: 'once', confirmed: { times: 0, of: 3 } }];
    const { results, tool } = parsed(reportOf([plainCheck], { findings }));
    expect(results).toMatchObject([{ ruleId: 'fuzz/no-server-error', level: 'error', ruleIndex: 1 }]);
    expect(tool.driver.rules).toHaveLength(2);
  });

  test('no text of the target is a link or a placeholder', () => {
    for (const text of hostileTexts) {
      for (const { message } of (JSON.parse(renderBy(sarif, hostileReport(text), hostileContext(text))) as Log).runs[0]
        .results) {
        expect(message.text).not.toMatch(/(?<!\\)\]\(|(?<!\{)\{\d+\}(?!\})/);
      }
    }
  });

  test('is the same when it is rendered later from the JSON report', () => {
    const report = reportOf(allKinds, { findings: [plainFinding] });
    const stored = JSON.parse(JSON.stringify(jsonReport(report))) as JsonReport;
    expect(renderBy(sarif, readReport(stored))).toBe(renderBy(sarif, report));
  });
});
