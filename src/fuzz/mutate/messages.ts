import {
  changedWithin,
  fieldNumber,
  framed,
  framesIn,
  joinedBytes,
  type MethodPlace,
  nestedStruct,
  rawBytes,
  rawNumber,
  rawTag,
  wireTypes,
} from '../../binding/index.js';
import type { Header } from '../../wire/index.js';
import type { Value, WireMutation } from '../case/case.js';
import {
  always,
  countOf,
  type Outgoing,
  open,
  textOf,
  tokenOf,
  type WireMutationKind,
  withoutControls,
} from './wire-mutation.js';

// Wire mutations of requests of gRPC: the bytes of the message (protobuf.dev/programming-guides/encoding), its frame and
// its metadata (grpc/doc/PROTOCOL-HTTP2.md), and the connection (RFC 9113). What an agent answers is open (AMB10-49): it
// must answer, stay, show nothing of its inside, and change nothing where it refuses.

const hexBytes = (trick: WireMutation, name: string, otherwise = ''): Uint8Array =>
  Uint8Array.from(Buffer.from(textOf(trick, name, otherwise).replaceAll(/[^0-9a-f]/gi, ''), 'hex'));

/** The fields of a type, as the table has them: number, and whether it is a list. */
const fieldsOf = ({ table }: MethodPlace, type: string) =>
  Object.values(table.messages[type] ?? {}).map((text) => {
    const inner = (text.split(' ')[1] ?? '').replace('[]', '');
    return { number: Number.parseInt(text, 10), type: inner, isList: (text.split(' ')[1] ?? '').endsWith('[]') };
  });

/**
 * Changes a message, or the first one that is inside it: of the types of the package, so many levels down at most.
 * `change` gets the bytes of the message and its type.
 */
function within(
  message: Uint8Array,
  method: MethodPlace,
  levels: number,
  change: (inner: Uint8Array, type: string) => Uint8Array,
): Uint8Array {
  const go = (bytes: Uint8Array, type: string, left: number): Uint8Array => {
    for (const item of left > 0 ? fieldsOf(method, type) : []) {
      if (!Object.hasOwn(method.table.messages, item.type)) continue;
      let isThere = false;
      const made = changedWithin(bytes, [item.number], (inner) => {
        isThere = true;
        return go(inner, item.type, left - 1);
      });
      if (isThere) return made;
    }
    return change(bytes, type);
  };
  return go(message, method.method[0], levels);
}
const levelsOf = (trick: WireMutation): number => countOf(trick, 'inside', 0, 4);
const inside = [0, 0, 0, 1, 2, 3];

/** Bytes after which no reader goes on: `c03e` and the like are the tag of field 1000. */
const endings = {
  'cut number': 'c03eff',
  'long number': 'c03effffffffffffffffffffff01',
  'cut tag': 'ff',
  'length past the end': 'c23e7f',
  'length of 4 GiB': 'c23effffffff0f',
  'length of 2 GiB': 'c23effffffff07',
  'negative length': 'c23effffffffffffffffff01',
  'cut fixed32': 'c53e0102',
  'cut fixed64': 'c13e010203',
  'open group': 'c33e',
  'end of a group': 'c43e',
  'wire type 6': 'c63e',
  'wire type 7': 'c73e',
  'field 0': '0001',
  'field 0 with bytes': '0200',
  'field beyond all': 'f8ffffffff7f01',
} as const;

const noUtf8 = ['ff', '80', 'c0af', 'eda080', 'f4908080', 'e282', 'c3', '00ff', 'f8888080 80'];

const asWritten = ['varint', 'fixed32', 'fixed64', 'bytes', 'group'] as const;
/** A field with a value of a wire type that its type does not have. */
function written(number: number, as: string): Uint8Array {
  switch (as) {
    case 'fixed32':
      return joinedBytes(rawTag(number, wireTypes.fixed32), new Uint8Array(4));
    case 'fixed64':
      return joinedBytes(rawTag(number, wireTypes.fixed64), new Uint8Array(8));
    case 'bytes':
      return rawBytes(number, Uint8Array.of(0x08, 0x01));
    case 'group':
      return joinedBytes(rawTag(number, 3), rawTag(number, 4));
    default:
      return rawNumber(number, 1);
  }
}

