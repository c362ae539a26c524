import { html, type Markup, policyOf, style } from '../../reporters/html/index.js';
import { printable } from '../wire/index.js';
import { pageScript, pageStyle } from './page-parts.js';
import type { Cell, CellVerdict, Column, Table, TableRow } from './table.js';

/** A sign and a word for each verdict, so that none is shown by colour alone. */
const signs: Readonly<Record<CellVerdict, readonly [sign: string, word: string, kind: string]>> = {
  pass: ['✓', 'pass', 'pass'],
  fail: ['✗', 'fail', 'fail'],
  'not-shown': ['?', 'not shown', 'inconclusive'],
  'not-claimed': ['–', 'not claimed', 'notApplicable'],
};
const unjudged = 'not judged by a person yet';

const text = (value: string, most = 600): string => printable(value, most);

function cellView(row: TableRow, column: Column, cell: Cell | undefined): Markup {
  if (cell === undefined)
    return html`<td class="void" data-target="${column.id}"><span class="long">no such sentence</span></td>`;
  const [sign, word, kind] = signs[cell.verdict];
  const unclear = cell.verdict === 'fail' && cell.checks.some(({ judged }) => judged === 'unclear');
  const fresh = cell.checks.some(({ judged }) => judged === 'not-yet');
  const cellText = `${word}${unclear ? ', unclear sentence' : ''}${fresh ? `, ${unjudged}` : ''}`;
  return html`<td class="${kind} ${row.level}" data-target="${column.id}" data-cell="${cell.verdict}"><a href="#${row.key}/${column.id}" title="${text(column.name)}: ${cellText}"><span aria-hidden="true">${sign}</span><span class="who" aria-hidden="true"> ${column.id}</span><span class="long">${column.id} ${cellText}</span></a></td>`;
}

function rowView(row: TableRow, at: number, columns: readonly Column[]): Markup {
  const cells = columns.map((column) => row.cells[column.id]);
  const fails = cells.filter((cell) => cell?.verdict === 'fail').length;
  return html`<tr data-at="${at}" data-level="${row.level}" data-fails="${fails}" data-chapter="${row.chapter}"><th scope="row"><span class="level">${row.level.toUpperCase()}</span> ${text(row.sentence)} <span class="where">${text(row.section, 160)} <code>${row.key}</code></span></th>${columns.map((column, index) => cellView(row, column, cells[index]))}</tr>
`;
}

function chapterView(
  chapter: string,
  rows: readonly (readonly [TableRow, number])[],
  columns: readonly Column[],
): Markup {
  return html`<tbody data-group="${chapter}"><tr class="chapter"><th scope="rowgroup" colspan="${columns.length + 1}">${chapter} <span class="count">${rows.length}</span></th></tr>
${rows.map(([row, at]) => rowView(row, at, columns))}</tbody>
`;
}

const states: Readonly<Record<Column['state'], string>> = {
  'as-expected': 'as judged',
  differs: 'differs from what was judged',
  skipped: 'skipped',
  broken: 'broken',
};

/** Without the host and the owner of a module, and without the group of an artifact. */
const shortName = (name: string): string => text(name.replace(/^github\.com\/[^/]+\/|^[a-z0-9.]+:/, ''), 60);

const columnHead = ({ id, name, language }: Column): Markup =>
  html`<th scope="col" data-target="${id}" data-language="${language}"><span title="${text(name)}">${shortName(name)}</span></th>`;

function targetView({ id, name, language, licence, profiles, state, reason, counts, at, seconds }: Column): Markup {
  const numbers =
    counts === undefined ? undefined : html`${counts.pass} pass, ${counts.fail} fail, ${counts.inconclusive} not shown`;
  const when = at === undefined ? undefined : html`, ${at.slice(0, 10)}, ${seconds ?? 0} s`;
  return html`<li><b>${text(name)}</b> <code>${id}</code>, ${language}, ${text(licence, 60)}: ${profiles.join(', ')}. ${numbers}${when}. ${states[state]}${reason === undefined ? undefined : html`: ${text(reason)}`}</li>
`;
}

