import type { CheckResult, Estimate, Report, RunEvent, TargetReport } from '../src/report/index.js';
import { plural, printable, wrap } from '../src/wire/index.js';
import { inconclusiveText, toleratedText } from './console/asides.js';
import { causesText } from './console/causes.js';
import { expectationsText } from './console/expectations.js';
import { findingsText } from './console/findings.js';
import { type Paint, paintWith } from './console/paint.js';
import { paymentsText } from './console/payments.js';
import { summaryText } from './console/summary.js';
import { rowsOf, troublesText } from './console/troubles.js';
import { withoutCause } from './groups.js';
import type { Rendering, ReportContext, Reporter } from './reporter.js';
import { duration, judgedName, placeOf, scopeTexts, speaksText } from './wording.js';

/** Rows of a terminal for what follows the heading: a run fits 120, unless there is much beside the failures. */
const mostRows = 115;
/** Rows for the failures, whatever else there is. */
const leastRows = 40;

const clearLine = '\r\u001b[2K';

function ending(report: Report, context: ReportContext, paint: Paint): string {
  const scope = scopeTexts(report).map((scopeText) => `${wrap(printable(scopeText, 600), 2, context.columns)}\n`);
  const before = [scope.join(''), causesText(report, context, paint)];
  const after = [
    toleratedText(report.checks, context, paint),
    inconclusiveText(withoutCause(report), context, paint),
    paymentsText(report, paint),
    findingsText(report, context, paint),
    expectationsText(report, context, paint),
    summaryText(report, paint),
  ];
  const used = joined([...before, ...after]);
  const room = Math.max(leastRows, mostRows - rowsOf(used, context.columns));
  return joined([...before, troublesText(report, room, context, paint), ...after]);
}

const joined = (blocks: readonly string[]): string => blocks.filter((block) => block !== '').join('\n');

function heading(kit: Report['kit'], target: TargetReport, checks: number, seed: number, paint: Paint): string {
  const name = judgedName(target) ?? 'an agent without a name';
  const place = placeOf(target);
  const at = place === undefined ? '' : ` at ${printable(place, 200)}`;
  const scenarios = target.client?.scenarios.length;
  const facts = [
    printable(`${kit.name} ${kit.version}`, 80),
    ...(checks === 0 ? [] : [plural(checks, 'check')]),
    scenarios === undefined ? `seed ${seed}` : plural(scenarios, 'scenario'),
  ];
  return [
    `${paint('bold', printable(name, 200))} ${speaksText(target)} ${printable(target.profile, 40)}${at}`,
    paint('dim', facts.join(', ')),
    '',
    '',
  ].join('\n');
}

const verdictStyles = {
  pass: 'green',
  fail: 'red',
  'not-offered': 'bold',
  inconclusive: 'yellow',
  'not-applicable': 'dim',
  error: 'magenta',
} as const;

function checkLine(check: CheckResult, context: ReportContext, paint: Paint): string {
  const verdict = paint(verdictStyles[check.verdict], check.verdict.padEnd(14));
  const time = paint('dim', `(${duration(check.durationMs)})`);
  const reason = check.reason === '' ? '' : `\n  ${paint('dim', wrap(printable(check.reason), 2, context.columns))}`;
  return `${verdict} ${check.level.toUpperCase().padEnd(6)} ${printable(check.id)} ${time}${reason}\n`;
}

function waitedText({ run: { waited } }: Report, paint: Paint): string {
  if (waited === undefined) return '';
  const text = `the run waited longest for ${printable(waited.check)}: no other check ended for ${duration(waited.ms)}`;
  return `${paint('dim', text)}\n`;
}

