import { printable } from './text.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Escapes the characters that have a meaning in HTML or XML. */
export const escapedMarkup = (text: string): string => text.replace(/[&<>"'`]/g, (text) => entities[text] ?? '');

/**
 * Foreign text, safe in HTML and XML, also in an attribute. Characters that are unsafe to show are escaped first; see
 * `printable`.
 */
export const asMarkup = (text: string, limit = 2000): string => escapedMarkup(printable(text, limit));
