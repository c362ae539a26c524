/** Where a text stops being JSON (RFC 8259). */
export interface JsonFault {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** For people: "a comment". */
  readonly what: string;
  /** The text there, at most 60 characters and to the end of the line. */
  readonly near: string;
}

const literals = ['true', 'false', 'null'];
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const hex = /^[0-9a-fA-F]{4}$/;
const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

type Wanted = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma' | 'nothing';

/** The index behind a string that begins at `at`, or the fault in it. */
function stringEnd(text: string, at: number): number | { readonly at: number; readonly what: string } {
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === 0x22) return next + 1;
    if (code < 0x20) return { at: next, what: 'a line break or control character inside a string' };
    if (code !== 0x5c) continue;
    next += 1;
    const kind = text[next] ?? '';
    if (kind === 'u' && hex.test(text.slice(next + 1, next + 5))) next += 4;
    else if (kind === '' || !'"\\/bfnrt'.includes(kind))
      return { at: next - 1, what: 'an escape that JSON does not have' };
  }
  return { at: text.length, what: 'the end inside a string' };
}

function oddity(text: string, at: number, wanted: Wanted): string {
  const next = text[at] ?? '';
  if (wanted === 'nothing') return 'text after the end of the document';
  if (next === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) return 'a comment';
  if (next === '}' || next === ']')
    return wanted === 'name' || wanted === 'value' ? `nothing before ${next}` : `a stray ${next}`;
  if (wanted === 'comma') return 'no comma before the next member';
  if (wanted === 'colon') return 'no colon after a name';
  if (next === "'") return 'single quotes';
  return wanted === 'name' || wanted === 'first name' ? 'a name without quotes' : 'not a JSON value';
}

/** What a scan of a JSON text meets, in the order of the text. Indices are those of the text. */
export interface JsonVisitor {
  /** The name of a member, with its quotes. */
  name(start: number, end: number): void;
  /** The first character of a value. */
  value(start: number): void;
  /** The brace or bracket that begins an object or a list; its `value` came before. */
  open(kind: 'object' | 'array'): void;
  close(): void;
}

/**
 * Finds the first fault, without recursion and in one pass; undefined for JSON. `visitor` hears of everything before it.
 */
export function scanJson(
  text: string,
  visitor?: JsonVisitor,
): { readonly at: number; readonly what: string } | undefined {
  const inside: ('object' | 'array')[] = [];
  let wanted: Wanted = 'value';
  let at = 0;
  const after = (): Wanted => (inside.length === 0 ? 'nothing' : 'comma');
  for (;;) {
    while (isSpace(text.charCodeAt(at))) at += 1;
    if (at >= text.length) return wanted === 'nothing' ? undefined : { at, what: 'the end of the text' };
    const next = text[at] ?? '';
    const holder = inside.at(-1);
    const closes = next === (holder === 'object' ? '}' : ']') && holder !== undefined;
    if (closes && (wanted === 'comma' || wanted === (holder === 'object' ? 'first name' : 'first value'))) {
      inside.pop();
      visitor?.close();
      wanted = after();
      at += 1;
    } else if (wanted === 'comma' && next === ',') {
      wanted = holder === 'object' ? 'name' : 'value';
      at += 1;
    } else if (wanted === 'colon' && next === ':') {
      wanted = 'value';
      at += 1;
    } else if (wanted === 'name' || wanted === 'first name') {
      if (next !== '"') return { at, what: oddity(text, at, wanted) };
      const end = stringEnd(text, at);
      if (typeof end !== 'number') return end;
      visitor?.name(at, end);
      wanted = 'colon';
      at = end;
    } else if (wanted === 'value' || wanted === 'first value') {
      if (next === '{' || next === '[') {
        const kind = next === '{' ? 'object' : 'array';
        visitor?.value(at);
        visitor?.open(kind);
        inside.push(kind);
        wanted = next === '{' ? 'first name' : 'first value';
        at += 1;
        continue;
      }
      const end = next === '"' ? stringEnd(text, at) : plainEnd(text, at);
      if (end === undefined) return { at, what: oddity(text, at, wanted) };
      if (typeof end !== 'number') return end;
      visitor?.value(at);
      wanted = after();
      at = end;
    } else return { at, what: oddity(text, at, wanted) };
  }
}

/** The index behind a number or a literal. */
function plainEnd(text: string, at: number): number | undefined {
  const literal = literals.find((literal) => text.startsWith(literal, at));
  if (literal !== undefined) return at + literal.length;
  number.lastIndex = at;
  const found = number.exec(text)?.[0] ?? '';
  return found === '' ? undefined : at + found.length;
}

/** The first fault of a text; undefined for JSON. */
export function jsonFault(text: string): JsonFault | undefined {
  const found = scanJson(text);
  if (found === undefined) return undefined;
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < found.at; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  const [near = ''] = text.slice(found.at, found.at + 60).split('\n', 1);
  return { line, column: found.at - start + 1, what: found.what, near };
}
