import { printable } from '../../src/wire/index.js';

/**
 * Plain text of a message: what viewers would read as a link or a placeholder is escaped (SARIF 2.1.0, 3.11.5, 3.11.6).
 */
export const sarifText = (text: string, limit = 2000): string =>
  printable(text, limit)
    .replace(/\{(\d+)\}/g, '{{$1}}')
    .replace(/\](?=\()/g, '\\]');
