/** Names of HTML entities: those of ASCII with their character, those of Latin-1 in the order of their codes. */
const ascii: Readonly<Record<string, string>> = {
  Tab: '\t',
  NewLine: '\n',
  excl: '!',
  quot: '"',
  QUOT: '"',
  num: '#',
  dollar: '$',
  percnt: '%',
  amp: '&',
  AMP: '&',
  apos: "'",
  lpar: '(',
  rpar: ')',
  ast: '*',
  midast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  lt: '<',
  LT: '<',
  equals: '=',
  gt: '>',
  GT: '>',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  Hat: '^',
  lowbar: '_',
  UnderBar: '_',
  grave: '`',
  DiacriticalGrave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  VerticalLine: '|',
  rcub: '}',
  rbrace: '}',
};
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';
const codes = new Map<string, number>([
  ...Object.entries(ascii).map(([name, sign]) => [name, sign.charCodeAt(0)] as const),
  ...latin1.split(' ').map((name, at) => [name, 0xa0 + at] as const),
]);
const longestName = Math.max(...[...codes.keys()].map(({ length }) => length));

/** The value of a hex digit in either case; -1: not a hex digit. */
export const digitOf = (byte: number): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};
const semicolon = 0x3b;

/** The entity at an ampersand: its code and its length in bytes. The semicolon may be missing. Undefined: unknown. */
export function signOfEntity(
  bytes: Uint8Array,
  at: number,
  length: number,
): { readonly code: number; readonly length: number } | undefined {
  let next = at + 1;
  if (bytes[next] === 0x23) {
    next++;
    const isHex = ((bytes[next] ?? 0) | 0x20) === 0x78;
    if (isHex) next++;
    const [first, base] = [next, isHex ? 16 : 10];
    let code = 0;
    for (; next < length; next++) {
      const digit = digitOf(bytes[next] ?? 0);
      if (digit < 0 || digit >= base) break;
      code = Math.min(0x110000, code * base + digit);
    }
    if (next === first) return undefined;
    if (bytes[next] === semicolon && next < length) next++;
    return { code, length: next - at };
  }
  const most = Math.min(length, next + longestName);
  let name = '';
  let known: number | undefined;
  let end = next;
  for (; next < most && bytes[next] !== semicolon; next++) {
    name += String.fromCharCode(bytes[next] ?? 0);
    const code = codes.get(name);
    // The longest known name before a semicolon wins.
    if (code !== undefined) [known, end] = [code, next + 1];
  }
  if (known === undefined) return undefined;
  if (bytes[end] === semicolon && end < length) end++;
  return { code: known, length: end - at };
}
