import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { PaymentReport, Report } from '../src/report/index.js';
import { hostileReport as hostileReportOf, hostileTexts, runnerCommand } from '../test/hostile-reports.js';
import {
  failedCheck,
  plainCheck,
  plainExchange,
  plainFinding,
  plainPayment,
  renderBy,
  reportOf,
} from '../test/reports.js';
import { reportFormats } from './formats.js';
import { type JsonReport, jsonReport, type ReportContext, type ReportFormat, readReport, reporters } from './index.js';

test('the names of the formats are those of the list; npm run build writes them anew', () => {
  expect(reportFormats).toEqual(reporters.map(({ id }) => id));
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function render(format: ReportFormat, report: Report, more: Partial<ReportContext> = {}): string {
  const reporter = reporters.find(({ id }) => id === format);
  if (reporter === undefined) throw new Error(`no reporter ${format}`);
  return renderBy(reporter, report, more);
}

const { signature: _, ...unsigned } = plainPayment;
const payments: readonly PaymentReport[] = [plainPayment, { ...unsigned, state: 'planned' }];

/** Everything that could hurt a terminal, an XML parser or a person. */
const hostile = `\u001b[2J\u001b]0;owned\u0007\u009b31m\u202egnp.exe\u0000\r\nPASSED ]]> <b> & "q" 'p' \ud800 \uffff`;
const hostileReport = (() => {
  const bad = failedCheck(`task/${hostile}`, {
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
    interfaces: [
      { url: hostile, binding: hostile, version: hostile, tenant: hostile, declared: true, judged: 'not' as const },
    ],
  };
  return { ...report, target, gate: { ...report.gate, reasons: [hostile] } };
})();

// A tape has the exchanges for the kit, and nothing for a reader.
describe.for(reporters.map(({ id }) => id).filter((id) => id !== 'badge' && id !== 'tape'))('%s', (format) => {
  const { target, run } = reportOf([plainCheck]);
  const at = (url: string, binding: string) => ({ url, binding, version: '1.0', declared: true });
  const ours = { ...at('http://a.test/', 'JSONRPC'), judged: 'in-full' as const };
  const why = 'the kit judges JSON-RPC only';
  const other = { ...at('http://a.test/rest', 'HTTP+JSON'), judged: 'not' as const, why };
  const shown = (interfaces: Report['target']['interfaces'] & object) =>
    render(format, reportOf([plainCheck], { target: { ...target, interfaces } }), { verbose: true });

  test('names the interfaces that were not judged beside the one that was', () => {
    const text = shown([ours, other]);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(why);
    expect(text).toContain('a.test/rest');
  });
  test('names an interface that was judged in part, and what its results are called', () => {
    const { judged: _, ...rest } = other;
    const text = shown([ours, { ...rest, judged: 'in-part', label: 'a2a-1.0-rest', why: 'by its binding' }]);
    expect(text).toContain('a.test/rest');
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(/in part: HTTP\+JSON 1\.0|"judged": ?"in-part"/);
    expect(text).toContain('a2a-1.0-rest');
  });
  test('says that the card does not declare what was judged', () => {
    const text = shown([{ ...ours, declared: false }]).replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/the card does not declare it|"declared": ?false/);
  });
  test('says what this version lacks of what was chosen', () => {
    const skipped = ['--suite signature'];
    expect(render(format, reportOf([plainCheck], { run: { ...run, skipped } }))).toContain('--suite signature');
  });
});

describe.for(reporters.map(({ id }) => id))('%s', (format) => {
  test('has no command to a runner of CI jobs, whatever the target says', () => {
    for (const text of hostileTexts.filter(({ length }) => length < 2000)) {
      expect(render(format, hostileReportOf(text), { verbose: true })).not.toMatch(runnerCommand);
    }
  });
});

/** An agent with as much in every place as the tape and a result let through. */
const largeReport = (() => {
  const bytesOf = (unit: string) => bytes(unit.repeat(64 * 1024));
  const headers = Array.from({ length: 1200 }, (_, at) => ['set-cookie', `c${at}=${'"'.repeat(30)}`] as const);
  const exchanges = Array.from({ length: 1500 }, (_, at) => ({
    ...plainExchange,
    id: `x${at + 1}`,
    request: { method: 'POST', url: `http://a.test/${'u'.repeat(20_000)}`, headers, body: bytesOf('"') },
    response: { status: 200, headers, body: bytesOf(at % 2 === 0 ? '\u200b' : '\u007f'), chunks: [] },
    failure: { kind: 'reset' as const, detail: 'x'.repeat(20_000) },
  }));
  const text = '"\u200b'.repeat(1000);
  const checks = Array.from({ length: 170 }, (_, at) =>
    failedCheck(`task/c${at}`, { reason: text, actual: `x${text}`, curl: '"'.repeat(128 * 1024), exchanges: ['x1'] }),
  );
  const finding = { ...plainFinding, script: '"'.repeat(200_000), replay: { text: '"'.repeat(200_000) } };
  return reportOf(checks, { exchanges, findings: Array.from({ length: 100 }, () => finding) });
})();

describe.for(reporters.map(({ id }) => id))('%s', (format) => {
  test('is no longer than 20 MB, however much an agent says', { timeout: 60_000 }, () => {
    expect(Buffer.byteLength(render(format, largeReport))).toBeLessThan(20_000_000);
  });
});

test('what is left out of the JSON report is said, and the report fits its schema', () => {
  const first = jsonReport(largeReport);
  expect(first.exchanges[0]?.response).toMatchObject({ headersCut: true });
  expect(first.exchanges[0]?.request.url).toMatch(/u…$/);
  expect(first.exchanges.at(-1)?.request).toMatchObject({ headersCut: true, bodyCut: true });
  expect(first.checks.at(-1)?.curl).toMatch(/^# left out/);
  expect(first.findings.at(-1)?.script).toMatch(/^# left out/);
  expect(readReport(first).exchanges[0]?.response).toMatchObject({ headersCut: true });
});

describe('console', () => {
  test('a part of a run says that it is one', () => {
    const { run } = reportOf([plainCheck]);
    const part = { ...run, shard: { index: 2, of: 3, plan: '' } };
    expect(render('console', reportOf([plainCheck], { run: part }))).toContain('  part 2 of 3 (a2a-tck merge judges');
    expect(render('console', reportOf([plainCheck]))).not.toContain('part ');
  });

  test('the verdict is the last line, and MUST comes before SHOULD and the errors of the kit', () => {
    const checks = [
      plainCheck,
      { ...plainCheck, id: 'task/odd', verdict: 'error' as const, reason: 'TypeError' },
      failedCheck('task/should', { level: 'should' }),
      failedCheck('task/must'),
    ];
    const text = render('console', reportOf(checks));
    const places = ['FAIL MUST task/must', 'FAIL SHOULD task/should', 'ERROR MUST task/odd', 'FAILED'].map((value) =>
      text.indexOf(value),
    );
    expect(places).not.toContain(-1);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    expect(text.trimEnd().split('\n').at(-1)).toBe('FAILED  1 MUST check failed, exit 1');
    expect(text).toContain('sentence   7.1 Tasks: A2A10-TASK-001 says so. (A2A10-TASK-001)');
    expect(text).toContain('             https://spec.test/v1/#71-tasks');
    expect(text).toContain('reproduce  curl http://a.test/');
    expect(text).toContain('fix        mend it');
  });

  test('a finding is run again with the options that it was found with', () => {
    const fuzz = { seed: 7, cases: 90, requests: 400, features: 30, kept: 12, durationMs: 5000 };
    const found = reportOf([], { findings: [plainFinding], fuzz });
    const line = (more: object): string =>
      /^ {2}replay +(.*)$/m.exec(render('console', found, { findings: 'out', ...more }))?.[1] ?? '';
    expect(line({})).toBe('a2a-tck fuzz --url http://a.test --replay out/rpc-crash-1.json');
    expect(line({ replayOptions: ['--pay'] })).toBe(
      'a2a-tck fuzz --url http://a.test --pay --replay out/rpc-crash-1.json',
    );
  });

  test('reasons of inconclusive checks are shown once, the commonest first, at most five', () => {
    const open = (id: string, reason: string) => ({ ...plainCheck, id, verdict: 'inconclusive' as const, reason });
    const checks = [
      ...Array.from({ length: 9 }, (_, at) => open(`task/a${at}`, `reason ${at}`)),
      open('task/b', 'common'),
      open('task/c', 'common'),
    ];
    const text = render('console', reportOf(checks));
    expect(text.match(/common/g)).toHaveLength(1);
    expect(text.indexOf('common')).toBeLessThan(text.indexOf('reason 0'));
    expect(text).toContain('and 5 more reasons');
    expect(render('console', reportOf(checks), { verbose: true })).toContain('reason 8');
  });

  test('the check that the run waited for longest is named with --verbose', () => {
    const report = reportOf([plainCheck]);
    const slow = { ...report, run: { ...report.run, waited: { check: 'push/hanging-webhook', ms: 19_200 } } };
    const waitText = 'the run waited longest for push/hanging-webhook: no other check ended for 19.2 s';
    expect(render('console', slow, { verbose: true })).toContain(waitText);
    expect(render('console', slow)).not.toContain('waited longest');
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

  test('a report shows the money that the agent can still take, and what a dry run would have signed', () => {
    const text = render('console', reportOf([plainCheck], { payments }));
    expect(text).toContain('1 payment can still be cashed: signed with your key, and no receipt has come');
    expect(text).toContain('10000 of 0xa on eip155:84532 to 0xb');
    expect(text).toContain('nonce 0x01, until 2026-01-01T00:02:00.000Z, signature 0x12345678…');
    expect(text).toContain('1 payment would have been signed');
    expect(text.indexOf('cashed')).toBeLessThan(text.indexOf('FAILED'));
    expect(render('console', reportOf([plainCheck], { payments: [] }))).toBe(render('console', reportOf([plainCheck])));
  });

  test('a passed run says what the pass is worth', () => {
    const checks = [
      plainCheck,
      { ...plainCheck, id: 'task/open', verdict: 'inconclusive' as const, reason: 'no task' },
    ];
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
      reportOf([plainCheck, failedCheck('task/x')]),
      reportOf([plainCheck], { payments }),
      { ...hostileReport, checks: named },
    ];
    for (const report of all) {
      expect(render('json', report)).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}]/u);
      expect(validate(parsed(report)) ? [] : validate.errors).toEqual([]);
    }
  });

  test('the schema refuses other documents', () => {
    const document = parsed(reportOf([plainCheck]));
    for (const wrong of [
      {},
      [],
      { ...document, schema: 'a2a-tck-report/2' },
      { ...document, checks: [{ id: 'a/b' }] },
      { ...document, payments: [{ state: 'outstanding' }] },
      { ...document, payments: [{ ...plainPayment, signature: `0x${'12'.repeat(65)}` }] },
    ]) {
      expect(validate(wrong)).toBe(false);
    }
  });

  test('reads back as the same run', () => {
    // A byte order mark is part of what came.
    const marked = { status: 200, headers: [], body: bytes('\ufeffyes'), chunks: [] };
    const exchanges = [plainExchange, { ...plainExchange, id: 'x2', toWebhook: true as const, response: marked }];
    const report = reportOf([plainCheck, failedCheck('task/x')], { exchanges });
    expect(readReport(parsed(report))).toEqual(report);
    const paying = reportOf([plainCheck], { payments });
    expect(readReport(parsed(paying))).toEqual(paying);
  });

  test('long bodies are cut between characters and marked, bodies that are not text are base64', () => {
    const long = { ...plainExchange, request: { ...plainExchange.request, body: bytes(`x${'ü'.repeat(40_000)}`) } };
    const binary = {
      ...plainExchange,
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
      plainCheck,
      failedCheck('task/must'),
      failedCheck('task/should', { level: 'should' }),
      failedCheck('task/may', { level: 'may' }),
      failedCheck('task/known', { baseline: 'known' }),
      { ...plainCheck, id: 'task/stale', baseline: 'stale' as const, reason: 'it passes now' },
      { ...plainCheck, id: 'task/none', verdict: 'not-applicable' as const, reason: 'not declared' },
      { ...plainCheck, id: 'task/odd', verdict: 'error' as const, reason: 'TypeError' },
    ];
    const count = (strict: boolean) => {
      const { elements } = parse(render('junit', reportOf(checks), { strict }));
      return ['failure', 'skipped', 'error'].map((name) => elements.filter((element) => element === name).length);
    };
    expect(count(false)).toEqual([2, 4, 1]);
    expect(count(true)).toEqual([3, 3, 1]);
    expect(render('junit', reportOf(checks))).toContain('tests="8" failures="2" errors="1" skipped="4"');
  });
});
