import type { Report } from '../../src/report/index.js';
import { exchangesById } from '../operation.js';
import type { ReportContext } from '../reporter.js';
import type { Scene } from './check.js';
import { agentName, pageHead, summarySection } from './head.js';
import { type Part, partsOf } from './lists.js';
import { html, type Markup } from './markup.js';
import { policyOf } from './policy.js';
import { filterForm, script } from './script.js';
import { style } from './style.js';
import { chapterTable, latencySection } from './table.js';

/** Characters of exchanges and findings in one page; all else is some hundred bytes for each check. */
const allowance = 5_000_000;

const policy = policyOf(style.text, script.text);

const section = ({ id, title, count, body }: Part): Markup =>
  html`<section aria-labelledby="${id}" data-part><h2 id="${id}">${title} <span class="count">${count}</span></h2>
${body}</section>
`;

const contents = (parts: readonly Part[]): Markup =>
  html`<nav aria-label="Contents"><ul>${parts.map(({ id, title, count }) => html`<li><a href="#${id}">${title} <span class="count">${count}</span></a></li>`)}</ul></nav>`;

const chapters = ({ checks }: Report): Markup | undefined =>
  checks.length === 0
    ? undefined
    : html`<section aria-labelledby="chapters"><h2 id="chapters">Coverage by chapter</h2>
${chapterTable(checks)}</section>
`;

const latency = ({ latency: found }: Report): Markup | undefined =>
  found === undefined || found.rows.length === 0 ? undefined : latencySection(found);

export function page(report: Report, context: ReportContext): string {
  const scene: Scene = {
    profile: report.target.profile,
    context,
    exchanges: exchangesById(report),
    allowance: { left: allowance },
    wanted: new Set(),
  };
  const parts = partsOf(report, scene);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${report.gate.passed ? '✓' : report.gate.exitCode === 4 ? '?' : '✗'} ${agentName(report)}: conformance report</title>
<style>${style}</style>
</head>
<body>
${pageHead(report)}
<main>
${summarySection(report)}${contents(parts)}
${filterForm}${parts.map(section)}${chapters(report)}${latency(report)}</main>
<script>${script}</script>
</body>
</html>
`.text;
}
