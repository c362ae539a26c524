import { digitOf, signOfEntity } from './entities.js';
import type { LateSecret } from './secret-pattern.js';

// Secrets in what only stands for a text: HTML entities, lists of bytes, base64 and hex with line breaks or offsets. The
// text is read anew a bounded number of times, in one pass each, and each reading is searched for fixed needles.

/** Where a secret stands in a text. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** What a text says when it is read in one way: a byte a sign, and where each stands in the text. */
interface Reading {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Left out in a first look: most texts hold nothing, and places take memory. */
  readonly places?: Places;
}
interface Places {
  from: Uint32Array;
  to: Uint32Array;
}

/** Writes a reading down. */
class Pen implements Reading {
  bytes: Uint8Array;
  length = 0;
  readonly places?: Places;
  readonly #source: Places | undefined;
  constructor(size: number, isPlaced: boolean, source?: Places) {
    this.bytes = new Uint8Array(size);
    this.#source = source;
    if (isPlaced) this.places = { from: new Uint32Array(size), to: new Uint32Array(size) };
  }
  /** `first`, `last`: what it stands for in what was read. */
  put(byte: number, first: number, last: number): void {
    if (this.length === this.bytes.length) this.#grow();
    this.bytes[this.length] = byte;
    if (this.places !== undefined) {
      this.places.from[this.length] = this.#source === undefined ? first : (this.#source.from[first] ?? 0);
      this.places.to[this.length] = this.#source === undefined ? last + 1 : (this.#source.to[last] ?? 0);
    }
    this.length++;
  }
  /** As UTF-8. */
  sign(code: number, first: number, last: number): void {
    if (code < 0x80) {
      this.put(code, first, last);
      return;
    }
    const known = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? code : 0xfffd;
    for (const byte of Buffer.from(String.fromCodePoint(known))) this.put(byte, first, last);
  }
  #grow(): void {
    const size = 2 * this.length + 16;
    const bytes = new Uint8Array(size);
    bytes.set(this.bytes);
    this.bytes = bytes;
    if (this.places === undefined) return;
    const [from, to] = [new Uint32Array(size), new Uint32Array(size)];
    from.set(this.places.from);
    to.set(this.places.to);
    Object.assign(this.places, { from, to });
  }
}
const penFor = (reading: Reading, size: number): Pen => new Pen(size, reading.places !== undefined, reading.places);

/** What stands between signs that belong together; no needle has it. */
const gap = 0;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isAlphanumeric = (byte: number): boolean =>
  isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a && byte >= 0x41);

/** The text as it stands. */
function plainly(text: string, base: number, isBytes: boolean, isPlaced: boolean): Reading {
  const pen = new Pen(text.length, isPlaced);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80 || (isBytes && code < 0x100)) {
      pen.put(code, base + at, base + at);
      continue;
    }
    const whole = text.codePointAt(at) ?? 0xfffd;
    const width = whole > 0xffff ? 2 : 1;
    pen.sign(whole, base + at, base + at + width - 1);
    at += width - 1;
  }
  return pen;
}

