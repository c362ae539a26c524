import type { Report } from '../../src/report/index.js';
import { plural, printable } from '../../src/wire/index.js';
import { duration, fuzzText, gateText, isFuzzOnly, judgedName, placeOf, scopeTexts, speaksText } from '../wording.js';
import { chart } from './chart.js';
import { row } from './check.js';
import { html, type Markup } from './markup.js';
import { levelTable } from './table.js';

const styles = {
  PASSED: 'pass',
  'NOTHING FOUND': 'pass',
  FAILED: 'fail',
  UNPROVEN: 'inconclusive',
  'KIT ERROR': 'error',
} as const;
const signs = {
  PASSED: '✓',
  'NOTHING FOUND': '✓',
  FAILED: '✗',
  UNPROVEN: '?',
  'KIT ERROR': '!',
} as const;

export const agentName = ({ target }: Report): string =>
  printable(judgedName(target) ?? 'An agent without a name', 200);

/** "2026-11-26, 09:15 UTC" */
const dateOf = (iso: string): string =>
  printable(iso.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*$/, '$1, $2 UTC'), 40);

export function pageHead(report: Report): Markup {
  const { gate, target, kit, run } = report;
  const { word, why } = gateText(report);
  const place = placeOf(target);
  return html`<header>
<p class="kit">${printable(kit.name, 60)} ${printable(kit.version, 40)}, conformance report of <time datetime="${printable(run.startedAt, 40)}">${dateOf(run.startedAt)}</time></p>
<h1>${agentName(report)}</h1>
<p class="speaks">${speaksText(target)} <code>${printable(target.profile, 40)}</code>${place === undefined ? undefined : html` at <code>${printable(place, 300)}</code>`}</p>
${scopeTexts(report).map((scopeText) => html`<p class="speaks">${printable(scopeText, 500)}</p>`)}
<div class="gate ${styles[word]}"><p class="word"><span aria-hidden="true">${signs[word]}</span> ${word} <span class="exit">exit ${gate.exitCode}</span></p>
${why === '' ? undefined : html`<p>${printable(why, 2000)}.</p>`}</div>
</header>`;
}

export function summarySection(report: Report): Markup {
  const { run, target } = report;
  const list = (items: readonly string[]) =>
    html`<ul>${items.slice(0, 40).map((item) => html`<li>${printable(item, 500)}</li>`)}</ul>`;
  return html`<section aria-labelledby="summary"><h2 id="summary">Summary</h2>
${
  isFuzzOnly(report)
    ? undefined
    : html`${chart(report)}
${levelTable(report)}`
}
<details class="facts"><summary>About this run</summary><div class="inside"><dl>
${row('Began', printable(run.startedAt, 40))}${row('Took', duration(run.durationMs))}
${row('Sent', `${plural(run.requests, 'request')}, ${plural(run.tasks, 'task')}`)}${row('Seed', String(run.seed))}
${row('Fuzzed', printable(fuzzText(report), 400))}${row('Ended early', run.cut === undefined ? undefined : printable(run.cut, 200))}
${row(target.client === undefined ? 'Given URL' : 'Client', printable(target.url, 500))}${row('Card', target.cardUrl === undefined ? undefined : printable(target.cardUrl, 500))}
${row('Detection', list(target.detection))}${target.extensions.length === 0 ? undefined : row('Extensions', list(target.extensions))}
</dl></div></details></section>
`;
}