/** A field with a value that it rarely has: of a message none of its fields, of a role or a state a number of none. */
function again(
  { number, type }: { readonly number: number; readonly type: string },
  { messages }: MethodPlace['table'],
) {
  if (type === 'string' || type === 'bytes') return rawBytes(number, Uint8Array.from(Buffer.from('tck')));
  const isMessage = Object.hasOwn(messages, type) || /^(Struct|Value|Timestamp|map)/.test(type);
  return isMessage ? rawBytes(number, new Uint8Array(0)) : rawNumber(number, 99);
}

const hasStruct = ({ table, method }: MethodPlace): boolean => fieldNumber(table, method[0], 'Struct') !== undefined;

/** One of the fields of a type that fit; 0: it has none. */
function chosen(trick: WireMutation, all: readonly { readonly number: number }[]): number {
  return all[countOf(trick, 'field', 0) % Math.max(1, all.length)]?.number ?? 0;
}

const messageOf = (body: Uint8Array): Uint8Array => framesIn(body).frames[0]?.data ?? new Uint8Array(0);

/** The bytes of messages. */
const ofMessages = {
  'message-end': {
    demand: open,
    needs: 'messages',
    breaks: 'message',
    make: ({ randomSource }) => ({
      hex: randomSource.pick(Object.values(endings)),
      inside: randomSource.pick(inside),
    }),
    grown: (trick, size) => size + textOf(trick, 'hex').length + 32,
    message: (trick, message, method) =>
      within(message, method, levelsOf(trick), (inner) => joinedBytes(inner, hexBytes(trick, 'hex', 'c03eff'))),
  },
  'message-cut': {
    demand: open,
    needs: 'messages',
    breaks: 'message',
    make: ({ randomSource }) => ({ bytes: randomSource.pick([1, 1, 2, 5, 20]) }),
    message: (trick, message) => message.subarray(0, Math.max(0, message.length - countOf(trick, 'bytes', 1))),
  },
  'message-random': {
    demand: open,
    needs: 'messages',
    breaks: 'message',
    make: ({ randomSource }) => ({
      hex: Array.from({ length: 1 + randomSource.below(24) }, () =>
        randomSource.below(256).toString(16).padStart(2, '0'),
      ).join(''),
    }),
    grown: (trick, size) => size + textOf(trick, 'hex').length,
    message: (trick) => hexBytes(trick, 'hex', 'ff'),
  },
  'field-type': {
    demand: open,
    needs: 'messages',
    // A reader may take it for an unknown field, or refuse the message.
    breaks: 'message',
    make: ({ randomSource }) => ({
      field: randomSource.below(8),
      as: randomSource.pick(asWritten),
      inside: randomSource.pick(inside),
    }),
    message: (trick, message, method) =>
      within(message, method, levelsOf(trick), (inner, type) => {
        const number = chosen(trick, fieldsOf(method, type));
        return number === 0 ? inner : joinedBytes(inner, written(number, textOf(trick, 'as')));
      }),
  },
  'bad-utf8': {
    demand: open,
    needs: 'messages',
    breaks: 'message',
    make: ({ randomSource }) => ({
      hex: randomSource.pick(noUtf8),
      field: randomSource.below(4),
      inside: randomSource.pick(inside),
    }),
    grown: (trick, size) => size + textOf(trick, 'hex').length + 32,
    message(trick, message, method) {
      const bad = hexBytes(trick, 'hex', 'ff');
      // A message without texts has them further inside.
      for (let levels = levelsOf(trick); levels <= 4; levels++) {
        let isThere = false;
        const made = within(message, method, levels, (inner, type) => {
          const texts = fieldsOf(method, type).filter((field) => field.type === 'string');
          const number = chosen(trick, texts);
          isThere = number !== 0;
          return isThere ? joinedBytes(inner, rawBytes(number, bad)) : inner;
        });
        if (isThere) return made;
      }
      return message;
    },
  },
  'unknown-fields': {
    demand: open,
    needs: 'messages',
    make: ({ randomSource }) => ({
      number: randomSource.pick([15, 100, 1000, 1000, 19_000, 536_870_911]),
      as: randomSource.pick(asWritten),
      count: randomSource.pick([1, 1, 1, 30, 2000]),
      inside: randomSource.pick(inside),
    }),
    grown: (trick, size) => size + 16 * countOf(trick, 'count', 1, 50_000),
    message: (trick, message, method) => {
      const number = Math.min(536_870_911, Math.max(1, countOf(trick, 'number', 1000, 536_870_911)));
      const field = written(number, textOf(trick, 'as'));
      const all = Buffer.concat(Array.from({ length: countOf(trick, 'count', 1, 50_000) }, () => field));
      return within(message, method, levelsOf(trick), (inner) => joinedBytes(inner, all));
    },
  },
  // Lists of empty items, and other fields many times: the last one counts.
  'field-repeated': {
    demand: open,
    needs: 'messages',
    make: ({ randomSource }) => ({
      field: randomSource.below(8),
      times: randomSource.pick([2, 2, 100, 2000, 20_000]),
      inside: randomSource.pick(inside),
    }),
    grown: (trick, size) => size + 8 * countOf(trick, 'times', 1, 200_000),
    message: (trick, message, method) =>
      within(message, method, levelsOf(trick), (inner, type) => {
        const held = fieldsOf(method, type).filter((field) => !/^(u?int32|bool)$/.test(field.type));
        const lists = held.filter(({ isList }) => isList);
        const number = chosen(trick, lists.length > 0 ? lists : held);
        if (number === 0) return inner;
        const item = rawBytes(number, new Uint8Array(0));
        return joinedBytes(
          inner,
          Buffer.concat(Array.from({ length: countOf(trick, 'times', 2, 200_000) }, () => item)),
        );
      }),
  },
  // A field of which there is one comes again, with another value: the last one counts. The agent then gets two fields of
  // a group of which one may be set, or a role, a state or a number that is 99.
  'field-again': {
    demand: open,
    needs: 'messages',
    make: ({ randomSource }) => ({ field: randomSource.below(8), inside: randomSource.pick([0, 1, 1, 2, 2]) }),
    grown: (_, size) => size + 16,
    message: (trick, message, { table, method }) =>
      within(message, { table, method }, levelsOf(trick), (inner, type) => {
        const single = fieldsOf({ table, method }, type).filter(({ isList }) => !isList);
        const number = chosen(trick, single);
        const field = single.find((item) => item.number === number);
        return field === undefined ? inner : joinedBytes(inner, again(field, table));
      }),
  },
  'deep-struct': {
    demand: open,
    needs: 'messages',
    fits: hasStruct,
    breaks: 'message',
    make: ({ randomSource }) => ({
      levels: randomSource.pick([10, 20, 30, 45, 100, 400, 2000, 10_000]),
      of: randomSource.pick(['object', 'list']),
    }),
    grown: (trick, size) => size + 24 * countOf(trick, 'levels', 1, 100_000),
    message: (trick, message, { table, method }) => {
      const number = fieldNumber(table, method[0], 'Struct');
      if (number === undefined) return message;
      const of = textOf(trick, 'of') === 'list' ? 'list' : 'object';
      return joinedBytes(message, rawBytes(number, nestedStruct(countOf(trick, 'levels', 1, 100_000), of)));
    },
  },
} as const satisfies Readonly<Record<string, WireMutationKind>>;

