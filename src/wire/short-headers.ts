import type { Header } from './exchange.js';
import { excerpt } from './text.js';

/** What a header costs beside its characters, in memory and in a report, roughly. */
const headerCost = 64;
const longestName = 200;
const longestValue = 500;

const costOf = ([name, value]: Header): number => name.length + value.length + headerCost;

export const weighHeaders = (headers: readonly Header[]): number =>
  headers.reduce((sum, header) => sum + costOf(header), 0);

/** A text of its own: what `slice` gives holds on to the whole. */
const copied = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
export const shortText = (text: string, limit: number): string =>
  text.length <= limit ? text : copied(excerpt(text, limit));

/**
 * The same headers where they weigh no more than `room`. Else of each value the beginning, and the first of each name
 * before all others, for as long as there is room; in their order.
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
