const deepest = 40;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A string with its quotes, a bracket, a comma, a colon, or a run of other characters but spaces. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * JSON on indented lines, token by token: `JSON.stringify` would lose long numbers and members that come twice. Text
 * that is not JSON stays unchanged. Stops soon after `limit` characters.
 */
export function indented(text: string, limit: number): string {
  if (!/^\s*[{[]/.test(text) || !isJson(text)) return text;
  const out: string[] = [];
  let length = 0;
  let depth = 0;
  let last = '';
  const add = (piece: string) => {
    out.push(piece);
    length += piece.length;
  };
  const line = () => add(`\n${'  '.repeat(Math.min(depth, deepest))}`);
  for (const [piece] of text.matchAll(token)) {
    const closes = piece === '}' || piece === ']';
    const follows = last === '{' || last === '[';
    if (closes) depth--;
    if (closes ? !follows : follows || last === ',') line();
    add(piece === ':' ? ': ' : piece);
    if (piece === '{' || piece === '[') depth++;
    last = piece;
    if (length > limit) break;
  }
  return out.join('');
}
