import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { type CheckResult, type PaymentReport, type Report, tally } from '../src/run/index.js';
import type { Exchange } from '../src/wire/index.js';
import {
  eventsOf,
  type JsonReport,
  jsonReport,
  type ReportContext,
  type ReportFormat,
  readReport,
  reporters,
} from './index.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const plain: CheckResult = {
  id: 'task/plain',
  suite: 'task',
  title: 'Every answer must be plain',
  level: 'must',
  requirements: ['R-1'],
  section: '7.1',
  verdict: 'pass',
  reason: '',
  expected: 'be plain',
  actual: '',
  exchanges: ['x1'],
  durationMs: 12,
};
const failed = (id: string, more: Partial<CheckResult> = {}): CheckResult => ({
  ...plain,
  id,
  verdict: 'fail',
  reason: `${id} is broken`,
  actual: 'HTTP 500',
  curl: 'curl http://a.test/',
  advice: 'mend it',
  ...more,
});

const exchange: Exchange = {
  id: 'x1',
  purpose: 'test',
  request: {
    method: 'POST',
    url: 'http://a.test/',
    headers: [
      ['X-A', '1'],
      ['x-a', '2'],
    ],
    body: bytes('{"a":"ü"}'),
  },
  response: { status: 200, headers: [['content-type', 'text/plain']], body: bytes('\ufeffyes'), chunks: [] },
  startedAt: Date.UTC(2026, 0, 1),
  durationMs: 3,
};

function reportOf(checks: readonly CheckResult[], more: Partial<Report> = {}): Report {
  return {
    kit: { name: 'a2a-tck', version: '0.0.0' },
    target: {
      url: 'http://a.test',
      endpoint: 'http://a.test/',
      profile: 'a2a-0.3',
      agent: { name: 'Agent', version: '1' },
      detection: ['GET http://a.test/: an agent card'],
      extensions: [],
    },
    run: { startedAt: '2026-01-01T00:00:00.000Z', durationMs: 100, seed: 7, requests: 1, tasks: 0 },
    gate: { passed: false, exitCode: 1, reasons: ['1 MUST check failed'] },
    summary: tally(checks),
    checks,
    findings: [],
    exchanges: [exchange],
    ...more,
  };
}

const context: ReportContext = {
  colour: false,
  live: false,
  verbose: false,
  strict: false,
  sentence: (_, id) => ({ section: '7.1', statement: `${id} says so` }),
};

function render(format: ReportFormat, report: Report, more: Partial<ReportContext> = {}): string {
  const rendering = reporters.find(({ id }) => id === format)?.begin({ ...context, ...more });
  return eventsOf(report)
    .map((event) => rendering?.on(event) ?? '')
    .join('');
}

const outstanding: PaymentReport = {
  state: 'outstanding',
  network: 'eip155:84532',
  asset: '0xa',
  payTo: '0xb',
  amount: '10000',
  nonce: '0x01',
  expires: '2026-01-01T00:02:00.000Z',
  signature: '0x12345678…',
};
const { signature: _, ...unsigned } = outstanding;
const payments: readonly PaymentReport[] = [outstanding, { ...unsigned, state: 'planned' }];

/** Everything that could hurt a terminal, an XML parser or a person. */
const hostile = `\u001b[2J\u001b]0;owned\u0007\u009b31m\u202egnp.exe\u0000\r\nPASSED ]]> <b> & "q" 'p' \ud800 \uffff`;
const hostileReport = (() => {
  const bad = failed(`task/${hostile}`, {
    title: hostile,
    reason: hostile,
    actual: `x${hostile}`,
    expected: hostile,
    curl: hostile,
    advice: hostile,
    section: hostile,
  });
  const report = reportOf([bad, { ...bad, verdict: 'inconclusive' }, { ...bad, baseline: 'known' }]);
  const target = {
    ...report.target,
    agent: { name: hostile, version: hostile },
    endpoint: hostile,
    detection: [hostile],
  };
  return { ...report, target, gate: { ...report.gate, reasons: [hostile] } };
})();

