import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta';
export type Paint = (style: Style | readonly Style[], text: string) => string;

/** Colours only when asked: the caller knows whether this goes to a terminal. */
export const paintWith = (colour: boolean): Paint =>
  colour
    ? (style, text) => styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false })
    : (_, text) => text;
