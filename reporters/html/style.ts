import { html } from './markup.js';

// Colours have a contrast of at least 4.5 on every background, in both schemes: the browser test measures it.

export const style = html`
:root {
  color-scheme: light dark;
  --ground: #fcfcfb; --panel: #ffffff; --sunk: #f3f4f2; --line: #d8dbd7; --ink: #1b1f1d; --soft: #555d58; --link: #0b5394;
  --pass: #1b6a3c; --fail: #b1221c; --inconclusive: #7d5000; --notApplicable: #5a625e; --notOffered: #3c4a63; --error: #7a2a91;
  --pass-ground: #e6f2ea; --fail-ground: #fbeae8; --inconclusive-ground: #faf0dc; --notApplicable-ground: #eceeec; --notOffered-ground: #e8ecf4; --error-ground: #f4e8f7;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'Segoe UI Mono', 'Liberation Mono', Menlo, Consolas, monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #131615; --panel: #1a1e1c; --sunk: #101312; --line: #363c39; --ink: #e7eae8; --soft: #a7afaa; --link: #8ec5ff;
    --pass: #7cd49b; --fail: #ff9a90; --inconclusive: #efc36a; --notApplicable: #a9b1ac; --notOffered: #b7c4dd; --error: #dcaaea;
    --pass-ground: #16291d; --fail-ground: #331a18; --inconclusive-ground: #2d2413; --notApplicable-ground: #242927; --notOffered-ground: #212734; --error-ground: #2c1d31;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 2.5rem 1.5rem 5rem; max-width: 62rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; overflow-wrap: anywhere;
}
h1 { margin: 0; font-size: 2rem; line-height: 1.2; letter-spacing: -0.015em; }
h2 { margin: 3rem 0 0.75rem; padding-bottom: 0.4rem; border-bottom: 1px solid var(--line); font-size: 1.25rem; line-height: 1.3; }
h3 { display: inline; margin: 0; font-size: 1rem; font-weight: 600; }
p { margin: 0.25rem 0; }
a { color: var(--link); text-underline-offset: 0.15em; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.kit, .speaks, .about, .note, .legend, .count { color: var(--soft); }
.kit { margin: 0 0 0.5rem; font-size: 0.875rem; }
.note, .legend { font-size: 0.875rem; }
.count { font-weight: 400; font-variant-numeric: tabular-nums; }
.about { margin: 0 0 0.75rem; }

.gate { margin: 1.5rem 0 0; padding: 1rem 1.25rem; border: 1px solid currentColor; border-left-width: 6px; border-radius: 6px; }
.gate p { color: var(--ink); }
.gate .word { margin: 0; color: inherit; font-size: 1.25rem; font-weight: 700; letter-spacing: 0.02em; }
.exit { margin-left: 0.5rem; font-size: 0.875rem; font-weight: 400; letter-spacing: 0; }
.gate.pass, .badge.pass { background: var(--pass-ground); color: var(--pass); }
.gate.fail, .badge.fail { background: var(--fail-ground); color: var(--fail); }
.gate.inconclusive, .badge.inconclusive { background: var(--inconclusive-ground); color: var(--inconclusive); }
.badge.fail.should { background: var(--inconclusive-ground); color: var(--inconclusive); }
.gate.error, .badge.error { background: var(--error-ground); color: var(--error); }
.badge.notOffered { background: var(--notOffered-ground); color: var(--notOffered); }
.badge.notApplicable { background: var(--notApplicable-ground); color: var(--notApplicable); }
.badge { display: inline-block; padding: 0.05rem 0.5rem; border-radius: 4px; font-size: 0.8125rem; font-weight: 600; white-space: nowrap; }
.badge.entry { border: 1px solid var(--line); background: var(--panel); color: var(--ink); font-weight: 400; }
.level { font-size: 0.8125rem; font-weight: 600; letter-spacing: 0.04em; }
.legend { margin: 0.75rem 0 1.25rem; line-height: 2; }

.line { display: grid; grid-template-columns: 4.5rem 1fr; gap: 0.75rem; align-items: center; margin: 0.4rem 0; font-size: 0.8125rem; font-weight: 600; letter-spacing: 0.04em; overflow-wrap: normal; }
.line svg { display: block; border-radius: 4px; background: var(--sunk); }
.line rect { stroke: var(--ground); stroke-width: 1px; }
.line text { fill: var(--ground); font: 600 0.8125rem var(--mono); text-anchor: middle; }
.line .pass rect { fill: var(--pass); }
.line .fail rect { fill: var(--fail); }
.line .inconclusive rect { fill: var(--inconclusive); }
.line .notOffered rect { fill: var(--notOffered); }
.line .notApplicable rect { fill: var(--notApplicable); }
.line .error rect { fill: var(--error); }

.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
caption { padding: 0 0 0.5rem; color: var(--soft); font-size: 0.875rem; text-align: left; }
th, td { overflow-wrap: normal; padding: 0.4rem 0.75rem; border-bottom: 1px solid var(--line); text-align: right; }
th { font-weight: 600; }
thead th { color: var(--soft); font-size: 0.8125rem; font-weight: 600; vertical-align: bottom; }
th:first-child { padding-left: 0; text-align: left; overflow-wrap: break-word; }
td.none { color: var(--soft); }
td.fail { color: var(--fail); font-weight: 700; }
td.error { color: var(--error); font-weight: 700; }

nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 1.5rem 0 0; padding: 0; list-style: none; }
#filter:not([hidden]) { display: flex; flex-wrap: wrap; gap: 0.75rem 1rem; align-items: end; margin: 1.5rem 0 0; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); }
#filter p { display: grid; flex: 1 1 8rem; gap: 0.2rem; margin: 0; }
#filter p:last-of-type { flex: 0 0 auto; }
#filter label { color: var(--soft); font-size: 0.8125rem; }
#filter p:first-child { flex: 2 1 14rem; }
#filter input, #filter select, #filter button { min-height: 2.5rem; padding: 0.35rem 0.6rem; border: 1px solid var(--soft); border-radius: 4px; background: var(--ground); color: var(--ink); font: inherit; font-size: 1rem; }
#filter button { padding-inline: 1rem; }
#filter input::placeholder { color: var(--soft); opacity: 1; }
#shown { flex-basis: 100%; color: var(--soft); font-size: 0.875rem; }

details { border: 1px solid var(--line); border-radius: 6px; background: var(--panel); }
.check { margin: 0.6rem 0; }
.quiet { margin: 0; border-width: 0 0 1px; border-radius: 0; background: none; }
.facts { margin-top: 1.25rem; }
.chapter { margin: 0.5rem 0; }
.chapter > .check:last-child { border-bottom: 0; }
summary { padding: 0.65rem 1rem; cursor: pointer; }
summary:hover { background: var(--sunk); }
.quiet > summary { padding-block: 0.45rem; }
.reason { display: block; margin: 0.2rem 0 0 1.1rem; color: var(--soft); font-size: 0.9375rem; }
details[open] > summary .reason { display: none; }
.inside { padding: 0.25rem 1.25rem 1.25rem 2.1rem; }
dl { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0.5rem 1rem; margin: 0.5rem 0; }
dt { color: var(--soft); font-size: 0.875rem; line-height: 1.75; }
dd { margin: 0; }
dd > :first-child { margin-top: 0; }
dd ul { margin: 0; padding-left: 1.1rem; }
.where { color: var(--soft); }
.exchanges { padding: 0; font-family: var(--mono); font-size: 0.8125rem; list-style: none; }
figure { margin: 1rem 0 0; }
figcaption { color: var(--soft); font-size: 0.875rem; }
pre { margin: 0.25rem 0 0; padding: 0.75rem 1rem; max-height: 30rem; overflow: auto; border: 1px solid var(--line); border-radius: 4px; background: var(--sunk); font-size: 0.8125rem; line-height: 1.5; overflow-wrap: normal; tab-size: 2; }
.copied { display: flex; gap: 0.5rem; align-items: start; }
.copied pre { flex: 1 1 auto; min-width: 0; }
.copy { flex: 0 0 auto; margin-top: 0.25rem; padding: 0.3rem 0.7rem; border: 1px solid var(--soft); border-radius: 4px; background: var(--ground); color: var(--ink); font: inherit; font-size: 0.875rem; }
.raw { margin-top: 0.75rem; background: none; }
.command { white-space: pre-wrap; overflow-wrap: anywhere; }

@media (max-width: 40rem) {
  body { padding: 1.25rem 1rem 3rem; }
  h1 { font-size: 1.625rem; }
  h2 { margin-top: 2.25rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0.1rem; }
  dd { margin-bottom: 0.6rem; }
  .inside { padding-inline: 1rem; }
  th, td { padding-inline: 0.35rem; }
  th:first-child { max-width: 7rem; }
  thead th { font-size: 1rem; }
  .long { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  nav ul { gap: 0.5rem 1rem; }
}
@media print {
  :root { color-scheme: light; --ground: #fff; --panel: #fff; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, #filter { display: none !important; }
  .check:not(.quiet) > summary .reason { display: none; }
  .check:not(.quiet)::details-content { display: block; content-visibility: visible; }
  .check, .gate, figure { break-inside: avoid; }
  pre { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
