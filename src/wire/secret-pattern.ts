/** Shorter secrets are not hidden: that would black out half of any report. */
const shortest = 4;

/** The UTF-8 bytes of a text, each as one character. */
const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const escapedForRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

const isLetter = (character: string): boolean => /^[A-Za-z]$/.test(character);
/** A pattern of a hex number with letters of either case. */
const anyCase = (digits: string): string => digits.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** JSON's short escapes (RFC 8259 §7) except that of the backslash, by character. */
const shortEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '/': '\\/',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
};

/** The layers of JSON in JSON and of URL in URL are limited: without that, a body of backslashes takes for ever. */
const percentSign = '%(?:25){0,4}';
/** A backslash; in JSON within a URL it is percent-encoded. */
const backslash = `(?:\\\\|${percentSign}5[cC])`;
/** JSON within JSON has several backslashes. */
const backslashes = `${backslash}{1,8}`;

/** A pattern of the two hex digits of a byte. The two cases of a letter differ in one bit of the first digit. */
function digitsOf(byte: number): string {
  const [first = '', second = ''] = hex(byte, 2);
  if (!isLetter(String.fromCharCode(byte))) return anyCase(first + second);
  return `[${/[46]/.test(first) ? '46' : '57'}]${anyCase(second)}`;
}

const percentOf = (character: string): string =>
  [...Buffer.from(character, 'utf8')].map((byte) => percentSign + digitsOf(byte)).join('');

/** A pattern of a percent-encoded or `\u`-escaped character; ASCII letters in either case. */
function escapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => {
    const code = character.charCodeAt(at);
    return `${backslashes}u${anyCase(hex(code >> 8, 2))}${code < 0x80 ? digitsOf(code) : anyCase(hex(code & 0xff, 2))}`;
  });
  return `${percentOf(character)}|${units.join('')}`;
}

/** A backslash of a run, or one that escapes it; the pattern does not distinguish them. */
const inRun = `(?:${backslash}(?:u005[cC])?)`;
/** How many backslashes are hidden with a secret that begins with backslashes. */
const mostInRun = 1000;

/**
 * A pattern of one character, or a run of backslashes, in every spelling: itself, percent-encoded (also twice),
 * JSON-escaped (also JSON within JSON, which has several backslashes). `spell` gives the form of a text in the subject:
 * itself, or its UTF-8 bytes. `isFirst`: the character is the first of its secret.
 */
function anySpelling(character: string, spell: (text: string) => string, isFirst: boolean): string {
  // A run is one item: otherwise each of its characters could match any part of a longer run.
  if (character.startsWith('\\')) {
    const { length } = character;
    if (!isFirst) return `${inRun}{${length},${length * 8}}`;
    // The first backslash of a run may start a long match, every other one only a match of the length in the secret: so
    // a long run is searched in linear time.
    return `(?:(?<!${backslash}|${backslash}u005[cC])${inRun}{${length},${Math.max(length, mostInRun)}}|${inRun}{${length}})`;
  }
  const spellings = [escapes(character)];
  const letter = Object.hasOwn(shortEscapes, character) ? shortEscapes[character] : undefined;
  // In a URL, the character after the backslash (such as `"`) is percent-encoded.
  if (letter !== undefined) spellings.push(`${backslashes}(?:${letter}|${percentOf(letter.slice(-1))})`);
  if (character === ' ') spellings.push('\\+');
  // Last, so that for `%` the longer spellings match first.
  spellings.push(
    isLetter(character) ? `[${character.toLowerCase()}${character.toUpperCase()}]` : escapedForRegExp(spell(character)),
  );
  return `(?:${spellings.join('|')})`;
}

/** The same for texts without escapes: most texts hold neither a percent sign nor a backslash, and this is faster. */
function plainSpelling(character: string, spell: (text: string) => string): string {
  if (isLetter(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
  return character === ' ' ? '[ +]' : escapedForRegExp(spell(character));
}
const mayEscape = /[%\\]/;

/**
 * Base64 of the secret at any place in encoded text (`Basic` encodes user:secret): one pattern for each of the three
 * alignments, without the characters that also carry bits of the neighbours.
 */
function base64Items(secret: string): readonly (readonly string[])[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = encoded.slice(Math.ceil((offset * 8) / 6), whole);
    // Both alphabets; `+` and `/` also in their spellings in JSON and URLs.
    return Array.from(core, (sign, at) => {
      if (sign === '+') return '(?:[+-]|%2[Bb])';
      // Backslashes before the first character need not be hidden.
      return sign === '/' ? `(?:${at === 0 ? '' : '\\\\{0,8}'}\\/|_|%2[Ff])` : sign;
    });
  });
}

/** The characters of a secret; a run of backslashes is one item. */
const itemsOf = (secret: string): readonly string[] => secret.match(/\\+|[^\\]/gu) ?? [];

/** This many characters identify a late secret that was cut, as in excerpts of answers. */
const leastOfCut = 12;
const cutAnywhere = (items: readonly string[]): string =>
  items.slice(0, leastOfCut).join('') + items.slice(leastOfCut).reduceRight((rest, item) => `(?:${item}${rest})?`, '');

