import { asMarkup, printable } from '../wire/index.js';
import { type Fleet, type FleetEntry, wordFor } from './fleet.js';

const html = (text: string): string => asMarkup(text, 300);

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #8886; padding: .4rem .6rem; text-align: left; vertical-align: top }
td.n { font-variant-numeric: tabular-nums; text-align: right }
td, p { overflow-wrap: anywhere }
.ok { color: light-dark(#1b6e20, #81c784) }
.bad { color: light-dark(#b3261e, #ef9a9a) }
.open { color: light-dark(#7a4f00, #ffcc80) }
th[scope=row] { overflow-wrap: anywhere; min-width: 9rem }
small { opacity: .8 }
@media (max-width: 48rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  table, tbody, tr, th, td { display: block }
  tr { padding: .6rem 0; border-bottom: 1px solid #8886 }
  th, td, td.n { border: 0; padding: .1rem 0; text-align: left }
  td:empty { display: none }
  td::before { content: attr(data-label) ': '; opacity: .8 }
}
`;

const classFor = (exitCode: number): string => {
  if (exitCode === 0) return 'ok';
  return exitCode === 1 ? 'bad' : 'open';
};

/** Names of files are the kit's own, but a stored list may have been changed. */
const link = (file: string | undefined, text: string): string =>
  file !== undefined && /^[a-z0-9.-]+$/.test(file) ? `<a href="./${file}">${text}</a>` : text;

const columns = ['Agent', 'Result', 'Says it is', 'Speaks', 'MUST shown', 'pass', 'fail', 'inconclusive', 'Report'];

/** `label`: shown before the value where there is no room for a table. */
const cell = (label: string, value: string, kind = ''): string =>
  `<td${kind === '' ? '' : ` class="${kind}"`} data-label="${label}">${value}</td>`;

function row({ name, url, exitCode, reasons, profile, agent, must, percent, report, page }: FleetEntry): string {
  const why = reasons.map((reason) => `<br><small>${html(reason)}</small>`).join('');
  const count = (label: string, value: number | undefined) => cell(label, `${value ?? ''}`, 'n');
  return [
    `<tr><th scope="row">${link(page ?? report, html(name))}<br><small>${html(url)}</small></th>`,
    cell('Result', `<strong>${wordFor(exitCode)}</strong>${why}`, classFor(exitCode)),
    cell('Says it is', html(agent ?? '')),
    cell('Speaks', html(profile ?? '')),
    cell('MUST shown', percent === undefined ? '' : `${percent}%`, 'n'),
    count('pass', must?.pass),
    count('fail', must?.fail),
    count('inconclusive', must?.inconclusive),
    cell('Report', report === undefined ? '' : link(report, 'JSON')),
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

/** One page without scripts and external resources. */
export const fleetPage = (fleet: Fleet): string =>
  `${[
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">',
    '<meta name="viewport" content="width=device-width">',
    `<title>A2A conformance, agents: ${fleet.targets.length}</title><style>${style}</style></head><body>`,
    `<h1>A2A conformance, agents: ${fleet.targets.length}</h1>`,
    `<p>${html(counted(fleet))}. ${html(`${fleet.kit.name} ${fleet.kit.version}`)}, ${html(fleet.startedAt)}.</p>`,
    '<table><thead><tr>',
    ...columns.map((name) => `<th scope="col">${name}</th>`),
    '</tr></thead><tbody>',
    ...fleet.targets.map(row),
    '</tbody></table></body></html>',
  ].join('\n')}\n`;

/** Characters that mean something to Markdown, or to the HTML in it, and what would make a link or a mention. */
const markdown = (text: string): string =>
  printable(text, 300).replace(
    /[\\`*_{}[\]<>#+!|&~@]|:(?=\/\/)|(?<=mailto|xmpp):|(?<=www)\./gi,
    (one) => `&#${one.charCodeAt(0)};`,
  );

/** The overview as a table in Markdown, for job summaries. */
export function fleetMarkdown(fleet: Fleet): string {
  const lines = fleet.targets.map(({ name, exitCode, reasons, profile = '', must, percent }) => {
    const result = [wordFor(exitCode), ...reasons.slice(0, 3).map(markdown)].join(': ');
    const numbers = [percent === undefined ? '' : `${percent}%`, must?.pass, must?.fail, must?.inconclusive];
    return `| ${[markdown(name), result, markdown(profile), ...numbers.map((one) => one ?? '')].join(' | ')} |`;
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