describe('console', () => {
  test('the verdict is the last line, and MUST comes before SHOULD and the errors of the kit', () => {
    const checks = [
      plain,
      { ...plain, id: 'task/odd', verdict: 'error' as const, reason: 'TypeError' },
      failed('task/should', { level: 'should' }),
      failed('task/must'),
    ];
    const text = render('console', reportOf(checks));
    const places = ['FAIL MUST task/must', 'FAIL SHOULD task/should', 'ERROR MUST task/odd', 'FAILED'].map((one) =>
      text.indexOf(one),
    );
    expect(places).not.toContain(-1);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    expect(text.trimEnd().split('\n').at(-1)).toBe('FAILED  1 MUST check failed, exit 1');
    expect(text).toContain('R-1, 7.1: R-1 says so');
    expect(text).toContain('repeat    curl http://a.test/');
    expect(text).toContain('to do     mend it');
  });

  test('reasons of inconclusive checks are told once, the commonest first, at most six', () => {
    const open = (id: string, reason: string) => ({ ...plain, id, verdict: 'inconclusive' as const, reason });
    const checks = [
      ...Array.from({ length: 9 }, (_, at) => open(`task/a${at}`, `reason ${at}`)),
      open('task/b', 'common'),
      open('task/c', 'common'),
    ];
    const text = render('console', reportOf(checks));
    expect(text.match(/common/g)).toHaveLength(1);
    expect(text.indexOf('common')).toBeLessThan(text.indexOf('reason 0'));
    expect(text).toContain('and 4 more reasons');
    expect(render('console', reportOf(checks), { verbose: true })).toContain('reason 8');
  });

  test('foreign text does nothing to the terminal and makes no lines of its own', () => {
    for (const more of [{}, { verbose: true, colour: true, live: true, columns: 60 }]) {
      const text = render('console', hostileReport, more);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours and the live line
      const bare = text.replace(/\u001b\[\d{1,2}m|\r\u001b\[2K/g, '');
      expect(bare).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}]/u);
      expect(bare.split('\n').some((line) => line.startsWith('PASSED'))).toBe(false);
    }
  });

  test('money that can still be taken is told, and what a dry run would have signed', () => {
    const text = render('console', reportOf([plain], { payments }));
    expect(text).toContain('1 payment can still be cashed: signed with your key, and no receipt has come');
    expect(text).toContain('10000 of 0xa on eip155:84532 to 0xb');
    expect(text).toContain('nonce 0x01, until 2026-01-01T00:02:00.000Z, signature 0x12345678…');
    expect(text).toContain('1 payment would have been signed');
    expect(text.indexOf('cashed')).toBeLessThan(text.indexOf('FAILED'));
    expect(render('console', reportOf([plain], { payments: [] }))).toBe(render('console', reportOf([plain])));
  });

  test('a passed run says what the pass is worth', () => {
    const checks = [plain, { ...plain, id: 'task/open', verdict: 'inconclusive' as const, reason: 'no task' }];
    const text = render('console', reportOf(checks, { gate: { passed: true, exitCode: 0, reasons: [] } }));
    expect(text).toContain('1 of 2 applicable MUST checks were shown either way (50 %)');
  });
});

describe('json', () => {
  const schema: unknown = JSON.parse(
    readFileSync(new URL('../schemas/kit/report.schema.json', import.meta.url), 'utf8'),
  );
  const validate = new Ajv2020({ strict: false }).compile(schema as object);
  const parsed = (report: Report) => JSON.parse(render('json', report)) as JsonReport;

  test('fits its schema, and so does what it says of a hostile target', () => {
    const named = hostileReport.checks.map((check) => ({ ...check, id: 'task/x' }));
    const all = [
      reportOf([plain, failed('task/x')]),
      reportOf([plain], { payments }),
      { ...hostileReport, checks: named },
    ];
    for (const report of all) {
      expect(render('json', report)).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}]/u);
      expect(validate(parsed(report)) ? [] : validate.errors).toEqual([]);
    }
  });

  test('the schema refuses other documents', () => {
    const document = parsed(reportOf([plain]));
    for (const wrong of [
      {},
      [],
      { ...document, schema: 'a2a-tck-report/2' },
      { ...document, checks: [{ id: 'a/b' }] },
      { ...document, payments: [{ state: 'outstanding' }] },
      { ...document, payments: [{ ...outstanding, signature: `0x${'12'.repeat(65)}` }] },
    ]) {
      expect(validate(wrong)).toBe(false);
    }
  });

  test('reads back as the same run', () => {
    const report = reportOf([plain, failed('task/x')]);
    expect(readReport(parsed(report))).toEqual(report);
    const paying = reportOf([plain], { payments });
    expect(readReport(parsed(paying))).toEqual(paying);
  });

  test('long bodies are cut between characters and marked, bodies that are no text are base64', () => {
    const long = { ...exchange, request: { ...exchange.request, body: bytes(`x${'ü'.repeat(40_000)}`) } };
    const binary = {
      ...exchange,
      response: { status: 200, headers: [], body: new Uint8Array([0xff, 0, 0xfe]), chunks: [] },
    };
    const [first, second] = jsonReport(reportOf([], { exchanges: [long, binary] })).exchanges;
    expect(first?.request).toMatchObject({ bodyCut: true });
    expect(first?.request.body).toMatch(/^xü+$/);
    expect(Buffer.byteLength(first?.request.body ?? '')).toBe(65_535);
    expect(second?.response).toMatchObject({ body: '/wD+', bodyEncoding: 'base64' });
  });
});

