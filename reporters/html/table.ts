import { type CheckResult, type Report, type Tally, tallyOf } from '../../src/report/index.js';
import { printable } from '../../src/wire/index.js';
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
