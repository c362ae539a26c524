import type { PackageTable } from './table.js';

// Bytes of protobuf without its types, to build what no encoder writes. For messages of the kit itself.

/** How the value of a field is written (protobuf.dev/programming-guides/encoding). */
export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5, none: 7 } as const;

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let left = value;
  while (left > 127) {
    bytes.push((left % 128) + 128);
    left = Math.floor(left / 128);
  }
  return [...bytes, left];
}

/** Number and wire type of a field, as they stand before its value. */
export const rawTag = (number: number, wireType: number): Uint8Array => Uint8Array.from(varint(number * 8 + wireType));

export const joinedBytes = (...pieces: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(pieces));

/** A field with a number that is not negative as its value. */
export const rawNumber = (number: number, value: number): Uint8Array =>
  joinedBytes(rawTag(number, wireTypes.varint), Uint8Array.from(varint(value)));

/** A field with bytes as its value: a text, a message. */
export const rawBytes = (number: number, content: Uint8Array): Uint8Array =>
  joinedBytes(rawTag(number, wireTypes.bytes), Uint8Array.from(varint(content.length)), content);

/**
 * A google.protobuf.Struct with a value that nests: so many lists, or so many objects with one member. Its size grows
 * with the levels alone, and nothing here recurses.
 */
export function nestedStruct(levels: number, of: 'list' | 'object'): Uint8Array {
  // From the inside out: the bytes before the content of each level give its length.
  const pieces: Uint8Array[] = [Uint8Array.of(0x08, 0x00)];
  let size = 2;
  const around = (...before: readonly number[]): void => {
    const piece = Uint8Array.from([...before, ...varint(size)]);
    pieces.push(piece);
    size += piece.length;
  };
  const member = [0x0a, 0x01, 0x6e, 0x12];
  const struct = (): void => {
    around(...member);
    around(0x0a);
  };
  for (let level = 0; level < levels; level++) {
    if (of === 'object') struct();
    else around(0x0a);
    around(of === 'object' ? 0x2a : 0x32);
  }
  struct();
  return Uint8Array.from(Buffer.concat(pieces.reverse()));
}

interface RawField {
  readonly number: number;
  /** The field as it stands, with its tag. */
  readonly bytes: Uint8Array;
  /** The value of a field with bytes. */
  readonly content: Uint8Array | undefined;
}

/** The fields of a well-formed message, in their order. */
function fieldsOf(message: Uint8Array): readonly RawField[] {
  const fields: RawField[] = [];
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const start = at;
    const tag = next();
    const wireType = tag % 8;
    let content: Uint8Array | undefined;
    if (wireType === wireTypes.bytes) {
      const length = next();
      content = message.subarray(at, at + length);
      at += length;
    } else if (wireType === wireTypes.varint) next();
    else at += wireType === wireTypes.fixed64 ? 8 : 4;
    fields.push({ number: Math.floor(tag / 8), bytes: message.subarray(start, at), content });
  }
  return fields;
}

/** The same message, with a change of the first message inside it that stands at this path of field numbers. */
export function changedWithin(
  message: Uint8Array,
  path: readonly number[],
  change: (inner: Uint8Array) => Uint8Array,
): Uint8Array {
  const [first, ...rest] = path;
  if (first === undefined) return change(message);
  let isDone = false;
  const fields = fieldsOf(message).map(({ number, bytes, content }) => {
    if (isDone || number !== first || content === undefined) return bytes;
    isDone = true;
    return rawBytes(number, changedWithin(content, rest, change));
  });
  return joinedBytes(...fields);
}

/** The number of the first field of a message that has this type; undefined: it has none. */
export function fieldNumber({ messages }: PackageTable, message: string, type: string): number | undefined {
  const found = Object.values(messages[message] ?? {}).find((text) => text.split(' ')[1]?.replace('[]', '') === type);
  return found === undefined ? undefined : Number.parseInt(found, 10);
}
