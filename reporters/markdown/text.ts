import { printable, printableLines } from '../../src/wire/index.js';

/** Invisible. Breaks what GitHub would link in running text: a name after `@`, a number after `#`. */
const gap = '&#8203;';

/**
 * Foreign text as running text of GitHub-flavoured Markdown (GFM 0.29, 2.4 and 6.9): one line, without markup, links,
 * mentions, formulas.
 */
export const spaced = (text: string, limit = 1000): string =>
  printable(text, limit)
    .replace(/[\\`*_[\]<>&|~$!(){}^=]/g, '\\$&')
    .replace(/:(?=\/\/|\w)/g, '\\:')
    .replace(/www\./gi, (www) => `${www.slice(0, -1)}\\.`)
    .replace(/[@#]/g, (sign) => `${sign}${gap}`);

export const prose = (text: string, limit = 1000): string => spaced(text, limit).trim();

/** The same for the beginning of a line, where a number or a dash would begin a list. */
export const paragraph = (text: string, limit = 1000): string =>
  prose(text, limit)
    .replace(/^[-+]/, '\\$&')
    .replace(/^(\d+)\./, '$1\\.');

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);

/** Foreign text as a code span: nothing in it is markup. Not for tables, where a pipe ends it. */
export function code(text: string, limit = 300): string {
  const shown = printable(text, limit);
  if (shown.trim() === '') return '';
  const fence = '`'.repeat(longestRun(shown) + 1);
  const padded = /^[` ]|[` ]$/.test(shown) ? ` ${shown} ` : shown;
  return `${fence}${padded}${fence}`;
}

/** Foreign lines as a block of code. */
export function block(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return [`${fence}${language}`, printableLines(text), fence].join('\n');
}