function begin(context: ReportContext): Rendering {
  const paint = paintWith(context.colour);
  let started: Extract<RunEvent, { type: 'run.started' }> | undefined;
  let total = 0;
  let judged = 0;
  const progress = (id: string): string => {
    if (!context.live) return '';
    const text = `${String(judged).padStart(String(total).length)}/${total} ${printable(id)}`;
    return `${clearLine}${text.slice(0, Math.max(10, (context.columns ?? 80) - 1))}`;
  };
  const clear = context.live ? clearLine : '';
  const waits = { count: 0 };
  return {
    on(event) {
      switch (event.type) {
        case 'run.started':
          started = event;
          return context.live ? `${clearLine}looking for an agent at ${printable(event.url, 60)}` : '';
        case 'target.detected': {
          total = event.checks;
          const { kit, seed } = started ?? { kit: { name: 'a2a-tck', version: '' }, seed: 0 };
          const seen = context.verbose
            ? event.target.detection.map((line) => paint('dim', `  ${printable(line)}\n`))
            : [];
          const cost =
            event.estimate === undefined ? '' : `${paint('dim', estimateText(event.estimate, context.columns))}\n\n`;
          return `${clear}${heading(kit, event.target, event.checks, seed, paint)}${cost}${seen.join('')}`;
        }
        case 'run.waiting': {
          waits.count++;
          const text = `${waitingFor[event.for]}: waiting ${duration(event.ms)}`;
          const more = waits.count === 1 ? '' : `, for the ${ordinal(waits.count)} time`;
          if (context.live) return `${clear}${paint('dim', `${text}${more}`)}`;
          // Where the console cannot rewrite a line, it reports the first wait, and all waits at the end.
          return waits.count === 1 ? `${paint('dim', `${text}; further waits are counted`)}\n` : '';
        }
        case 'fuzz.progress': {
          if (!context.live) return '';
          const { cases, requests, findings } = event;
          const text = `fuzzing: ${plural(cases, 'case')}, ${plural(requests, 'request')}, ${plural(findings, 'finding')}`;
          return `${clearLine}${text.slice(0, Math.max(10, (context.columns ?? 80) - 1))}`;
        }
        case 'finding':
          // In a run with checks, findings are shown at the end with all else.
          return total > 0 ? '' : `${clear}${paint(['bold', 'red'], 'found')} ${printable(event.finding.title, 300)}\n`;
        case 'check.started':
          return progress(event.id);
        case 'check.judged':
          judged++;
          return context.verbose
            ? `${clear}${checkLine(event.result, context, paint)}${progress('')}`
            : progress(event.result.id);
        case 'run.ended':
          return `${clear}${context.verbose ? `${waitedText(event.report, paint)}\n` : ''}${waitsText(waits, paint)}${ending(event.report, context, paint)}`;
        default:
          return '';
      }
    },
  };
}

/** What the run will cost: the first lines. */
export function estimateText(
  { messages, requests, ms, isByRate, messagesLeft, requestsLeft }: Estimate,
  columns?: number,
): string {
  const left = [
    ...(messagesLeft === 0 ? [] : [`${messagesLeft} of these messages`]),
    ...(requestsLeft === 0 ? [] : [`${requestsLeft} of all requests`]),
  ];
  const costText = `about ${plural(messages, 'message')} that the agent must work on, ${plural(requests, 'other request')}, ${ms < 1000 ? 'less than 1 s' : duration(ms)} at ${isByRate === true ? 'this rate' : 'the pace so far'}${left.length === 0 ? '' : `; the budget leaves out ${left.join(' and ')}`}`;
  return wrap(costText, 0, columns);
}

/** 2nd, 3rd, 11th. */
function ordinal(count: number): string {
  const last = count % 100 > 10 && count % 100 < 14 ? 0 : count % 10;
  return `${count}${['th', 'st', 'nd', 'rd'][last] ?? 'th'}`;
}

const waitsText = ({ count }: { readonly count: number }, paint: Paint): string =>
  count < 2 ? '' : `${paint('dim', `the kit waited for the agent's rate limit ${count} times`)}\n\n`;

const waitingFor = {
  answered: "the agent's rate limit answers",
  kept: "keeping under the agent's rate limit",
} as const;

export const consoleReporter: Reporter = {
  id: 'console',
  readers: 'people at a terminal',
  begin,
};
