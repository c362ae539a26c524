import { printable } from '../src/wire/index.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text for XML 1.0, which forbids most control characters even when escaped: they are shown instead (`\x1b`). */
export const xml = (text: string, limit = 20_000): string =>
  printable(text, limit).replace(/[&<>"']/g, (text) => entities[text] ?? '');

export const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(String(value))}"`)
    .join('');
