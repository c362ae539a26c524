/** Shorter secrets are left alone: they would black out half of any report. */
const shortest = 4;

/** Its bytes, each as one character. */
const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const escapedForRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

const isLetter = (character: string): boolean => /^[A-Za-z]$/.test(character);
/** Letters of a hex number in either case. */
const anyCase = (digits: string): string => digits.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** JSON's short escapes (RFC 8259 §7) but the backslash, by character. */
const shortEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '/': '\\/',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
};

/** Layers of JSON within JSON, of URL within URL, are counted: without a bound, a body of backslashes takes for ever. */
const percentSign = '%(?:25){0,4}';
/** A backslash; in JSON within a URL it is escaped itself. */
const backslash = `(?:\\\\|${percentSign}5[cC])`;
/** In JSON within JSON they pile up. */
const backslashes = `${backslash}{1,8}`;

/** The two digits of a byte. A small letter and a capital differ in one bit of the first. */
function digitsOf(byte: number): string {
  const [first = '', second = ''] = hex(byte, 2);
  if (!isLetter(String.fromCharCode(byte))) return anyCase(first + second);
  return `[${/[46]/.test(first) ? '46' : '57'}]${anyCase(second)}`;
}

const percentOf = (character: string): string =>
  [...Buffer.from(character, 'utf8')].map((byte) => percentSign + digitsOf(byte)).join('');

/** Percent-encoded and `\u`-escaped; ASCII letters in either case. */
function escapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => {
    const code = character.charCodeAt(at);
    return `${backslashes}u${anyCase(hex(code >> 8, 2))}${code < 0x80 ? digitsOf(code) : anyCase(hex(code & 0xff, 2))}`;
  });
  return `${percentOf(character)}|${units.join('')}`;
}

/** A backslash of a run, or one that escapes it: how many of them stand for one is not told apart. */
const inRun = `(?:${backslash}(?:u005[cC])?)`;
/** Hidden together with a secret that begins with some. */
const mostInRun = 1000;

/**
 * One character, or a run of backslashes, in every spelling: itself, percent-encoded (also twice), JSON-escaped (also JSON
 * within JSON, where backslashes pile up). `spell` is how its text looks in the subject: itself, or its UTF-8 bytes.
 * `isFirst`: of its secret.
 */
function anySpelling(character: string, spell: (text: string) => string, isFirst: boolean): string {
  // A run is one item, since otherwise each of its characters could take any part of a longer run.
  if (character.startsWith('\\')) {
    const { length } = character;
    if (!isFirst) return `${inRun}{${length},${length * 8}}`;
    // Once from the first on; from each one again only as many as the secret has: a long run is searched in linear time.
    return `(?:(?<!${backslash}|${backslash}u005[cC])${inRun}{${length},${Math.max(length, mostInRun)}}|${inRun}{${length}})`;
  }
  const spellings = [escapes(character)];
  const letter = Object.hasOwn(shortEscapes, character) ? shortEscapes[character] : undefined;
  // The letter is `"` itself, which a URL has in its own way.
  if (letter !== undefined) spellings.push(`${backslashes}(?:${letter}|${percentOf(letter.slice(-1))})`);
  if (character === ' ') spellings.push('\\+');
  // Last, so that a secret of `%` prefers its longer spellings.
  spellings.push(
    isLetter(character) ? `[${character.toLowerCase()}${character.toUpperCase()}]` : escapedForRegExp(spell(character)),
  );
  return `(?:${spellings.join('|')})`;
}

