import { exactText, isPrintable, printfFormat, shellWord } from '../../../wire/index.js';
import { type Piece, piecesOf } from './repetition.js';

/** A value that the script takes out of an answer, and the shell variable that holds it. */
export interface Slot {
  readonly value: string;
  readonly variable: string;
}

const written = (bytes: Uint8Array): readonly string[] => {
  const text = exactText(bytes);
  return text !== undefined && isPrintable(text)
    ? [`printf %s ${shellWord(text)}`]
    : [`printf '${printfFormat(bytes)}'`];
};

function commandsOf(piece: Piece): readonly string[] {
  if ('bytes' in piece) return written(piece.bytes);
  const { unit, times } = piece;
  const [first = 0] = unit;
  const size = times * unit.length;
  if (unit.every((byte) => byte === first)) {
    const octal = first.toString(8).padStart(3, '0');
    return [`head -c ${size} /dev/zero | tr '\\000' '\\${octal}'`];
  }
  const text = exactText(unit);
  // `yes` takes some words with a dash for options.
  if (text === undefined || !isPrintable(text) || /^-|\n/.test(text))
    return written(Buffer.concat(Array.from({ length: times }, () => unit)));
  return [`yes ${shellWord(text)} | tr -d '\\n' | head -c ${size}`];
}

/** The first slot whose value stands in the bytes, and where. */
function firstSlot(bytes: Buffer, slots: readonly Slot[]) {
  const found = slots.flatMap((slot) => {
    const at = bytes.indexOf(slot.value, 0, 'utf8');
    return at < 0 ? [] : [{ slot, at }];
  });
  return found.sort((a, b) => a.at - b.at || b.slot.value.length - a.slot.value.length)[0];
}

/** Commands of a POSIX shell that together write these bytes; values of slots come from their variables. */
export function commandsFor(body: Uint8Array, slots: readonly Slot[]): readonly string[] {
  const commands: string[] = [];
  let rest = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  for (let next = firstSlot(rest, slots); next !== undefined; next = firstSlot(rest, slots)) {
    const { slot, at } = next;
    if (at > 0) commands.push(...piecesOf(rest.subarray(0, at)).flatMap(commandsOf));
    commands.push(`printf %s "$${slot.variable}"`);
    rest = rest.subarray(at + Buffer.byteLength(slot.value));
  }
  if (rest.length > 0) commands.push(...piecesOf(rest).flatMap(commandsOf));
  return merged(commands);
}

/** Joins commands such as `printf %s a`, `printf %s b`. */
function merged(commands: readonly string[]): readonly string[] {
  const result: string[] = [];
  for (const command of commands) {
    const last = result.at(-1);
    const [, word] = /^printf %s (.*)$/su.exec(command) ?? [];
    const isShort = last !== undefined && /^printf %s /.test(last) && word !== undefined;
    if (isShort) result[result.length - 1] = `${last}${word}`;
    else result.push(command);
  }
  return result;
}
