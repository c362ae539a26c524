import { isString } from '../../model/index.js';
import type { Edit, Keyword, Value } from '../case/case.js';
import { valueAt } from '../case/pointer.js';
import { escapeStep, specialOf } from '../case/values.js';
import {
  cocktail,
  hostileNames,
  hostileNumbers,
  hostileString,
  type JsonType,
  nesting,
  typedValue,
} from '../generate/hostile.js';
import type { Breakable, Place } from '../generate/places.js';
import type { RandomSource } from '../generate/random-source.js';
import type { Shape } from '../generate/shape.js';

// One mutator per keyword of the schemas. Each edit is tagged with the place and the keyword that it breaks.

export interface Mutator {
  readonly randomSource: RandomSource;
  readonly maxBytes: number;
}

const allTypes: readonly JsonType[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** JSON types that a shape does not allow. */
export function wrongTypes({ types }: Shape): readonly JsonType[] {
  const allowed = new Set(types.includes('number') ? [...types, 'integer'] : types);
  return allTypes.filter((type) => !allowed.has(type));
}

const set = (at: string, keyword: Keyword, value: Value): readonly Edit[] => [{ at, op: 'set', value, keyword }];

/** A value that is not allowed: another string, or no string at all. */
function otherThan(allowed: readonly Value[], { randomSource, maxBytes }: Mutator): Value {
  const first = allowed.find(isString) ?? 'word';
  const near: readonly Value[] = [
    first.toUpperCase(),
    first.slice(1),
    `${first} `,
    `${first}x`,
    'robot',
    '',
    0,
    null,
    [first],
    {},
  ];
  const made = randomSource.chance(0.7) ? randomSource.pick(near) : hostileString(randomSource, maxBytes);
  return allowed.includes(made) ? `${first}?` : made;
}

/** Breaks one keyword at one place, which must be present. Undefined: it cannot be broken in these params. */
export function breaking(
  mutator: Mutator,
  request: Value,
  { place, keyword }: Pick<Breakable, 'place' | 'keyword'>,
  type?: JsonType,
): readonly Edit[] | undefined {
  const { randomSource, maxBytes } = mutator;
  const { shape } = place;
  const at = place.pointer;
  switch (keyword) {
    case 'type': {
      const wrong = type === undefined ? wrongTypes(shape) : [type];
      // A place that allows every type has no wrong one.
      return wrong.length === 0
        ? undefined
        : set(at, keyword, typedValue(randomSource, randomSource.pick(wrong), maxBytes));
    }
    case 'required':
      return [{ at, op: 'remove', keyword }];
    case 'enum':
      return set(at, keyword, otherThan(shape.enum ?? [], mutator));
    case 'const':
      return set(at, keyword, otherThan([shape.const ?? null], mutator));
    case 'format':
      return set(at, keyword, randomSource.pick(['!!!!', 'a', 'ab=c', 'äöü=', '\u0000\u0000\u0000\u0000', 'a b c d']));
    case 'pattern': {
      const pattern = new RegExp(shape.pattern ?? '');
      const texts = ['', 'UPPER', 'way.too.long.name', 'dot.', 'a b', 'ümlaut', '6789'];
      return set(at, keyword, randomSource.pick(texts.filter((text) => !pattern.test(text))));
    }
    case 'bounds':
      return set(at, keyword, outOfBounds(shape));
    case 'additional':
      return set(`${at}/${escapeStep(nameFor(randomSource, request, at))}`, keyword, extra(mutator));
    case 'shape':
      return misshapen(mutator, request, place, at);
  }
}

const outOfBounds = ({ minLength, minItems, minimum, maximum }: Shape): Value => {
  if (minLength !== undefined) return '';
  if (minItems !== undefined) return [];
  return minimum !== undefined ? minimum - 1 : (maximum ?? 0) + 1;
};

function nameFor(randomSource: RandomSource, request: Value, at: string): string {
  const name = randomSource.pick(hostileNames);
  return valueAt(request, `${at}/${escapeStep(name)}`) === undefined ? name : `tck-${name}`;
}

function extra({ randomSource, maxBytes }: Mutator): Value {
  return randomSource.chance(0.2)
    ? nesting(randomSource, maxBytes)
    : typedValue(randomSource, randomSource.pick(allTypes), maxBytes);
}

/** Removes and adds members, so that members that exclude or demand each other are wrong. */
function misshapen(
  { randomSource }: Mutator,
  request: Value,
  { shape }: Place,
  at: string,
): readonly Edit[] | undefined {
  const [form] = shape.forms;
  const broken = form?.broken ?? [];
  if (broken.length === 0) return undefined;
  const { present, absent } = randomSource.pick(broken);
  const edits: Edit[] = [];
  for (const name of absent) {
    const pointer = `${at}/${escapeStep(name)}`;
    if (valueAt(request, pointer) !== undefined) edits.push({ at: pointer, op: 'remove', keyword: 'shape' });
  }
  for (const name of present) {
    const pointer = `${at}/${escapeStep(name)}`;
    if (valueAt(request, pointer) !== undefined) continue;
    edits.push({ at: pointer, op: 'set', value: name === 'data' ? { a: 1 } : 'aGVsbG8=', keyword: 'shape' });
  }
  return edits;
}

/** Ways in which a value can be odd, by kind of value. */
const flavours = {
  number: ['any', 'negative', 'huge', 'fraction'],
  text: ['any', 'any', 'cocktail', 'empty', 'long'],
  list: ['empty', 'many'],
  free: ['empty', 'many', 'deep'],
  anything: ['deep', 'any'],
  none: [],
} as const;
/**
 * `longest`: longer than usual buffers; only for long texts, because it is costly. `key`: names that objects inherit,
 * or a text that keeps a pattern busy; only for ids.
 */
export type Flavour = (typeof flavours)[keyof typeof flavours][number] | 'longest' | 'key';

function sortOf({ types, forms, enum: words, const: constant }: Shape): keyof typeof flavours {
  if (types.includes('integer') || types.includes('number')) return 'number';
  if (types.includes('string')) return 'text';
  if (types.includes('array')) return 'list';
  if (types.includes('object')) return forms.length === 0 ? 'free' : 'none';
  return types.length === 0 && words === undefined && constant === undefined ? 'anything' : 'none';
}
export const flavoursOf = (shape: Shape): readonly Flavour[] => flavours[sortOf(shape)];

/**
 * A value that the schema allows and no sentence requires an agent to accept: a negative length, an id with control
 * characters.
 */
export function odd(mutator: Mutator, request: Value, place: Place, wanted?: Flavour): readonly Edit[] | undefined {
  const { randomSource, maxBytes } = mutator;
  const { shape, pointer } = place;
  const all = flavoursOf(shape);
  if (all.length === 0) return undefined;
  const flavour = wanted ?? randomSource.pick(all);
  const sort = sortOf(shape);
  if (sort === 'number') return set(pointer, 'bounds', oddNumber(randomSource, flavour));
  if (sort === 'text') return set(pointer, 'format', oddText(mutator, flavour));
  if (sort === 'list') {
    const item = valueAt(request, `${pointer}/0`);
    if (item === undefined || flavour === 'empty') return set(pointer, 'bounds', []);
    // A repeated list inside a repeated list would be too large.
    if (specialOf(item)?.is === 'list') return undefined;
    const times = Math.min(randomSource.pick([100, 300, 1000, 2000]), Math.max(2, Math.floor(maxBytes / 400)));
    return set(pointer, 'bounds', { $list: [item, times] });
  }
  if (flavour === 'any') {
    const other = randomSource.chance(0.5);
    return set(
      pointer,
      'bounds',
      other ? typedValue(randomSource, randomSource.pick(allTypes), maxBytes) : hostileString(randomSource, maxBytes),
    );
  }
  if (flavour === 'empty') return set(pointer, 'bounds', {});
  if (flavour === 'many') return set(pointer, 'bounds', manyMembers(randomSource.pick([100, 300, 1000])));
  const deep = nesting(randomSource, maxBytes);
  return set(pointer, 'bounds', sort === 'free' ? { nested: deep } : deep);
}

const keys: readonly string[] = ['__proto__', 'constructor', 'toString', `${'a'.repeat(40)}!`];

function oddNumber(randomSource: RandomSource, flavour: Flavour): Value {
  if (flavour === 'negative') return randomSource.pick([-1, -2147483648]);
  if (flavour === 'huge')
    return randomSource.pick<Value>([2147483648, Number.MAX_SAFE_INTEGER, { $raw: '1e400' }, { $raw: '1e21' }]);
  return flavour === 'fraction' ? randomSource.pick([0.5, 1.5]) : randomSource.pick(hostileNumbers);
}

function oddText({ randomSource, maxBytes }: Mutator, flavour: Flavour): Value {
  if (flavour === 'cocktail') return cocktail(randomSource);
  if (flavour === 'empty') return '';
  if (flavour === 'key') return randomSource.pick(keys);
  if (flavour === 'any') return hostileString(randomSource, maxBytes);
  const length = flavour === 'longest' ? 70_000 : randomSource.pick([300, 1025, 5000]);
  return {
    $text: [randomSource.pick(['A', 'a.', '0', ' ']), Math.min(length, Math.max(1, Math.floor(maxBytes / 12)))],
  };
}

export const manyMembers = (count: number): Value =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]));
