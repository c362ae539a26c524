import type { Dialect } from '../../dialect/index.js';
import { isObject, type Operation } from '../../model/index.js';
import { pointerTo, stepsOf } from './pointer.js';

// Maps places of the canonical model to places of a dialect: a canonical value with a mark in one place is encoded, and
// the place of the mark in the result is the place in that dialect.

const mark = 'tck-mark-8d1f';

const message = (part: object): object => ({
  messageId: 'a',
  role: 'user',
  parts: [part],
  contextId: 'a',
  taskId: 'a',
  referenceTaskIds: ['a'],
  extensions: ['a'],
  metadata: { a: 1 },
});
const push = {
  id: 'a',
  url: 'https://example.com/',
  token: 'a',
  authentication: { schemes: ['Bearer'], credentials: 'a' },
};
const sends = [
  { kind: 'text', text: 'a', metadata: { a: 1 } },
  { kind: 'file', bytes: 'aGVsbG8=', name: 'a', mediaType: 'text/plain', metadata: { a: 1 } },
  { kind: 'file', uri: 'https://example.com/', name: 'a', mediaType: 'text/plain', metadata: { a: 1 } },
  { kind: 'data', data: { a: 1 }, metadata: { a: 1 } },
].map((part) => ({
  message: message(part),
  configuration: { acceptedOutputModes: ['text/plain'], historyLength: 1, blocking: false, push },
  metadata: { a: 1 },
}));
const query = { id: 'a', historyLength: 1, metadata: { a: 1 } };
const ref = { taskId: 'a', configId: 'a' };

/** Canonical params with all their members, in each form that they can have. */
const templates: Readonly<Record<Operation, readonly object[]>> = {
  send: sends,
  stream: sends,
  get: [query],
  list: [
    {
      contextId: 'a',
      state: 'working',
      pageSize: 1,
      pageToken: 'a',
      historyLength: 1,
      updatedAfter: '2026-01-01T00:00:00Z',
      includeArtifacts: true,
    },
  ],
  cancel: [{ id: 'a', metadata: { a: 1 } }],
  subscribe: [{ id: 'a', metadata: { a: 1 } }],
  pushSet: [{ taskId: 'a', config: push }],
  pushGet: [ref],
  pushList: [ref],
  pushDelete: [ref],
  extendedCard: [{}],
};

/** Pointers of the value itself and of all values in it. */
function* pointersIn(value: unknown, at = ''): Generator<string, void> {
  yield at;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* pointersIn(member, `${at}/${name}`);
}

function marked(value: unknown, steps: readonly string[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return mark;
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === step ? marked(item, rest) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === step ? marked(member, rest) : member]),
  );
}

function placeOfMark(value: unknown, steps: readonly (string | number)[] = []): string | undefined {
  if (value === mark) return pointerTo(steps);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = placeOfMark(member, [...steps, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Pointers below params, with an asterisk for array items: from the dialect to the canonical model, and back. */
export interface Places {
  readonly canonical: ReadonlyMap<string, string>;
  readonly spelled: ReadonlyMap<string, readonly string[]>;
}

const anyItem = (pointer: string): string => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');

const known = new Map<string, Places>();

export function placesOf(dialect: Dialect, operation: Operation): Places {
  const key = `${dialect.id} ${operation}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const canonical = new Map<string, string>([['', '']]);
  const spelled = new Map<string, string[]>([['', ['']]]);
  const codec = dialect.operations[operation]?.params;
  for (const template of codec === undefined ? [] : templates[operation]) {
    for (const pointer of pointersIn(template)) {
      if (pointer === '') continue;
      const wire = placeOfMark(codec?.encode(marked(template, stepsOf(pointer)) as never));
      if (wire === undefined) continue;
      const [ours, theirs] = [anyItem(pointer), anyItem(wire)];
      if (!canonical.has(theirs)) canonical.set(theirs, ours);
      const all = spelled.get(ours) ?? [];
      spelled.set(ours, all.includes(theirs) ? all : [...all, theirs]);
    }
  }
  const made = { canonical, spelled };
  known.set(key, made);
  return made;
}

/** Translates a pointer below params into another dialect; undefined: that dialect has no such place. */
export function translated(from: Dialect, to: Dialect, operation: Operation, pointer: string): string | undefined {
  const steps = stepsOf(pointer);
  const places = placesOf(from, operation);
  // The longest prefix that has a meaning; the rest is unknown to both dialects, or inside free data.
  for (let end = steps.length; end >= 0; end--) {
    const head = steps.slice(0, end);
    const ours = places.canonical.get(anyItem(pointerTo(head)));
    if (ours === undefined) continue;
    const [theirs] = placesOf(to, operation).spelled.get(ours) ?? [];
    if (theirs === undefined) return undefined;
    const rest = steps.slice(end);
    // A member that this dialect defines, and the other does not, has no place there.
    if (rest.length > 0 && isTag(head, rest[0] ?? '')) return undefined;
    const items = head.filter((step) => /^\d+$/.test(step));
    const spelledSteps = stepsOf(theirs).map((step) => (step === '*' ? (items.shift() ?? '0') : step));
    return pointerTo([...spelledSteps, ...rest]);
  }
  return undefined;
}

/** `kind` and `type` only distinguish objects, and have no canonical place. */
const isTag = (head: readonly string[], name: string): boolean =>
  (name === 'kind' || name === 'type') && (head.at(-1) === 'message' || head.at(-2) === 'parts');
