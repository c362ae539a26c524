import { escapedMarkup, printableLines } from '../../src/wire/index.js';

/** HTML that the template below made. Nothing else can make it, so no text can be mistaken for it. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type { Markup };

export type Value = string | number | Markup | readonly Markup[] | undefined;

const escaped = (text: string): string => escapedMarkup(printableLines(text));

function markupOf(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  // Each item by itself: a text that only looks like markup is escaped.
  return Array.isArray(value) ? value.map(markupOf).join('') : escaped(String(value));
}

/**
 * The only way to make HTML from text. The template itself is markup; every value is escaped, unless the template made
 * it. Values may be between tags and in quoted attributes, never names, URLs of a target, styles or scripts.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const all = parts.map((part, index) => (index === 0 ? part : `${markupOf(values[index - 1])}${part}`));
  return new Markup(all.join(''));
}