test('ndjson is one event a line, and the end does not repeat what went by', () => {
  const lines = render('ndjson', hostileReport).trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as { type: string; report?: object });
  expect(events.map(({ type }) => type)).toEqual([
    'run.started',
    'target.detected',
    'exchange',
    ...hostileReport.checks.map(() => 'check.judged'),
    'run.ended',
  ]);
  expect(events.at(-1)?.report).not.toHaveProperty('exchanges');
});

describe('junit', () => {
  /** A strict tokenizer for the XML that we write: no DTD, no CDATA, no comments, and nothing that XML 1.0 forbids. */
  function parse(xml: string): { readonly elements: readonly string[]; readonly attributes: readonly string[] } {
    expect(xml).toMatch(/^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u);
    const elements: string[] = [];
    const attributes: string[] = [];
    const open: string[] = [];
    let rest = xml.replace(/^<\?xml version="1.0" encoding="UTF-8"\?>/, '');
    const entity = '&(?:amp|lt|gt|quot|apos);';
    const token = new RegExp(`^(?:<(\\w+)((?: \\w+="(?:[^<&"]|${entity})*")*)(/?)>|</(\\w+)>|((?:[^<&>]|${entity})+))`);
    while (rest !== '') {
      const found = token.exec(rest);
      if (found === null) throw new Error(`not well-formed at ${rest.slice(0, 80)}`);
      rest = rest.slice(found[0].length);
      const [, start, list = '', empty, end] = found;
      if (start !== undefined) {
        elements.push(start);
        const names = [...list.matchAll(/ (\w+)="/g)].map(([, name = '']) => name);
        expect(new Set(names).size).toBe(names.length);
        attributes.push(...names);
        if (empty === '') open.push(start);
      } else if (end !== undefined) expect(open.pop()).toBe(end);
    }
    expect(open).toEqual([]);
    return { elements, attributes };
  }

  test('is well-formed whatever the target says', () => {
    expect(parse(render('junit', hostileReport)).elements.filter((name) => name === 'testcase')).toHaveLength(3);
  });

  test('failures are what fails the gate', () => {
    const checks = [
      plain,
      failed('task/must'),
      failed('task/should', { level: 'should' }),
      failed('task/may', { level: 'may' }),
      failed('task/known', { baseline: 'known' }),
      { ...plain, id: 'task/stale', baseline: 'stale' as const, reason: 'it passes now' },
      { ...plain, id: 'task/none', verdict: 'not-applicable' as const, reason: 'not declared' },
      { ...plain, id: 'task/odd', verdict: 'error' as const, reason: 'TypeError' },
    ];
    const count = (strict: boolean) => {
      const { elements } = parse(render('junit', reportOf(checks), { strict }));
      return ['failure', 'skipped', 'error'].map((name) => elements.filter((one) => one === name).length);
    };
    expect(count(false)).toEqual([2, 4, 1]);
    expect(count(true)).toEqual([3, 3, 1]);
    expect(render('junit', reportOf(checks))).toContain('tests="8" failures="2" errors="1" skipped="4"');
  });
});
