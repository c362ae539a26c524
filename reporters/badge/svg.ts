import { asMarkup } from '../../src/wire/index.js';
import type { BadgeColor, BadgeState } from './state.js';

const fills: Readonly<Record<BadgeColor, string>> = {
  brightgreen: '#2e7d32',
  green: '#558b2f',
  yellow: '#9a6700',
  red: '#c62828',
  lightgrey: '#5f6368',
};

/** Widths in pixels of characters of a sans serif font of 11 px. Other characters count as `widest`. */
const widths: readonly (readonly [characters: string, width: number])[] = [
  ["ijl|!.,:;'", 3.6],
  [' ftrI()[]/\\-"`*', 4.6],
  ['cksvxyzJ^', 6],
  ['abdeghnopqu0123456789?$_L', 6.9],
  ['ABCDEFGHKNOPQRSTUVXYZ&=+<>~#', 8],
  ['mwMW%@', 10.8],
];
const widest = 12;

const widthOf = (text: string): number =>
  Math.ceil([...text].reduce((sum, text) => sum + (widths.find(([alike]) => alike.includes(text))?.[1] ?? widest), 0));

const padding = 6;
const height = 20;

const words = (text: string, from: number, width: number): string =>
  `<text x="${from + padding}" y="14" textLength="${width - 2 * padding}" lengthAdjust="spacingAndGlyphs">${asMarkup(text)}</text>`;

/**
 * One picture without scripts, styles and external resources. `link`: an https URL; browsers follow it only where the
 * picture is part of the page, not in an `img`.
 */
export function badgeSvg({ label, message, color, interfaces }: BadgeState, link: string | undefined): string {
  const left = widthOf(label) + 2 * padding;
  const right = widthOf(message) + 2 * padding;
  const labelText = asMarkup(`${label}: ${message}`);
  const drawn = [
    `<rect width="${left}" height="${height}" fill="#3c4043"/>`,
    `<rect x="${left}" width="${right}" height="${height}" fill="${fills[color]}"/>`,
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    words(label, 0, left),
    words(message, left, right),
    '</g>',
  ].join('');
  const width = left + right;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${labelText}">`,
    `<title>${labelText}</title>`,
    ...(interfaces.length === 0 ? [] : [`<desc>${asMarkup(interfaces.join('; '))}</desc>`]),
    link === undefined ? drawn : `<a href="${asMarkup(link)}">${drawn}</a>`,
    '</svg>\n',
  ].join('');
}
