// Patterns (extended regular expressions of POSIX) that tell whether an answer is like those that were seen. Bodies are
// read as Latin-1 without line ends, as the script reads them.

export const flat = (body: Uint8Array): string =>
  Buffer.from(body)
    .toString('latin1')
    .replace(/[\0\r\n]/g, '');

/** What differs from run to run: UUIDs, times, long numbers, hashes. */
const moving =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b\d{10,}\b|\b[0-9a-f]{16,}\b/gi;

/** Longer bodies are compared by their kind only; longer patterns are too much for some shells and greps. */
const longest = 6000;

const escaped = (text: string): string =>
  text
    .replace(/[\\^$.|?*+()[{]/g, '\\$&')
    .replace(/[^ -~]/g, '.')
    .replace(/'/g, '.');

/** A place where answers differ: one or more of the characters that it takes. */
interface Hole {
  readonly source: string;
  readonly takes: (character: string) => boolean;
}

const within = (characters: string): ((character: string) => boolean) => {
  const known = new Set(characters);
  return (character) => known.has(character);
};
const alphanumeric = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const anything: Hole = { source: '.+', takes: () => true };
const anId: Hole = { source: '[^"]+', takes: (character) => character !== '"' };
const aMoment: Hole = { source: '[0-9A-Za-z:.,+-]+', takes: within(`${alphanumeric}:.,+-`) };
const aValue: Hole = { source: '[-+.0-9a-zA-Z]+', takes: within(`${alphanumeric}-+.`) };
/** A string of JSON with any content: its closing quote ends it. */
const aString: Hole = { source: '"([^"\\\\]|\\\\.)*"', takes: () => false };

/** A part of an answer: a fixed text, or a placeholder. */
type Part = string | Hole;

const sourceOf = (parts: readonly Part[]): string =>
  `^${parts.map((part) => (typeof part === 'string' ? escaped(part) : part.source)).join('')}$`;

/** The text as parts: each match replaced by `put`, the text between matches made parts by `keep`. */
function replaced(
  text: string,
  found: RegExp,
  keep: (part: string) => readonly Part[],
  put: (match: RegExpExecArray) => Part,
): readonly Part[] {
  const result: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(found)) {
    for (const part of keep(text.slice(at, match.index))) result.push(part);
    result.push(put(match));
    at = match.index + match[0].length;
  }
  for (const part of keep(text.slice(at))) result.push(part);
  return result;
}

const itself = (text: string): readonly Part[] => [text];

/** At most so many texts that move are looked up among what was sent. */
const mostLookedUp = 40;

/** The same text, except for ids of the run and texts that move. A text that was sent is the same each time. */
function sameText(text: string, ids: readonly string[], sent: (text: string) => boolean): readonly Part[] {
  const [id, ...others] = ids;
  if (id === undefined) return replaced(text, moving, itself, ([found]) => (sent(found) ? found : aMoment));
  return text
    .split(id)
    .flatMap((part, at) => (at === 0 ? sameText(part, others, sent) : [anId, ...sameText(part, others, sent)]));
}

/** Whether a text was sent; after `mostLookedUp` texts, others count as not sent. */
function sentIn(sent: string): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.size >= mostLookedUp) return before ?? false;
    const is = sent.includes(text);
    known.set(text, is);
    return is;
  };
}

/** What replaces a secret. Another run shows another secret there. */
const hidden = /\[(?:secret-\d+|hidden)\]/g;
const likeText = (text: string, ids: readonly string[], sent: string): readonly Part[] => {
  const isSent = sentIn(sent);
  return replaced(
    text,
    hidden,
    (part) => sameText(part, ids, isSent),
    () => anything,
  );
};

const telling = /^"(code|state|kind|role|jsonrpc|final|method)"$/;
/**
 * A string that does not end matches too, and is kept as it is: otherwise each quotation mark in it would begin a new
 * search.
 */
