import type { Dialect } from '../../dialect/index.js';
import { idOf, readSchemas } from '../../ledger/index.js';
import type { JsonObject, Operation } from '../../model/index.js';
import type { Keyword } from '../case/case.js';
import { type Form, type Shape, shapeOf } from './shape.js';

/** One place of the params of an operation, in one form of the objects around it. */
export interface Place {
  /** Pointer below params; the step of an array item is an asterisk. */
  readonly path: string;
  /** Pointer in a request: the first item of each array. */
  readonly pointer: string;
  readonly shape: Shape;
  /** The object around it requires it. */
  readonly required: boolean;
  /** Which form each object on the way has, by its path. */
  readonly forms: ReadonlyMap<string, Form>;
}

/** A place and a keyword that can be broken there. */
export interface Breakable {
  readonly place: Place;
  readonly keyword: Keyword;
  /** The same for the same place, form and keyword. */
  readonly key: string;
}

/** The shape, places and breakable keywords of the params of one operation. */
export interface Params {
  readonly shape: Shape;
  readonly places: readonly Place[];
  readonly breakables: readonly Breakable[];
}

const keyOf = ({ path, forms }: Place, keyword: Keyword): string =>
  [path, ...[...forms.values()].map(({ name }) => name).filter((name) => name !== ''), keyword].join(' ');

function* placesIn(
  shape: Shape,
  path: string,
  required: boolean,
  forms: ReadonlyMap<string, Form>,
): Generator<Place, void> {
  const pointer = `/params${path.replaceAll('/*', '/0')}`;
  yield { path, pointer, shape, required, forms };
  if (shape.items !== undefined) yield* placesIn(shape.items, `${path}/*`, false, forms);
  for (const form of shape.forms) {
    const chosen = shape.forms.length > 1 ? new Map([...forms, [path, form]]) : forms;
    // The object itself is a place in each of its forms, so that the rules of the form can be broken.
    if (shape.forms.length > 1) yield { path, pointer, shape: { ...shape, forms: [form] }, required, forms: chosen };
    for (const [name, member] of Object.entries(form.members)) {
      yield* placesIn(member.shape, `${path}/${name}`, member.required, chosen);
    }
  }
}

/** null, boolean, number, string, array and object; integers are numbers. */
const jsonTypes = 6;

/** Keywords of the schema that can be broken at a place. */
function keywordsAt({ shape, required, forms, path }: Place): readonly Keyword[] {
  const { types } = shape;
  // An object of several forms is a place once as itself, and once in each form.
  const isForm = forms.has(path);
  const found: Keyword[] = [];
  if (!isForm) {
    // A place that allows all six types has no wrong one.
    if (types.length > 0 && types.length < jsonTypes) found.push('type');
    if (required && path !== '') found.push('required');
    if (shape.enum !== undefined) found.push('enum');
    if (shape.const !== undefined) found.push('const');
    if (shape.format !== undefined) found.push('format');
    if (shape.pattern !== undefined) found.push('pattern');
    if ([shape.minLength, shape.minItems, shape.minimum, shape.maximum].some((bound) => bound !== undefined)) {
      found.push('bounds');
    }
    if (types.includes('object')) found.push('additional');
  }
  const [form] = shape.forms;
  if (form !== undefined && (isForm || shape.forms.length === 1) && form.broken.length > 0) found.push('shape');
  return found;
}

const schemaFolders = new Map<string, ReadonlyMap<string, JsonObject>>();
const known = new Map<string, Params | undefined>();

/** Read once per folder and operation: schemas are data that does not change. Undefined: the dialect has no schema. */
export function paramsOf(dialect: Dialect, operation: Operation): Params | undefined {
  const key = `${dialect.schemas} ${operation}`;
  if (known.has(key)) return known.get(key);
  const schemas = schemaFolders.get(dialect.schemas) ?? readSchemas(dialect.schemas);
  schemaFolders.set(dialect.schemas, schemas);
  const made = read(schemas, dialect.schemas, operation);
  known.set(key, made);
  return made;
}

function read(schemas: ReadonlyMap<string, JsonObject>, folder: string, operation: Operation): Params | undefined {
  const definitions = schemas.get(idOf(folder, 'rpc.schema.json'))?.['$defs'];
  const name = `${operation}.params`;
  if (typeof definitions !== 'object' || definitions === null || !Object.hasOwn(definitions, name)) return undefined;
  const shape = shapeOf(schemas, idOf(folder, `rpc.schema.json#/$defs/${name}`));
  const places = [...placesIn(shape, '', true, new Map())];
  const breakables = new Map<string, Breakable>();
  for (const place of places) {
    for (const keyword of keywordsAt(place)) {
      const found = keyOf(place, keyword);
      if (!breakables.has(found)) breakables.set(found, { place, keyword, key: found });
    }
  }
  return { shape, places, breakables: [...breakables.values()] };
}
