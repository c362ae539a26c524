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
    const narrowed = verdict !== '' || level !== '' || wanted.length > 0;
    for (const group of groups) {
      const own = [...group.querySelectorAll('[data-verdict]')];
      group.hidden = own.length > 0 && own.every((item) => item.hidden);
      if (group.matches('details') && narrowed && !group.hidden) group.open = true;
    }
    document.getElementById('shown').textContent = shown + ' of ' + items.length + ' shown';
  };
  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(apply));
  apply();
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
