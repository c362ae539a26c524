import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { consoleReporter } from '../reporters/console.js';
import { exchangesById } from '../reporters/operation.js';
import { failureTextOf } from '../reporters/story.js';
import { clientProfiles } from '../src/clients/profile.js';
import { dialects } from '../src/dialect/index.js';
import { expectationOf } from '../src/kit/index.js';
import { loadLedger, overlaid } from '../src/ledger/index.js';
import { planAll } from '../src/run/index.js';
import { clientRules } from '../suites/clients/index.js';
import { rules } from '../suites/index.js';
import { judge } from './judged.js';
import { failedCheck, plainExchange, renderBy, reportOf } from './reports.js';

// A failure stands alone: who reads one row knows what was sent, what came, and what was wanted.

const planned = [
  ...dialects.flatMap(({ ledger }) => planAll(rules, overlaid(loadLedger(ledger), loadLedger('x402')))),
  ...clientProfiles().flatMap(({ ledger }) => planAll(clientRules, ledger)),
];
const each = [...new Map(planned.map((item) => [`${item.rule.id} ${item.title}`, item])).values()];

test('each check has words for all three, with the exchange that shows it and without one', () => {
  expect(each.length).toBeGreaterThan(700);
  for (const { rule, title, level } of each) {
    const check = failedCheck(rule.id, {
      title,
      level,
      expected: expectationOf(rule),
      reason: 'it was accepted, with the result {"id":"a"}',
      exhibit: 'x1',
    });
    const exchanges = exchangesById(reportOf([check]));
    const shown = failureTextOf(check, exchanges);
    expect(shown.sent, rule.id).toMatch(/^SendMessage \(exchange x1\)/);
    expect(shown.actual, rule.id).toBe('The agent accepts it: {"id":"a"}');
    expect(shown.expected, rule.id).toMatch(/ (?:must|should|may) \S+.*\S\.$/i);
    // A check that sends something says so in its story; a law says what it was read from.
    const alone = failureTextOf({ ...check, exchanges: [] }, new Map());
    expect(alone.sent, rule.id).toMatch(rule.kind === 'check' ? /when /i : /\S/);
  }
});

describe('a run', () => {
  const some = ['card-no-name', 'send-shape-error-is-web-page', 'rpc-header-names-with-case', 'err-without-error-info'];

  test('says all three of each failure, in 80 columns', { timeout: 60_000 }, async () => {
    const patches = faults.filter(({ id }) => some.includes(id)).map(({ patch }) => patch);
    const report = await judge({ profile: 'a2a-1.0', patches, concurrency: 8, restarts: false });
    const failed = report.checks.filter(({ verdict }) => verdict === 'fail');
    expect(failed.length).toBeGreaterThan(3);
    const text = stripVTControlCharacters(renderBy(consoleReporter, report, { columns: 80 }));
    const rows = text.split(/^(?=FAIL )/m).slice(1);
    for (const row of rows) expect(row).toMatch(/ {2}(?:sent|problem) .+\n[\s\S]* {2}(?:wanted|expected) .+/);
    for (const check of failed) {
      const { sent, actual: came, expected: wanted } = failureTextOf(check, exchangesById(report));
      expect(sent).toMatch(/\(exchange x\d+\)/);
      expect(came).not.toMatch(/^The agent accepts it\.$/);
      expect(wanted).not.toBe('');
    }
  });
});

test('every place of one fault is named', () => {
  const places = Array.from({ length: 16 }, (_, at) => `/skills/${at}/tags`);
  const reason = `card${places[0]} must be present, is missing: nothing; also ${places.slice(1).join(', ')}`;
  const check = failedCheck('card/skill-tags', { title: 'The card must give each skill tags', reason });
  const { actual: came } = failureTextOf(check, new Map([['x1', plainExchange]]));
  expect(came).toMatch(/^`card\/skills\/0\/tags` is missing; also /);
  for (const place of places) expect(came).toContain(place);
});
