/** Shorter secrets are left alone: they would black out half of any report. */
const shortest = 4;

const escapedForRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

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
/** In JSON within a URL they are escaped themselves. */
const backslashes = `(?:\\\\|${percentSign}5[cC]){1,8}`;

/** Percent-encoded and `\u`-escaped, in any case of letters. */
function escapes(character: string): string {
  const percent = [...Buffer.from(character, 'utf8')].map((byte) => percentSign + anyCase(hex(byte, 2))).join('');
  const units = Array.from(
    { length: character.length },
    (_, at) => `${backslashes}u${anyCase(hex(character.charCodeAt(at), 4))}`,
  );
  return `${percent}|${units.join('')}`;
}

/**
 * One character, or a run of backslashes, in every spelling: itself, percent-encoded (also twice), JSON-escaped (also JSON
 * within JSON, where backslashes pile up). `spell` is how its text looks in the subject: itself, or its UTF-8 bytes.
 */
function anySpelling(character: string, spell: (text: string) => string): string {
  // A run is one item, since otherwise each of its characters could take any part of a longer run.
  if (character.startsWith('\\')) {
    const { length } = character;
    return `(?:(?:${escapes('\\')}){${length}}|\\\\{${length},${length * 8}})`;
  }
  const spellings = [escapes(character)];
  const letter = Object.hasOwn(shortEscapes, character) ? shortEscapes[character] : undefined;
  if (letter !== undefined) spellings.push(backslashes + letter);
  if (character === ' ') spellings.push('\\+');
  // Last, so that a secret of `%` prefers its longer spellings.
  spellings.push(escapedForRegExp(spell(character)));
  return `(?:${spellings.join('|')})`;
}

/**
 * Base64 of the secret wherever it stands within encoded text (`Basic` encodes user:secret): one pattern for each of the
 * three alignments, without the characters that also carry bits of the neighbours.
 */
function base64Spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = encoded.slice(Math.ceil((offset * 8) / 6), whole);
    // Either alphabet; `+`, `/` also as JSON or a URL spells them.
    return core.replace(/[+/]/g, (sign) => (sign === '+' ? '(?:[+-]|%2[Bb])' : '(?:\\\\{0,8}\\/|_|%2[Ff])'));
  });
}

/** Of a late secret that was cut, as in excerpts of answers, this much is enough to know it by. */
const leastOfCut = 12;
const cutAnywhere = (items: readonly string[]): string =>
  items.slice(0, leastOfCut).join('') + items.slice(leastOfCut).reduceRight((rest, item) => `(?:${item}${rest})?`, '');

export interface SecretPattern {
  /** Global; the number of the group that matched is the place in `names`, counted from 1. */
  readonly expression: RegExp;
  readonly names: readonly string[];
}

/** A backslash in JSON within a URL; in plain JSON several of them pile up. */
const backslash = `(?:\\\\|${percentSign}5[cC])`;
/** One of these letters and digits (a part of a character class): itself, or escaped as in a URL or in JSON. */
const oneOf = (characters: string): string =>
  `(?:[${characters}]|${percentSign}[3-7][\\da-fA-F]|${backslash}{1,8}u00[3-7][\\da-fA-F])`;
/** Of several backslashes the last one will do, so that long runs of them take no long time. */
const letterS = `(?:[sS]|${percentSign}[57]3|${backslash}u00[57]3)`;
const underscore = `(?:_|${percentSign}5[fF]|${backslash}{1,8}u005[fF])`;

/** A secret that came into being during the run, and what is shown in its place. */
export interface LateSecret {
  /** Letters of any case; ASCII without a backslash. */
  readonly secret: string;
  readonly shown: string;
}

/** Texts of EOSIO signatures, also misspelt ones: whoever reads one in time can send the request again. */
const signatures = {
  name: 'SIG_[hidden]',
  source: `(${letterS}${oneOf('iI')}${oneOf('gG')}${underscore}${oneOf('A-Za-z')}${oneOf('A-Za-z0-9')}${underscore}${oneOf('A-Za-z0-9')}{40,})`,
};

/**
 * Finds every spelling of every secret, and every signature of a request. `latin1`: the subject is bytes, each as one character,
 * so that what is not UTF-8 around a secret survives untouched.
 */
export function secretPattern(
  secrets: readonly string[],
  subject: 'text' | 'latin1',
  late: readonly LateSecret[] = [],
): SecretPattern {
  const spell = (text: string): string => (subject === 'text' ? text : Buffer.from(text, 'utf8').toString('latin1'));
  const known = [
    ...secrets.map((secret, index) => ({
      spellings: [secret.trim()],
      name: `[secret-${index + 1}]`,
      mayBeCut: false,
    })),
    ...late.map(({ secret, shown }) => ({
      spellings: [secret.toLowerCase(), secret.toUpperCase()],
      name: shown,
      mayBeCut: true,
    })),
  ]
    .map(({ spellings: [secret = '', ...others], ...more }) => ({ secret, others, ...more }))
    .filter(({ secret }) => secret.length >= shortest)
    // Longest first: a secret that contains another one goes as a whole.
    .sort((one, other) => other.secret.length - one.secret.length);
  const groups = known.map(({ secret, others, mayBeCut }) => {
    const inHex = [secret, ...others].map((one) => anyCase(Buffer.from(one, 'utf8').toString('hex')));
    const items = secret.match(/\\+|[^\\]/gu) ?? [];
    const spelled = items.map((item, at) => {
      const all = new Set([item, ...others.map((other) => other[at] ?? item)]);
      return `(?:${[...all].map((one) => anySpelling(one, spell)).join('|')})`;
    });
    return `(${[mayBeCut ? cutAnywhere(spelled) : spelled.join(''), ...inHex, ...[secret, ...others].flatMap(base64Spellings)].join('|')})`;
  });
  return {
    expression: new RegExp([...groups, signatures.source].join('|'), 'g'),
    names: [...known.map(({ name }) => name), signatures.name],
  };
}
