// Patterns (extended regular expressions of POSIX) that tell whether an answer is like those that were seen. Bodies are
// read as Latin-1 without line ends, as the script reads them.

export const flat = (body: Uint8Array): string =>
  Buffer.from(body)
    .toString('latin1')
    .replace(/[\0\r\n]/g, '');

/** What differs from run to run: UUIDs, times, long numbers, hashes. */
const moving =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b\d{10,}\b|\b[0-9a-f]{16,}\b/gi;

/** Longer bodies are looked at for their kind only; longer patterns are too much for some shells and greps. */
const longest = 6000;

const escaped = (text: string): string =>
  text
    .replace(/[\\^$.|?*+()[{]/g, '\\$&')
    .replace(/[^ -~]/g, '.')
    .replace(/'/g, '.');

/** The text with each match replaced, and what stands between made a pattern by `keep`. */
function replaced(
  text: string,
  found: RegExp,
  keep: (part: string) => string,
  put: (match: RegExpExecArray) => string,
) {
  let result = '';
  let at = 0;
  for (const match of text.matchAll(found)) {
    result += keep(text.slice(at, match.index)) + put(match);
    at = match.index + match[0].length;
  }
  return result + keep(text.slice(at));
}

const literally = (text: string): RegExp => new RegExp(text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'), 'g');

/** The same text, but for ids of the run and what moves. What was sent is the same each time. */
function sameText(text: string, ids: readonly string[], sent: string): string {
  const [id, ...others] = ids;
  if (id === undefined)
    return replaced(text, moving, escaped, ([found]) => (sent.includes(found) ? escaped(found) : '[0-9A-Za-z:.,+-]+'));
  return replaced(
    text,
    literally(id),
    (part) => sameText(part, others, sent),
    () => '[^"]+',
  );
}

/** What stands in place of a secret, of which the agent will say another one. */
const hidden = /\[(?:secret-\d+|hidden)\]/g;
const likeText = (text: string, ids: readonly string[], sent: string): string =>
  replaced(
    text,
    hidden,
    (part) => sameText(part, ids, sent),
    () => '.+',
  );

const anyText = '"([^"\\\\]|\\\\.)*"';
const telling = /^"(code|state|kind|role|jsonrpc|final|method)"$/;
const token = /("(?:[^"\\]|\\.)*")(\s*:\s*)?|-?\d[\d.eE+-]*|true|false/g;

/** The same members, codes and states, whatever the other values are. */
function sameShape(text: string): string {
  let member = '';
  return replaced(text, token, escaped, ([whole, string, colon]) => {
    const name = member;
    member = '';
    if (string !== undefined && colon !== undefined) {
      member = string;
      return escaped(whole);
    }
    if (telling.test(name)) return escaped(whole);
    return string === undefined ? '[-+.0-9a-zA-Z]+' : anyText;
  });
}

const space = '[ \\t]*';

/** An error with its code, or a result with its states: patterns that follow each other. */
function kindOf(text: string): readonly string[] {
  const code = /"code"\s*:\s*(-?\d+)/.exec(text)?.[1];
  if (code !== undefined && /"error"\s*:/.test(text)) return [`"code"${space}:${space}${code}`];
  if (!/"result"\s*:/.test(text)) return [];
  const states = [...text.matchAll(/"state"\s*:\s*"([^"\\]*)"/g)].slice(0, 20).map(([, state = '']) => escaped(state));
  return [`"result"${space}:`, ...states.map((state) => `"state"${space}:${space}"${state}"`)];
}

/** Each pattern is found behind the one before it. */
function inOrder(patterns: readonly string[], body: string): boolean {
  let at = 0;
  for (const pattern of patterns) {
    const expression = new RegExp(pattern, 'g');
    expression.lastIndex = at;
    if (!expression.test(body)) return false;
    at = expression.lastIndex;
  }
  return true;
}

/** The last event of a stream, which may say what is wrong with all of it; undefined: it is none. */
function lastEvent(body: string): string | undefined {
  const at = body.startsWith('data:') ? body.lastIndexOf('data: {"jsonrpc"') : -1;
  return at > 0 ? body.slice(at) : undefined;
}

/** The same end of streams that went differently before. */
function endOf(bodies: readonly string[], ids: readonly string[], sent: string): string | undefined {
  const ends = bodies.flatMap((body) => lastEvent(body) ?? []);
  const pattern = ends.length === bodies.length ? patternOf(ends, ids, sent) : '';
  return /^\^.+\$$/.test(pattern) ? pattern.slice(1) : undefined;
}

/**
 * The strictest pattern that all these answers fit: the same text, the same shape, the same kind; `^` and `$` stand for
 * the whole answer. Empty: any answer. Bodies are without secrets. `ids`: those of the run that `bodies[0]` comes from;
 * `sent`: all that was sent in it.
 */
export function patternOf(bodies: readonly string[], ids: readonly string[], sent = ''): string {
  const [first = ''] = bodies;
  if (first === '') return bodies.every((body) => body === '') ? '^$' : '';
  if (bodies.every(({ length }) => length <= longest)) {
    for (const pattern of [`^${likeText(first, ids, sent)}$`, `^${sameShape(first)}$`]) {
      const expression = new RegExp(pattern, 's');
      if (pattern.length <= longest && bodies.every((body) => expression.test(body))) return pattern;
    }
  }
  const end = endOf(bodies, ids, sent);
  if (end !== undefined) return end;
  const kind = kindOf(first);
  return bodies.every((body) => inOrder(kind, body)) ? kind.join('.*') : '';
}
