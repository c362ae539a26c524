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
} from './secret-readings.js';

/** Where a secret is in a text, and what is shown in its place (`by`). */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** A secret that was created during the run, and what is shown in its place. */
export interface LateSecret {
  /** ASCII without a backslash. */
  readonly secret: string;
  readonly shown: string;
}

/** A text of the user's own that nothing may show: it is hidden everywhere, also where it is a word (`isWord`). */
export interface OwnSecret {
  readonly own: string;
}
/** What must not be shown: a credential, or a text of the user's own. */
export type Secret = string | OwnSecret;

/** Characters of a token or another secret: a longer one fits into no header of usual servers. */
export const longestSecret = 8192;
/** Shorter secrets are not hidden: that would black out half of any report. */
const shortest = 4;
/**
 * A secret that is a common word, or as short as one, is hidden only where it stands alone, and only in exchanges:
 * otherwise a token named `fail` would take that word out of each sentence of a report.
 */
export const isWord = (secret: string): boolean =>
  secret.length < 6 || /^(?:[a-z]{1,15}|[A-Z][a-z]{0,14}|[A-Z]{1,15})$/.test(secret);

type Kind = 'bytes' | 'letters' | 'base64' | 'hex';
interface Needle {
  readonly kind: Kind;
  readonly text: string;
  readonly by: string;
  /** The beginning of `text` that is enough where the text was cut. */
  readonly head: string;
  /** The beginning of `text` that is enough anywhere. */
  readonly enough: string;
  /** Neither a letter nor a digit is beside it. */
  readonly alone?: boolean;
  /** At least this many letters and digits must follow; they are hidden too. */
  readonly more?: number;
}

/** In letters of one case; a space and a plus are the same, as in forms. */
const folded = (text: string): string =>
  beyondAscii.test(text)
    ? text.replace(/[A-Z+]+/g, (signs) => signs.toLowerCase().replaceAll('+', ' '))
    : text.toLowerCase().replaceAll('+', ' ');
const bigHex = /^(?:0x)?(?:[\da-f]{2}){16,}$/i;

