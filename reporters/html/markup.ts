import { escapedMarkup, printableLines } from '../../src/wire/index.js';

/** HTML that the template below made: nothing else can make one, so no text can pass for it. */
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
  // Each by itself: what only looks like markup is text.
  return Array.isArray(value) ? value.map(markupOf).join('') : escaped(String(value));
}

/**
 * The one way from text to HTML. What stands in the template is markup; every value is escaped, unless the template
 * made it. Values may stand between tags and in quoted attributes, never as names, URLs of a target, styles or scripts.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const all = parts.map((part, index) => (index === 0 ? part : `${markupOf(values[index - 1])}${part}`));
  return new Markup(all.join(''));
}
