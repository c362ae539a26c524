// Style and script of the table of packages, beside those of a report.

export const pageStyle = `
body { max-width: none; }
header, #filter, main > h2, main > ul { max-width: 80rem; margin-inline: auto; }
.about { line-height: 2; }
#filter p { min-width: 0; }
#filter select, #filter input { width: 100%; min-width: 0; }
main > ul { overflow-wrap: anywhere; }
#table { margin-top: 1.5rem; max-height: 85vh; overflow: auto; border: 1px solid var(--line); border-radius: 6px; }
#table table { border-collapse: separate; border-spacing: 0; }
#table thead th { position: sticky; top: 0; z-index: 2; background: var(--panel); padding: 0.5rem 0.25rem; text-align: left; vertical-align: bottom; }
#table thead th[data-target] span { display: inline-block; max-height: 15rem; writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; font-weight: 400; }
#table th:first-child { position: sticky; left: 0; z-index: 1; min-width: 22rem; padding: 0.45rem 0.75rem; background: var(--panel); font-weight: 400; text-align: left; }
#table thead th:first-child { z-index: 3; }
#table .chapter th { background: var(--sunk); font-weight: 600; }
#table td { min-width: 2.25rem; padding: 0; text-align: center; }
#table td a { display: block; padding: 0.45rem 0.25rem; color: inherit; text-decoration: none; font-weight: 600; }
#table td a:hover { outline: 2px solid var(--link); outline-offset: -2px; }
#table td.pass { color: var(--pass); }
#table td.fail { background: var(--fail-ground); color: var(--fail); }
#table td.fail.should, #table td.fail.may { background: var(--inconclusive-ground); color: var(--inconclusive); }
#table td.inconclusive, #table td.notApplicable { color: var(--soft); }
.who { display: none; }
.long { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
dialog { width: min(60rem, calc(100vw - 2rem)); max-height: 90vh; overflow: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); color: var(--ink); }
dialog::backdrop { background: #0008; }
dialog h2 { margin: 0 4rem 0.75rem 0; }
dialog form { float: right; }
dialog button { min-height: 2.25rem; padding: 0.3rem 0.9rem; border: 1px solid var(--soft); border-radius: 4px; background: var(--ground); color: var(--ink); font: inherit; }
dialog pre { white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 48rem) {
  #table { max-height: none; overflow: visible; border: 0; }
  #table table, #table tbody, #table tr:not([hidden]) { display: block; }
  #table thead { display: none; }
  #table th:first-child { position: static; display: block; min-width: 0; max-width: none; padding: 0.75rem 0 0.25rem; border: 0; background: none; }
  #table tr[data-at]:not([hidden]) { display: flex; flex-wrap: wrap; gap: 0.3rem; padding-bottom: 0.6rem; border-bottom: 1px solid var(--line); }
  #table tr[data-at] > th { flex: 0 0 100%; }
  #table td:not([hidden]) { display: block; border: 1px solid var(--line); border-radius: 4px; font-size: 0.8125rem; }
  #table td.void, #table td.notApplicable, #table table:not(.single) td.pass { display: none; }
  #table tr[data-at] > th::after { content: ' ' attr(data-passes); color: var(--pass); font-size: 0.8125rem; white-space: nowrap; }
  #table td a { padding: 0.3rem 0.5rem; font-weight: 400; }
  .who { display: inline; }
}
@media print { #filter, dialog { display: none !important; } #table { max-height: none; overflow: visible; } }
`;