const encodings = ['gzip', 'deflate', 'identity', 'snappy', 'tck', ''];

/** A header of the binding in place of its own; undefined: none. */
const withOwn = (out: Outgoing, name: string, value: string | undefined): Outgoing => {
  const rest = (out.own ?? []).filter(([found]) => found !== name);
  return { ...out, own: value === undefined ? rest : [...rest, [name, value]] };
};

/** The frames of messages. */
const ofFrames = {
  'frame-flag': {
    demand: open,
    needs: 'messages',
    breaks: 'framing',
    make: ({ randomSource }) => ({
      flag: randomSource.pick([1, 1, 1, 2, 128, 255]),
      // Named, but not so: the message is as it was.
      encoding: randomSource.chance(0.5) ? null : randomSource.pick(encodings),
    }),
    framed: (trick, body) => framed(messageOf(body), { flag: countOf(trick, 'flag', 1, 255) }),
    http: (trick, out) =>
      trick['encoding'] === null
        ? out
        : withOwn(out, 'grpc-encoding', withoutControls(textOf(trick, 'encoding', 'gzip'))),
  },
  'frame-length': {
    demand: open,
    needs: 'messages',
    breaks: 'framing',
    make: ({ randomSource }) => ({ by: randomSource.pick([1, 1, -1, 100, -100, 65_536, 2 ** 31, 2 ** 32 - 1]) }),
    framed: (trick, body) => {
      const message = messageOf(body);
      const by = typeof trick['by'] === 'number' && Number.isInteger(trick['by']) ? trick['by'] : 1;
      return framed(message, { length: Math.min(2 ** 32 - 1, Math.max(0, message.length + by)) });
    },
  },
  'frame-count': {
    demand: open,
    needs: 'messages',
    breaks: 'framing',
    make: ({ randomSource }) => ({ count: randomSource.pick([0, 0, 2, 2, 3, 50, 1000]) }),
    grown: (trick, size) => (size + 5) * countOf(trick, 'count', 2, 5000),
    framed: (trick, body) =>
      Uint8Array.from(Buffer.concat(Array.from({ length: countOf(trick, 'count', 2, 5000) }, () => body))),
  },
  'frame-tail': {
    demand: open,
    needs: 'messages',
    breaks: 'framing',
    make: ({ randomSource }) => ({ hex: randomSource.pick(['00', '0000', '000000', '00000000', 'ff', '0a0a0a0a0a']) }),
    grown: (trick, size) => size + textOf(trick, 'hex').length,
    framed: (trick, body) => joinedBytes(body, hexBytes(trick, 'hex', '00')),
  },
  'frame-cut': {
    demand: open,
    needs: 'messages',
    breaks: 'framing',
    make: ({ randomSource }) => ({ keep: randomSource.pick([1, 3, 4, 5, 6]) }),
    framed: (trick, body) => body.subarray(0, countOf(trick, 'keep', 1)),
  },
} as const satisfies Readonly<Record<string, WireMutationKind>>;

