import type { Edit, Value } from '../case/case.js';
import { hostileString, type JsonType, longText, typedValue } from '../generate/hostile.js';
import type { RandomSource } from '../generate/random-source.js';
import type { Mutator } from './schema-mutators.js';

// JSON-RPC 2.0 §4: what the request object must be.

/** Ids of every type that JSON has; the first 13 are valid. */
export const ids: readonly Value[] = [
  '',
  0,
  -1,
  1,
  '1',
  'ü🙂',
  { $raw: '9007199254740993' },
  2147483648,
  1.5,
  { $raw: '1.0' },
  { $raw: '1e3' },
  { $raw: '1e400' },
  { $raw: '-0' },
  { $raw: '1e-400' },
  null,
  true,
  false,
  [],
  ['a'],
  {},
  { id: 1 },
  { $nest: ['[', 500] },
  '\u0000',
  '\ud800',
  '__proto__',
  { $text: ['i', 256] },
  { $text: ['i', 10_000] },
];

const set = (at: string, keyword: Edit['keyword'], value: Value): Edit => ({ at, op: 'set', value, keyword });

const usableIds: readonly Value[] = [...ids.slice(0, 13), { $text: ['i', 256] }, { $text: ['i', 10_000] }];

/** An unusual but valid id: a text or a number. */
export const oddId = (randomSource: RandomSource): Edit => set('/id', 'type', randomSource.pick(usableIds));

/** Methods that no dialect has. */
const methods = (method: string, { randomSource, maxBytes }: Mutator): readonly Value[] => [
  'kit/no-such-method',
  '',
  `${method}x`,
  ` ${method}`,
  `${method}\u0000`,
  `${method}/`,
  `../${method}`,
  `rpc.${method}`,
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  { $text: [`${method}/`, 64] },
  longText(randomSource, maxBytes),
  hostileString(randomSource, maxBytes),
];

const otherTypes = ['null', 'boolean', 'integer', 'number', 'array'] as const;
const versions: readonly Value[] = ['1.0', '', '2', '2.00', '3.0', 2, 2.5, null, ['2.0'], {}];
const strangers = ['tckUnknown', '__proto__', 'constructor', 'result', 'error', 'auth', 'token', 'tenant'];

/** All changes to the envelope of a request, always the same number in the same order. */
export function envelopeEdits(mutator: Mutator, method: string): readonly Edit[] {
  const { randomSource, maxBytes } = mutator;
  const typed = (type: JsonType): Value => typedValue(randomSource, type, maxBytes);
  return [
    ...['/jsonrpc', '/id', '/method', '/params'].map((at): Edit => ({ at, op: 'remove', keyword: 'required' })),
    ...versions.map((value) => set('/jsonrpc', 'const', value)),
    ...ids.map((value) => set('/id', 'type', value)),
    ...[...otherTypes, 'object' as const].map((type) => set('/method', 'type', typed(type))),
    ...methods(method, mutator).map((value) => set('/method', 'enum', value)),
    ...[...otherTypes, 'string' as const].map((type) => set('/params', 'type', typed(type))),
    ...strangers.map((name) =>
      set(`/${name}`, 'additional', typed(randomSource.pick(['null', 'string', 'array', 'object']))),
    ),
  ];
}

export const envelopeEdit = (mutator: Mutator, method: string): Edit =>
  mutator.randomSource.pick(envelopeEdits(mutator, method));