/** A number of so many hex digits, or -1. */
function hexAt({ bytes, length }: Reading, at: number, digits: number): number {
  if (at + digits > length) return -1;
  let value = 0;
  for (let next = at; next < at + digits; next++) {
    const digit = digitOf(bytes[next] ?? 0);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

const shortEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

/** What a backslash and the letters behind it stand for, and how many those are. */
function escapeAt(reading: Reading, at: number): readonly [code: number, length: number, isByte: boolean] | undefined {
  const letter = String.fromCharCode(reading.bytes[at] ?? 0);
  if (letter === 'u' && reading.bytes[at + 1] === 0x7b) {
    for (let digits = 1; digits <= 6; digits++) {
      if (reading.bytes[at + 2 + digits] !== 0x7d) continue;
      const code = hexAt(reading, at + 2, digits);
      return code < 0 ? undefined : [code, digits + 3, false];
    }
    return undefined;
  }
  const digits = { u: 4, U: 8, x: 2 }[letter];
  if (digits !== undefined) {
    const code = hexAt(reading, at + 1, digits);
    return code < 0 ? undefined : [code, digits + 1, letter === 'x'];
  }
  const octal = Buffer.from(reading.bytes.subarray(at, at + 3)).toString('latin1');
  if (/^[0-3][0-7]{2}$/.test(octal)) return [Number.parseInt(octal, 8), 3, true];
  if (letter === '"' || letter === "'" || letter === '/') return [letter.charCodeAt(0), 1, false];
  const short = Object.hasOwn(shortEscapes, letter) ? shortEscapes[letter] : undefined;
  return short === undefined ? undefined : [short.charCodeAt(0), 1, false];
}

/** One layer of escapes of JSON and programs, of URLs and of HTML taken off; undefined where there are none. */
function undone(before: Reading): Reading | undefined {
  const { bytes, length } = before;
  const pen = penFor(before, length);
  let changes = 0;
  for (let at = 0; at < length; ) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x5c) {
      let run = 1;
      while (bytes[at + run] === 0x5c && at + run < length) run++;
      for (let pair = 0; pair + 1 < run; pair += 2) pen.put(byte, at + pair, at + pair + 1);
      if (run > 1) changes++;
      at += run;
      if (run % 2 === 0) continue;
      const escaped = at < length ? escapeAt(before, at) : undefined;
      if (escaped === undefined) {
        pen.put(byte, at - 1, at - 1);
        continue;
      }
      const [code, width, isByte] = escaped;
      const last = Math.min(length, at + width) - 1;
      if (isByte) pen.put(code, at - 1, last);
      else pen.sign(code, at - 1, last);
      changes++;
      at = last + 1;
      continue;
    }
    if (byte === 0x25) {
      const code = hexAt(before, at + 1, 2);
      if (code >= 0) {
        pen.put(code, at, at + 2);
        changes++;
        at += 3;
        continue;
      }
    }
    if (byte === 0x26) {
      const entity = signOfEntity(bytes, at, length);
      if (entity !== undefined) {
        pen.sign(entity.code, at, at + entity.length - 1);
        changes++;
        at += entity.length;
        continue;
      }
    }
    pen.put(byte, at, at);
    at++;
  }
  return changes === 0 ? undefined : pen;
}

/** Quoted-printable (RFC 2045 §6.7). */
function unquoted(before: Reading): Reading | undefined {
  const { bytes, length } = before;
  const pen = penFor(before, length);
  let changes = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x3d) {
      const code = hexAt(before, at + 1, 2);
      const line = bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a ? 2 : bytes[at + 1] === 0x0a ? 1 : 0;
      if (code >= 0) pen.put(code, at, at + 2);
      if (code >= 0 || line > 0) {
        at += code >= 0 ? 2 : line;
        changes++;
        continue;
      }
    }
    pen.put(byte, at, at);
  }
  return changes === 0 ? undefined : pen;
}

/** Without white space, in the usual alphabet of base64. */
function packed(before: Reading): Reading {
  const { bytes, length } = before;
  const pen = penFor(before, length);
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte <= 0x20) continue;
    pen.put(byte === 0x2d ? 0x2b : byte === 0x5f ? 0x2f : byte, at, at);
  }
  return pen;
}

/** Hex digits, whatever signs stand between them (`0x53, 0x65`, `53:65`); other letters end a row. */
function nibbles(before: Reading): Reading {
  const { bytes, length } = before;
  const pen = penFor(before, length);
  let ended = true;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0;
    if (digitOf(byte) >= 0 && !(byte === 0x30 && ((bytes[at + 1] ?? 0) | 0x20) === 0x78)) {
      pen.put(byte >= 0x41 && byte <= 0x46 ? byte | 0x20 : byte, at, at);
      ended = false;
    } else if (!ended && isAlphanumeric(byte) && digitOf(byte) < 0 && (byte | 0x20) !== 0x78) {
      pen.put(gap, at, at);
      ended = true;
    }
  }
  return pen;
}

