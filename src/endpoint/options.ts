import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isObject, schemaErrorText, TckError } from '../model/index.js';

// Options of programs are judged as those of the command line are: a name that the kit does not know is an error, and not
// a run that does something else than its caller believes.

const file = new URL('../../schemas/kit/options.schema.json', import.meta.url);
let compiled: ValidateFunction | undefined;
const validator = (): ValidateFunction => {
  compiled ??= new Ajv2020({ verbose: true, allErrors: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(file, 'utf8')) as object,
  );
  return compiled;
};

/** Members that are functions: a schema cannot say so. */
const callbacks = ['restart', 'onEvent', 'onPayments', 'fuzz.onKept'];

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

/** A member that is undefined is left out, as in the code that reads it; three levels are all that options have. */
function withoutUndefined(value: unknown, depth = 3): unknown {
  if (!isPlain(value) || depth === 0) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      inner === undefined ? [] : [[name, withoutUndefined(inner, depth - 1)]],
    ),
  );
}

const words = { whole: 'the argument', member: 'option' };

/** The functions among expectations, and the options without them: a schema cannot say that something is a function. */
function apart(options: unknown): { readonly data: unknown; readonly holds: readonly unknown[] } {
  const expect = isObject(options) ? options['expect'] : undefined;
  if (!isObject(options) || !Array.isArray(expect)) return { data: options, holds: [] };
  const all = expect.map((expectation: unknown) => (isPlain(expectation) ? expectation : {}));
  const bare = expect.map((expectation: unknown) =>
    isPlain(expectation) ? withoutUndefined({ ...expectation, holds: undefined }) : expectation,
  );
  return { data: { ...options, expect: bare }, holds: all.map(({ holds }) => holds) };
}

function memberAt(options: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), options);
}

const isSignal = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value;

/**
 * Throws `TckError('usage')` that names every option which does not exist or has another shape. What the values mean is
 * judged later, by those who use them.
 */
export function checkOptions(options: unknown): void {
  const validate = validator();
  const { data, holds } = apart(options);
  const faults = validate(withoutUndefined(data))
    ? []
    : (validate.errors ?? []).map((error) => schemaErrorText(error, words));
  for (const [at, given] of holds.entries())
    if (given !== undefined && typeof given !== 'function')
      faults.push(`the option "expect.${at}.holds" must be a function`);
  for (const path of callbacks) {
    const given = memberAt(options, path);
    if (given !== undefined && typeof given !== 'function') faults.push(`the option "${path}" must be a function`);
  }
  const signal = memberAt(options, 'signal');
  if (signal !== undefined && !isSignal(signal)) faults.push('the option "signal" must be an AbortSignal');
  if (faults.length === 0) return;
  const unique = [...new Set(faults)];
  throw new TckError('usage', unique.join('; '), 'docs/api.md and the types of the package name the options');
}