/** Base64 of the bytes at each of the three places in a group, without characters that depend on the neighbours. */
const base64Of = (bytes: Uint8Array): readonly string[] =>
  [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
/** Shorter base64 may occur by chance in a text without white space: the search looks for it in the unchanged text. */
const leastOfBase64 = 8;
const leastOfBase64AsItIs = 5;

/** How many characters of the beginning are searched: of any secret behind which the text was cut, and of a late one. */
const leastAtCut: Readonly<Record<Kind, number>> = { bytes: 8, letters: 8, base64: 8, hex: 16 };
const leastOfLate: Readonly<Record<Kind, number>> = { bytes: 16, letters: 12, base64: 16, hex: 32 };

/**
 * The secret, and what is left of it where escapes are removed from a text that holds it literally, or in letters of
 * one case: `\n` is an escape, and `\N` is none.
 */
function withoutEscapes(secret: string): readonly string[] {
  const forms = [secret, secret.toUpperCase(), secret.toLowerCase()].map((text) =>
    Buffer.from(text).toString('latin1'),
  );
  return forms.flatMap((first) => {
    const layers = [first];
    for (let form: string | undefined = first; form !== undefined && layers.length <= mostLayers; ) {
      const next = undone(plainly(form, 0, true, false));
      form = next && textOf(next);
      if (form !== undefined) layers.push(form);
    }
    return layers;
  });
}

const reversed = (text: string): string => Array.from(text).reverse().join('');

/** A secret that is searched for. */
interface Known {
  readonly secret: string;
  readonly by: string;
  readonly isLate?: true;
  readonly isOwn?: true;
}

function needlesOf({ secret, by, isLate, isOwn }: Known): readonly Needle[] {
  const made = new Map<string, Needle>();
  const alone = isOwn !== true && isWord(secret);
  const add = (kind: Kind, text: string, least: number): void => {
    if (text.length < least) return;
    const enough = isLate ? text.slice(0, leastOfLate[kind]) : text;
    // Of a signature the kit itself shows eight digits.
    const head = isLate && kind === 'letters' ? enough : enough.slice(0, leastAtCut[kind]);
    made.set(`${kind} ${text}`, { kind, text, by, head, enough, ...(alone ? { alone } : {}) });
  };
  for (const form of withoutEscapes(secret)) add('letters', folded(form), shortest);
  if (alone) return [...made.values()];
  add('letters', folded(reversed(secret)), leastAtCut.letters);
  const spelled = [...new Set([secret, secret.toLowerCase(), secret.toUpperCase()])].map((text) => Buffer.from(text));
  for (const item of spelled) {
    add('hex', item.toString('hex'), 2 * shortest);
    for (const text of base64Of(item)) add('base64', text, leastOfBase64AsItIs);
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

/**
 * Signatures of requests, also misspelt ones, forwards and backwards: a reader who is fast enough could send the
 * request again. They are not known in advance.
 */
const signature = /sig_[a-z][a-z0-9]_[a-z0-9]{40,}/g;
const signatureEnd = /_[a-z0-9][a-z]_gis/g;
const shownForSignature = 'SIG_[hidden]';
const leastOfSignature = 40;

/** Their beginnings in other encodings. */
const signatures: readonly Needle[] = ['K1', 'R1', 'WA'].flatMap((curve) => {
  const text = Buffer.from(`SIG_${curve}_`);
  const needle = (kind: Kind, head: string, more: number): Needle => ({
    kind,
    text: head,
    by: shownForSignature,
    enough: head,
    head,
    more,
  });
  return [needle('hex', text.toString('hex'), 80), ...base64Of(text).map((text) => needle('base64', text, 52))];
});

/** What is known of a text. */
export interface Subject {
  /** The places where it was cut, in order. */
  readonly cuts: readonly number[];
  /** Each character is one byte: bytes around a secret that are not UTF-8 stay unchanged. */
  readonly isBytes: boolean;
  /** A sentence of the kit, which may quote the target: a word in it is not a secret. */
  readonly isSentence: boolean;
}
/** Finds secrets in a text, in any spelling. */
export type FindSecrets = (text: string, subject: Subject) => readonly Found[];

/** A text is searched in pieces of this size, each with an overlap, so that one of them holds a secret as a whole. */
const piece = 256 * 1024;
const leastOverlap = 32 * 1024;
/** The longest usual spelling of one character: two layers of JSON around `\u0053`, an entity in JSON. */
const longestSpelling = 10;
/** How many layers of nested escapes are removed. */
const mostLayers = 5;
/** What may be between a match and a cut: a part of an escaped character, or of a row of a hex dump. */
const longestRest = 40;
const rest =
  /^(?:[^A-Za-z0-9][\s\S]{0,15}|u[\da-f]{0,3}|[\da-f]{1,2})?$|^(?:\s|\\{1,4}[nrt])+[\da-f]{1,16}:?[ \t]*(?:[\da-f]{1,4}[ \t]*)?$/i;

/**
 * Makes the search for secrets in every usual spelling: in letters of either case, escaped as in JSON, URLs and HTML (in
 * several layers), as hex, base64, a list of bytes or a hex dump. The text is decoded a bounded number of times, in one
 * pass each, and each reading is searched for fixed needles: so the time does not depend on the length of a secret.
 * `[secret-1]` stands for the first of the secrets. Secrets under four characters are ignored.
 */
export function secretSearch(secrets: readonly Secret[], late: readonly LateSecret[]): FindSecrets {
  const known = [
    ...secrets.map((given, at): Known => {
      const by = `[secret-${at + 1}]`;
      return typeof given === 'string' ? { secret: given.trim(), by } : { secret: given.own.trim(), by, isOwn: true };
    }),
    ...late.map(({ secret, shown }): Known => ({ secret, by: shown, isLate: true })),
  ].filter(({ secret }) => secret.length >= shortest);
  const needles = [
    ...known
      // Longest first: a secret that contains another one is hidden as a whole.
      .sort((first, second) => second.secret.length - first.secret.length)
      .flatMap(needlesOf),
    ...signatures,
  ];
  const overlap = Math.max(leastOverlap, longestSpelling * (known[0]?.secret.length ?? 0));
  const of = (...kinds: readonly Kind[]): readonly Needle[] => needles.filter(({ kind }) => kinds.includes(kind));
  const [inText, inBase64, inHex] = [of('letters', 'bytes'), of('base64'), of('hex')];
  const [anywhere, inSentences] = [inText, inText.filter(({ alone }) => alone !== true)].map(asTextOf) as [
    AsText,
    AsText,
  ];
  const longBase64 = inBase64.filter(({ text }) => text.length >= leastOfBase64);
  const shortBase64 = inBase64.filter(({ text }) => text.length < leastOfBase64);

  return (text, subject) => {
    const found: Found[] = [];
    const cuts = text.includes('... ')
      ? [...subject.cuts, ...Array.from(text.matchAll(cutByNode), ({ index }) => index)].sort(
          (first, second) => first - second,
        )
      : subject.cuts;
    const isCut = cuts.length > 0;
    const asText = subject.isSentence ? inSentences : anywhere;
    for (let start = 0; start < text.length && text.length >= shortest; start += piece) {
      const here = start === 0 && text.length <= piece ? text : text.slice(start, start + piece + overlap);
      if (!mayHold(here, subject.isBytes, asText, isCut)) continue;
      searchReadings(plainly(here, start, subject.isBytes, true), asText, {
        isCut,
        hear(hit, reading) {
          const item = placed(hit, reading, text, cuts);
          if (item !== undefined) found.push(item);
          return false;
        },
      });
    }
    return found;
  };

  /**
   * Whether any reading of a text may hold a secret: a quick test, since most texts hold none. It looks at texts, which
   * costs much less than bytes with their places, and says yes wherever `searchReadings` hears something.
   */
  function mayHold(here: string, isBytes: boolean, asText: AsText, isCut: boolean): boolean {
    const search: Search = { isCut, hear: () => true };
    const sought = ({ head, enough }: Needle): string => (isCut ? head : enough);
    const has = (subject: string, needles: readonly Needle[]): boolean =>
      needles.some((needle) => subject.includes(sought(needle)));
    const isPlain = !beyondAscii.test(here) || (isBytes && !beyondBytes.test(here));
    let layer: Reading | undefined;
    let said = isPlain ? here : textOf(plainly(here, 0, isBytes, false));
    for (let depth = 0; depth <= mostLayers; depth++) {
      const small = folded(said);
      if (small.includes('_gis') || (small.includes('sig_') && small.search(signature) >= 0)) return true;
      if (has(small, asText.letters) || has(said, asText.bytes)) return true;
      const base64 = inBase64Alphabet(said);
      if (has(base64, shortBase64) || has(base64.replace(/[\0- ]+/g, ''), longBase64)) return true;
      const reading = (): Reading => {
        layer ??= { bytes: Buffer.from(said, 'latin1'), length: said.length };
        return layer;
      };
      if (fourDigits.test(said)) {
        // Digits of other rows too, so that this finds more than `nibbles` does.
        if (has(said.replace(/0x|[^\da-f]+/gi, '').toLowerCase(), inHex)) return true;
        if (asText.numbers.test(said) && inLetters(numbers(reading()), asText, search)) return true;
        if (rowStart.test(said) && inOther(dumped(reading()), inHex, search)) return true;
      }
      if (quoted.test(said) && inLetters(unquoted(reading()), asText, search)) return true;
      const next = escaping.test(said) ? undone(reading()) : undefined;
      if (next === undefined) return false;
      layer = next;
      said = textOf(next);
    }
    return false;
  }

  /** Searches all readings of a text. */
  function searchReadings(whole: Reading, asText: AsText, search: Search): void {
    let layer: Reading | undefined = whole;
    for (let depth = 0; layer !== undefined && depth <= mostLayers; depth++) {
      const said = textOf(layer);
      searchText(layer, said, asText, search);
      if (shortBase64.length > 0) searchNeedles(layer, inBase64Alphabet(said), shortBase64, search);
      inOther(packed(layer), longBase64, search);
      if (fourDigits.test(said)) {
        inOther(nibbles(layer), inHex, search);
        inLetters(numbers(layer), asText, search);
        inOther(dumped(layer), inHex, search);
      }
      if (quoted.test(said)) inLetters(unquoted(layer), asText, search);
      layer = escaping.test(said) ? undone(layer) : undefined;
    }
  }
}

/** What is sought as letters and as bytes. */
interface AsText {
  readonly letters: readonly Needle[];
  readonly bytes: readonly Needle[];
  /** Matches where a text has as many numbers in a row as the shortest of them has bytes. */
  readonly numbers: RegExp;
}
function asTextOf(needles: readonly Needle[]): AsText {
  const of = (wanted: Kind): readonly Needle[] => needles.filter(({ kind }) => kind === wanted);
  const isShort = needles.some(({ head }) => head.length < leastAtCut.letters);
  return { letters: of('letters'), bytes: of('bytes'), numbers: isShort ? fourNumbers : eightNumbers };
}
const fourNumbers = /(?<!\d)(?:\d+[^\dA-Za-z]+){3}\d/;
const eightNumbers = /(?<!\d)(?:\d+[^\dA-Za-z]+){7}\d/;
/** Where a row of a hex dump may begin: see `dumped`. */
const rowStart = /(?:^|\n)[^\da-z\n]*[\da-f]{4,16}[: \t]|(?<![\da-z])0[\da-f]{3,15}[: \t]/i;

/** Node prints 50 bytes of a buffer or 100 items of a list, then how many more there are: the text is cut there. */
const cutByNode = /\s\.\.\. \d/g;
/** Bytes written as numbers, in any base, contain digits. */
const fourDigits = /\d\D*\d\D*\d\D*\d/;
const quoted = /=[\r\nA-Fa-f\d]/;
const escaping = /[\\%&]/;
const beyondAscii = /[^\0-\x7f]/;
const beyondBytes = /[^\0-\xff]/;

interface Hit {
  readonly at: number;
  readonly end: number;
  readonly isCut: boolean;
  readonly by: string;
}
type Hear = (hit: Hit, reading: Reading) => boolean;
interface Search {
  /** The text was cut somewhere. */
  readonly isCut: boolean;
  /** Gets each match; true: it ends the search. */
  readonly hear: Hear;
}

const textOf = ({ bytes, length }: Reading): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1');
const inBase64Alphabet = (text: string): string => text.replaceAll('-', '+').replaceAll('_', '/');

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

const inOther = (reading: Reading | undefined, sought: readonly Needle[], search: Search): boolean =>
  reading !== undefined && reading.length >= shortest && searchNeedles(reading, textOf(reading), sought, search);
const inLetters = (reading: Reading | undefined, asText: AsText, search: Search): boolean =>
  reading !== undefined && reading.length >= shortest && searchText(reading, textOf(reading), asText, search);

/** Searches for the secrets as letters, and for signatures of requests. */
function searchText(reading: Reading, exact: string, { letters, bytes }: AsText, search: Search): boolean {
  const { hear } = search;
  const small = folded(exact);
  if (searchNeedles(reading, small, letters, search)) return true;
  if (searchNeedles(reading, exact, bytes, search)) return true;
  const by = shownForSignature;
  for (const { index, 0: match } of small.includes('sig_') ? small.matchAll(signature) : []) {
    if (hear({ at: index, end: index + match.length, isCut: false, by }, reading)) return true;
  }
  for (const { index, 0: match } of small.includes('_gis') ? small.matchAll(signatureEnd) : []) {
    let at = index;
    while (at > 0 && isAlphanumeric(reading.bytes[at - 1] ?? 0)) at--;
    if (index - at < leastOfSignature) continue;
    if (hear({ at, end: index + match.length, isCut: false, by }, reading)) return true;
  }
  return false;
}

/** `subject`: what the reading says, spelled as the needles are. */
function searchNeedles(reading: Reading, subject: string, sought: readonly Needle[], { isCut, hear }: Search): boolean {
  const { bytes, length } = reading;
  const isBeside = (at: number): boolean => at >= 0 && at < length && isAlphanumeric(bytes[at] ?? 0);
  for (const { text, by, enough, head, alone = false, more = 0 } of sought) {
    const endOfSame = (at: number, from: number): number => {
      let same = from;
      while (same < text.length && subject.charCodeAt(at + same) === text.charCodeAt(same)) same++;
      return at + same;
    };
    for (let at = subject.indexOf(enough); at >= 0; ) {
      let end = endOfSame(at, enough.length);
      const isHidden = more === 0 ? !alone || !(isBeside(at - 1) || isBeside(end)) : isBeside(end + more - 1);
      const last = end;
      while (more > 0 && isBeside(end)) end++;
      if (isHidden && end - last >= more && hear({ at, end, isCut: false, by }, reading)) return true;
      at = subject.indexOf(enough, end);
    }
    if (!isCut || enough.length <= head.length) continue;
    for (let at = subject.indexOf(head); at >= 0; ) {
      const end = endOfSame(at, head.length);
      if (end - at < enough.length && hear({ at, end, isCut: true, by }, reading)) return true;
      at = subject.indexOf(head, end);
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
  for (const item of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || item.start >= last.end) result.push(item);
    else if (item.end > last.end) result[result.length - 1] = { ...last, end: item.end };
  }
  return result;
}
