import { createHash } from 'node:crypto';
import type { CheckResult } from '../../src/report/index.js';
import { printable } from '../../src/wire/index.js';
import { type Exchanges, exhibitOf } from '../operation.js';
import type { ReportContext } from '../reporter.js';
import { expectationOf, problemOf } from '../story.js';
import { nextStep, piecesOf } from '../wording.js';
import { type Allowance, exchangeLine, exchangeView } from './exchange.js';
import { html, type Markup } from './markup.js';
import { badge, kindOf } from './signs.js';

const longestCommand = 8000;
const mostLines = 30;

export interface Scene {
  readonly profile: string;
  readonly context: ReportContext;
  readonly exchanges: Exchanges;
  readonly allowance: Allowance;
  /** Exchanges that a check points at; the page shows them after the checks. */
  readonly wanted: Set<string>;
}

export const row = (name: string, value: string | Markup | undefined): Markup =>
  value === undefined || value === '' ? html`` : html`<dt>${name}</dt><dd>${value}</dd>`;

const text = (value: string): string => printable(value, 2000);

/** A sentence of a ledger, or advice of a check. */
export const sentenceView = (sentence: string): Markup =>
  html`${piecesOf(text(sentence)).map((piece) => (piece.isCode ? html`<code>${piece.text}</code>` : html`${piece.text}`))}`;

/** What is wrong. A place in a document stands first, between backticks; all other text may be the agent's. */
function problemView(problem: string): Markup {
  const [, place, rest] = /^`([^`]+)`(.*)$/s.exec(problem) ?? [];
  return place === undefined ? html`${problem}` : html`<code>${place}</code>${rest ?? ''}`;
}

/** The label of a check as the filter and the reader see it. */
function label(check: CheckResult): Markup {
  const { level, baseline } = check;
  const entry = baseline === undefined ? undefined : html`<span class="badge entry">baseline: ${baseline}</span> `;
  return html`${badge(kindOf(check), level)} <span class="level">${level.toUpperCase()}</span> ${entry}<code>${printable(check.id, 200)}</code>`;
}

function sentences({ requirements, section }: CheckResult, { profile, context }: Scene): readonly Markup[] {
  return requirements.slice(0, mostLines).map((id) => {
    const found = context.sentence(profile, id);
    const where = found === undefined ? section : found.section;
    const place = printable(where, 300);
    const linked =
      found?.url === undefined ? html`${place}` : html`<a href="${found.url}" rel="noreferrer">${place}</a>`;
    return html`<p>${found === undefined ? undefined : sentenceView(`${found.statement} `)}<span class="where">${linked}, ${printable(id, 100)}</span></p>`;
  });
}

export const command = (name: string, line: string): Markup =>
  line.length > longestCommand
    ? html`It is too long to show (${line.length} characters); it is in the JSON report.`
    : html`<div class="copied"><pre class="command" tabindex="0" role="group" aria-label="${name}">${line}</pre><button type="button" class="copy" hidden>Copy</button></div>`;

/** Exchanges, one line each. Linked ones are shown in full after the checks. */
export function exchangeList(
  ids: readonly string[],
  isLinked: boolean,
  { exchanges, wanted }: Scene,
): Markup | undefined {
  if (ids.length === 0) return undefined;
  const lines = ids.slice(0, mostLines).map((id) => {
    const exchange = exchanges.get(id);
    const line = exchange === undefined ? '' : ` ${exchangeLine(exchange)}`;
    // An id of another shape could be the target of another link.
    const isTarget = isLinked && exchange !== undefined && /^x\d{1,9}$/.test(id);
    if (isTarget) wanted.add(id);
    return isTarget ? html`<li><a href="#${id}">${id}</a>${line}</li>` : html`<li>${printable(id, 20)}${line}</li>`;
  });
  const rest = ids.length - lines.length;
  return html`<ul class="exchanges">${lines}${rest > 0 ? html`<li>and ${rest} more</li>` : undefined}</ul>`;
}

/**
 * The id of a check as the target of a link: `page.html#task/get`. It stands inside what is folded, so that browsers
 * open it. A hostile report may have any text as an id, of which nothing is shown; other targets have no slash.
 */
const anchor = ({ id }: CheckResult): string =>
  /^[a-z\d-]{1,80}\/[a-z\d-]{1,80}(?:@[a-z\d.-]{1,40})?$/.test(id)
    ? id
    : `check/${createHash('sha256').update(id).digest('hex').slice(0, 8)}`;

const inside = (check: CheckResult, body: Markup): Markup =>
  html`<div class="inside" id="${anchor(check)}">${body}<p class="note"><a href="#${anchor(check)}">Link to this check</a></p></div>`;

/** Request and answer, folded: most readers need the sentences only. */
function raw(check: CheckResult, isJudged: boolean, view: Markup | undefined, scene: Scene): Markup | undefined {
  const { actual, reason } = check;
  const came = isJudged && actual !== '' && actual !== reason ? row('Actual', text(actual)) : undefined;
  const list = exchangeList(check.exchanges, true, scene);
  if (came === undefined && list === undefined && view === undefined) return undefined;
  return html`<details class="raw"><summary>Request and answer</summary><div class="inside"><dl>${came}${row('Exchanges', list)}</dl>${view}</div></details>`;
}

/** A check that did not pass: the fact, the sentence, the fix, how to reproduce it, and the exchange that shows it. */
export function openCheck(check: CheckResult, scene: Scene): Markup {
  const { reason, advice, title, curl, verdict, level } = check;
  const isJudged = verdict !== 'error' && check.baseline !== 'stale';
  const exhibit = isJudged ? exhibitOf(check, scene.exchanges) : undefined;
  const view = exhibit === undefined ? undefined : exchangeView(exhibit, scene.allowance);
  const isOpen = verdict === 'inconclusive';
  const problem = isOpen ? text(reason) : text(problemOf(check));
  return html`<details class="check" data-verdict="${verdict}" data-level="${level}">
<summary><h3>${label(check)}</h3><span class="reason">${problemView(printable(isOpen ? reason : problemOf(check), 400))}</span></summary>
${inside(
  check,
  html`<dl>
${row(isOpen ? 'Reason' : 'Problem', problemView(problem))}${isJudged ? row('Expected', sentenceView(isOpen ? title : expectationOf(check))) : undefined}
${row('Sentence', html`${sentences(check, scene)}`)}${row('Fix', advice === undefined ? undefined : sentenceView(advice))}${row('Fix', nextStep(check))}
${curl === undefined ? undefined : row('Reproduce', command(`Command that reproduces ${check.id}`, curl))}</dl>
${raw(check, isJudged, view, scene)}`,
)}</details>
`;
}

/** A check that passed or is not applicable: one line, and few details. */
export function quietCheck(check: CheckResult, scene: Scene): Markup {
  const { reason, title, verdict, level } = check;
  return html`<details class="check quiet" data-verdict="${verdict}" data-level="${level}">
<summary>${label(check)}</summary>
${inside(check, html`<dl>${row('Reason', text(reason))}${row('Title', text(title))}${row('Sentence', html`${sentences(check, scene)}`)}${row('Exchanges', exchangeList(check.exchanges, false, scene))}</dl>`)}</details>
`;
}