/** The same where nothing is escaped: most texts hold neither a percent sign nor a backslash, and are searched faster. */
function plainSpelling(character: string, spell: (text: string) => string): string {
  if (isLetter(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
  return character === ' ' ? '[ +]' : escapedForRegExp(spell(character));
}
const mayEscape = /[%\\]/;

/**
 * Base64 of the secret wherever it stands within encoded text (`Basic` encodes user:secret): one pattern for each of the
 * three alignments, without the characters that also carry bits of the neighbours.
 */
function base64Items(secret: string): readonly (readonly string[])[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = encoded.slice(Math.ceil((offset * 8) / 6), whole);
    // Either alphabet; `+`, `/` also as JSON or a URL spells them.
    return Array.from(core, (sign, at) => {
      if (sign === '+') return '(?:[+-]|%2[Bb])';
      // What stands before the first one may stay.
      return sign === '/' ? `(?:${at === 0 ? '' : '\\\\{0,8}'}\\/|_|%2[Ff])` : sign;
    });
  });
}

/** Its characters; a run of backslashes is one. */
const itemsOf = (secret: string): readonly string[] => secret.match(/\\+|[^\\]/gu) ?? [];

/** Of a late secret that was cut, as in excerpts of answers, this much is enough to know it by. */
const leastOfCut = 12;
const cutAnywhere = (items: readonly string[]): string =>
  items.slice(0, leastOfCut).join('') + items.slice(leastOfCut).reduceRight((rest, item) => `(?:${item}${rest})?`, '');

/** Of the others this much, and that they stand where a text was cut. */
const leastAtEnd = 8;
/** What stands behind so much of a secret is the rest of it. */
const mostAtEnd = 200;
/** Characters that one takes in its longest spelling. */
const mostSpelled = 24;
/** A spelling that was cut itself. */
const cutEscape = `${inRun}{0,8}(?:u[\\da-fA-F]{0,3}|%2?|${percentSign}[2-7]?|[2-7])?`;

/** The first of these, and as many more as there are. */
function beginning(items: readonly string[]): readonly string[] {
  if (items.length <= leastAtEnd) return [];
  const rest = items.length > mostAtEnd ? `[^\\s…${latin1('…')}]*` : '';
  const more = items.slice(leastAtEnd, mostAtEnd).reduceRight((inner, item) => `(?:${item}${inner})?`, rest);
  return [items.slice(0, leastAtEnd).join('') + more];
}

export interface SecretPattern {
  /** For a subject. Global; the number of the group that matched is the place in `names`, counted from 1. */
  expressionFor(subject: string): RegExp;
  readonly names: readonly string[];
  /** Of each, longest first: what a text ends with that was cut within it, and how much of the text that can be. */
  beginnings(): readonly Beginning[];
}

interface Beginning {
  readonly expression: RegExp;
  readonly longest: number;
  readonly name: string;
}

/** One of these letters and digits (a part of a character class): itself, or escaped as in a URL or in JSON. */
const oneOf = (characters: string): string =>
  `(?:[${characters}]|${percentSign}[3-7][\\da-fA-F]|${backslashes}u00[3-7][\\da-fA-F])`;
/** Of several backslashes the last one will do, so that long runs of them take no long time. */
const letterS = `(?:[sS]|${percentSign}[57]3|${backslash}u00[57]3)`;
const underscore = `(?:_|${percentSign}5[fF]|${backslashes}u005[fF])`;

/** A secret that came into being during the run, and what is shown in its place. */
export interface LateSecret {
  /** ASCII without a backslash. */
  readonly secret: string;
  readonly shown: string;
}

/** Texts of EOSIO signatures, also misspelt ones: whoever reads one in time can send the request again. */
const signatures = {
  name: 'SIG_[hidden]',
  plain: '([sS][iI][gG]_[A-Za-z][A-Za-z0-9]_[A-Za-z0-9]{40,})',
  source: `(${letterS}${oneOf('iI')}${oneOf('gG')}${underscore}${oneOf('A-Za-z')}${oneOf('A-Za-z0-9')}${underscore}${oneOf('A-Za-z0-9')}{40,})`,
};

/**
 * Finds every spelling of every secret, in letters of either case, and every signature of a request. `latin1`: the
 * subject is bytes, each as one character, so that what is not UTF-8 around a secret survives untouched.
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
    // Longest first: a secret that contains another one goes as a whole.
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
  // Made when the first text is cut: long expressions take their time.
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
