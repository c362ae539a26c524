import type { CheckResult, Tally } from '../../src/report/index.js';
import { html, type Markup } from './markup.js';

/** A sign and a word for each verdict, so that no verdict is shown by colour alone. */
export const kinds = [
  { key: 'pass', sign: '✓', word: 'pass' },
  { key: 'fail', sign: '✗', word: 'fail' },
  { key: 'notOffered', sign: '○', word: 'not offered' },
  { key: 'inconclusive', sign: '?', word: 'inconclusive' },
  { key: 'notApplicable', sign: '–', word: 'not applicable' },
  { key: 'error', sign: '!', word: 'kit error' },
] as const satisfies readonly { key: keyof Tally; sign: string; word: string }[];

export type Kind = (typeof kinds)[number];

function keyOf({ verdict }: CheckResult): keyof Tally {
  if (verdict === 'not-offered') return 'notOffered';
  return verdict === 'not-applicable' ? 'notApplicable' : verdict;
}

export const kindOf = (check: CheckResult): Kind => kinds.find(({ key }) => key === keyOf(check)) ?? kinds[0];

/** `level`: a failed SHOULD has another colour than a failed MUST. */
export const badge = ({ key, sign, word }: Kind, level?: CheckResult['level']): Markup =>
  html`<span class="badge ${key}${level === undefined ? '' : ` ${level}`}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