const choice = (name: string, word: string, options: readonly (readonly [string, string])[]): Markup =>
  html`<p><label for="filter-${name}">${word}</label> <select id="filter-${name}" name="${name}">${options.map(([value, label]) => html`<option value="${value}">${label}</option>`)}</select></p>
`;

function form(columns: readonly Column[], chapters: readonly string[]): Markup {
  const languages = [...new Set(columns.map(({ language }) => language))].sort();
  const plain = (names: readonly string[]) => names.map((name) => [name, name] as const);
  return html`<form id="filter" role="search" aria-label="Filter the sentences" hidden>
<p><label for="filter-words">Search</label> <input id="filter-words" type="search" name="words" placeholder="sentence, section, key" autocomplete="off"></p>
${choice('verdict', 'Any column', [
  ['', 'all'],
  ['fail', 'fails'],
  ['not-shown', 'not shown'],
  ['not-claimed', 'not claimed'],
])}${choice('level', 'Level', [
  ['', 'all'],
  ['must', 'MUST'],
  ['should', 'SHOULD'],
  ['may', 'MAY'],
])}${choice('chapter', 'Chapter', [['', 'all'], ...plain(chapters)])}${choice('language', 'Language', [['', 'all'], ...plain(languages)])}${choice('target', 'Package', [['', 'all'], ...columns.map(({ id, name }) => [id, shortName(name)] as const)])}${choice(
  'sort',
  'Sort',
  [
    ['at', 'by chapter'],
    ['fails', 'most failures first'],
    ['level', 'MUST first'],
  ],
)}<p><button type="reset">Clear</button></p>
<output id="shown"></output>
</form>
`;
}

/** JSON that may stand in a page: no text of a target can end the element. */
const jsonIn = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The table as one page that loads nothing. */
export function tablePage(table: Table): string {
  const columns = table.targets.filter(({ counts }) => counts !== undefined);
  const rows = table.rows.map((row, at) => [row, at] as const);
  const chapters = [...new Set(table.rows.map(({ chapter }) => chapter))];
  const css = `${style.text}${pageStyle}`;
  const policy = policyOf(css, pageScript);
  const data = {
    rows: Object.fromEntries(
      table.rows.map(({ key, cells, sentence, section }) => [key, { cells, sentence, section }]),
    ),
    exchanges: table.exchanges,
  };
  const body = html`<header><p class="kit">${table.kit.name} ${table.kit.version}, <time datetime="${table.madeAt}">${table.madeAt.slice(0, 10)}</time></p>
<h1>A2A packages, sentence by sentence</h1>
<p class="about">Each row is a sentence of the A2A specification, each column a public package in one version, with a small program on it. A cell leads to the exchange that shows it. ${Object.values(signs).map(([sign, word, kind]) => html`<span class="badge ${kind}">${sign} ${word}</span> `)}An empty cell: the version that the package speaks has no such sentence.</p></header>
<main>
${form(columns, chapters)}<div class="wide" id="table" tabindex="0" role="group" aria-label="Sentences and packages"><table><thead><tr><th scope="col">Sentence</th>${columns.map(columnHead)}</tr></thead>
${chapters.map((chapter) =>
  chapterView(
    chapter,
    rows.filter(([row]) => row.chapter === chapter),
    columns,
  ),
)}</table></div>
<h2>Packages</h2>
<ul>${table.targets.map(targetView)}</ul>
</main>
<dialog id="cell" aria-labelledby="cell-title"><form method="dialog"><button>Close</button></form><h2 id="cell-title"></h2><p id="cell-sentence"></p><ul id="cell-checks"></ul><figure><figcaption>Request</figcaption><pre id="cell-request" tabindex="0"></pre></figure><figure><figcaption>Answer</figcaption><pre id="cell-answer" tabindex="0"></pre></figure></dialog>
`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>A2A packages, sentence by sentence</title>
<style>${css}</style>
</head>
<body>
${body.text}<script type="application/json" id="data">${jsonIn(data)}</script>
<script>${pageScript}</script>
</body>
</html>
`;
}
