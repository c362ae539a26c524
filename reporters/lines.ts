import { printable } from '../src/wire/index.js';

/** Foreign text of several lines: line feeds and tabs stay, all else that cannot be seen is shown as an escape. */
export const printableLines = (text: string): string =>
  text.replace(/[^\n\t]+/g, (part) => printable(part, Number.POSITIVE_INFINITY));
