/**
 * Removes these characters from both ends of a text, or only from its end. A regular expression would scan each run of
 * them in the middle again and again.
 */
export function withoutEnds(text: string, characters: string, { start = true } = {}): string {
  let from = 0;
  let to = text.length;
  while (start && from < to && characters.includes(text.charAt(from))) from++;
  while (to > from && characters.includes(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** The URL without slashes at its end. */
export const withoutSlashes = (url: string): string => withoutEnds(url, '/', { start: false });
