/** The number of insertions, deletions and replacements that turn one word into the other. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let at = 1; at <= b.length; at++) {
      const replaced = (above[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}

/** At most three known names that are closest to the typed one; names that differ too much are left out. */
export function nearest(typed: string, known: readonly string[]): readonly string[] {
  const word = typed.slice(0, 100).toLowerCase();
  const limit = Math.max(2, Math.floor(word.length * 0.4));
  return [...new Set(known)]
    .map((name) => ({ name, away: name.includes(word) && word.length > 2 ? 1 : distance(word, name.toLowerCase()) }))
    .filter(({ away }) => away <= limit)
    .sort((a, b) => a.away - b.away)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** "did you mean a or b?", or `otherwise` if no name is close. */
export function suggestion(typed: string, known: readonly string[], otherwise: string): string {
  const close = nearest(typed, known);
  return close.length === 0 ? otherwise : `did you mean ${close.join(' or ')}?`;
}
