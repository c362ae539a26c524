import { digitOf, signOfEntity } from './entities.js';

// Readings of a text that may hide a secret: escapes and entities removed, quoted-printable decoded, base64 without
// white space, hex digits, lists of bytes, hex dumps. Each takes one pass and keeps the place of every byte in the
// text.

/** A text in one such form: its bytes, and where each of them is in the original text. */
export interface Reading {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Absent in the first search: most texts hold no secret, and places take memory. */
  readonly places?: Places;
}
interface Places {
  from: Uint32Array;
  to: Uint32Array;
}

/** Builds a reading byte by byte. */
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
  /** `first`, `last`: the places in the source that this byte stands for. */
  put(byte: number, first: number, last: number): void {
    if (this.length === this.bytes.length) this.#grow();
    this.bytes[this.length] = byte;
    if (this.places !== undefined) {
      this.places.from[this.length] = this.#source === undefined ? first : (this.#source.from[first] ?? 0);
      this.places.to[this.length] = this.#source === undefined ? last + 1 : (this.#source.to[last] ?? 0);
    }
    this.length++;
  }
  /** Puts a code point as UTF-8; an invalid one becomes U+FFFD. */
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

/** Separates rows of digits or numbers; no needle contains it. */
const gap = 0;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
export const isAlphanumeric = (byte: number): boolean =>
  isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a && byte >= 0x41);

/** The unchanged text as bytes: UTF-8, or one byte per character where `isBytes`. */
export function plainly(text: string, base: number, isBytes: boolean, isPlaced: boolean): Reading {
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

/** The value of the hex digits at a place; -1: not all of them are hex digits. */
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

/** The escape after a backslash: its code, how many characters it takes, and whether the code is a byte. */
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

/** The second half of a code point that JSON writes as two escapes (RFC 8259 §7), where `high` is the first half. */
function lowSurrogateAt(reading: Reading, at: number, high: number): number | undefined {
  if (high < 0xd800 || high > 0xdbff || reading.bytes[at] !== 0x5c || reading.bytes[at + 1] !== 0x75) return undefined;
  const code = hexAt(reading, at + 2, 4);
  return code >= 0xdc00 && code <= 0xdfff ? code : undefined;
}

/** Removes one layer of escapes of JSON, programs, URLs and HTML; undefined when there are none. */
export function undone(before: Reading): Reading | undefined {
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
      const [first, size, isByte] = escaped;
      const low = lowSurrogateAt(before, at + size, first);
      const code = low === undefined ? first : 0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00);
      const width = low === undefined ? size : size + 6;
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

/** Decodes quoted-printable (RFC 2045 §6.7); undefined when there is none. */
export function unquoted(before: Reading): Reading | undefined {
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

/** Removes white space, and turns base64url into base64 (`-` to `+`, `_` to `/`). */
export function packed(before: Reading): Reading {
  const { bytes, length } = before;
  const pen = penFor(before, length);
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte <= 0x20) continue;
    pen.put(byte === 0x2d ? 0x2b : byte === 0x5f ? 0x2f : byte, at, at);
  }
  return pen;
}

/** The hex digits, whatever separates them (`0x53, 0x65`, `53:65`); any other letter ends a row. */
export function nibbles(before: Reading): Reading {
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

/** Decimal numbers as bytes, whatever separates them except letters. Names that are numbers (`"0":83`) are skipped. */
export function numbers(before: Reading): Reading {
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
      // Skipped: a name, or a minus number that is not a byte.
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
  /** `at`: after the offset. `end`: where the next row or another line begins. */
  readonly at: number;
  end: number;
}

/** Rows begin with an offset at the beginning of a line or, in joined lines, with a hex number that begins with 0. */
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

/** The hex digits of a dump. Its rows begin with an offset and may end with the same as text; undefined: no rows. */
export function dumped(before: Reading): Reading | undefined {
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
    // The text column next to the digits belongs to them.
    const column = columnEnd(before, digitsEnd, end, count / 2);
    if (column > digitsEnd) pen.places?.to.fill(before.places?.to[column - 1] ?? 0, last, pen.length);
  }
  return pen;
}
/** The end of a text column of `count` bytes, two blanks after the digits; or where it was cut, marked by `…`. */
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
