import { gzipSync } from 'node:zlib';
import { countOf, head, open, textOf, tokenOf, type WireMutationKind, withoutControls } from './wire-mutation.js';

// Wire mutations with the encoding of the text (RFC 8259 §8.1).

const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const hexBytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(/[^0-9a-f]/gi, ''), 'hex'));

/** Byte sequences that are not UTF-8: alone, overlong, of surrogates, beyond Unicode, cut off. */
const noUtf8 = [
  'ff',
  '80',
  'c0af',
  'e080af',
  'c080',
  'eda080',
  'edb080',
  'eda080edb080',
  'f4908080',
  'f8888080 80',
  'e282',
  'c3',
  'fe',
  'f0808080',
];

const encoded = (text: string, encoding: string): Uint8Array => {
  if (encoding === 'latin1') return new Uint8Array(Buffer.from(text, 'latin1'));
  if (encoding === 'utf-7') return new Uint8Array(Buffer.from(text.replaceAll('"', '+ACI-'), 'latin1'));
  const little = Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16le') return new Uint8Array(little);
  if (encoding === 'utf-16be') return new Uint8Array(little.swap16());
  const wide = Buffer.alloc(text.length * 4);
  for (let at = 0; at < text.length; at++) wide.writeUInt32LE(text.charCodeAt(at), at * 4);
  return new Uint8Array(wide);
};
const encodings = ['utf-16le', 'utf-16be', 'utf-32le', 'latin1', 'utf-7'];
const boms: Readonly<Record<string, string>> = {
  'utf-8': 'efbbbf',
  'utf-16le': 'fffe',
  'utf-16be': 'feff',
  'utf-32le': 'fffe0000',
  'utf-7': '2b2f76',
};

export const bytesMutations = {
  bom: {
    grown: (_, size) => 4 * size,
    // §8.1: a parser may ignore it, or not.
    demand: open,
    make: ({ randomSource }) => ({ encoding: randomSource.pick(['utf-8', 'utf-8', 'utf-8', 'utf-16le', 'utf-7']) }),
    bytes: (trick, bytes) => joined(hexBytes(boms[textOf(trick, 'encoding')] ?? 'efbbbf'), bytes),
  },
  'no-utf8': {
    demand: open,
    make: ({ randomSource }) => ({
      hex: randomSource.pick(noUtf8),
      where: randomSource.pick(['name', 'value', 'between', 'end']),
    }),
    bytes: (trick, bytes) => {
      const odd = hexBytes(textOf(trick, 'hex', 'ff'));
      const where = textOf(trick, 'where', 'value');
      if (where === 'end') return joined(bytes, odd);
      const text = Buffer.from(bytes);
      const open = where === 'value' ? '":"' : where === 'name' ? '"' : '{';
      const at = text.indexOf(open);
      const cut = at < 0 ? 0 : at + open.length;
      return joined(bytes.subarray(0, cut), odd, bytes.subarray(cut));
    },
  },
  'raw-control': {
    demand: open,
    make: ({ randomSource }) => ({
      code: randomSource.pick([0, 1, 8, 10, 13, 27, 31, 127]),
      where: randomSource.pick(['inside', 'end']),
    }),
    bytes: (trick, bytes) => {
      const odd = Uint8Array.of(countOf(trick, 'code', 0, 255));
      if (textOf(trick, 'where') === 'end') return joined(bytes, odd);
      const at = Math.max(0, Buffer.from(bytes).indexOf('":"'));
      return joined(bytes.subarray(0, at + 3), odd, bytes.subarray(at + 3));
    },
  },
  encoding: {
    grown: (_, size) => 4 * size,
    demand: open,
    make: ({ randomSource }) => ({
      to: randomSource.pick(encodings),
      bom: randomSource.chance(0.5),
      said: randomSource.chance(0.5),
    }),
    bytes: (trick, _, text) => {
      const to = textOf(trick, 'to', 'utf-16le');
      const bytes = encoded(text, to);
      return trick['bom'] === true ? joined(hexBytes(boms[to] ?? ''), bytes) : bytes;
    },
    http: (trick, out) =>
      trick['said'] === true
        ? { ...out, contentType: `application/json; charset=${tokenOf(textOf(trick, 'to', 'utf-16le'))}` }
        : out,
  },
  compressed: {
    demand: open,
    make: ({ randomSource }) => ({
      said: randomSource.pick(['gzip', 'br', 'deflate', 'x-unknown', 'gzip, gzip', 'identity']),
      real: randomSource.chance(0.5),
    }),
    bytes: (trick, bytes) => (trick['real'] === true ? new Uint8Array(gzipSync(bytes)) : bytes),
    http: (trick, out) => head(out, 'content-encoding', withoutControls(textOf(trick, 'said', 'gzip'))),
  },
} as const satisfies Readonly<Record<string, WireMutationKind>>;
