import type { MethodPlace } from '../../binding/index.js';
import { isObject, isString } from '../../model/index.js';
import type { Value } from '../case/case.js';
import { pointerTo, valueAt, withAt } from '../case/pointer.js';
import { escapeStep, type Members, print } from '../case/values.js';
import { type JsonType, typedValue } from '../generate/hostile.js';
import type { RandomSource } from '../generate/random-source.js';
import { bytesMutations } from './bytes.js';
import { messageMutations } from './messages.js';
import { wrongTypes } from './schema-mutators.js';
import { textMutations } from './text.js';
import type { WireMutationKind } from './wire-mutation.js';

// Changes to an answer that came right, always the same ones in the same order: the laws are proven on them.

/** One place of an answer. */
export interface AnswerPlace {
  readonly pointer: string;
  /** The same with an asterisk for each place in a list. */
  readonly path: string;
  readonly value: Value;
}

/** Every place of a value, from the outside in. */
export function* placesOfValue(value: Value, steps: readonly (string | number)[] = []): Generator<AnswerPlace, void> {
  const wild = steps.map((step) => (typeof step === 'number' ? '*' : step));
  yield { pointer: pointerTo(steps), path: pointerTo(wild), value };
  if (Array.isArray(value)) {
    for (const [at, item] of (value as readonly Value[]).entries()) yield* placesOfValue(item, [...steps, at]);
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value as Members)) yield* placesOfValue(inner, [...steps, name]);
  }
}

/** Makes no choice: it takes the first of a list, and what is likely. */
const settled: RandomSource = {
  below: () => 0,
  pick: (list) => list[0] as (typeof list)[number],
  chance: (probability) => probability >= 0.5,
  draw: () => {
    throw new Error('nothing is left to chance');
  },
  branch: () => settled,
};

const typeOf = (value: Value): JsonType => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'string' | 'object';
};

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function withOtherName(root: Value, pointer: string, name: string): Value | undefined {
  const [at, value] = [pointer.slice(0, pointer.lastIndexOf('/')), valueAt(root, pointer)];
  const rest = withAt(root, pointer, undefined);
  return rest === undefined || value === undefined ? undefined : withAt(rest, `${at}/${escapeStep(name)}`, value);
}

/** A change to a JSON value, by a name that says what it does. */
export type NamedChange = readonly [name: string, change: (root: Value) => string | undefined];

const printed = (value: Value | undefined): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);
const nothing = (): undefined => undefined;

/** All changes at one place. `others`: values that answers have at the same place. */
export function changesAt({ pointer, value }: AnswerPlace, others: readonly Value[]): readonly NamedChange[] {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  const isMember = pointer !== '' && !/^\d+$/.test(name);
  const set = (called: string, made: Value): NamedChange => [called, (root) => printed(withAt(root, pointer, made))];
  const own = typeOf(value);
  const list = Array.isArray(value) ? (value as readonly Value[]) : undefined;
  const types = wrongTypes({ types: own === 'integer' ? ['integer', 'number'] : [own], forms: [] });
  const texts: readonly NamedChange[] = !isString(value)
    ? []
    : [
        set('empty', ''),
        set('longer', `${value}x`),
        set('in capitals', value.toUpperCase()),
        set('with an underscore', value.replaceAll('-', '_')),
        set('as a path', `/${value}`),
      ];
  const numbers: readonly NamedChange[] =
    typeof value !== 'number' ? [] : [set('negative', -1), set('one more', value + 1), set('huge', 2 ** 53)];
  const flags: readonly NamedChange[] = typeof value === 'boolean' ? [set('the other way', !value)] : [];
  const lists: readonly NamedChange[] =
    list === undefined || list.length === 0
      ? []
      : [
          set('empty', []),
          set('its first item', list[0] ?? null),
          set('each item twice', [...list, ...list]),
          ...(list.length > 1 ? [set('backwards', [...list].reverse())] : []),
        ];
  const objects: readonly NamedChange[] = !isObject(value)
    ? []
    : [
        ...(Object.keys(value).length === 0 ? [] : [set('empty', {})]),
        ['a stranger in it', (root) => printed(withAt(root, `${pointer}/tckUnknown`, 1))],
        ['a null in it', (root) => printed(withAt(root, `${pointer}/tckUnknown`, null))],
        ['a list of its members', (root) => printed(withAt(root, pointer, Object.values(value as Members)))],
      ];
  return [
    ...(pointer === '' ? [] : [['missing', (root) => printed(withAt(root, pointer, undefined))] as NamedChange]),
    ...types.map((type) => set(type, typedValue(settled, type, 64))),
    set('in a list', [value]),
    ...texts,
    ...numbers,
    ...flags,
    ...lists,
    ...objects,
    ...others.map((other) => set(`as ${printed(other)?.slice(0, 40)}`, other)),
    ...(isMember && snake(name) !== name
      ? [['in snake case', (root) => printed(withOtherName(root, pointer, snake(name)))] as NamedChange]
      : []),
    ...(isMember
      ? [['under another name', (root) => printed(withOtherName(root, pointer, `${name}s`))] as NamedChange]
      : []),
    ...(isMember
      ? [
          [
            'twice',
            (root) =>
              print(root, nothing, [
                {
                  at: pointer.slice(0, pointer.lastIndexOf('/')),
                  members: `${JSON.stringify(name)}:${JSON.stringify(value)}`,
                  where: 'last',
                },
              ]),
          ] as NamedChange,
        ]
      : []),
  ];
}

const kinds = (all: Readonly<Record<string, WireMutationKind>>) =>
  Object.entries(all).map(
    ([trick, kind]) =>
      [trick, kind, { trick, ...kind.make({ randomSource: settled, maxBytes: 256, objects: [''] }) }] as const,
  );

/** A change to the bytes of an answer; `body`: of gRPC, to a message with its prefix. */
export type BytesChange = readonly [name: string, change: (bytes: Uint8Array) => Uint8Array, of?: 'body'];

/** Changes to a body that is JSON, or to one event of a stream. */
export const textChanges: readonly BytesChange[] = kinds({ ...textMutations, ...bytesMutations }).flatMap(
  ([name, { text, bytes }, trick]): readonly BytesChange[] => {
    if (text !== undefined) return [[name, (body) => Buffer.from(text(trick, Buffer.from(body).toString('utf8')))]];
    return bytes === undefined ? [] : [[name, (body) => bytes(trick, body, Buffer.from(body).toString('utf8'))]];
  },
);

/** Changes to a message of gRPC, and to a body of one message. `method` is read by the type of its requests. */
export const messageChanges = (method: MethodPlace): readonly BytesChange[] =>
  kinds(messageMutations).flatMap(([name, { message, framed }, trick]): readonly BytesChange[] => {
    if (message !== undefined) return [[name, (bytes) => message(trick, bytes, method)]];
    return framed === undefined ? [] : [[name, (body) => framed(trick, body), 'body']];
  });
