import { scanJson } from './json-fault.js';

/** Where something stands in a text. Lines and columns count from 1, columns in UTF-16 code units. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

interface Wanted {
  /** Pointers that end here. */
  readonly pointers: string[];
  readonly inner: Map<string, Wanted>;
  at: number | undefined;
}
const wanted = (): Wanted => ({ pointers: [], inner: new Map(), at: undefined });

/** The names in a JSON pointer (RFC 6901). */
export const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A container that is being read, and what is wanted inside it; undefined: nothing. */
interface Holder {
  readonly inside: Wanted | undefined;
  /** How many items came; undefined: an object. */
  items: number | undefined;
}

/**
 * The places of JSON pointers in a JSON text: of a member that of its name, of an item that of the value. What is not
 * there has the place of the innermost thing around it that is. One pass, whatever the number of pointers.
 */
export function placesInJson(text: string, pointers: readonly string[]): ReadonlyMap<string, TextPlace> {
  const root = wanted();
  for (const pointer of new Set(pointers)) {
    let at = root;
    for (const step of stepsOf(pointer)) {
      const next = at.inner.get(step) ?? wanted();
      at.inner.set(step, next);
      at = next;
    }
    at.pointers.push(pointer);
  }
  const holders: Holder[] = [];
  // The value that comes next, and the place of its name.
  let next: { readonly node: Wanted | undefined; readonly at: number } | undefined;
  let current: Wanted | undefined = root;
  scanJson(text, {
    name(start, end) {
      const node = holders.at(-1)?.inside?.inner.get(JSON.parse(text.slice(start, end)) as string);
      next = { node, at: start };
    },
    value(start) {
      const holder = holders.at(-1);
      if (next !== undefined) {
        current = next.node;
        // Of members with the same name the last one counts, as for JSON.parse.
        if (current !== undefined) current.at = next.at;
        next = undefined;
      } else if (holder?.items !== undefined) {
        current = holder.inside?.inner.get(String(holder.items++));
        if (current !== undefined) current.at = start;
      } else if (holder === undefined) {
        root.at = start;
        current = root;
      }
    },
    open(kind) {
      holders.push({ inside: current, items: kind === 'array' ? 0 : undefined });
    },
    close() {
      holders.pop();
    },
  });
  return inLines(text, offsetsOf(root));
}

function offsetsOf(root: Wanted): readonly (readonly [pointer: string, at: number])[] {
  const found: (readonly [string, number])[] = [];
  const waiting: (readonly [node: Wanted, around: number])[] = [[root, 0]];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const [node, around] = item;
    const at = node.at ?? around;
    for (const pointer of node.pointers) found.push([pointer, at]);
    for (const inner of node.inner.values()) waiting.push([inner, at]);
  }
  return found.sort(([, value], [, other]) => value - other);
}

/** `offsets` in the order of the text. */
function inLines(text: string, offsets: ReturnType<typeof offsetsOf>): ReadonlyMap<string, TextPlace> {
  const places = new Map<string, TextPlace>();
  let line = 1;
  let start = 0;
  for (const [pointer, at] of offsets) {
    for (let end = text.indexOf('\n', start); end !== -1 && end < at; end = text.indexOf('\n', start)) {
      line += 1;
      start = end + 1;
    }
    places.set(pointer, { line, column: at - start + 1 });
  }
  return places;
}
