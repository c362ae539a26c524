import type { ReportContext } from '../reporters/reporter.js';
import type { CheckResult, Report } from '../src/report/index.js';
import type { Exchange } from '../src/wire/exchange/exchange.js';
import { failedCheck, plainPayment, reportOf } from './reports.js';

// Reports in which every text is against the format.

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What runners of CI jobs read as commands in what a job prints. */
const runnerTexts: readonly string[] = [
  '::add-mask::x',
  '\n  ::stop-commands::y\r\n::error::z\t::warning::z',
  'the agent is ::add-mask::x and \u00a0::add-mask::y :::add-mask::z',
  '##[error]x ###[add-mask]y ##[[ ####[group]z\n##[section]w',
  '##vso[task.setvariable variable=PATH]x ##VSO[task.complete] a##vso[b]##vso[c]',
  "##teamcity[buildStatus text='x'] ##\u200bvso[x] ##\u001bvso[x] #\\#vso[y]",
];

/** No line of what a command prints may be so, whatever its format. */
export const runnerCommand = /^\s*(?:::|##\[)|##\w*\[/m;

/** What no text of a target may do to a report, each by itself. */
export const hostileTexts: readonly string[] = [
  '<script>alert(1)</script><img src=x onerror=alert(1)><svg/onload=alert(1)>',
  '</script></style></title></textarea></pre></code></summary></details></main><!-- --> ]]> <![CDATA[ --!>',
  '" onmouseover="alert(1)" x="',
  "' autofocus onfocus='alert(1)",
  '` onclick=alert(1) `',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'http://evil.test/ https://evil.test www.evil.test ftp://evil.test me@evil.test mailto:me@evil.test xmpp:a@evil.test',
  '@octocat @org/team #123 org/repo#7 GH-9',
  '[click](http://evil.test) ![pixel](http://evil.test/p.png) [a]: http://evil.test <http://evil.test>',
  '`` ` ``` ~~~ **bold** __x__ *y* ~~z~~ $a$ | c1 | c2 |',
  'a | b\n--|--\n1 | 2',
  '\n# heading\n\n> quote\n\n- list\n\n```\ncode\n',
  '- item',
  '12. item',
  '    indented',
  '<details><summary>x</summary>',
  '&lt;b&gt; &#64;octocat &amp; &nbsp; &#x3c;script&#x3e;',
  '# SKIP not looked at',
  'ok \\# TODO later \\\\# SKIP',
  'x\nnot ok 1 - forged\nok 2 - forged\n1..9\nBail out! forged',
  '---\n...\n  ---\n  ...\n',
  ': - {a: b} [c] & * !tag > \' " % @ ? key: value #c\n\tx: y',
  '\u001b[2J\u001b]0;owned\u0007\u009b31m\u0000\u0008\u007f\r',
  '\u2028\u2029\u202egnp.exe\u200b\ufeff\u{e0041}\ue000\uffff',
  '\ud800 lone \udfff',
  '{0} {1} [text](1) {{x}} \\[a](2)',
  '__proto__ constructor toString',
  ...runnerTexts,
  'x'.repeat(300_000),
  `${'`'.repeat(5000)}${'<'.repeat(20_000)}`,
  '',
  ' ',
];

function hostileExchange(text: string, id: string): Exchange {
  const headers: Exchange['request']['headers'] = [
    [text, text],
    ['content-type', text],
    ['location', text],
  ];
  return {
    id,
    purpose: text,
    request: { method: text, url: text, headers, body: bytes(text) },
    response: {
      status: 200,
      headers,
      body: new Uint8Array([...bytes(text.slice(0, 1000)), 0xff, 0, 0xfe]),
      chunks: [],
    },
    failure: { kind: 'reset', detail: text },
    startedAt: Date.UTC(2026, 0, 1),
    durationMs: 1,
  };
}

/** A report in which `text` stands wherever a target, or the author of the file, can put one. */
export function hostileReport(text: string): Report {
  const words = { title: text, reason: text, actual: `x${text}`, expected: text, curl: text, advice: text };
  const bad = failedCheck(`task/${text}`, {
    ...words,
    section: text,
    suite: text,
    requirements: [text],
    exchanges: ['x1', text],
  });
  const checks: readonly CheckResult[] = [
    bad,
    { ...bad, level: 'should' },
    { ...bad, level: 'may' },
    { ...bad, verdict: 'inconclusive' },
    { ...bad, verdict: 'not-applicable' },
    { ...bad, verdict: 'error' },
    { ...bad, verdict: 'pass' },
    { ...bad, baseline: 'known' },
    { ...bad, baseline: 'expired' },
    { ...bad, verdict: 'pass', baseline: 'stale' },
  ];
  const finding = {
    id: text,
    oracle: text,
    title: text,
    detail: text,
    requirements: [text, 7],
    script: text,
    replay: text,
    exchanges: [text, 'x1', 7],
  };
  const confirmed = { times: 1, of: 3 };
  const { payTo: _, ...payment } = plainPayment;
  return reportOf(checks, {
    kit: { name: 'a2a-tck', version: '0.0.0' },
    target: {
      url: text,
      endpoint: text,
      cardUrl: text,
      profile: 'a2a-1.0',
      agent: { name: text, version: text },
      detection: [text],
      extensions: [text],
    },
    gate: { passed: false, exitCode: 1, reasons: [text] },
    findings: [
      { ...finding, confirmed, level: text, steps: text, seed: text },
      { ...finding, confirmed },
      finding,
      null,
      7,
      text,
      {},
      [],
    ] as readonly unknown[] as Report['findings'],
    payments: [{ ...payment, amount: text, asset: text, network: text, payTo: text, nonce: text, expires: text }],
    exchanges: [hostileExchange(text, 'x1'), { ...hostileExchange(text, text), toWebhook: true }],
  });
}

/** The sentence of a hostile ledger: there is none, but the report must not depend on that. */
export const hostileContext = (text: string): Partial<ReportContext> => ({
  sentence: () => ({ section: text, statement: text }),
});
