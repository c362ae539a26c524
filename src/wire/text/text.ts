/**
 * Characters that foreign text must not bring into a terminal or a report: controls (with ESC), format characters (bidi
 * overrides, zero width, tags), line and paragraph separators, private use, lone surrogates, noncharacters.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}]/u;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return short[character] ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`);
}

/**
 * Where a CI runner would read a command: `##[…]`, `##vso[…]` and `##teamcity[…]` anywhere in a line (Azure Pipelines,
 * older GitHub, TeamCity), and `::name::` at the beginning of a line (GitHub Actions). The beginning of any word
 * counts, as lines may be broken there. Each match is one character, so that nothing is read twice.
 */
const marker = /#(?=#\w*\[)|(?<!\S):(?=:)/g;
const anyMarker = new RegExp(marker.source);

/** The same text for a reader, but no command: `\::add-mask::`, `#\#[error]`. */
const withoutCommands = (text: string): string =>
  anyMarker.test(text) ? text.replace(marker, (first) => (first === '#' ? '#\\' : '\\:')) : text;

/** JSON without such commands. In JSON `#` occurs only in strings, and those parse to the same text. */
export const jsonWithoutCommands = (json: string): string => json.replace(/#(?=#\w*\[)/g, '\\u0023');

export const isPrintable = (text: string): boolean => !unsafe.test(text) && !anyMarker.test(text);

/**
 * Foreign text as one harmless line: unsafe characters are escaped, and so are commands to CI runners. A text that is
 * cut at `limit` ends with `…`.
 */
export function printable(text: string, limit = 2000): string {
  // A quick test: nearly all text is harmless, and reports hold a lot of it.
  const start = text.length <= limit ? text : text.slice(0, Math.max(0, limit - 1));
  if (isPrintable(start)) return start.length === text.length ? text : `${start}…`;
  const shown: string[] = [];
  let length = 0;
  // By code points, so that neither a surrogate pair nor an escape is cut in two. Each becomes at least one code unit.
  for (const character of withoutCommands(text.length <= limit + 2 ? text : text.slice(0, limit + 2))) {
    const next = unsafe.test(character) ? escaped(character) : character;
    shown.push(next);
    length += next.length;
    if (length <= limit) continue;
    while (length > limit - 1) length -= shown.pop()?.length ?? length;
    return `${shown.join('')}…`;
  }
  return shown.join('');
}

/** The beginning of a text. A text that is cut ends with `…`: by it redaction recognises the beginning of a secret. */
export const excerpt = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The UTF-8 text of these bytes, with its byte order mark; undefined: not UTF-8. */
export function exactText(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Foreign text of several lines: line feeds and tabs stay, each line between them is made printable. */
export const printableLines = (text: string): string =>
  text.replace(/[^\n\t]+/g, (part) => printable(part, Number.POSITIVE_INFINITY));

/** `1.5 s`: a time that was measured, for people. */
export const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** `1 check`, `2 checks`; `one` and `many` may be more than the noun. */
export const plural = (count: number, text: string, many = `${text}s`): string =>
  `${count} ${count === 1 ? text : many}`;

/** Wraps text to `columns`; a longer word has its own line. All lines but the first are indented. */
export function wrap(text: string, indent: number, columns: number | undefined): string {
  if (columns === undefined) return text;
  const room = Math.max(30, Math.min(columns, 120) - indent);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}
