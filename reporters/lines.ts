import { isPrintable, printable } from '../src/wire/index.js';

/** Foreign text of several lines: line feeds and tabs stay, all else that cannot be seen is shown as an escape. */
export const printableLines = (text: string): string =>
  isPrintable(text)
    ? text
    : text
        .split(/([\n\t])/)
        .map((part) => (part === '\n' || part === '\t' ? part : printable(part, Number.POSITIVE_INFINITY)))
        .join('');
