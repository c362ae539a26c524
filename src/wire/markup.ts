import { printable } from './text.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** What means something in HTML or XML as what only stands for it. */
export const escapedMarkup = (text: string): string => text.replace(/[&<>"'`]/g, (one) => entities[one] ?? '');

/**
 * Foreign text as text of HTML or XML, also in an attribute. What is unsafe to show is escaped first; see `printable`.
 */
export const asMarkup = (text: string, limit = 2000): string => escapedMarkup(printable(text, limit));