const timeouts = [
  '0m',
  '0n',
  '1n',
  '1u',
  '99999999H',
  '999999999S',
  '-1S',
  '1',
  'S',
  '1x',
  '',
  '1.5S',
  ' 1S',
  '1s',
  '0x1S',
  '1e3m',
];
const types = [
  'application/grpc+json',
  'application/grpc+tck',
  'application/grpc;charset=utf-8',
  'application/grpc-web',
  'application/grpc-web-text+proto',
  'application/GRPC',
  'application/grpc+',
  'application/grpcx',
  'application/json',
  'application/octet-stream',
  'text/plain',
  '',
];
const methodForms = [
  '/NoSuchMethod',
  '/',
  '',
  '/{method}x',
  '/{lower}',
  '//{method}',
  '/{method}/',
  '/{method}/extra',
  '/%00',
  '/..',
  '/__proto__',
  '/constructor',
  '/toString',
];
const services = ['', '/', '/A2AService', '/no.such.v1.A2AService', '/{service}', '/{service}', '/{service}'];

const metadata: readonly Readonly<Record<string, Value>>[] = [
  { name: 'tck-bin', value: '!!!' },
  { name: 'tck-bin', value: 'a' },
  { name: 'tck-bin', value: '====' },
  { name: 'tck-bin', value: '__8' },
  { name: 'tck-bin', value: 'AAAA,BBBB' },
  { name: 'tck-bin', value: '' },
  { name: 'tck-bin', value: 'QUFB', times: 500 },
  { name: 'grpc-tags-bin', value: '!!!' },
  { name: 'grpc-trace-bin', value: 'AA' },
  { name: 'grpc-status', value: '0' },
  { name: 'grpc-message', value: '%zz%' },
  { name: 'grpc-tck', value: 'a' },
  { name: 'grpc-accept-encoding', value: ',,,' },
  { name: 'grpc-accept-encoding', value: 'gzip,', times: 200 },
  { name: 'grpc-encoding', value: 'tck' },
  { name: 'grpc-encoding', value: 'gzip' },
  { name: 'tck', value: 'a', times: 7000 },
  { name: 'tck', value: 'a', count: 80 },
  { name: 'content-length', value: '3' },
  { name: 'user-agent', value: '' },
  { name: 'x-tck', value: 'ü\u00ff' },
];
/** Headers that only the client sets. */
const kept: ReadonlySet<string> = new Set(['authorization', 'cookie', 'host', 'te', 'content-type', 'connection']);

