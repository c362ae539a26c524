import { type Arbitrary, array, boolean, constant, constantFrom, oneof, record, tuple } from 'fast-check';
import type { Dialect } from '../../dialect/index.js';
import { isString, type Operation } from '../../model/index.js';
import type { Value } from '../case/case.js';
import type { Filling } from '../case/placeholders.js';
import { type Placeholder, placeholderAt } from '../case/placeholders.js';
import type { Place } from './places.js';
import { paramsOf } from './places.js';
import type { Form, Shape } from './shape.js';

// Arbitraries from the schemas. A value with a meaning is drawn as a placeholder, and filled afterwards; see placeholders.ts.

interface Blank {
  readonly hole: Placeholder;
  readonly shape: Shape;
}

interface Plan {
  readonly dialect: Dialect;
  readonly operation: Operation;
  readonly pushes: boolean;
  readonly blanks: Map<string, Blank>;
  /** A place that has to be there. */
  readonly wanted: Place | undefined;
}

const words = ['tck', 'a', 'two words', 'ü🙂', '0'];
const numbers = [0, 1, 2, 10, 100];
const anyJson: Arbitrary<Value> = constantFrom<Value[]>(
  { a: 1 },
  [],
  [1, 'two', null],
  'text',
  42,
  1.5,
  true,
  null,
  {},
  { nested: { list: [[]] } },
);

const isOnWay = ({ wanted }: Plan, path: string): boolean =>
  wanted !== undefined && (wanted.path === path || wanted.path.startsWith(`${path}/`));

function arbitraryOf(plan: Plan, shape: Shape, path: string): Arbitrary<Value> {
  const hole = placeholderAt(plan.dialect, plan.operation, path, shape, plan.pushes);
  // Objects on the way to a wanted place are built, although their placeholder would fill them at once.
  if (hole?.fill !== undefined && (shape.forms.length === 0 || !isOnWay(plan, path))) {
    plan.blanks.set(path, { hole, shape });
    return constant({ $hole: path });
  }
  if (shape.const !== undefined) return constant(shape.const);
  if (shape.enum !== undefined) return constantFrom(...shape.enum);
  if (shape.types.includes('object')) {
    if (shape.forms.length === 0) return constantFrom<Value[]>({}, { a: 1 });
    const chosen = plan.wanted?.forms.get(path);
    const forms = chosen !== undefined && isOnWay(plan, path) ? [chosen] : shape.forms;
    return oneof(...forms.map((form) => formArbitrary(plan, form, path)));
  }
  if (shape.types.includes('array')) return listArbitrary(plan, shape, path);
  if (shape.types.includes('string')) return constantFrom(...words);
  if (shape.types.includes('integer') || shape.types.includes('number')) return constantFrom(...numbers);
  if (shape.types.includes('boolean')) return boolean();
  return anyJson;
}

function listArbitrary(plan: Plan, shape: Shape, path: string): Arbitrary<Value> {
  const item = shape.items === undefined ? anyJson : arbitraryOf(plan, shape.items, `${path}/*`);
  const most = path.endsWith('/parts') ? 3 : 2;
  const least = path.endsWith('/parts') || path.endsWith('odes') ? 1 : (shape.minItems ?? 0);
  const list = array(item, { minLength: least, maxLength: most, size: 'max' });
  if (!isOnWay(plan, `${path}/*`)) return list;
  const other =
    shape.items === undefined ? anyJson : arbitraryOf({ ...plan, wanted: undefined }, shape.items, `${path}/*`);
  return tuple(item, array(other, { maxLength: 1 })).map(([first, rest]): Value => [first, ...rest]);
}

const nothing = Symbol('left out');

function formArbitrary(plan: Plan, form: Form, path: string): Arbitrary<Value> {
  const members: Record<string, Arbitrary<Value | typeof nothing>> = {};
  for (const [name, member] of Object.entries(form.members)) {
    const at = `${path}/${name}`;
    const placeholder = placeholderAt(plan.dialect, plan.operation, at, member.shape, plan.pushes);
    const often = member.required || member.always || isOnWay(plan, at) ? 1 : (placeholder?.often ?? 0.3);
    if (often === 0) continue;
    const made = arbitraryOf(plan, member.shape, at);
    const weight = Math.round(often * 100);
    members[name] =
      often >= 1
        ? made
        : oneof({ weight, arbitrary: made }, { weight: 100 - weight, arbitrary: constant<typeof nothing>(nothing) });
  }
  return record(members, { noNullPrototype: true }).map(
    (drawn): Value =>
      Object.fromEntries(Object.entries(drawn).filter((entry): entry is [string, Value] => entry[1] !== nothing)),
  );
}

interface Recipe {
  readonly arbitrary: Arbitrary<Value>;
  readonly blanks: ReadonlyMap<string, Blank>;
}

/** Draws params of operations that are valid by the schema. */
export interface Recipes {
  /** Undefined: the operation has no params. `wanted`: a place that the params must have. */
  draw(operation: Operation, filling: Omit<Filling, 'operation'>, wanted?: Place): Value | undefined;
}

export function createRecipes(dialect: Dialect, pushes: boolean): Recipes {
  const known = new Map<Operation, Recipe | undefined>();
  const wantedOnes = new Map<Place, Recipe>();
  const make = (operation: Operation, wanted: Place | undefined): Recipe | undefined => {
    const params = paramsOf(dialect, operation);
    if (params === undefined) return undefined;
    const blanks = new Map<string, Blank>();
    return { arbitrary: arbitraryOf({ dialect, operation, pushes, blanks, wanted }, params.shape, ''), blanks };
  };
  const recipeOf = (operation: Operation, wanted: Place | undefined): Recipe | undefined => {
    if (wanted === undefined) {
      if (!known.has(operation)) known.set(operation, make(operation, undefined));
      return known.get(operation);
    }
    const found = wantedOnes.get(wanted) ?? make(operation, wanted);
    if (found !== undefined) wantedOnes.set(wanted, found);
    return found;
  };
  return {
    draw(operation, filling, wanted) {
      const recipe = recipeOf(operation, wanted);
      if (recipe === undefined) return undefined;
      const whole: Filling = { ...filling, operation };
      return filled(filling.randomSource.draw(recipe.arbitrary) as Drawn, recipe, whole);
    },
  };
}

type Drawn = Value & { [member: string]: Drawn };

/** Fills the placeholders in place: drawn values are used nowhere else, except constants, which have no placeholders inside. */
function filled(value: Drawn, recipe: Recipe, filling: Filling): Value {
  if (value === null || typeof value !== 'object') return value;
  const path: unknown = value['$hole'];
  const blank = isString(path) ? recipe.blanks.get(path) : undefined;
  if (blank?.hole.fill !== undefined) return blank.hole.fill(filling, blank.shape);
  for (const name of Object.keys(value)) {
    const inner = value[name];
    if (typeof inner !== 'object' || inner === null) continue;
    const made = filled(inner, recipe, filling);
    if (made !== inner) value[name] = made as Drawn;
  }
  return value;
}
