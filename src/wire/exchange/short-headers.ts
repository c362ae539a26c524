import { excerpt } from '../text/text.js';
import type { Header } from './exchange.js';

/** The rough cost of a header in addition to its characters, in memory and in a report. */
const headerCost = 64;
const longestName = 200;
const longestValue = 500;

const costOf = ([name, value]: Header): number => name.length + value.length + headerCost;

export const weighHeaders = (headers: readonly Header[]): number =>
  headers.reduce((sum, header) => sum + costOf(header), 0);

/** Copies a text: the result of `slice` would keep the whole original in memory. */
const copied = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
export const shortText = (text: string, limit: number): string =>
  text.length <= limit ? text : copied(excerpt(text, limit));

/**
 * The same headers when they weigh no more than `room`. Otherwise long names and values are cut, and headers are kept
 * as long as there is room, the first of each name before all others. The order stays.
 */
export function shortHeaders(headers: readonly Header[], room: number): readonly Header[] {
  if (weighHeaders(headers) <= room) return headers;
  const names = new Set<string>();
  const isFirst = headers.map(([name]) => {
    const before = names.size;
    return names.add(name.toLowerCase()).size > before;
  });
  const kept = new Map<number, Header>();
  let left = room;
  for (const wanted of [true, false]) {
    for (const [at, [name, value]] of headers.entries()) {
      if (isFirst[at] !== wanted) continue;
      const short: Header = [shortText(name, longestName), shortText(value, longestValue)];
      left -= costOf(short);
      if (left < 0) break;
      kept.set(at, short);
    }
  }
  return [...kept].sort(([a], [b]) => a - b).map(([, header]) => header);
}
