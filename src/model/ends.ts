/** Without what stands at its ends, once or many times over. A pattern for it would look along each run in the middle again and again. */
export function withoutEnds(text: string, characters: string, { start = true } = {}): string {
  let from = 0;
  let to = text.length;
  while (start && from < to && characters.includes(text.charAt(from))) from++;
  while (to > from && characters.includes(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** Without the slashes at its end. */
export const withoutSlashes = (url: string): string => withoutEnds(url, '/', { start: false });
