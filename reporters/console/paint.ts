import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta';
export type Paint = (style: Style | readonly Style[], text: string) => string;

/** Colours only when asked: the caller knows whether this goes to a terminal. */
export const paintWith = (colour: boolean): Paint =>
  colour
    ? (style, text) => styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false })
    : (_, text) => text;

/** Wraps text to `columns`; a longer word has its own line. All lines but the first are indented. */
export function wrap(text: string, indent: number, columns: number | undefined): string {
  if (columns === undefined) return text;
  const room = Math.max(30, Math.min(columns, 120) - indent);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}
