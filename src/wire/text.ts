/**
 * What foreign text must not bring into a terminal or a report: controls (with ESC), format characters (bidi overrides,
 * zero width, tags), line and paragraph separators, private use, lone surrogates, noncharacters.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}]/u;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return short[character] ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`);
}

/**
 * Where a runner of CI jobs would read a command: `##[…]`, `##vso[…]` and `##teamcity[…]` anywhere in a line (Azure
 * Pipelines, GitHub of before, TeamCity), `::name::` where a line begins (GitHub Actions), which is wherever a word
 * does, as lines may be broken there. Each match is its first character, so that nothing is read twice.
 */
const marker = /#(?=#\w*\[)|(?<!\S):(?=:)/g;
const anyMarker = new RegExp(marker.source);

/** The same text for who reads it, and no command: `\::add-mask::`, `#\#[error]`. */
const withoutCommands = (text: string): string =>
  anyMarker.test(text) ? text.replace(marker, (first) => (first === '#' ? '#\\' : '\\:')) : text;

/** JSON without such commands. In it `#` stands in texts only, which stay the same for who parses it. */
export const jsonWithoutCommands = (json: string): string => json.replace(/#(?=#\w*\[)/g, '\\u0023');

export const isPrintable = (text: string): boolean => !unsafe.test(text) && !anyMarker.test(text);

/**
 * One line that shows foreign text and does nothing else: what is unsafe is escaped, also what would be a command to a
 * runner of CI jobs; `…` ends what is cut at `limit`.
 */
export function printable(text: string, limit = 2000): string {
  // Nearly all text is harmless, and reports hold a lot of it.
  const start = text.length <= limit ? text : text.slice(0, Math.max(0, limit - 1));
  if (isPrintable(start)) return start.length === text.length ? text : `${start}…`;
  const shown: string[] = [];
  let length = 0;
  // By code points, so that a pair of surrogates is never cut in two; nor is an escape. Each becomes one unit or more.
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

/** Its beginning. `…` ends what is cut: by it redaction knows the beginning of a secret. */
export const excerpt = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text that these bytes are in UTF-8, to the last mark; undefined: none. */
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
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
