import { createHash } from 'node:crypto';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import type { CheckResult, Report } from '../src/report/index.js';
import { hostileContext, hostileReport, hostileTexts } from '../test/hostile-reports.js';
import {
  allKinds,
  failedCheck,
  plainCheck,
  plainExchange,
  plainFinding,
  plainPayment,
  renderBy,
  reportOf,
} from '../test/reports.js';
import { html } from './html/markup.js';
import { htmlReporter } from './html.js';

type Node = DefaultTreeAdapterTypes.Node;

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

const textOf = (node: Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';

/** Every element, and what is none: comments, doctypes, errors of the parser. */
function look(page: string, withText = true) {
  const odd: string[] = [];
  const elements: Element[] = [];
  const visit = (node: Node): void => {
    if (node.nodeName === '#comment') odd.push('a comment');
    if ('tagName' in node) {
      const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
      elements.push({ name: node.tagName, attributes, text: withText ? textOf(node) : '' });
    }
    for (const child of 'childNodes' in node ? node.childNodes : []) visit(child);
  };
  visit(parse(page, { onParseError: ({ code }) => odd.push(code) }));
  return { elements, odd };
}

/** Elements with the names of their attributes, counted. */
function shape(elements: readonly Element[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name, attributes } of elements) {
    const key = [name, ...Object.keys(attributes).sort()].join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Each verdict with each baseline entry that it can have. */
const everyKind: readonly CheckResult[] = (
  [
    ['pass', undefined],
    ['pass', 'stale'],
    ['fail', undefined],
    ['fail', 'known'],
    ['fail', 'expired'],
    ['inconclusive', undefined],
    ['inconclusive', 'expired'],
    ['not-applicable', undefined],
    ['not-applicable', 'expired'],
    ['error', undefined],
  ] as const
).map(([verdict, baseline]) => ({
  ...plainCheck,
  id: `task/${verdict}-${baseline ?? 'plain'}`,
  verdict,
  reason: verdict === 'pass' ? '' : 'a reason',
  ...(baseline === undefined ? {} : { baseline }),
}));

test('every check is in one list, whatever its baseline entry', () => {
  const { elements } = look(renderBy(htmlReporter, reportOf(everyKind)));
  const shown = elements.filter(
    ({ name, attributes }) => name === 'details' && attributes['class']?.startsWith('check'),
  );
  const counts = everyKind.map(({ id }) => [id, shown.filter(({ text }) => text.includes(id)).length]);
  expect(counts.filter(([, count]) => count !== 1)).toEqual([]);
});

describe('the template', () => {
  test('escapes every value that it did not make itself', () => {
    const inner = html`<b>${'<i>'}</b>`;
    expect(html`<p title="${'"&\'`'}">${inner}${[inner]}${3}${undefined}${'</p>'}</p>`.text).toBe(
      '<p title="&quot;&amp;&#39;&#96;"><b>&lt;i&gt;</b><b>&lt;i&gt;</b>3&lt;/p&gt;</p>',
    );
  });

  test('takes no object for markup because it looks like one', () => {
    const forged = JSON.parse('{"text":"<script>"}') as string;
    expect(html`${forged}`.text).not.toContain('<script>');
    expect(html`${JSON.parse('[{"text":"<script>"}, "<script>"]') as string}`.text).not.toContain('<script>');
  });

  test('shows what cannot be seen, but for line feeds and tabs', () => {
    expect(html`${'a\n\tb\u0000\u202e\ud800\u2028'}`.text).toBe('a\n\tb\\x00\\u{202e}\\u{d800}\\u{2028}');
  });
});

describe('html', () => {
  test('no text makes an element, an attribute or a comment that the template did not write', () => {
    // A text without any markup shows what the template itself writes.
    const wanted = shape(look(renderBy(htmlReporter, hostileReport('word'), hostileContext('word')), false).elements);
    for (const text of hostileTexts) {
      const { elements, odd } = look(renderBy(htmlReporter, hostileReport(text), hostileContext(text)), false);
      expect(odd).toEqual([]);
      const found = shape(elements);
      expect([...found.keys()].filter((key) => !wanted.has(key))).toEqual([]);
      if (text.trim() !== '' && text.length < 500 && !text.includes('`')) {
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
      }
      const doubtful = elements.filter(
        ({ name, attributes: { href, id, ...rest } }) =>
          Object.keys(rest).some((key) => /^on|^style$|^src/.test(key)) ||
          (href !== undefined && !(name === 'a' && /^#[a-z0-9-]+(?:\/[a-z0-9@.-]+)?$/.test(href))) ||
          (id !== undefined && !/^[a-z0-9-]+(?:\/[a-z0-9@.-]+)?$/.test(id)),
      );
      expect(doubtful).toEqual([]);
    }
  });

  test('loads nothing: its policy forbids all but its own style and script', () => {
    const { elements } = look(renderBy(htmlReporter, hostileReport('x')));
    const policy = elements.find(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy');
    const hashes = ['style', 'script'].map((name) => {
      const found = elements.filter((element) => element.name === name);
      expect(found).toHaveLength(1);
      return `${name}-src 'sha256-${createHash('sha256')
        .update(found[0]?.text ?? '')
        .digest('base64')}'`;
    });
    expect(policy?.attributes['content']?.split('; ')).toEqual([
      "default-src 'none'",
      ...hashes,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  test('ids stand once, links have a target, and headings skip no level', () => {
    const findings = [plainFinding];
    const { elements } = look(renderBy(htmlReporter, reportOf(allKinds, { findings, payments: [plainPayment] })));
    const ids = elements.flatMap(({ attributes }) => attributes['id'] ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const hrefs = elements.flatMap(({ attributes }) => attributes['href'] ?? []);
    const links = hrefs.filter((href) => href.startsWith('#')).map((href) => href.slice(1));
    expect(links.length).toBeGreaterThan(8);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    // The others lead to the sentences of the specification.
    expect([...new Set(hrefs.filter((href) => !href.startsWith('#')))]).toEqual(['https://spec.test/v1/#71-tasks']);
    const levels = elements.flatMap(({ name }) => (/^h\d$/.test(name) ? [Number(name.slice(1))] : []));
    expect(levels[0]).toBe(1);
    expect(levels.filter((level, at) => at > 0 && level > (levels[at - 1] ?? 0) + 1)).toEqual([]);
    expect(elements.filter(({ name }) => name === 'h1')).toHaveLength(1);
  });

  test('tells what failed, why, by which sentence, what to do and how to reproduce it', () => {
    const { elements } = look(renderBy(htmlReporter, reportOf(allKinds)));
    const check = elements.find(({ name, text }) => name === 'details' && text.includes('task/must'))?.text ?? '';
    const parts = [
      'Task/must is broken.',
      'Every answer must be plain.',
      'HTTP 500',
      'A2A10-TASK-001 says so.',
      'mend it',
    ];
    for (const part of [...parts, 'curl http://a.test/', 'SendMessage → HTTP 200', '"text": "ü"', '"result": {}']) {
      expect(check).toContain(part);
    }
    const titles = elements.flatMap(({ name, text }) => (name === 'h2' ? [text] : []));
    expect(titles).toEqual([
      'Summary',
      'Failed 2',
      'Baseline entries to settle 2',
      'Errors of the kit 1',
      'Known failures 1',
      'Not offered 1',
      'Inconclusive 1',
      'Passed 1',
      'Not applicable 1',
      'Exchanges 1',
      'Coverage by chapter',
    ]);
    expect(elements.filter(({ attributes }) => 'data-verdict' in attributes)).toHaveLength(allKinds.length);
  });

  test('of the fuzzer alone: what it found, and no table without numbers', () => {
    const fuzz = { seed: 7, cases: 90, requests: 400, features: 30, kept: 12, durationMs: 5000 };
    const page = (report: Report) => look(renderBy(htmlReporter, report)).elements;
    const text = (elements: readonly Element[], name: string) =>
      elements.filter((element) => element.name === name).map((element) => element.text);
    const found = page(reportOf([], { fuzz, findings: [plainFinding] }));
    expect(text(found, 'h2')).toEqual(['Summary', 'Findings of the fuzzer 1', 'Exchanges 1']);
    expect(text(found, 'table')).toEqual([]);
    expect(text(found, 'main').join('')).toContain(
      '90 cases, 400 requests, 30 different answers, 12 cases kept, 5.0 s, seed 7',
    );
    const gate = { passed: true, exitCode: 0 as const, reasons: [] };
    expect(text(page(reportOf([], { fuzz, gate })), 'header').join('')).toContain('NOTHING FOUND');
  });

  test('stays small, however much was sent, and says what it leaves out', () => {
    const body = new TextEncoder().encode(JSON.stringify({ list: Array.from({ length: 2000 }, (_, at) => at) }));
    const exchanges = Array.from({ length: 800 }, (_, at) => ({
      ...plainExchange,
      id: `x${at + 1}`,
      response: { status: 200, headers: [], body, chunks: [] },
    }));
    const own = (at: number) => exchanges.slice(at * 10, at * 10 + 10).map(({ id }) => id);
    const checks: readonly CheckResult[] = exchanges
      .slice(0, 80)
      .map((_, at) => failedCheck(`task/f${at}`, { exchanges: own(at), reason: 'x'.repeat(3000) }));
    const page = renderBy(htmlReporter, reportOf(checks, { exchanges }));
    expect(page.length).toBeLessThan(10_000_000);
    expect(page.length).toBeGreaterThan(5_000_000);
    expect(page).toContain('cut to its first 8000 characters');
    expect(page).toContain('The page has no room for it');
    const passing = checks.map((check) => ({ ...plainCheck, id: check.id, exchanges: check.exchanges }));
    expect(renderBy(htmlReporter, reportOf(passing, { exchanges })).length).toBeLessThan(500_000);
  });
});