/** The head of a request, and where it goes. */
const ofHeads = {
  metadata: {
    demand: open,
    needs: 'messages',
    breaks: 'head',
    make: ({ randomSource }) => ({ times: 1, count: 1, ...randomSource.pick(metadata) }),
    grown: (trick, size) =>
      size +
      countOf(trick, 'count', 1, 2000) * (40 + textOf(trick, 'value').length * countOf(trick, 'times', 1, 100_000)),
    http: (trick, out) => {
      const name = tokenOf(textOf(trick, 'name', 'tck')).toLowerCase();
      if (kept.has(name)) return out;
      const value = withoutControls(textOf(trick, 'value')).repeat(countOf(trick, 'times', 1, 100_000));
      const count = countOf(trick, 'count', 1, 2000);
      const named = (at: number): Header => [count === 1 ? name : `${name}-${at}`, value];
      return { ...out, own: [...(out.own ?? []), ...Array.from({ length: count }, (_, at) => named(at))] };
    },
  },
  'grpc-timeout': {
    demand: open,
    needs: 'messages',
    breaks: 'head',
    make: ({ randomSource }) => ({ value: randomSource.pick(timeouts) }),
    http: (trick, out) => withOwn(out, 'grpc-timeout', withoutControls(textOf(trick, 'value', '0m'))),
  },
  'no-te': {
    demand: open,
    needs: 'messages',
    breaks: 'head',
    make: () => ({}),
    http: (_, out) => withOwn(out, 'te', undefined),
  },
  'grpc-type': {
    demand: open,
    needs: 'messages',
    breaks: 'head',
    make: ({ randomSource }) => ({ type: randomSource.chance(0.15) ? null : randomSource.pick(types) }),
    http: (trick, out) => ({
      ...out,
      contentType: trick['type'] === null ? null : withoutControls(textOf(trick, 'type', 'text/plain')),
    }),
  },
  'grpc-method': {
    demand: open,
    needs: 'messages',
    breaks: 'head',
    astray: always,
    make: ({ randomSource }) => ({ service: randomSource.pick(services), method: randomSource.pick(methodForms) }),
    http: (trick, out) => {
      const { origin, pathname } = new URL(out.url);
      const [, service = '', method = ''] = pathname.split('/');
      const path = `${textOf(trick, 'service', '/{service}')}${textOf(trick, 'method', '/NoSuchMethod')}`
        .replaceAll('{service}', service)
        .replaceAll('{method}', method)
        .replaceAll('{lower}', method.toLowerCase())
        .replaceAll(/[^\x21-\x7e]|[#?]/g, '');
      return { ...out, url: `${origin}${path.startsWith('/') ? path : `/${path}`}` };
    },
  },
} as const satisfies Readonly<Record<string, WireMutationKind>>;

/** The connection. */
const ofConnections = {
  // The streams have a head and no message: a right agent does nothing about them.
  resets: {
    demand: open,
    needs: 'messages',
    breaks: 'connection',
    make: ({ randomSource }) => ({ count: randomSource.pick([1, 1, 3, 10, 20]) }),
    http: (trick, out) => ({ ...out, manner: { ...out.manner, resets: countOf(trick, 'count', 1, 20) } }),
  },
  window: {
    demand: open,
    needs: 'messages',
    breaks: 'connection',
    make: ({ randomSource }) => ({ bytes: randomSource.pick([1, 16, 1000]) }),
    http: (trick, out) => ({
      ...out,
      manner: { ...out.manner, window: Math.max(1, countOf(trick, 'bytes', 16, 65_536)) },
    }),
  },
  pieces: {
    demand: open,
    needs: 'messages',
    breaks: 'connection',
    make: ({ randomSource }) => ({ bytes: randomSource.pick([1, 1, 3, 7]) }),
    http: (trick, out) => ({
      ...out,
      manner: { ...out.manner, pieces: Math.max(1, countOf(trick, 'bytes', 1, 65_536)) },
    }),
  },
} as const satisfies Readonly<Record<string, WireMutationKind>>;

export const messageMutations = {
  ...ofMessages,
  ...ofFrames,
  ...ofHeads,
  ...ofConnections,
} as const satisfies Readonly<Record<string, WireMutationKind>>;

/** How the reading of a whole message ends early, as arguments of `message-end`. */
export const messageEndings: readonly string[] = Object.values(endings);