/** Numbers of a byte, whatever stands between them but letters; names that are numbers (`"0":83`) are no part of it. */
function numbers(before: Reading): Reading {
  const { bytes, length } = before;
  const pen = penFor(before, 0);
  let ended = true;
  const endRow = (at: number): void => {
    if (!ended) pen.put(gap, at, at);
    ended = true;
  };
  for (let at = 0; at < length; ) {
    const byte = bytes[at] ?? 0;
    if (!isDigit(byte)) {
      if (isAlphanumeric(byte)) endRow(at);
      at++;
      continue;
    }
    let next = at;
    let value = 0;
    while (next < length && isDigit(bytes[next] ?? 0)) value = Math.min(1000, value * 10 + (bytes[next++] ?? 0) - 0x30);
    const quote = at > 0 ? bytes[at - 1] : undefined;
    const isName = (quote === 0x22 || quote === 0x27) && bytes[next] === quote && isColon(bytes, next + 1);
    const isMinus = at > 0 && bytes[at - 1] === 0x2d && !isDigit(bytes[at - 2] ?? 0);
    const known = isMinus ? 256 - value : value;
    if (isName || (isMinus && (value === 0 || value > 128))) {
      // Only a place.
    } else if (known < 256) {
      pen.put(known, at, next - 1);
      ended = false;
    } else endRow(at);
    at = next;
  }
  return pen;
}
const isColon = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x3a || (bytes[at] === 0x20 && bytes[at + 1] === 0x3a);

const mostOnLine = 64;

interface Row {
  readonly offset: number;
  /** Behind the offset, and where the next row or another line begins. */
  readonly at: number;
  end: number;
}

/** Rows begin with an offset, at the beginning of a line or, where lines were joined, with a number that begins with 0. */
function rowsOf(reading: Reading): readonly Row[] {
  const { bytes, length } = reading;
  const rows: Row[] = [];
  let open: Row | undefined;
  let isFirst = true;
  for (let at = 0; at < length; ) {
    const byte = bytes[at] ?? 0;
    if (!isAlphanumeric(byte)) {
      if (byte === 0x0a) {
        isFirst = true;
        if (open !== undefined) open.end = at;
        open = undefined;
      }
      at++;
      continue;
    }
    let next = at;
    let isHex = true;
    for (; next < length && isAlphanumeric(bytes[next] ?? 0); next++) isHex &&= digitOf(bytes[next] ?? 0) >= 0;
    const isEnded = next < length && (bytes[next] === 0x3a || bytes[next] === 0x20 || bytes[next] === 0x09);
    if (isHex && isEnded && next - at >= 4 && next - at <= 16 && (isFirst || byte === 0x30)) {
      if (open !== undefined) open.end = at;
      open = { offset: hexAt(reading, at, next - at), at: next + 1, end: length };
      rows.push(open);
    }
    isFirst = false;
    at = next;
  }
  return rows;
}

/** Hex digits of a dump: rows begin with an offset, and end with the same as a text; undefined where it has none. */
function dumped(before: Reading): Reading | undefined {
  const { bytes } = before;
  const rows = rowsOf(before);
  if (rows.length === 0) return undefined;
  const pen = penFor(before, 0);
  for (const [index, { offset, at, end }] of rows.entries()) {
    const width = (rows[index + 1]?.offset ?? 0) - offset;
    const most = width > 0 && width <= mostOnLine ? 2 * width : 2 * 16;
    const last = pen.length;
    let count = 0;
    let next = at;
    let digitsEnd = at;
    while (next < end && count < most) {
      const byte = bytes[next] ?? 0;
      if (byte === 0x20 || byte === 0x09) {
        next++;
        continue;
      }
      let group = next;
      while (group < end && digitOf(bytes[group] ?? 0) >= 0) group++;
      if (group === next || (group - next) % 2 > 0 || !isBlank(bytes[group], group === end)) break;
      for (; next < group && count < most; next++, count++) pen.put((bytes[next] ?? 0) | 0x20, next, next);
      digitsEnd = next;
    }
    // The text beside the digits goes with them.
    const column = columnEnd(before, digitsEnd, end, count / 2);
    if (column > digitsEnd) pen.places?.to.fill(before.places?.to[column - 1] ?? 0, last, pen.length);
  }
  return pen;
}
/** Where the text of so many bytes ends that may stand behind the digits, two blanks away: at most where it was cut. */
function columnEnd({ bytes }: Reading, from: number, end: number, count: number): number {
  let at = from;
  while (at < end && bytes[at] === 0x20) at++;
  if (at < from + 2) return from;
  const most = Math.min(end, at + count + (bytes[at] === 0x7c ? 2 : 0));
  for (; at < most; at++) if (bytes[at] === 0xe2 && bytes[at + 1] === 0x80 && bytes[at + 2] === 0xa6) break;
  return at;
}
const isBlank = (byte: number | undefined, isEnd: boolean): boolean =>
  isEnd || (byte ?? 0) <= 0x20 || byte === 0x7c || byte === 0xe2;

