import fc from 'fast-check';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { type Fleet, type FleetEntry, fileName, fleetSchema, worstExit, worstFirst } from './fleet.js';
import { counted, fleetMarkdown, fleetPage } from './page.js';
import { pooled } from './pool.js';

const fleetOf = (...targets: readonly FleetEntry[]): Fleet => ({
  schema: fleetSchema,
  kit: { name: 'a2a-tck', version: '1' },
  startedAt: '2026-01-01T00:00:00.000Z',
  exitCode: 0,
  targets,
});
const must = { pass: 9, fail: 1, inconclusive: 2, notApplicable: 3, notOffered: 0, error: 0 };
const judged: FleetEntry = {
  name: 'Flights',
  url: 'https://flights.test',
  exitCode: 1,
  reasons: ['1 MUST check failed'],
  profile: 'a2a-1.0',
  agent: 'Flights 2',
  must,
  percent: 75,
  report: '1-flights.json',
  page: '1-flights.html',
  junit: '1-flights.xml',
  badge: '1-flights.svg',
};
const dead: FleetEntry = {
  name: 'Dead',
  url: 'http://dead.test',
  exitCode: 3,
  reasons: ['cannot be reached'],
  junit: '2-dead.xml',
  badge: '2-dead.svg',
};
const fine: FleetEntry = { ...judged, name: 'Fine', exitCode: 0, reasons: [], must: { ...must, fail: 0 } };
const hostile = `<script>alert(1)</script>"'&|\`[x](javascript:alert(1)) **b** __proto__ \u001b[2J\u202e\u0000\ud800\n# h`;
const bad: FleetEntry = {
  ...judged,
  name: hostile,
  url: `javascript:${hostile}`,
  reasons: [hostile],
  profile: hostile,
  agent: hostile,
  report: `"><script>`,
  page: 'javascript:alert(1)',
  junit: '../../etc/passwd',
  badge: `"><script>`,
};

describe('the page', () => {
  test('has each agent with its numbers and a way to its report', () => {
    const page = fleetPage(fleetOf(judged, dead));
    expect(page).toContain('<a href="./1-flights.html">Flights</a>');
    expect(page).toContain(
      '<a href="./1-flights.json">JSON</a> <a href="./1-flights.xml">JUnit</a> <a href="./1-flights.svg">badge</a>',
    );
    expect(page).toContain('<a href="./2-dead.xml">JUnit</a>');
    expect(page).toContain(
      '<td class="n" data-label="MUST shown">75%</td><td class="n" data-label="pass">9</td><td class="n" data-label="fail">1</td><td class="n" data-label="inconclusive">2</td>',
    );
    expect(page).toContain('1 no agent there, 1 failed');
    expect(page).toContain('cannot be reached');
  });

  test('foreign text stays text, and leads nowhere', () => {
    const page = fleetPage(fleetOf(bad));
    expect(page.match(/<(?!\/)[a-z]+/g)).toEqual(
      fleetPage(fleetOf({ ...judged, name: 'x' })).match(/<(?!\/)(?!a\b)[a-z]+/g),
    );
    expect(page).not.toMatch(/href="(?!\.\/)|[^\P{Cc}\n]|\p{Cf}|\p{Cs}/u);
    // One script, the same as where no text is foreign: the policy allows it by its digest, and no other.
    const scriptIn = (text: string) => text.match(/<script>.*?<\/script>/gs);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(scriptIn(page)).toEqual(scriptIn(fleetPage(fleetOf(judged))));
    expect(page).toMatch(/script-src 'sha256-[\w+/=]{44}'/);
    expect(page).toContain('&lt;script&gt;');
    const body = page.slice(page.indexOf('<table>'), page.indexOf('</main>')).replaceAll('<br>', '<br/>');
    expect(XMLValidator.validate(body)).toBe(true);
  });

  test('needs nothing from elsewhere', () => {
    const page = fleetPage(fleetOf(judged));
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/\bsrc=|@import|url\(|<link/);
  });

  test('failures come first, and the place in the file is kept', () => {
    const names = (text: string) =>
      [...text.matchAll(/data-at="(\d)"[^>]* data-name="(\w+)"/g)].map(([, at, name]) => [name, at]);
    expect(names(fleetPage(fleetOf(fine, dead, judged)))).toEqual([
      ['Flights', '2'],
      ['Dead', '1'],
      ['Fine', '0'],
    ]);
    const more = { ...judged, name: 'Worse', must: { ...must, fail: 5 } };
    expect(worstFirst([dead, fine, judged, more]).map(({ name }) => name)).toEqual([
      'Worse',
      'Flights',
      'Dead',
      'Fine',
    ]);
  });
});

test('in Markdown foreign text is not markup, and no row is broken', () => {
  const lines = fleetMarkdown(fleetOf(judged, bad, dead)).split('\n');
  const rows = lines.filter((line) => line.startsWith('| ')).slice(1);
  expect(rows).toHaveLength(3);
  expect(rows.map((row) => row.split('|').length)).toEqual([9, 9, 9]);
  expect(rows.join('')).not.toMatch(/<|\[x\]|\*\*|__|[^\P{Cc}]|\p{Cf}/u);
});

test('the worst counts', () => {
  expect([[0, 4], [0, 3, 4], [1, 3], [1, 2], [70, 1, 2], [0], [], [99, 0]].map(worstExit)).toEqual([
    4, 3, 1, 2, 70, 0, 0, 0,
  ]);
  expect(counted(fleetOf(judged, dead, dead))).toBe('2 no agent there, 1 failed');
});

test('names of files are plain, and differ whatever the names are', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 12 }), (names) => {
      const files = names.map((name, at) => fileName(name, at, names.length));
      for (const file of files) expect(file).toMatch(/^[0-9]+(-[a-z0-9]+)*$/);
      expect(new Set(files).size).toBe(names.length);
    }),
  );
  expect([fileName('__proto__', 0, 10), fileName('../../etc/passwd', 1, 10)]).toEqual(['01-proto', '02-etc-passwd']);
});

test('a pool does all, in order, and never too much at a time', async () => {
  let now = 0;
  let most = 0;
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const done = await pooled([5, 1, 4, 1, 3, 2], 3, async (turns, at) => {
    most = Math.max(most, ++now);
    for (let left = turns; left > 0; left--) await turn();
    now--;
    return at;
  });
  expect(done).toEqual([0, 1, 2, 3, 4, 5]);
  expect(most).toBe(3);
  expect(await pooled([], 3, async () => 1)).toEqual([]);
});
