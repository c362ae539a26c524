import {
  type CheckResult,
  type Latency,
  type Report,
  type Tally,
  type Times,
  tallyOf,
} from '../../src/report/index.js';
import { plural, printable } from '../../src/wire/index.js';
import { levels } from '../wording.js';
import { html, type Markup } from './markup.js';
import { kinds } from './signs.js';

const cells = (tally: Tally): readonly Markup[] =>
  kinds.map(({ key }) => html`<td class="${tally[key] === 0 ? 'none' : key}">${tally[key]}</td>`);

const heads = kinds.map(
  ({ sign, word }) =>
    html`<th scope="col"><span aria-hidden="true">${sign} </span><span class="long">${word}</span></th>`,
);

const table = (caption: string, first: string, rows: readonly Markup[], last?: string): Markup =>
  html`<div class="wide" tabindex="0" role="group" aria-label="${caption}"><table><caption>${caption}</caption>
<thead><tr><th scope="col">${first}</th>${heads}${last === undefined ? undefined : html`<th scope="col">${last}</th>`}</tr></thead>
<tbody>${rows}</tbody></table></div>`;

export const levelTable = ({ summary }: Report): Markup =>
  table(
    'Checks by level and verdict',
    'Level',
    levels.map((level) => html`<tr><th scope="row">${level.toUpperCase()}</th>${cells(summary[level])}</tr>\n`),
  );

const shownOf = ({ pass, fail, notOffered, inconclusive, error }: Tally): string => {
  const applicable = pass + fail + notOffered + inconclusive + error;
  return applicable === 0 ? 'does not apply' : `${pass + fail + notOffered} of ${applicable}`;
};

/** What was shown either way, chapter by chapter. */
export function chapterTable(checks: readonly CheckResult[]): Markup {
  const suites = [...new Set(checks.map(({ suite }) => suite))];
  const rows = suites.map((suite) => {
    const tally = tallyOf(checks.filter((check) => check.suite === suite));
    return html`<tr><th scope="row">${printable(suite, 80)}</th>${cells(tally)}<td>${shownOf(tally)}</td></tr>\n`;
  });
  return table('Checks by chapter', 'Chapter', rows, 'shown either way');
}

const ms = (value: number): string => (value < 10 ? value.toFixed(1) : String(Math.round(value)));

const timeCells = ({ count, p50, p95, max }: Times): Markup =>
  html`<td>${count}</td><td>${ms(p50)}</td><td>${ms(p95)}</td><td>${ms(max)}</td>`;

/** How long answers took. Rows of a report that another program wrote may be many. */
export function latencySection({ rows, left }: Latency): Markup {
  const lines = rows.slice(0, 100).flatMap((row) => {
    const { operation, binding, count, first } = row;
    const line = (name: string, times: Times): Markup =>
      html`<tr><th scope="row">${printable(name, 80)}</th><td>${printable(binding, 40)}</td>${timeCells(times)}</tr>\n`;
    return [
      ...(count === 0 ? [] : [line(operation, row)]),
      ...(first === undefined ? [] : [line(`${operation}, first event`, first)]),
    ];
  });
  const about = `Valid requests that were answered, in milliseconds. ${plural(left, 'other request')} ${left === 1 ? 'is' : 'are'} left out: broken on purpose, not answered, or refused because the agent was busy.`;
  const heads = ['Binding', 'Answers', 'p50', 'p95', 'Maximum'].map((head) => html`<th scope="col">${head}</th>`);
  return html`<section aria-labelledby="latency"><h2 id="latency">Time to answer</h2>
<p class="about">${about}</p>
<div class="wide" tabindex="0" role="group" aria-label="Time to answer"><table><caption>Time to answer</caption>
<thead><tr><th scope="col">Operation</th>${heads}</tr></thead>
<tbody>${lines}</tbody></table></div></section>
`;
}
