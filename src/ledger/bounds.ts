import { brief, isObject } from '../model/index.js';

// Documents come from the agent under test. A validator recurses as deep as they nest and makes an error object for
// each defect, so both are bounded before it sees them.

export const deepest = 200;
const mostValues = 20_000;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isInfinite = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value);

export interface Extent {
  /** Containers around the innermost value; at most one more than `deepest`, where the measuring stops. */
  readonly depth: number;
  readonly values: number;
  /** One of its numbers was too large for a double, so JSON cannot write it again. */
  readonly isBeyond: boolean;
  /** One of its values is null. */
  readonly hasNull: boolean;
}

/** Measures a document level by level, without recursion. */
export function extentOf(document: unknown): Extent {
  let depth = 0;
  let values = 1;
  let isBeyond = isInfinite(document);
  let hasNull = document === null;
  // All containers so far, level by level.
  const containers: object[] = isContainer(document) ? [document] : [];
  function count(value: unknown): void {
    values += 1;
    if (isContainer(value)) containers.push(value);
    else if (value === null) hasNull = true;
    else if (isInfinite(value)) isBeyond = true;
  }
  for (let at = 0; at < containers.length && depth <= deepest; depth++) {
    for (const end = containers.length; at < end; at++) {
      const container = containers[at];
      if (Array.isArray(container)) for (const value of container) count(value);
      // This makes no list of members: every answer is measured.
      else for (const name in container) count((container as Readonly<Record<string, unknown>>)[name]);
    }
  }
  return { depth, values, isBeyond, hasNull };
}

/**
 * The document, or a sample of it when it holds too many values: the first items of each array and the first members of
 * each object. Members named in `known` always stay, so that a cut never looks like an absence.
 */
export function sampled(document: unknown, values: number, known: ReadonlySet<string>): unknown {
  let sample = document;
  let left = values;
  for (const width of [1000, 100, 10, 1]) {
    if (left <= mostValues) break;
    sample = cut(sample, width, known);
    left = extentOf(sample).values;
  }
  return sample;
}

function cut(value: unknown, width: number, known: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.slice(0, width).map((item) => cut(item, width, known));
  if (!isObject(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [index, name] of Object.keys(value).entries()) {
    if (index < width || known.has(name)) kept.push([name, cut(value[name], width, known)]);
  }
  // fromEntries defines members, so `__proto__` stays a plain one.
  return Object.fromEntries(kept);
}

const seenLength = 120;

/** `brief` of a value of any size, without printing all of it first. */
export const seenOf = (value: unknown): string => brief(glimpse(value, 3), seenLength);

function glimpse(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return value.slice(0, seenLength);
  if (!isContainer(value)) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, 8).map((item) => glimpse(item, levels - 1));
  const first: [string, unknown][] = [];
  for (const name in value) {
    if (first.length === 8) break;
    if (isObject(value)) first.push([name.slice(0, seenLength), glimpse(value[name], levels - 1)]);
  }
  return Object.fromEntries(first);
}
