import type { ErrorObject } from 'ajv/dist/2020.js';
import { isObject, isString, type JsonObject } from '../model/index.js';
import { seenOf } from './bounds.js';
import { unruled } from './schema-files.js';

/** One violation of a schema in a document, filed under the requirement key that its place carries. */
export interface Finding {
  /** A requirement key, or `unruled`. */
  readonly rule: string;
  /** JSON pointer; '' is the whole document. A missing member is named by the place where it should be. */
  readonly path: string;
  /** "must be string, is number" */
  readonly message: string;
  /** The value there, shortened. */
  readonly seen: string;
}

/** Records of the kit's own keywords during one validation. */
export interface Visits {
  /** JSON pointers and the rules of their places, outermost schema first; undefined: not needed. */
  readonly rules?: (readonly [path: string, rule: string])[];
  readonly keys: Set<string>;
  readonly open: Finding[];
}

/** The innermost rule of each place. */
type Places = ReadonlyMap<string, string>;

/** The rule for members that are null and count as absent. */
const noNulls = 'data.no-nulls';

const mostFindings = 200;
const longestPath = 300;

export const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

export interface Collected {
  readonly findings: readonly Finding[];
  /** How many places of each rule are not among the findings. */
  readonly more: ReadonlyMap<string, number>;
}

/**
 * At most 200 findings, spread over the rules, so that many of one defect hide no other. `nulls`: members that were
 * left out because they are null.
 */
export function collect(
  errors: readonly ErrorObject[],
  visits: Visits,
  ruleOf: RuleOf,
  nulls: readonly string[] = [],
): Collected {
  const byRule = new Map<string, Map<string, Finding>>();
  const order = new Map<Finding, number>();
  const add = (finding: Finding) => {
    const known = byRule.get(finding.rule) ?? new Map<string, Finding>();
    byRule.set(finding.rule, known);
    const key = `${finding.path} ${finding.message}`;
    if (known.has(key)) return;
    known.set(key, finding);
    order.set(finding, order.size);
  };
  const places: Places = new Map(visits.rules);
  const left = new Set(nulls);
  for (const error of errors) {
    // `if` only repeats the error of its branch.
    if (error.keyword === 'if') continue;
    const finding = findingOf(error, places, ruleOf);
    // A required member that is null counts as missing, and the message says so.
    const isNull = error.keyword === 'required' && left.delete(finding.path);
    add(isNull ? { ...finding, message: 'must be present, is null' } : finding);
  }
  for (const path of left)
    add({ rule: noNulls, path, message: 'must be left out without a value, is null', seen: 'null' });
  for (const finding of visits.open) add(finding);
  const waiting = [...byRule].map(([rule, known]) => ({ rule, left: [...known.values()], taken: 0 }));
  const taken: Finding[] = [];
  // Takes one finding of each rule in turn.
  while (taken.length < mostFindings && waiting.some(({ left, taken: at }) => at < left.length)) {
    for (const item of waiting) {
      const finding = item.left[item.taken];
      if (finding === undefined || (taken.length >= mostFindings && item.taken > 0)) continue;
      taken.push(finding);
      item.taken += 1;
    }
  }
  taken.sort((first, second) => (order.get(first) ?? 0) - (order.get(second) ?? 0));
  return {
    findings: taken.map((finding) => ({ ...finding, path: shortened(finding.path) })),
    more: new Map(waiting.flatMap(({ rule, left, taken: at }) => (at < left.length ? [[rule, left.length - at]] : []))),
  };
}

/** Member names come from the agent, and may have any length. */
const shortened = (path: string): string => (path.length > longestPath ? `${path.slice(0, longestPath)}…` : path);

/** The rule that a schema has beside its `$ref`, or in the schema that this refers to. */
export type RuleOf = (schema: unknown) => string | undefined;

function findingOf(error: ErrorObject, places: Places, ruleOf: RuleOf): Finding {
  const own = (error.parentSchema ?? {}) as JsonObject;
  if (error.keyword === 'required') {
    const name = String(error.params['missingProperty']);
    const properties = own['properties'];
    const place = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return {
      rule: ruleOf(place) ?? nearest(own, error.instancePath, places),
      path: `${error.instancePath}/${escaped(name)}`,
      message: 'must be present, is missing',
      seen: seenOf(undefined),
    };
  }
  const rule = nearest(own, error.instancePath, places);
  return { rule, path: error.instancePath, message: wordsFor(error, own), seen: seenOf(error.data) };
}

/** The rule of the failing schema itself, or of the innermost place around it. */
function nearest(own: JsonObject, path: string, places: Places): string {
  const carried = own['x-rule'];
  if (isString(carried)) return carried;
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const rule = places.get(at);
    if (rule !== undefined || at === '') return rule ?? unruled;
  }
}

function wordsFor(error: ErrorObject, own: JsonObject): string {
  const { params, data } = error;
  switch (error.keyword) {
    case 'type':
      return `must be ${[params['type']].flat().join(' or ')}, is ${typeName(data)}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}, is ${isString(data) ? 'another string' : typeName(data)}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as readonly unknown[]).join(', ')}`;
    case 'format':
    case 'pattern':
    case 'not':
      return isString(own['title']) ? `must be ${own['title']}` : (error.message ?? 'must be otherwise');
    default:
      return error.message ?? 'must be otherwise';
  }
}

const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
