import { printable } from './text.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Foreign text as text of HTML or XML, also in an attribute. What is unsafe to show is escaped first; see `printable`. */
export const asMarkup = (text: string, limit = 2000): string =>
  printable(text, limit).replace(/[&<>"']/g, (one) => entities[one] ?? '');