type Kind = 'bytes' | 'letters' | 'base64' | 'hex';
interface Needle {
  readonly kind: Kind;
  readonly text: string;
  readonly by: string;
  /** What it is looked for by. */
  readonly head: string;
  /** So much of it is enough; where the text was cut, its head is. */
  readonly least: number;
  /** So many more letters and digits must follow, which go with it. */
  readonly more?: number;
}

const shortest = 4;
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const bigHex = /^(?:0x)?(?:[\da-f]{2}){16,}$/i;

/** Base64 of it at any of the three places within a group, without what depends on the neighbours. */
const base64Of = (bytes: Uint8Array): readonly string[] =>
  [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
/** Of less a text without white space may hold some by chance. */
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
  // A key or a signature in hex is bytes itself.
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

/** Signatures of requests, which nobody knows beforehand. */
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

/** Finds secrets in what only stands for a text. `cuts`: where the text was cut, in order. */
export type FindDisguised = (text: string, cuts: readonly number[]) => readonly Found[];

/** A text is read in pieces of this size, each with so much of the next one: no disguise of a secret is longer. */
const piece = 256 * 1024;
const overlap = 32 * 1024;
/** Layers of escapes within escapes. */
const mostLayers = 3;
/** What is left of a sign that was cut, or of a row of a hex dump. */
const longestRest = 40;
const rest = /^(?:[^A-Za-z0-9][\s\S]{0,9})?$|^(?:\s|\\{1,4}[nrt])+[\da-f]{1,16}:?[ \t]*(?:[\da-f]{1,4}[ \t]*)?$/i;

/** `isBytes`: the text is bytes, each as one character. */
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

  /** Most texts are a few plain words: only base64 with blanks could be in those. */
  function mayDisguise(here: string): boolean {
    if (escaping.test(here) || fourDigits.test(here) || quoted.test(here) || beyondAscii.test(here)) return true;
    const joined = here
      .replace(/[\0- ]+/g, '')
      .replaceAll('-', '+')
      .replaceAll('_', '/');
    return inBase64.some(({ head }) => joined.includes(head));
  }

  /** All readings of a piece of a text. `hear` tells whether that is enough. */
  function look(here: string, start: number, isPlaced: boolean, hear: Hear): boolean {
    let layer: Reading | undefined = plainly(here, start, isBytes, isPlaced);
    for (let depth = 0; layer !== undefined && depth <= mostLayers; depth++) {
      const said = textOf(layer);
      // The letters as they stand are the business of the pattern.
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

/** Node prints 50 bytes of a buffer and 100 items of a list, and how many more there are. */
const cutByNode = /\s\.\.\. \d/g;
/** Bytes as numbers of any base have digits. */
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

/** Where a hit stands in the text; of a beginning: where the text was cut behind it. */
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

/** The first that is not before. */
function nextOf(sorted: readonly number[], place: number): number | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}

/** In order of their places; those that overlap become one, under the name of the first. */
export function merged(found: readonly Found[]): readonly Found[] {
  const result: Found[] = [];
  for (const one of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || one.start >= last.end) result.push(one);
    else if (one.end > last.end) result[result.length - 1] = { ...last, end: one.end };
  }
  return result;
}
