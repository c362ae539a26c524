import type { Finding } from './inspection.js';

/** Places of one document that a reason names; the rest is counted. */
const mostNamed = 20;
/** Most characters of the problems after the first. */
const mostText = 1500;

/**
 * The first problem, then others as far as there is room, the rest as a number. `more`: further problems that are not
 * in the list.
 */
export function severally(problems: readonly string[], more = 0): string {
  const [first = '', ...others] = problems;
  const named: string[] = [];
  let room = mostText;
  for (const other of others.slice(0, mostNamed - 1)) {
    room -= other.length;
    if (room < 0) break;
    named.push(other);
  }
  const left = others.length - named.length + more;
  const also = named.length === 0 ? '' : `; also ${named.join(', ')}`;
  return `${first}${also}${left === 0 ? '' : `; and ${left} more`}`;
}

/** The findings in one document, with each place. `more`: places that are not among the findings. */
export function placesOf(name: string, broken: readonly Finding[], more = 0): string {
  const [first] = broken;
  const placeTexts = broken.map(({ path, message, seen }, at) => {
    if (at === 0) return `${name}${path} ${message}: ${seen}`;
    const place = path === '' ? name : path;
    return message === first?.message ? place : `${place} ${message}`;
  });
  return severally(placeTexts, more);
}
