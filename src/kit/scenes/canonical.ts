import { brief, isObject } from '../../model/index.js';

// Canonical values of two bindings are equal where they mean the same: each leaves out other defaults, and has its own
// spelling of times, octets and numbers.

/** Where two values differ first, and how. */
export interface Difference {
  /** "history[1].parts[0].text"; empty: the values themselves. */
  readonly path: string;
  /** Each in a few words; undefined: it is not there. */
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** Members whose content belongs to the client or the agent: every value in them counts, null and 0 too. */
const opaque: ReadonlySet<string> = new Set(['metadata', 'data', 'params']);

const fraction = /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|z|[+-]\d\d:\d\d)$/;

/** A time as seconds and nanoseconds, and how many digits of a second it has. */
interface Instant {
  readonly seconds: number;
  readonly nanos: number;
  readonly digits: number;
}

function instantOf(text: string): Instant | undefined {
  const [, whole, digits = '', zone = ''] = fraction.exec(text) ?? [];
  const seconds = whole === undefined ? Number.NaN : Date.parse(`${whole}${zone}`) / 1000;
  if (!Number.isFinite(seconds)) return undefined;
  return { seconds, nanos: Number(digits.padEnd(9, '0')), digits: digits.length };
}

/** Whether two texts are the same time, to the digits of the less exact text; rounded and cut off are both right. */
export function isSameInstant(first: string, second: string): boolean {
  const [a, b] = [instantOf(first), instantOf(second)];
  if (a === undefined || b === undefined) return first === second;
  const apart = Math.abs((a.seconds - b.seconds) * 1e9 + (a.nanos - b.nanos));
  return apart < 10 ** (9 - Math.min(a.digits, b.digits));
}

/** The octets of a base64 text, whichever alphabet and padding it has. */
function octets(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '=') end--;
  return text.slice(0, end).replaceAll('-', '+').replaceAll('_', '/');
}

/** A member that says no more than a member that is not there. Null as data is a value; metadata is a map. */
function isDefault(value: unknown, name = ''): boolean {
  if (name === 'data') return value === undefined;
  if (value === undefined || value === null) return true;
  if (opaque.has(name)) return isObject(value) && Object.keys(value).length === 0;
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.entries(value).every(([member, inner]) => isDefault(inner, member));
  return value === '' || value === false || value === 0;
}

const shown = (value: unknown): string | undefined => (value === undefined ? undefined : brief(value, 80));

const at = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function valuesDiffer(first: unknown, second: unknown, path: string): Difference | undefined {
  const differ: Difference = { path, left: shown(first), right: shown(second) };
  if (Array.isArray(first) || Array.isArray(second)) {
    if (!Array.isArray(first) || !Array.isArray(second)) return differ;
    return inLists(first, second, path, valuesDiffer);
  }
  if (isObject(first) && isObject(second)) {
    for (const name of new Set([...Object.keys(first), ...Object.keys(second)])) {
      const found = valuesDiffer(first[name], second[name], at(path, name));
      if (found !== undefined) return found;
    }
    return undefined;
  }
  // -0 is 0.
  return first === second ? undefined : differ;
}

type Compare = (first: unknown, second: unknown, path: string) => Difference | undefined;

function inLists(
  first: readonly unknown[],
  second: readonly unknown[],
  path: string,
  compare: Compare,
): Difference | undefined {
  for (let index = 0; index < Math.max(first.length, second.length); index++) {
    const place = `${path}[${index}]`;
    if (index >= first.length || index >= second.length) {
      return { path: place, left: shown(first[index]), right: shown(second[index]) };
    }
    const found = compare(first[index], second[index], place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function membersDiffer(first: unknown, second: unknown, path: string): Difference | undefined {
  if (isDefault(first) && isDefault(second)) return undefined;
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (typeof first === 'string' && typeof second === 'string') {
    if (name === 'timestamp' && isSameInstant(first, second)) return undefined;
    if (name === 'bytes' && octets(first) === octets(second)) return undefined;
  }
  if (Array.isArray(first) && Array.isArray(second)) return inLists(first, second, path, membersDiffer);
  if (isObject(first) && isObject(second)) {
    for (const member of new Set([...Object.keys(first), ...Object.keys(second)])) {
      if (isDefault(first[member], member) && isDefault(second[member], member)) continue;
      const compare = opaque.has(member) ? valuesDiffer : membersDiffer;
      const found = compare(first[member], second[member], at(path, member));
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return first === second ? undefined : { path, left: shown(first), right: shown(second) };
}

/**
 * The first place in which two canonical values mean something else; undefined: they mean the same. Members with their
 * default count as absent, times are instants, base64 is octets, and objects have no order; what metadata, data and
 * params hold counts literally.
 */
export const difference = (first: unknown, second: unknown): Difference | undefined => membersDiffer(first, second, '');

/** A difference in one line; `names`: those of the two sides. */
export function differenceText({ path, left, right }: Difference, [first, second]: readonly [string, string]): string {
  const value = (text: string | undefined): string => text ?? 'nothing';
  return `${path === '' ? '' : `${path}: `}${value(left)} over ${first}, ${value(right)} over ${second}`;
}
