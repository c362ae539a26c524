import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import { hostileContext, hostileReport, hostileTexts } from '../test/hostile-reports.js';
import {
  allKinds,
  failedCheck,
  plainCheck,
  plainFinding,
  plainPayment,
  renderBy,
  reportOf,
  unseen,
} from '../test/reports.js';
import { markdown } from './markdown.js';

/** What a page makes of it, with all HTML let through. */
const html = (text: string): string =>
  micromark(text, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });

type Node = DefaultTreeAdapterTypes.Node;
interface Seen {
  readonly elements: Map<string, number>;
  readonly attributes: string[];
  /** Text that is not code: only there GitHub looks for names. */
  readonly running: string[];
}

function look(node: Node, seen: Seen, inCode = false): Seen {
  const name = 'tagName' in node ? node.tagName : node.nodeName;
  if ('tagName' in node) {
    seen.elements.set(name, (seen.elements.get(name) ?? 0) + 1);
    seen.attributes.push(...node.attrs.map((attr) => `${name} ${attr.name}=${attr.value}`));
  }
  if ('value' in node && !inCode) seen.running.push(node.value);
  if (name === '#comment') seen.elements.set('#comment', 1);
  for (const child of 'childNodes' in node ? node.childNodes : []) look(child, seen, inCode || name === 'code');
  return seen;
}

const seenIn = (text: string): Seen =>
  look(parseFragment(html(text)), { elements: new Map(), attributes: [], running: [] });

const ours = [
  'h2',
  'h3',
  'p',
  'ul',
  'li',
  'strong',
  'code',
  'pre',
  'details',
  'summary',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
];

describe('markdown', () => {
  test('the gate comes first, then the counts, the failures worst first, and the rest behind folds', () => {
    const findings = [plainFinding];
    const text = renderBy(markdown, reportOf(allKinds, { findings, payments: [plainPayment] }));
    const places = [
      '## ✗ FAILED: 1 MUST check failed',
      '| MUST | 2 | 3 | 0 | 1 | 1 | 1 |',
      '### ✗ FAIL MUST `task/must`',
      'A2A10-TASK-001 says so.',
      'mend it',
      'curl http://a.test/',
      '### ✗ FAIL SHOULD `task/should`',
      '### ✗ EXPIRED MUST `task/expired`',
      '### ✗ STALE MUST `task/stale`',
      '### ⚠ ERROR of the kit MUST `card/odd`',
      '### ✗ FINDING MUST `rpc-crash-1`',
      'seen again 3 of 3 times',
      '### Payments',
      'Known failures (baseline)',
      'Not offered (MAY)',
      'Inconclusive: 1 check',
      'no task could be had',
    ].map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
  });

  test('foreign text makes no element, no link and no mention', () => {
    // A text without any markup shows what the template itself writes.
    const plainElements = seenIn(renderBy(markdown, hostileReport('word'), hostileContext('word'))).elements;
    for (const text of hostileTexts) {
      const shown = renderBy(markdown, hostileReport(text), hostileContext(text));
      expect(unseen(shown)).toEqual([]);
      const { elements, attributes, running } = seenIn(shown);
      expect([...elements.keys()].filter((name) => !ours.includes(name))).toEqual([]);
      for (const name of ['h2', 'h3', 'details', 'summary', 'table', 'tr', 'ul', 'strong']) {
        if (text.trim() !== '' && text.length < 1000)
          expect([text, name, elements.get(name)]).toEqual([text, name, plainElements.get(name)]);
      }
      expect(
        attributes.filter(
          (attribute) =>
            !/^(code class=language-sh|t[hd] align=right|a href=https:\/\/spec\.test\/v1\/#71-tasks)$/.test(attribute),
        ),
      ).toEqual([]);
      expect(running.join(' ')).not.toMatch(/@\w|#\d/);
    }
  });

  test('text is shown as it was', () => {
    const { running } = seenIn(
      renderBy(
        markdown,
        reportOf([failedCheck('task/x', { reason: 'it is a*b_c <d> [e](f) `g` & "h" #1 @i http://j' })]),
      ),
    );
    expect(running.join('').replaceAll('\u200b', '')).toContain('a*b_c <d> [e](f) `g` & "h" #1 @i http://j');
  });

  test('stays under what a comment holds, cuts no section in two, and says what was left out', () => {
    const many = Array.from({ length: 500 }, (_, at) =>
      failedCheck(`task/f${at}`, { reason: '`<'.repeat(400), curl: 'x'.repeat(3000) }),
    );
    const open = many.map((check, at) => ({
      ...check,
      verdict: 'inconclusive' as const,
      reason: `${check.reason} ${at}`,
    }));
    const text = renderBy(markdown, reportOf([...many, ...open]));
    expect(text.length).toBeLessThan(60_000);
    expect(text.length).toBeGreaterThan(40_000);
    const shown = (text.match(/^### /gm) ?? []).length;
    expect(/\*\*Cut here:\*\* (\d+) more sections would not fit/.exec(text)?.[1]).toBe(String(500 - shown));
    const { elements } = seenIn(text);
    expect(elements.get('pre')).toBe(shown);
    expect(renderBy(markdown, reportOf([plainCheck]))).not.toContain('Cut here');
  });
});
