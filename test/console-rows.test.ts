import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { eventsOf } from '../reporters/reporter.js';
import { renderer } from '../src/cli/renderer.js';
import { variants } from '../src/reference/index.js';
import type { Report } from '../src/report/index.js';
import { judge } from './judged.js';
import { reportContext } from './reports.js';

// A run with many failures is read on one or two screens of a terminal: an agent with many faults, and all checks on it.

const some = [
  'get-answers-another-id',
  'card-no-name',
  'card-version-number',
  'cancel-answers-failed',
  'list-forgets-newest',
  'send-answers-before-work',
  'get-bad-params-are-internal-errors',
  'card-description-list',
  'card-modes-text',
  'card-icon-null',
  'card-with-old-url',
  'card-http-without-scheme',
  'card-tenant-number',
  'card-oauth-two-flows',
  'card-protocol-version-patch',
  'rpc-header-names-with-case',
  'err-without-error-info',
  'card-etag-unquoted',
  'rpc-charset-refused',
];
const many = [
  ...some,
  'card-flag-string',
  'card-provider-without-url',
  'card-skill-id-number',
  'card-with-old-security',
  'rpc-no-version-member',
  'rpc-fixed-id',
  'rpc-batch-crashes',
  'rpc-get-crashes',
  'ver-unread-on-sends',
  'rpc-methods-ignore-case',
  'rpc-unknown-method-answered',
];

function patchesOf(ids: readonly string[]) {
  const chosen = ids.map((id) => {
    const found = faults.find((fault) => fault.id === id);
    if (found === undefined) throw new Error(`no fault ${id}`);
    return found;
  });
  const on = variants.filter(({ id }) => chosen.some((fault) => fault.on === id));
  return [...on, ...chosen].map(({ patch }) => patch);
}

const shown = (report: Report, more: { readonly verbose?: boolean; readonly strict?: boolean } = {}): string => {
  let text = '';
  const context = { ...reportContext, columns: 80, colour: true, ...more };
  const on = renderer(
    [{ format: 'console', context }],
    (_, added) => {
      text += added;
    },
    (_, error) => {
      throw error;
    },
  );
  for (const event of eventsOf(report)) on(event);
  return stripVTControlCharacters(text).trimEnd();
};
const rowsOn = (columns: number, text: string): number =>
  text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / columns)), 0);
const failuresOf = ({ checks }: Report, level: string) =>
  checks.filter((check) => check.verdict === 'fail' && check.level === level).map(({ id }) => id);
const inFull = (text: string) => [...text.matchAll(/^FAIL MUST (\S+)\n {2}problem /gm)].map(([, id]) => id);

test('a run with 20 to 40 failures fits 120 rows of 80 columns, and names what it does not show in full', {
  timeout: 60_000,
}, async () => {
  const report = await judge({ profile: 'a2a-1.0', patches: patchesOf(some), concurrency: 8, restarts: false });
  const text = shown(report);
  const must = failuresOf(report, 'must');
  const should = failuresOf(report, 'should');
  expect(must.length + should.length).toBeGreaterThanOrEqual(21);
  expect(rowsOn(80, text)).toBeLessThanOrEqual(120);

  // In full: the fact, the sentence with its place, what to do, and a command that is whole.
  // One of each suite comes first: problems of one suite often have one cause.
  expect(
    inFull(text)
      .slice(0, 3)
      .map((id = '') => id.split('/')[0]),
  ).toEqual(['card', 'rpc', 'message']);
  for (const id of inFull(text)) {
    const block = text.slice(text.indexOf(`FAIL MUST ${id}\n`)).split('\n\n')[0] ?? '';
    expect(block).toMatch(/^ {2}problem .*^ {2}sentence .*https:\/\/.*^ {2}fix .*^ {2}reproduce {2}curl .*\S$/ms);
    const { curl } = report.checks.find((check) => check.id === id) ?? {};
    expect(block).toContain(`reproduce  ${curl}`);
  }
  // The others: each is named, with its sentence; the rows below say what was sent, what came and what was wanted.
  for (const id of must) expect(text).toContain(`FAIL MUST ${id}`);
  expect(text).toMatch(
    /^FAIL MUST card\/version {2}4\.4\.1 AgentCard, A2A10-CARD-007\n {2}sent {7}GET \/\S+ \(exchange x\d+\)\n {2}actual {5}`card\/version` is an integer, not a string: 1\.\n {2}expected {3}The card must /m,
  );
  expect(text).toContain('a2a-tck explain <check> says more of each; --verbose shows them in full');

  const strict = shown(report, { strict: true });
  expect(rowsOn(80, strict)).toBeLessThanOrEqual(120);
  const whole = shown(report, { verbose: true });
  for (const id of must) expect(inFull(whole)).toContain(id);
});

test('of very many failures the rest is counted by level and suite', { timeout: 60_000 }, async () => {
  const report = await judge({ profile: 'a2a-1.0', patches: patchesOf(many), concurrency: 8, restarts: false });
  const text = shown(report);
  const all = failuresOf(report, 'must').length + failuresOf(report, 'should').length;
  expect(all).toBeGreaterThanOrEqual(38);
  expect(rowsOn(80, text)).toBeLessThanOrEqual(120);
  const counted = /^and (\d+) MUST \(.*?\) and (\d+) SHOULD \(.*?\)\s+more$/ms.exec(text);
  const named = [...text.matchAll(/^FAIL (?:MUST|SHOULD) (\S+\/\S+(?:, \S+\/\S+)*)(?: and (\d+) more)?/gm)].reduce(
    (sum, [, ids = '', more = '0']) => sum + ids.split(', ').length + Number(more),
    0,
  );
  expect(named + Number(counted?.[1]) + Number(counted?.[2])).toBe(all);
});
