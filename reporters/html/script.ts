import { html, type Markup } from './markup.js';

/**
 * Search and filter. Without scripts the form stays hidden and everything is shown. The script only hides and shows
 * elements, copies commands, and makes no markup.
 */
export const script = html`
(() => {
  const form = document.getElementById('filter');
  const items = [...document.querySelectorAll('[data-verdict]')];
  const groups = [...document.querySelectorAll('[data-group]'), ...document.querySelectorAll('[data-part]')];
  const texts = new Map();
  const textOf = (item) => {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  };
  const apply = () => {
    const { words, verdict, level } = Object.fromEntries(new FormData(form));
    const wanted = words.toLowerCase().split(' ').filter((word) => word !== '');
    let shown = 0;
    for (const item of items) {
      const fits =
        (verdict === '' || item.dataset.verdict === verdict) &&
        (level === '' || item.dataset.level === level) &&
        wanted.every((word) => textOf(item).includes(word));
      item.hidden = !fits;
      if (fits) shown += 1;
    }
    // A level alone asks for no check that passed.
    const asked = verdict !== '' || wanted.length > 0;
    for (const group of groups) {
      const own = [...group.querySelectorAll('[data-verdict]')];
      group.hidden = own.length > 0 && own.every((item) => item.hidden);
      if (group.matches('details') && asked && !group.hidden) group.open = true;
    }
    document.getElementById('shown').textContent = shown + ' of ' + items.length + ' shown';
    keep({ words, verdict, level });
  };
  // The filter stands in the URL, so that a link to the page shows the same. Some frames refuse that.
  const keep = (fields) => {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(fields)) {
      if (value === '') query.delete(name);
      else query.set(name, value);
    }
    const search = query.toString();
    try {
      history.replaceState(null, '', location.pathname + (search === '' ? '' : '?' + search) + location.hash);
    } catch {}
  };
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = form.elements.namedItem(name);
    if (field !== null && 'value' in field) field.value = value;
  }
  // Not every browser opens what a link leads to.
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let one = target; one !== null; one = one.parentElement) if (one.matches('details')) one.open = true;
    if (target !== null) target.scrollIntoView();
  };
  addEventListener('hashchange', open);
  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(apply));
  apply();
  open();
  for (const button of document.querySelectorAll('button.copy')) {
    if (navigator.clipboard === undefined) break;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.previousElementSibling.textContent);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
  }
})();
`;

const option = (value: string, word: string) => html`<option value="${value}">${word}</option>`;

const field = (name: string, word: string, control: Markup) =>
  html`<p><label for="filter-${name}">${word}</label> ${control}</p>
`;

const choice = (name: string, word: string, options: readonly Markup[]) =>
  field(name, word, html`<select id="filter-${name}" name="${name}">${options}</select>`);

export const filterForm = html`<form id="filter" role="search" aria-label="Filter the checks" hidden>
${field('words', 'Search', html`<input id="filter-words" type="search" name="words" placeholder="id, sentence, reason" autocomplete="off">`)}${choice(
  'verdict',
  'Verdict',
  [
    option('', 'all'),
    option('fail', 'fail'),
    option('not-offered', 'not offered'),
    option('inconclusive', 'inconclusive'),
    option('pass', 'pass'),
    option('not-applicable', 'not applicable'),
    option('error', 'kit error'),
    option('finding', 'finding of the fuzzer'),
  ],
)}${choice('level', 'Level', [option('', 'all'), option('must', 'MUST'), option('should', 'SHOULD'), option('may', 'MAY')])}<p><button type="reset">Clear</button></p>
<output id="shown"></output>
</form>
`;
