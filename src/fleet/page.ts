import { policyOf } from '../../reporters/html/index.js';
import { asMarkup, printable } from '../wire/index.js';
import { type Fleet, type FleetEntry, wordFor, worstFirst } from './fleet.js';

const html = (text: string): string => asMarkup(text, 300);

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
html { background: light-dark(#fff, #121212); color: light-dark(#1b1b1b, #e6e6e6) }
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem }
a { color: light-dark(#0b57d0, #a8c7fa) }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #8886; padding: .4rem .6rem; text-align: left; vertical-align: top }
td.n { font-variant-numeric: tabular-nums; text-align: right }
td, p { overflow-wrap: anywhere }
.ok { color: light-dark(#1b6e20, #81c784) }
.bad { color: light-dark(#b3261e, #ef9a9a) }
.open { color: light-dark(#7a4f00, #ffcc80) }
th[scope=row] { overflow-wrap: anywhere; min-width: 9rem }
[hidden] { display: none !important }
form { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: end; margin: 1rem 0 }
label { display: block; font-size: .875rem }
input, select { font: inherit; max-width: 100%; box-sizing: border-box }
@media (max-width: 48rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  table, tbody, tr, th, td { display: block }
  tr { padding: .6rem 0; border-bottom: 1px solid #8886 }
  th, td, td.n { border: 0; padding: .1rem 0; text-align: left }
  td:empty { display: none }
  td::before { content: attr(data-label) ': ' }
}
`;

/**
 * Filter and order. Without scripts the form stays hidden and the page has all agents, failures first. The script only hides
 * and moves rows, and keeps its fields in the URL.
 */
const script = `
(() => {
  const form = document.getElementById('filter');
  const body = document.querySelector('tbody');
  const rows = [...body.rows];
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const number = (row, name) => Number(row.dataset[name] ?? -1);
  const orders = {
    worst: () => 0,
    file: (a, b) => number(a, 'at') - number(b, 'at'),
    name: (a, b) => a.dataset.name.localeCompare(b.dataset.name),
    fail: (a, b) => number(b, 'fail') - number(a, 'fail'),
    shown: (a, b) => number(a, 'shown') - number(b, 'shown'),
  };
  const apply = () => {
    const fields = Object.fromEntries(new FormData(form));
    const words = fields.words.toLowerCase().split(' ').filter((word) => word !== '');
    let shown = 0;
    for (const row of rows) {
      const fits = (fields.result === '' || row.dataset.result === fields.result) && words.every((word) => texts.get(row).includes(word));
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    body.append(...rows.toSorted(orders[fields.order] ?? orders.worst));
    document.getElementById('shown').textContent = shown + ' of ' + rows.length + ' shown';
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(fields)) {
      if (value === '' || value === 'worst') query.delete(name);
      else query.set(name, value);
    }
    const search = query.toString();
    try {
      history.replaceState(null, '', location.pathname + (search === '' ? '' : '?' + search));
    } catch {}
  };
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLSelectElement && ![...field.options].some((one) => one.value === value)) continue;
    if (field !== null && 'value' in field) field.value = value;
  }
  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  apply();
})();
`;

const options = (list: readonly (readonly [value: string, word: string])[]): string =>
  list.map(([value, word]) => `<option value="${value}">${word}</option>`).join('');

const orders = [
  ['worst', 'failures first'],
  ['file', 'as in the file'],
  ['name', 'name'],
  ['fail', 'most failed MUSTs'],
  ['shown', 'least shown'],
] as const;

const filterForm = ({ targets }: Fleet): string => {
  const results = [...new Set(worstFirst(targets).map(({ exitCode }) => wordFor(exitCode)))];
  return [
    '<form id="filter" role="search" aria-label="Filter the agents" hidden>',
    '<div><label for="words">Search</label><input id="words" name="words" type="search" autocomplete="off"></div>',
    `<div><label for="result">Result</label><select id="result" name="result">${options([['', 'all'], ...results.map((result) => [result, result] as const)])}</select></div>`,
    `<div><label for="order">Order</label><select id="order" name="order">${options(orders)}</select></div>`,
    '<output id="shown"></output></form>',
  ].join('\n');
};

const classFor = (exitCode: number): string => {
  if (exitCode === 0) return 'ok';
  return exitCode === 1 ? 'bad' : 'open';
};

/** Names of files are the kit's own, but a stored list may have been changed. */
const link = (file: string | undefined, text: string): string =>
  file !== undefined && /^[a-z0-9.-]+$/.test(file) ? `<a href="./${file}">${text}</a>` : text;

const columns = ['Agent', 'Result', 'Says it is', 'Speaks', 'MUST shown', 'pass', 'fail', 'inconclusive', 'Report'];

/** `label`: shown before the value where a table has no room. */
const cell = (label: string, value: string, kind = ''): string =>
  `<td${kind === '' ? '' : ` class="${kind}"`} data-label="${label}">${value}</td>`;

function row(entry: FleetEntry, at: number): string {
  const { name, url, exitCode, reasons, profile, agent, must, percent, report, page, junit, badge } = entry;
  const why = reasons.map((reason) => `<br><small>${html(reason)}</small>`).join('');
  const count = (label: string, value: number | undefined) => cell(label, `${value ?? ''}`, 'n');
  return [
    `<tr data-at="${at}" data-result="${wordFor(exitCode)}" data-name="${html(name)}" data-shown="${percent ?? -1}" data-fail="${must?.fail ?? -1}">`,
    `<th scope="row">${link(page ?? report, html(name))}<br><small>${html(url)}</small></th>`,
    cell('Result', `<strong>${wordFor(exitCode)}</strong>${why}`, classFor(exitCode)),
    cell('Says it is', html(agent ?? '')),
    cell('Speaks', html(profile ?? '')),
    cell('MUST shown', percent === undefined ? '' : `${percent}%`, 'n'),
    count('pass', must?.pass),
    count('fail', must?.fail),
    count('inconclusive', must?.inconclusive),
    cell(
      'Report',
      [report === undefined ? '' : link(report, 'JSON'), link(junit, 'JUnit'), link(badge, 'badge')].join(' '),
    ),
    '</tr>',
  ].join('');
}

/** The number of targets with each result, the highest exit code first. */
export function counted({ targets }: Fleet): string {
  const codes = [...new Set(targets.map(({ exitCode }) => exitCode))].sort((a, b) => b - a);
  return codes
    .map((code) => `${targets.filter(({ exitCode }) => exitCode === code).length} ${wordFor(code)}`)
    .join(', ');
}

/** One page without external resources. */
export const fleetPage = (fleet: Fleet): string => {
  const places = new Map(fleet.targets.map((target, at) => [target, at]));
  return `${[
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(style, script)}">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>A2A conformance, agents: ${fleet.targets.length}</title><style>${style}</style></head><body><main>`,
    `<h1>A2A conformance, agents: ${fleet.targets.length}</h1>`,
    `<p>${html(counted(fleet))}. ${html(`${fleet.kit.name} ${fleet.kit.version}`)}, ${html(fleet.startedAt)}.</p>`,
    filterForm(fleet),
    '<table><thead><tr>',
    ...columns.map((name) => `<th scope="col">${name}</th>`),
    '</tr></thead><tbody>',
    ...worstFirst(fleet.targets).map((target) => row(target, places.get(target) ?? 0)),
    `</tbody></table></main><script>${script}</script></body></html>`,
  ].join('\n')}\n`;
};

/** Characters that mean something to Markdown, or to the HTML in it, and what would make a link or a mention. */
const markdown = (text: string): string =>
  printable(text, 300).replace(
    /[\\`*_{}[\]<>#+!|&~@]|:(?=\/\/)|(?<=mailto|xmpp):|(?<=www)\./gi,
    (text) => `&#${text.charCodeAt(0)};`,
  );

/** The overview as a table in Markdown, for job summaries; failures first. */
export function fleetMarkdown(fleet: Fleet): string {
  const lines = worstFirst(fleet.targets).map(({ name, exitCode, reasons, profile = '', must, percent }) => {
    const result = [wordFor(exitCode), ...reasons.slice(0, 3).map(markdown)].join(': ');
    const numbers = [percent === undefined ? '' : `${percent}%`, must?.pass, must?.fail, must?.inconclusive];
    return `| ${[markdown(name), result, markdown(profile), ...numbers.map((item) => item ?? '')].join(' | ')} |`;
  });
  return [
    `**Agents: ${fleet.targets.length}**, ${counted(fleet)}`,
    '',
    '| agent | result | speaks | MUST shown | pass | fail | inconclusive |',
    '|---|---|---|---:|---:|---:|---:|',
    ...lines,
    '',
  ].join('\n');
}