const token = /("(?:[^"\\]|\\.)*(?:"|\\?$))(\s*:\s*)?|-?\d[\d.eE+-]*|true|false/g;

/** The end of the string of JSON that begins here; -1: none does. */
function endOfString(body: string, at: number): number {
  if (body[at] !== '"') return -1;
  for (let next = at + 1; next < body.length; next++) {
    if (body[next] === '"') return next + 1;
    if (body[next] === '\\') next++;
  }
  return -1;
}

/** The same members, codes and states, whatever the other values are. */
function sameShape(text: string): readonly Part[] {
  let member = '';
  return replaced(text, token, itself, ([whole, string, colon]) => {
    const name = member;
    member = '';
    if (string !== undefined && colon !== undefined) {
      member = string;
      return whole;
    }
    if (telling.test(name) || (string !== undefined && endOfString(string, 0) < 0)) return whole;
    return string === undefined ? aValue : aString;
  });
}

/** Characters that the pattern takes for any character become NUL, which bodies do not hold. */
const comparable = (text: string): string => text.replace(/[^ -~]|'/g, '\0');

/** Joins texts that follow each other. */
function joined(parts: readonly Part[]): readonly Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (typeof part === 'string' && typeof last === 'string') result[result.length - 1] = last + part;
    else if (part !== '') result.push(part);
  }
  return result;
}

/**
 * Whether the body consists of these parts, each placeholder as short as it can be. Without a regular expression: an answer
 * that repeats secrets has many placeholders, and backtracking would try each length of each of them. Each character is read a
 * few times at most.
 */
function fits(parts: readonly Part[], body: string): boolean {
  const text = comparable(body);
  const all = joined(parts);
  let at = 0;
  /** The placeholder right before `at`, which may go on. */
  let open: Hole | undefined;
  function goOnTo(end: number): boolean {
    while (at < end && open?.takes(body.charAt(at)) === true) at++;
    return at === end;
  }
  for (const [index, part] of all.entries()) {
    if (part === aString) {
      while (at < body.length && open?.takes(body.charAt(at)) === true) at++;
      open = undefined;
      at = endOfString(body, at);
      if (at < 0) return false;
    } else if (typeof part !== 'string') {
      if (at >= body.length || !part.takes(body.charAt(at))) return false;
      at += 1;
      open = part;
    } else {
      const wanted = comparable(part);
      const last = body.length - wanted.length;
      const found = open === undefined ? at : index === all.length - 1 ? last : text.indexOf(wanted, at);
      if (found < at || !text.startsWith(wanted, found) || !goOnTo(found)) return false;
      at += wanted.length;
      open = undefined;
    }
  }
  return open === undefined ? at === body.length : goOnTo(body.length);
}

const space = '[ \\t]*';

/** An error with its code, or a result with its states: patterns that must be found in this order. */
function kindOf(text: string): readonly string[] {
  const code = /"code"\s*:\s*(-?\d+)/.exec(text)?.[1];
  if (code !== undefined && /"error"\s*:/.test(text)) return [`"code"${space}:${space}${code}`];
  const isResult = /"result"\s*:/.test(text);
  if (!isResult && text.includes('"jsonrpc"')) return [];
  const states: string[] = [];
  for (const [, state = ''] of text.matchAll(/"state"\s*:\s*"([^"\\]*)"/g)) {
    if (states.length >= 20) break;
    if (state.length <= 60) states.push(escaped(state));
  }
  return [...(isResult ? [`"result"${space}:`] : []), ...states.map((state) => `"state"${space}:${space}"${state}"`)];
}

/** Whether each pattern is found behind the one before it. */
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

/** The last event of a stream, which may show what is wrong with all of it; undefined: no stream of several events. */
function lastEvent(body: string): string | undefined {
  const isStream = body.startsWith('data:');
  const isEnveloped = isStream && body.includes('data: {"jsonrpc"');
  const at = isStream ? body.lastIndexOf(isEnveloped ? 'data: {"jsonrpc"' : 'data: {"') : -1;
  return at > 0 ? body.slice(at) : undefined;
}

/** The pattern of streams that end alike after different beginnings. */
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
    for (const parts of [likeText(first, ids, sent), sameShape(first)]) {
      const pattern = sourceOf(parts);
      if (pattern.length <= longest && bodies.every((body) => fits(parts, body))) return pattern;
    }
  }
  const end = endOf(bodies, ids, sent);
  if (end !== undefined) return end;
  const kind = kindOf(first);
  return bodies.every((body) => inOrder(kind, body)) ? kind.join('.*') : '';
}
