import {
  dumped,
  isAlphanumeric,
  nibbles,
  numbers,
  packed,
  plainly,
  type Reading,
  undone,
  unquoted,
} from './disguise-readings.js';
import type { LateSecret } from './secret-pattern.js';

// Finds secrets in encoded text: HTML entities, lists of bytes, base64 and hex with line breaks or offsets. The text is
// decoded a bounded number of times, in one pass each, and each reading is searched for fixed needles.

/** Where a secret is in a text, and what is shown in its place (`by`). */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

type Kind = 'bytes' | 'letters' | 'base64' | 'hex';
interface Needle {
  readonly kind: Kind;
  readonly text: string;
  readonly by: string;
  /** The beginning of `text`, which is searched first. */
  readonly head: string;
  /** This many characters are enough for a match; where the text was cut, `head` is enough. */
  readonly least: number;
  /** At least this many letters and digits must follow; they are hidden too. */
  readonly more?: number;
}

const shortest = 4;
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const bigHex = /^(?:0x)?(?:[\da-f]{2}){16,}$/i;

/** Base64 of the bytes at each of the three places in a group, without characters that depend on the neighbours. */
const base64Of = (bytes: Uint8Array): readonly string[] =>
  [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
/** Shorter base64 may occur by chance in a text without white space. */
const leastOfBase64 = 8;

function needlesOf(secret: string, by: string, isLate: boolean): readonly Needle[] {
  const made = new Map<string, Needle>();
  const add = (kind: Kind, text: string, least: number): void => {
    if (text.length < least) return;
    const enough = isLate ? Math.min(text.length, kind === 'hex' ? 32 : 16) : text.length;
    made.set(`${kind} ${text}`, {
      kind,
      text,
      by,
      least: enough,
      head: text.slice(0, Math.min(enough, kind === 'hex' ? 16 : 8)),
    });
  };
  const bytes = Buffer.from(secret, 'utf8');
  const spelled = [...new Set([secret, lower(secret), secret.toUpperCase()])].map((one) => Buffer.from(one));
  add('letters', lower(bytes.toString('latin1')), shortest);
  for (const one of spelled) {
    add('hex', one.toString('hex'), 2 * shortest);
    for (const text of base64Of(one)) add('base64', text, leastOfBase64);
  }
  // A key or a signature in hex may also appear as the bytes that it stands for.
  if (bigHex.test(secret)) {
    const digits = secret.replace(/^0x/i, '');
    const raw = Buffer.from(digits, 'hex');
    add('bytes', raw.toString('latin1'), shortest);
    add('hex', digits.toLowerCase(), 2 * shortest);
    for (const text of base64Of(raw)) add('base64', text, leastOfBase64);
    add('bytes', BigInt(`0x${digits}`).toString(), 16);
  }
  return [...made.values()];
}

/** Signatures of requests: they are not known in advance, so their prefix is searched. */
const signatures: readonly Needle[] = ['K1', 'R1', 'WA'].flatMap((curve) => {
  const head = `SIG_${curve}_`;
  const needle = (kind: Kind, text: string, more: number): Needle => ({
    kind,
    text,
    by: 'SIG_[hidden]',
    least: text.length,
    head: text,
    more,
  });
  return [
    needle('letters', lower(head), 40),
    needle('hex', Buffer.from(head).toString('hex'), 80),
    ...base64Of(Buffer.from(head)).map((text) => needle('base64', text, 52)),
  ];
});

/** Finds secrets in encoded text. `cuts`: the places where the text was cut, in order. */
export type FindDisguised = (text: string, cuts: readonly number[]) => readonly Found[];

/** A text is searched in pieces of this size, each with `overlap` of the next: no disguise of a secret is longer. */
const piece = 256 * 1024;
const overlap = 32 * 1024;
/** How many layers of nested escapes are removed. */
const mostLayers = 3;
/** What may be between a match and a cut: a part of an escaped character, or of a row of a hex dump. */
const longestRest = 40;
const rest = /^(?:[^A-Za-z0-9][\s\S]{0,9})?$|^(?:\s|\\{1,4}[nrt])+[\da-f]{1,16}:?[ \t]*(?:[\da-f]{1,4}[ \t]*)?$/i;

/** `isBytes`: each character of the text is one byte. */
export function disguisedSecrets(
  secrets: readonly string[],
  late: readonly LateSecret[],
  isBytes: boolean,
): FindDisguised {
  const known = [
    ...secrets.map((secret, at) => ({ secret: secret.trim(), by: `[secret-${at + 1}]`, isLate: false })),
    ...late.map(({ secret, shown }) => ({ secret, by: shown, isLate: true })),
  ].filter(({ secret }) => secret.length >= shortest);
  const needles = [
    ...known
      .sort((one, other) => other.secret.length - one.secret.length)
      .flatMap(({ secret, by, isLate }) => needlesOf(secret, by, isLate)),
    ...signatures,
  ];
  const of = (...kinds: readonly Kind[]): readonly Needle[] => needles.filter(({ kind }) => kinds.includes(kind));
  const [asText, inBase64, inHex, asRaw] = [of('letters', 'bytes'), of('base64'), of('hex'), of('bytes')];

  return (text, marks) => {
    const found: Found[] = [];
    const cuts = [...marks, ...Array.from(text.matchAll(cutByNode), ({ index }) => index)].sort(
      (one, other) => one - other,
    );
    for (let start = 0; start < text.length && text.length >= shortest; start += piece) {
      const here = start === 0 && text.length <= piece ? text : text.slice(start, start + piece + overlap);
      if (mayDisguise(here) && look(here, start, false, () => true)) {
        look(here, start, true, (hit, reading) => {
          const one = placed(hit, reading, text, cuts);
          if (one !== undefined) found.push(one);
          return false;
        });
      }
    }
    return found;
  };

  /** A quick test, since most texts are a few plain words: those can only hold base64 with blanks. */
  function mayDisguise(here: string): boolean {
    if (escaping.test(here) || fourDigits.test(here) || quoted.test(here) || beyondAscii.test(here)) return true;
    const joined = here
      .replace(/[\0- ]+/g, '')
      .replaceAll('-', '+')
      .replaceAll('_', '/');
    return inBase64.some(({ head }) => joined.includes(head));
  }

  /** Searches all readings of a piece of text. `hear` gets each match; if it returns true, so does this function. */
  function look(here: string, start: number, isPlaced: boolean, hear: Hear): boolean {
    let layer: Reading | undefined = plainly(here, start, isBytes, isPlaced);
    for (let depth = 0; layer !== undefined && depth <= mostLayers; depth++) {
      const said = textOf(layer);
      // The secret pattern already searches the plain letters.
      if (search(layer, said, depth === 0 ? asRaw : asText, hear)) return true;
      if (read(packed(layer), inBase64, hear)) return true;
      if (fourDigits.test(said)) {
        if (read(nibbles(layer), inHex, hear) || read(numbers(layer), asText, hear)) return true;
        if (read(dumped(layer), inHex, hear)) return true;
      }
      if (quoted.test(said) && read(unquoted(layer), asText, hear)) return true;
      layer = escaping.test(said) ? undone(layer) : undefined;
    }
    return false;
  }
}

/** Node prints 50 bytes of a buffer or 100 items of a list, then how many more there are: the text is cut there. */
const cutByNode = /\s\.\.\. \d/g;
/** Bytes written as numbers, in any base, contain digits. */
const fourDigits = /\d\D*\d\D*\d\D*\d/;
const quoted = /=[\r\nA-Fa-f\d]/;
const escaping = /[\\%&]/;
const beyondAscii = /[^\0-\x7f]/;

interface Hit {
  readonly at: number;
  readonly end: number;
  readonly isCut: boolean;
  readonly by: string;
}
type Hear = (hit: Hit, reading: Reading) => boolean;

const textOf = ({ bytes, length }: Reading): string => Buffer.from(bytes.buffer, 0, length).toString('latin1');
const read = (reading: Reading | undefined, needles: readonly Needle[], hear: Hear): boolean =>
  reading !== undefined && reading.length >= shortest && search(reading, textOf(reading), needles, hear);

/** The place of a hit. A beginning counts only if the text was cut right behind it; it then extends to the cut. */
function placed(
  { at, end, isCut, by }: Hit,
  { places }: Reading,
  text: string,
  cuts: readonly number[],
): Found | undefined {
  const start = places?.from[at] ?? 0;
  const stop = places?.to[end - 1] ?? 0;
  if (!isCut) return { start, end: stop, by };
  const cut = nextOf(cuts, stop);
  if (cut === undefined || cut - stop > longestRest || !rest.test(text.slice(stop, cut))) return undefined;
  return { start, end: cut, by };
}

function search(reading: Reading, exact: string, needles: readonly Needle[], hear: Hear): boolean {
  const { bytes, length } = reading;
  let small: string | undefined;
  for (const { kind, text: needle, by, least, head, more = 0 } of needles) {
    if (kind === 'letters') small ??= lower(exact);
    const subject = kind === 'letters' ? (small ?? '') : exact;
    for (let at = subject.indexOf(head); at >= 0; at = subject.indexOf(head, at + 1)) {
      let same = head.length;
      while (same < needle.length && subject.charCodeAt(at + same) === needle.charCodeAt(same)) same++;
      let end = at + same;
      if (more > 0) {
        while (end < length && isAlphanumeric(bytes[end] ?? 0)) end++;
        if (end - at - same < more) continue;
      }
      if (hear({ at, end, isCut: same < least, by }, reading)) return true;
      at = end - 1;
    }
  }
  return false;
}

/** The first number that is not below `place`. */
function nextOf(sorted: readonly number[], place: number): number | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}

/** Sorted by place. Overlapping ones become one, with the name of the first. */
export function merged(found: readonly Found[]): readonly Found[] {
  const result: Found[] = [];
  for (const one of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || one.start >= last.end) result.push(one);
    else if (one.end > last.end) result[result.length - 1] = { ...last, end: one.end };
  }
  return result;
}