/** It hides, shows and orders what is there, and puts texts into the dialog as texts. */
export const pageScript = `
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const form = document.getElementById('filter');
  const table = document.querySelector('#table table');
  const rows = [...table.querySelectorAll('tr[data-at]')];
  const groups = [...table.querySelectorAll('tbody[data-group]')];
  const all = document.createElement('tbody');
  const texts = new Map(rows.map((row) => [row, row.firstElementChild.textContent.toLowerCase()]));
  const weight = { must: 0, should: 1, may: 2 };
  const orders = {
    at: (a, b) => a.dataset.at - b.dataset.at,
    fails: (a, b) => b.dataset.shownFails - a.dataset.shownFails || a.dataset.at - b.dataset.at,
    level: (a, b) => weight[a.dataset.level] - weight[b.dataset.level] || a.dataset.at - b.dataset.at,
  };
  const heads = [...table.querySelectorAll('thead th[data-target]')];
  const apply = () => {
    const { words, verdict, level, chapter, language, target, sort } = Object.fromEntries(new FormData(form));
    const wanted = words.toLowerCase().split(' ').filter((word) => word !== '');
    const away = new Set();
    for (const head of heads) {
      const off = (language !== '' && head.dataset.language !== language) || (target !== '' && head.dataset.target !== target);
      head.hidden = off;
      if (off) away.add(head.dataset.target);
    }
    // On a phone the passes of a row are a number, until one package is chosen.
    table.classList.toggle('single', target !== '');
    let shown = 0;
    for (const row of rows) {
      const cells = [...row.querySelectorAll('td')];
      for (const cell of cells) cell.hidden = away.has(cell.dataset.target);
      const left = cells.filter((cell) => !cell.hidden);
      row.dataset.shownFails = left.filter((cell) => cell.dataset.cell === 'fail').length;
      const passes = left.filter((cell) => cell.dataset.cell === 'pass').length;
      row.firstElementChild.dataset.passes = passes === 0 ? '' : '✓ ' + passes + ' pass';
      const fits =
        left.some((cell) => cell.dataset.cell !== undefined) &&
        (verdict === '' || left.some((cell) => cell.dataset.cell === verdict)) &&
        (level === '' || row.dataset.level === level) &&
        (chapter === '' || row.dataset.chapter === chapter) &&
        wanted.every((word) => texts.get(row).includes(word));
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    const ordered = [...rows].sort(orders[sort]);
    if (sort === 'at') {
      all.remove();
      for (const group of groups) {
        group.append(...ordered.filter((row) => row.dataset.chapter === group.dataset.group));
        group.hidden = !ordered.some((row) => row.dataset.chapter === group.dataset.group && !row.hidden);
        table.append(group);
      }
    } else {
      for (const group of groups) group.remove();
      all.append(...ordered);
      table.append(all);
    }
    document.getElementById('shown').textContent = shown + ' of ' + rows.length + ' sentences';
  };
  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(apply));
  apply();
  const dialog = document.getElementById('cell');
  const put = (name, text) => { document.getElementById('cell-' + name).textContent = text; };
  const open = () => {
    const place = decodeURIComponent(location.hash.slice(1));
    const cut = place.lastIndexOf('/');
    const row = Object.hasOwn(data.rows, place.slice(0, cut)) ? data.rows[place.slice(0, cut)] : undefined;
    const cell = row !== undefined && Object.hasOwn(row.cells, place.slice(cut + 1)) ? row.cells[place.slice(cut + 1)] : undefined;
    if (cell === undefined) return;
    const head = heads.find((one) => one.dataset.target === place.slice(cut + 1));
    put('title', head.textContent + ': ' + cell.verdict.replace('-', ' '));
    put('sentence', row.section + ': ' + row.sentence);
    const list = document.getElementById('cell-checks');
    list.replaceChildren(...cell.checks.map((check) => {
      const item = document.createElement('li');
      const judged = { true: ' (judged true)', unclear: ' (judged unclear)', 'not-yet': ' (not judged yet)' }[check.judged] || '';
      item.textContent = check.verdict + ' ' + check.id + judged + (check.reason ? ': ' + check.reason : '');
      return item;
    }));
    const exchange = data.exchanges[cell.exchange];
    put('request', exchange === undefined ? 'no exchange shows it' : exchange.request);
    put('answer', exchange === undefined ? '' : exchange.answer);
    if (!dialog.open) dialog.showModal();
  };
  dialog.addEventListener('close', () => history.replaceState(null, '', location.pathname + location.search));
  window.addEventListener('hashchange', open);
  open();
})();
`;
