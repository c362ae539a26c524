import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Table, tablePage } from '../src/sdks/index.js';
import { browserPath, openBrowser } from './chromium.js';

// The table of packages as people see it, on a phone and on a desk, light and dark.

const path = browserPath(process.env);
const hostile = '</script><script>document.title = "no"</script><img src=x onerror=alert(1)>';

const column = (id: string, language: string): Table['targets'][number] => ({
  id,
  name: `github.com/a-very-long-owner/package-with-a-long-name-${id} 1.0, its layer of another version`,
  package: id,
  version: '1.0',
  role: 'server',
  language,
  licence: 'MIT',
  state: 'as-expected',
  profiles: ['a2a-1.0'],
  counts: { pass: 2, fail: 1, inconclusive: 1, notApplicable: 1, notOffered: 0 },
  at: '2026-11-28T00:00:00.000Z',
  seconds: 3,
});
const row = (key: string, chapter: string, level: 'must' | 'should', fails: boolean): Table['rows'][number] => ({
  key,
  chapter,
  level,
  section: '9.5 Errors',
  sentence: `The agent does what ${key} says, and ${hostile}`,
  cells: {
    one: {
      verdict: fails ? 'fail' : 'pass',
      checks: [
        { id: `${chapter}/x`, verdict: fails ? 'fail' : 'pass', ...(fails ? { reason: hostile, judged: 'true' } : {}) },
      ],
      exchange: 'one::x1',
    },
    two: {
      verdict: 'not-claimed',
      checks: [{ id: `${chapter}/x`, verdict: 'not-applicable', reason: 'no such thing' }],
    },
  },
});
const table: Table = {
  schema: 'a2a-tck-targets/1',
  kit: { name: 'a2a-tck', version: '0' },
  madeAt: '2026-11-28T00:00:00.000Z',
  targets: [column('one', 'go'), column('two', 'rust')],
  rows: [row('rpc.a', 'rpc', 'should', false), row('rpc.b', 'rpc', 'must', true), row('task.c', 'task', 'must', true)],
  exchanges: { 'one::x1': { request: `POST /\n\n${hostile}`, answer: `HTTP 200\n\n${hostile}` } },
};

test('there is a browser to look with', ({ skip }) => {
  if (path === undefined && process.env['CI'] === undefined)
    skip('no Chromium on this machine, and CHROME_PATH is not set');
  expect(path).toBeDefined();
});

describe.skipIf(path === undefined)('the table in a browser', () => {
  let folder: string;
  let browser: Browser;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-tck-targets-'));
    writeFileSync(join(folder, 'index.html'), tablePage(table));
    browser = await openBrowser(path ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(width: number, colorScheme: 'light' | 'dark' = 'light', hash = '') {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    const url = pathToFileURL(join(folder, 'index.html')).href;
    const noise: string[] = [];
    page.on('console', (message) => noise.push(message.text()));
    page.on('pageerror', (error) => noise.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) noise.push(request.url());
    });
    await page.goto(`${url}${hash}`);
    return { page, noise };
  }
  const shownRows = (page: Page) => page.locator('tr[data-at]:visible').count();

  test.for([
    { width: 390, scheme: 'light' },
    { width: 1280, scheme: 'dark' },
  ] as const)('at $width pixels, $scheme: nothing is outside, foreign text is text', async ({ width, scheme }) => {
    const { page, noise } = await open(width, scheme);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await page.title()).toBe('A2A packages, sentence by sentence');
    expect(noise).toEqual([]);
    await page.evaluate(axe.source);
    const found = (await page.evaluate('axe.run()')) as { readonly violations: readonly { readonly id: string }[] };
    expect(found.violations.map(({ id }) => id)).toEqual([]);
  });

  test('rows are found, filtered and ordered', async () => {
    const { page } = await open(1280);
    expect(await shownRows(page)).toBe(3);
    await page.fill('#filter-words', 'task.c');
    expect(await shownRows(page)).toBe(1);
    await page.fill('#filter-words', '');
    await page.selectOption('#filter-verdict', 'fail');
    expect(await shownRows(page)).toBe(2);
    await page.selectOption('#filter-language', 'rust');
    expect(await shownRows(page)).toBe(0);
    await page.click('button[type=reset]');
    await expect.poll(() => shownRows(page)).toBe(3);
    await page.selectOption('#filter-sort', 'fails');
    expect(await page.locator('tr[data-at]').first().getAttribute('data-at')).toBe('1');
    await page.selectOption('#filter-sort', 'at');
    expect(await page.locator('tr[data-at]').first().getAttribute('data-at')).toBe('0');
  });

  test('a cell leads to its exchange, also by a link from elsewhere', async () => {
    const { page, noise } = await open(1280, 'light', '#task.c/one');
    expect(await page.locator('#cell-request').textContent()).toContain(hostile);
    await page.click('dialog button');
    await page.click('a[href="#rpc.b/one"]');
    await expect.poll(() => page.locator('dialog').isVisible()).toBe(true);
    expect(await page.locator('#cell-checks').textContent()).toContain('judged true');
    expect(noise).toEqual([]);
  });
});