/** This many characters identify any other secret, if the text was cut right behind them. */
const leastAtEnd = 8;
/** After this many characters of a secret, all that follows counts as the rest of it. */
const mostAtEnd = 200;
/** The length of the longest spelling of one character. */
const mostSpelled = 24;
/** An escape that was cut in its middle. */
const cutEscape = `${inRun}{0,8}(?:u[\\da-fA-F]{0,3}|%2?|${percentSign}[2-7]?|[2-7])?`;

/** A pattern of the first `leastAtEnd` items and as many of the next as follow; none when there are no more items. */
function beginning(items: readonly string[]): readonly string[] {
  if (items.length <= leastAtEnd) return [];
  const rest = items.length > mostAtEnd ? `[^\\s…${latin1('…')}]*` : '';
  const more = items.slice(leastAtEnd, mostAtEnd).reduceRight((inner, item) => `(?:${item}${inner})?`, rest);
  return [items.slice(0, leastAtEnd).join('') + more];
}

export interface SecretPattern {
  /** The expression for a subject. Global; the number of the group that matched, from 1, is the place in `names`. */
  expressionFor(subject: string): RegExp;
  readonly names: readonly string[];
  /** For each secret, longest first: matches the end of a text that was cut in it, at most `longest` characters. */
  beginnings(): readonly Beginning[];
}

interface Beginning {
  readonly expression: RegExp;
  readonly longest: number;
  readonly name: string;
}

/** A pattern of one character of a class of letters and digits: plain, or escaped as in a URL or in JSON. */
const oneOf = (characters: string): string =>
  `(?:[${characters}]|${percentSign}[3-7][\\da-fA-F]|${backslashes}u00[3-7][\\da-fA-F])`;
/** Only the last of several backslashes is matched, so that long runs of them are fast. */
const letterS = `(?:[sS]|${percentSign}[57]3|${backslash}u00[57]3)`;
const underscore = `(?:_|${percentSign}5[fF]|${backslashes}u005[fF])`;

/** A secret that was created during the run, and what is shown in its place. */
export interface LateSecret {
  /** ASCII without a backslash. */
  readonly secret: string;
  readonly shown: string;
}

/** Texts of EOSIO signatures, also misspelt ones: a reader who is fast enough could send the request again. */
const signatures = {
  name: 'SIG_[hidden]',
  plain: '([sS][iI][gG]_[A-Za-z][A-Za-z0-9]_[A-Za-z0-9]{40,})',
  source: `(${letterS}${oneOf('iI')}${oneOf('gG')}${underscore}${oneOf('A-Za-z')}${oneOf('A-Za-z0-9')}${underscore}${oneOf('A-Za-z0-9')}{40,})`,
};

/**
 * Finds every spelling of every secret, in letters of either case, and every signature of a request. `latin1`: each
 * character of the subject is one byte, so that bytes around a secret that are not UTF-8 stay unchanged.
 */
export function secretPattern(
  secrets: readonly string[],
  subject: 'text' | 'latin1',
  late: readonly LateSecret[] = [],
): SecretPattern {
  const spell = (text: string): string => (subject === 'text' ? text : latin1(text));
  const known = [
    ...secrets.map((secret, index) => ({ secret: secret.trim(), name: `[secret-${index + 1}]`, isLate: false })),
    ...late.map(({ secret, shown }) => ({ secret, name: shown, isLate: true })),
  ]
    .filter(({ secret }) => secret.length >= shortest)
    // Longest first: a secret that contains another one is hidden as a whole.
    .sort((one, other) => other.secret.length - one.secret.length);
  const groups = known.map(({ secret, isLate }) => {
    const items = itemsOf(secret).map((item, at) => anySpelling(item, spell, at === 0));
    const inHex = [...Buffer.from(secret, 'utf8')].map(digitsOf);
    const inBase64 = (isLate ? [secret.toLowerCase(), secret.toUpperCase()] : [secret]).flatMap(base64Items);
    const encoded = [inHex, ...inBase64].map((one) => one.join(''));
    const of = (spelled: readonly string[]) => [isLate ? cutAnywhere(spelled) : spelled.join(''), ...encoded];
    const plain = of(itemsOf(secret).map((item) => plainSpelling(item, spell)));
    return { whole: of(items), plain, open: isLate ? [] : [items, inHex, ...inBase64], length: items.length };
  });
  const expressionOf = (sources: readonly (readonly string[])[], signature: string): RegExp =>
    new RegExp([...sources.map((one) => `(${one.join('|')})`), signature].join('|'), 'g');
  const all = groups.map(({ whole }) => whole);
  const expression = expressionOf(all, signatures.source);
  const plain = expressionOf(
    groups.map((one) => one.plain),
    signatures.plain,
  );
  // Made when the first text is cut, since long expressions take time to compile.
  let beginnings: readonly Beginning[] | undefined;
  return {
    expressionFor: (text) => (mayEscape.test(text) ? expression : plain),
    names: [...known.map(({ name }) => name), signatures.name],
    beginnings: () => {
      beginnings ??= groups.flatMap(({ open, length }, at) => {
        const sources = open.flatMap(beginning);
        if (sources.length === 0) return [];
        const expression = new RegExp(`(?:${sources.join('|')})${cutEscape}$`);
        return [{ expression, longest: mostSpelled * length, name: known[at]?.name ?? '' }];
      });
      return beginnings;
    },
  };
}
