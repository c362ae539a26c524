import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { htmlReporter } from '../reporters/html.js';
import { type FleetEntry, fleetPage, fleetSchema } from '../src/fleet/index.js';
import type { Report } from '../src/report/index.js';
import { browserPath, openBrowser } from './chromium.js';
import { hostileContext, hostileReport, hostileTexts } from './hostile-reports.js';
import { allKinds, plainFinding, plainPayment, renderBy, reportOf } from './reports.js';

// The page as people see it. Debian: apt-get install -y --no-install-recommends chromium

const path = browserPath(process.env);

test('there is a browser to look with', ({ skip }) => {
  if (path === undefined && process.env['CI'] === undefined)
    skip('no Chromium on this machine, and CHROME_PATH is not set');
  expect(path).toBeDefined();
});

/** Of `rgb(…)`, by WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

describe.skipIf(path === undefined)('the page in a browser', () => {
  const full = reportOf(allKinds, { findings: [plainFinding], payments: [plainPayment] });
  let folder: string;
  let browser: Browser;
  let pages = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-tck-html-'));
    browser = await openBrowser(path ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Opened {
    readonly page: Page;
    /** Whatever the page said, asked for or tried. */
    readonly noise: readonly string[];
  }

  const open = (report: Report, options: BrowserContextOptions = {}, text?: string): Promise<Opened> =>
    openPage(renderBy(htmlReporter, report, text === undefined ? {} : hostileContext(text)), options);

  async function openPage(content: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const file = join(folder, `${++pages}.html`);
    writeFileSync(file, content);
    const url = pathToFileURL(file).href;
    const page = await (await browser.newContext(options)).newPage();
    const noise: string[] = [];
    page.on('console', (message) => noise.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => noise.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      noise.push(`dialog: ${dialog.message()}`);
      dialog.dismiss().catch(() => undefined);
    });
    page.on('request', (request) => {
      if (request.url() !== url) noise.push(`request: ${request.url()}`);
    });
    await page.goto(url);
    return { page, noise };
  }

  const openAll = (page: Page) =>
    page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');

  /** Elements with the names of their attributes, counted, in the page as it stands after its script. */
  const shape = (page: Page) =>
    page.evaluate(`(() => {
      const counts = {};
      for (const one of document.querySelectorAll('*')) {
        const key = [one.localName, ...one.getAttributeNames().sort()].join(' ');
        counts[key] = (counts[key] ?? 0) + 1;
      }
      return counts;
    })()`);

  const hostile = hostileTexts.filter((text) => text.length < 1000).join(' ');

  test('shows the report, says nothing on the console and calls no server', async () => {
    const { page, noise } = await open(full);
    await openAll(page);
    expect(await page.title()).toBe('✗ Agent 1: conformance report');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Agent 1');
    expect(await page.getByText('mend it').first().isVisible()).toBe(true);
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('a hostile target adds no element, runs nothing and reaches no server', async () => {
    const plain = await open(hostileReport('word'), {}, 'word');
    const { page, noise } = await open(hostileReport(hostile), {}, hostile);
    for (const item of [plain.page, page]) await openAll(item);
    const [wanted, found] = [await shape(plain.page), await shape(page)] as Record<string, number>[];
    // Sentences name members between backticks, so that there are more of these.
    delete wanted?.['code'];
    delete found?.['code'];
    expect(found).toEqual(wanted);
    expect(noise).toEqual([]);
    await Promise.all([plain.page.context().close(), page.context().close()]);
  });

  /** Of the numbers in the bars: the colour of each, and of what it stands on. */
  const barColours = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll('svg text')].map((text) =>
      [text, text.parentElement.querySelector('rect')].map((one) => getComputedStyle(one).fill))`) as Promise<
      [string, string][]
    >;

  const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
  const manners: readonly (readonly [string, BrowserContextOptions])[] = [
    ['light', {}],
    ['dark', { colorScheme: 'dark' }],
    ['on a phone', phone],
  ];

  /** The usual options of axe, but that single signs count too. */
  const everySign = {
    id: 'color-contrast',
    options: {
      ignoreUnicode: false,
      ignoreLength: true,
      ignorePseudo: false,
      boldValue: 700,
      boldTextPt: 14,
      largeTextPt: 18,
      contrastRatio: { normal: { expected: 4.5 }, large: { expected: 3 } },
      pseudoSizeThreshold: 0.25,
      shadowOutlineEmMax: 0.2,
      textStrokeEmMin: 0.03,
    },
  };

  test.each(manners)('breaks no rule of WCAG A and AA, %s', async (_, options) => {
    const { page } = await open(full, options);
    await openAll(page);
    await page.evaluate(axe.source);
    await page.evaluate(`axe.configure({ checks: ${JSON.stringify([everySign])} })`);
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const result = (await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(tags)} })`)) as axe.AxeResults;
    expect(result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200))}`)).toEqual(
      [],
    );
    // What axe leaves open: cells that a phone scrolls to, and the numbers in the bars, which are measured below.
    const undecided = result.incomplete.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, any }) => `${id}: ${(any[0]?.data as { messageKey?: string } | undefined)?.messageKey} ${html}`,
      ),
    );
    expect(undecided.filter((text) => !/^color-contrast: (elmPartiallyObscured <t[hd]|\w+ <text )/.test(text))).toEqual(
      [],
    );
    const numbers = await barColours(page);
    expect(numbers.length).toBeGreaterThan(2);
    for (const [text, background] of numbers) expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5);
    await page.context().close();
  });

  test('never scrolls sideways on a phone, whatever a target says', async () => {
    for (const [report, text] of [
      [full, undefined],
      [hostileReport(hostile), hostile],
      [hostileReport('x'.repeat(5000)), 'x'.repeat(5000)],
    ] as const) {
      const { page } = await open(report, phone, text);
      await openAll(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      await page.context().close();
    }
  });

  test('a link leads to one check, and the filter stands in the URL', async () => {
    const { page } = await open(full);
    const url = page.url();
    const passed = full.checks.find(({ verdict }) => verdict === 'pass')?.id ?? '';
    const inside = page.locator(`[id="${passed}"]`);
    expect(await inside.isVisible()).toBe(false);
    await page.goto(`${url}#${passed}`);
    expect(await inside.isVisible()).toBe(true);

    await page.goto(`${url}?verdict=inconclusive`);
    expect(await page.locator('details[data-verdict=fail]').first().isVisible()).toBe(false);
    expect(await page.locator('details[data-verdict=inconclusive]').first().isVisible()).toBe(true);
    await page.getByRole('combobox', { name: 'Level' }).selectOption('must');
    expect(page.url()).toBe(`${url}?verdict=inconclusive&level=must`);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => page.url()).toBe(url);
    expect(await page.locator('details.quiet[data-verdict=pass]').first().isVisible()).toBe(false);
    await page.context().close();
  });

  test('works by keyboard: search, filter, open a check', async () => {
    const { page } = await open(full);
    const focused = () => page.evaluate('document.activeElement.name || document.activeElement.localName');
    const shown = async () => page.locator('[data-verdict]:visible').count();
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab');
        if ((await focused()) === name) return;
      }
      throw new Error(`${name} cannot be reached`);
    };
    await tabTo('words');
    await page.keyboard.type('task/must broken');
    expect(await shown()).toBe(1);
    expect(await page.locator('#shown').textContent()).toBe(`1 of ${allKinds.length + 1} shown`);
    await tabTo('verdict');
    await page.keyboard.type('inc');
    expect(await page.locator('#shown').textContent()).toBe(`0 of ${allKinds.length + 1} shown`);
    await tabTo('button');
    await page.keyboard.press('Enter');
    await page.locator('#shown', { hasText: `${allKinds.length + 1} of` }).waitFor();
    await tabTo('summary');
    const first = page.locator('details.check').first();
    expect(await first.evaluate('(one) => one.open').catch(() => undefined)).not.toBe(true);
    await page.keyboard.press('Enter');
    await page.locator('details.check[open]').first().waitFor();
    expect(await page.getByText('mend it').first().isVisible()).toBe(true);
    await page.context().close();
  });

  test('without scripts everything is there, and no control that does nothing', async () => {
    const { page, noise } = await open(full, { javaScriptEnabled: false });
    expect(await page.getByRole('search').count()).toBe(0);
    const first = page.locator('details.check').first();
    await first.locator(':scope > summary').click();
    expect(await first.getByText('mend it').isVisible()).toBe(true);
    await first.getByText('Request and answer').click();
    await page.getByRole('link', { name: 'x1' }).first().click();
    await page.locator('#x1').getByText('SendMessage').first().waitFor();
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('on paper failures are open, and the form is gone', async () => {
    const { page } = await open(full);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('mend it').first().isVisible()).toBe(true);
    expect(await page.getByRole('search').count()).toBe(0);
    await page.context().close();
  });

  const must = { pass: 9, fail: 1, inconclusive: 2, notApplicable: 3, notOffered: 0, error: 0 };
  const entry = (name: string, exitCode: number, more: Partial<FleetEntry> = {}): FleetEntry => ({
    ...{ name, url: `http://${name}.test`, exitCode, reasons: exitCode === 0 ? [] : ['it is so'] },
    ...{ junit: `${name}.xml`, badge: `${name}.svg` },
    ...(exitCode > 1 ? {} : { profile: 'a2a-1.0', agent: `${name} 1`, percent: 75, report: `${name}.json`, must }),
    ...more,
  });
  const targets = [entry('fine', 0, { must: { ...must, fail: 0 }, percent: 90 }), entry('gone', 3), entry('bad', 1)];
  const overview = fleetPage({
    ...{ schema: fleetSchema, kit: { name: 'a2a-tck', version: '1' }, startedAt: '2026-01-01T00:00:00.000Z' },
    ...{ exitCode: 1, targets: [...targets, entry('x'.repeat(200), 1, { reasons: ['y'.repeat(300)] })] },
  });

  test.each(manners)('the page of a fleet breaks no rule of WCAG A and AA, %s', async (_, options) => {
    const { page, noise } = await openPage(overview, options);
    expect(noise).toEqual([]);
    await page.evaluate(axe.source);
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = (await page.evaluate(
      `axe.run(document, { runOnly: ${JSON.stringify(tags)} })`,
    )) as axe.AxeResults;
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200))}`)).toEqual([]);
    const room = options.viewport?.width ?? 1280;
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(room);
    await page.context().close();
  });

  test('the page of a fleet has failures first, and its order and filter stand in the URL', async () => {
    const { page } = await openPage(overview);
    const url = page.url();
    const names = () =>
      page.evaluate(
        "[...document.querySelectorAll('tbody tr:not([hidden])')].map((one) => one.dataset.name.slice(0, 4))",
      );
    expect(await names()).toEqual(['bad', 'xxxx', 'gone', 'fine']);
    await page.getByRole('combobox', { name: 'Order' }).selectOption('file');
    expect(await names()).toEqual(['fine', 'gone', 'bad', 'xxxx']);
    await page.getByRole('combobox', { name: 'Result' }).selectOption('failed');
    await page.getByRole('searchbox').fill('A2A-1.0');
    expect(await names()).toEqual(['bad', 'xxxx']);
    expect(await page.locator('#shown').textContent()).toBe('2 of 4 shown');
    await page.goto(`${url}?result=no+agent+there`);
    expect(await names()).toEqual(['gone']);
    await page.goto(`${url}?result=nothing&order=name`);
    expect(await names()).toEqual(['bad', 'fine', 'gone', 'xxxx']);
    await page.context().close();
  });
});
