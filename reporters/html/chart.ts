import type { Report, Tally } from '../../src/report/index.js';
import { levels } from '../wording.js';
import { html, type Markup } from './markup.js';
import { badge, kinds } from './signs.js';

/** Percent of the bar that a number needs to fit, on a phone too. */
const narrowest = 14;
const thinnest = 2;

const sum = (tally: Tally): number => kinds.reduce((total, { key }) => total + tally[key], 0);

/** Percent of the bar for each verdict. Even a small count gets a share that can be seen. */
function shares(tally: Tally): readonly number[] {
  const total = sum(tally);
  const wished = kinds.map(({ key }) => (tally[key] === 0 ? 0 : Math.max(thinnest, (100 * tally[key]) / total)));
  const all = wished.reduce((first, second) => first + second, 0);
  return wished.map((share) => (all === 0 ? 0 : (100 * share) / all));
}

/** One bar, in which every verdict has its share. Hidden from screen readers: the label says the same. */
function bar(tally: Tally): Markup {
  let at = 0;
  const pieces = shares(tally).map((share, index) => {
    const { key, sign } = kinds[index] ?? kinds[0];
    const x = at;
    at += share;
    if (share === 0) return html``;
    const middle = (x + share / 2).toFixed(2);
    const number = share < narrowest ? undefined : html`<text x="${middle}%" y="19">${sign} ${tally[key]}</text>`;
    return html`<g class="${key}"><rect x="${x.toFixed(2)}%" width="${share.toFixed(2)}%" height="28"/>${number}</g>`;
  });
  return html`<svg width="100%" height="28" aria-hidden="true" focusable="false">${pieces}</svg>`;
}

const spoken = (tally: Tally): string =>
  kinds.flatMap(({ key, word }) => (tally[key] === 0 ? [] : [`${tally[key]} ${word}`])).join(', ') || 'no checks';

/** The verdicts of each level as bars, with a text label for screen readers. */
export function chart({ summary }: Report): Markup {
  const bars = levels.map(
    (
      level,
    ) => html`<div class="line" role="img" aria-label="${level.toUpperCase()}: ${spoken(summary[level])}"><span aria-hidden="true">${level.toUpperCase()}</span>${bar(summary[level])}</div>
`,
  );
  return html`<div class="chart">${bars}</div>
<p class="legend">${kinds.map((kind) => html`${badge(kind)} `)}</p>`;
}
